"""Walking the schema's types: which keys a mapping has, and the JSON Schema of all of it."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Final, Union, get_args, get_origin

import typing_extensions

from lossless.inventory.kinds import Keys, Reader, Shorthand
from lossless.inventory.positions import Path
from lossless.inventory.schema import Inventory
from lossless.model.values import Mark

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints: dict[str, Any] = typing.get_type_hints(kind, include_extras=True)
    return hints


def _parts(hint: Any) -> Iterator[Any]:
    """Yield a hint and everything inside its annotations and unions, outermost first."""
    yield hint
    origin = get_origin(hint)
    if origin is Annotated or origin in (typing.Required, typing.NotRequired):
        yield from _parts(get_args(hint)[0])
    elif origin in (Union, types.UnionType):
        for arm in get_args(hint):
            yield from _parts(arm)


def _mapping(hint: Any) -> Any:
    """Return the TypedDict or `dict[…]` inside a hint, or `None`."""
    for part in _parts(hint):
        if get_origin(part) is dict or typing_extensions.is_typeddict(part):
            return part
    return None


def keys_at(kind: Any, path: Path) -> tuple[str, ...]:
    """Return the keys that a mapping at a path may have; empty where any name will do."""
    at: Any = kind
    for step in path:
        at = _step(at, step)
    found = _mapping(at)
    if found is None or get_origin(found) is dict:
        return ()
    return tuple(name for name in _hints(found) if name != "ids")


def _step(hint: Any, step: str | int) -> Any:
    if isinstance(step, int):
        lists = (part for part in _parts(hint) if get_origin(part) is list)
        return next((get_args(part)[0] for part in lists), None)
    found = _mapping(hint)
    if found is None:
        return None
    if get_origin(found) is dict:
        return get_args(found)[1]
    hints = _hints(found)
    return hints.get(step) or (hints.get("ids") and _step(hints["ids"], step))


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an inventory, for editors.

    It accepts all that the reader accepts, one file of several included, and describes each key
    with its units.
    """
    definitions: dict[str, Any] = {}
    whole = _typed_dict(Inventory, definitions)
    whole = {key: value for key, value in whole.items() if key != "required"}
    return {
        "$schema": _DIALECT,
        "$id": "urn:lossless:inventory:1",
        "title": "Inventory of lossless",
        **whole,
        "$defs": dict(sorted(definitions.items())),
    }


def _typed_dict(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    described = inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    properties: dict[str, Any] = {}
    patterns: dict[str, Any] = {}
    for name, hint in _hints(kind).items():
        if name == "ids":
            keys, values = get_args(_mapping(hint))
            patterns[_key_pattern(keys)] = _schema(values, definitions)
            continue
        said = _schema(hint, definitions)
        text = _description(hint)
        properties[name] = {"description": text, **said} if text else said
    required = sorted(kind.__required_keys__)
    return {
        "type": "object",
        "description": described,
        "properties": properties,
        **({"patternProperties": patterns} if patterns else {}),
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _description(hint: Any) -> str | None:
    for part in _parts(hint):
        if get_origin(part) is Annotated:
            texts = [m for m in part.__metadata__ if isinstance(m, str) and m != "…"]
            if texts:
                return texts[-1]
    return None


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin = get_origin(hint)
    if origin is Annotated:
        return _annotated(hint, definitions)
    if origin in (typing.Required, typing.NotRequired):
        return _schema(get_args(hint)[0], definitions)
    if origin in (Union, types.UnionType):
        arms = [a for a in get_args(hint) if not _unwritten(a)]
        return _any([_schema(arm, definitions) for arm in arms])
    if origin is dict:
        keys, values = get_args(hint)
        return {
            "type": "object",
            "patternProperties": {_key_pattern(keys): _schema(values, definitions)},
            "additionalProperties": False,
        }
    if origin is list:
        return {"type": "array", "items": _schema(get_args(hint)[0], definitions)}
    if hint is types.NoneType:
        return {"type": "null"}
    if typing_extensions.is_typeddict(hint):
        name = hint.__name__
        if name not in definitions:
            definitions[name] = {}  # taken, so that a recursive type ends
            definitions[name] = _typed_dict(hint, definitions)
        return {"$ref": f"#/$defs/{name}"}
    raise TypeError(f"no JSON Schema for {hint!r}")


def _unwritten(arm: Any) -> bool:
    """Say whether a part of a union only exists after reading (`OFF`, written as a word)."""
    return get_origin(arm) is typing.Literal and isinstance(get_args(arm)[0], Mark)


def _annotated(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    inner = hint.__origin__
    for mark in reversed(hint.__metadata__):
        if isinstance(mark, Reader):
            return dict(mark.json)
        if isinstance(mark, Shorthand):
            words: list[Any] = list(mark.words)
            words += [b for b, name in ((True, "true"), (False, "false")) if name in words]
            return _any([_schema(inner, definitions), {"enum": words}])
    return _schema(inner, definitions)


def _any(arms: list[dict[str, Any]]) -> dict[str, Any]:
    flat: list[dict[str, Any]] = []
    for arm in arms:
        flat.extend(arm["anyOf"] if set(arm) == {"anyOf"} else [arm])
    return flat[0] if len(flat) == 1 else {"anyOf": flat}


def _key_pattern(hint: Any) -> str:
    keys = next(m for m in hint.__metadata__ if isinstance(m, Keys))
    return f"^(?:{keys.pattern})$"
