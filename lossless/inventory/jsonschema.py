"""The JSON Schema (2020-12) of an inventory, made from the same types as the validators."""

from __future__ import annotations

import inspect
from typing import Any, Final, get_args, get_origin, is_typeddict

from lossless.inventory.kinds import Json, Keys, Reader, Shorthand
from lossless.inventory.schema import Inventory
from lossless.inventory.shape import GATHERED, hints, is_nullable, is_required, metadata, plain

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def inventory_schema() -> Json:
    """Return the schema of one file of an inventory.

    It accepts all that the reader accepts; since several files can be one inventory, no key at the
    top is required.  Each key is described with its units.
    """
    definitions: Json = {}
    whole = _typed_dict(Inventory, definitions)
    whole.pop("required", None)
    return {
        "$schema": _DIALECT,
        "$id": "urn:lossless:inventory:1",
        "title": "Inventory of lossless",
        **whole,
        "$defs": dict(sorted(definitions.items())),
    }


def _typed_dict(kind: Any, definitions: Json) -> Json:
    properties: Json = {}
    patterns: Json = {}
    for name, held in hints(kind).items():
        if name == GATHERED:
            key, value = get_args(plain(held))
            patterns[_pattern(key)] = _value(value, definitions)
            continue
        text = next((said for said in metadata(held) if isinstance(said, str)), None)
        said = _value(held, definitions)
        properties[name] = {"description": text, **said} if text else said
    required = [name for name, held in hints(kind).items() if is_required(held)]
    return {
        "type": "object",
        **_about(kind),
        "properties": properties,
        **({"patternProperties": patterns} if patterns else {}),
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _about(kind: Any) -> Json:
    first = inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    return {"description": first} if first and not first.startswith("dict(") else {}


def _value(kind: Any, definitions: Json) -> Json:
    """Return the schema of a value; what is empty in YAML is nothing, or the key's removal."""
    said = list(metadata(kind))
    reader = next((mark for mark in said if isinstance(mark, Reader)), None)
    words = [word for mark in said if isinstance(mark, Shorthand) for word in _written(mark.words)]
    parts = [reader.json if reader else _collection(plain(kind), definitions)]
    if words:
        parts.append({"enum": words})
    if is_nullable(kind) or reader is None:
        parts.append({"type": "null"})
    return _any(parts)


def _written(words: Any) -> list[Any]:
    """Return words as an editor sees them: it reads a plain `true` as a boolean."""
    return [*words, *(value for value, word in ((True, "true"), (False, "false")) if word in words)]


def _collection(kind: Any, definitions: Json) -> Json:
    if is_typeddict(kind):
        name = kind.__name__
        if name not in definitions:
            definitions[name] = _typed_dict(kind, definitions)
        return {"$ref": f"#/$defs/{name}"}
    if get_origin(kind) is list:
        return {"type": "array", "items": _value(get_args(kind)[0], definitions)}
    key, value = get_args(kind)
    return {
        "type": "object",
        "patternProperties": {_pattern(key): _value(value, definitions)},
        "additionalProperties": False,
    }


def _any(parts: list[Json]) -> Json:
    flat: list[Json] = []
    for part in parts:
        flat.extend(part["anyOf"] if set(part) == {"anyOf"} else [part])
    return dict(flat[0]) if len(flat) == 1 else {"anyOf": flat}


def _pattern(kind: Any) -> str:
    keys = next(said for said in metadata(kind) if isinstance(said, Keys))
    return f"^(?:{keys.pattern})$"
