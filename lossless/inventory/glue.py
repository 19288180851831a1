"""How the kinds of the schema become validators of pydantic.

Validation is memoised by the identity of shared mappings: the builder makes equal subtrees one
object, so each is checked once, its faults are told once, and its result is shared as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args, get_origin

from pydantic_core import PydanticCustomError, core_schema

from lossless.inventory.scalars import ScalarError, nearest, show

#: Texts remembered by each scalar: most values of a fabric are among a few.
_REMEMBERED: Final = 4096
_NEW: Final = object()


def plain(read: Callable[[Any], Any]) -> core_schema.CoreSchema:
    """Return the validator of a scalar (or small list) that `read` reads."""
    seen: dict[tuple[type, str], Any] = {}

    def check(value: Any) -> Any:
        key = (type(value), value) if isinstance(value, str) else None
        if key is not None:
            known = seen.get(key, _NEW)
            if known is not _NEW:
                return known
        try:
            made = read(value)
        except ScalarError as error:
            raise _custom(error.message, error.hint) from None
        if key is not None and len(seen) < _REMEMBERED:
            seen[key] = made
        return made

    return core_schema.no_info_plain_validator_function(check)


def shorthand(words: Mapping[str, Any], whole: core_schema.CoreSchema) -> core_schema.CoreSchema:
    """Return the validator of a mapping that a few words may stand for."""

    def check(value: Any, handler: Callable[[Any], Any]) -> Any:
        if not isinstance(value, str):
            return handler(value)
        text = str(value)
        for word in (text, text.lower()):
            if word in words:
                return words[word]
        said = f"{show(value)} where a mapping or one of {', '.join(words)} was expected"
        hint = nearest(text, words)
        raise _custom(said, f"did you mean {hint!r}?" if hint else None)

    return core_schema.no_info_wrap_validator_function(check, whole)


def mapping_arm(source: Any) -> Any:
    """Return the part of a union that is a mapping."""
    for arm in (source, *get_args(source)):
        if get_origin(arm) is dict or hasattr(arm, "__total__"):
            return arm
    raise TypeError(f"no mapping in {source!r}")


def once(whole: core_schema.CoreSchema) -> core_schema.CoreSchema:
    """Return the validator of a mapping that may be shared, run once an object."""

    def check(value: Any, handler: Callable[[Any], Any], info: core_schema.ValidationInfo) -> Any:
        memo: dict[tuple[int, int], Any] = (info.context or {})["memo"]
        key = id(whole), id(value)
        known = memo.get(key, _NEW)
        if known is not _NEW:
            return known
        memo[key] = value  # where it is faulty that is told once, and nothing is made of it
        made = memo[key] = handler(value)
        return made

    return core_schema.with_info_wrap_validator_function(check, whole)


def lifted(name: str, whole: core_schema.CoreSchema) -> core_schema.CoreSchema:
    """Return the validator of a mapping whose numeric keys are gathered under `name`."""

    def check(value: Any) -> Any:
        if not isinstance(value, dict) or not any(key.isdigit() for key in value):
            return value
        rest = {key: held for key, held in value.items() if not key.isdigit()}
        return {**rest, name: {key: held for key, held in value.items() if key.isdigit()}}

    return core_schema.no_info_before_validator_function(check, whole)


def _custom(said: str, hint: str | None) -> PydanticCustomError:
    return PydanticCustomError("scalar", "{said}", {"said": said, "hint": hint})
