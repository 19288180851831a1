"""Turn the texts of a data file into the model's typed values.

The types of the fields are the schema: nothing about the model is repeated here, and a word that
the model does not know is refused.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from lossless.hardware import notation
from lossless.hardware.notation import NotationError
from lossless.model.profile import Range
from lossless.model.units import Alpha, Bandwidth, Cap, Quantity
from lossless.model.values import DEFAULT, OFF, Mark

#: What YAML gives when every scalar is read as text.
Raw = Any

_MAP_SIZES = (("dscp_", 64), ("tc_", 16))
_NONE = type(None)

_SPELLED: dict[type, Callable[[Any], Any]] = {
    Range: notation.range_of,
    Quantity: notation.quantity,
    Alpha: notation.alpha,
    Bandwidth: notation.bandwidth,
    Cap: notation.cap,
}


def fill(kind: type, raw: Raw, where: str = "") -> Any:
    """Build a dataclass of the model from a tree of texts.

    Raises `NotationError`, which names the path, for an unknown field or an impossible value.
    """
    if not isinstance(raw, dict):
        raise NotationError(f"{where}: a mapping was expected, not {raw!r}")
    hints = _hints(kind)
    told: dict[str, Any] = {}
    for name, text in raw.items():
        path = f"{where}.{name}" if where else name
        if name not in hints:
            raise NotationError(f"{path}: {kind.__name__} has no {name!r}")
        told[name] = _field(hints[name], name, text, path)
    return kind(**told)


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return typing.get_type_hints(kind)


def _field(hint: Any, name: str, raw: Raw, where: str) -> Any:
    try:
        return _value(hint, name, raw, where)
    except NotationError as error:
        if str(error).startswith(where):
            raise
        raise NotationError(f"{where}: {error}") from None


def _value(hint: Any, name: str, raw: Raw, where: str) -> Any:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _union(typing.get_args(hint), name, raw, where)
    if origin is typing.Literal:
        return _switch(raw)
    if origin is frozenset:
        return _set(typing.get_args(hint)[0], name, raw, where)
    if origin is tuple:
        return _sequence(typing.get_args(hint), name, raw, where)
    if origin is collections.abc.Mapping:
        key, row = typing.get_args(hint)
        return {_leaf(key, k): _field(row, name, v, f"{where}.{k}") for k, v in raw.items()}
    if dataclasses.is_dataclass(hint) and hint not in _SPELLED:
        return fill(typing.cast("type", hint), raw, where)
    return _leaf(hint, raw)


def _union(options: tuple[Any, ...], name: str, raw: Raw, where: str) -> Any:
    if Mark in options and raw in ("off", "default"):
        return OFF if raw == "off" else DEFAULT
    left = [o for o in options if o not in (Mark, _NONE)]
    if len(left) == 1:
        return _value(left[0], name, raw, where)
    return _plain(raw)


def _leaf(hint: Any, raw: Raw) -> Any:
    if hint in _SPELLED:
        return _SPELLED[hint](raw)
    if not isinstance(raw, str):
        raise NotationError(f"one value was expected, not {raw!r}")
    if hint is int:
        return notation.number(raw)
    if hint is str:
        return raw
    if hint is bool:
        return _truth(raw)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _member(hint, raw)
    raise NotationError(f"no fact can fill a field of type {hint}")


def _member(kind: type[enum.Enum], raw: str) -> enum.Enum:
    try:
        return kind(raw)
    except ValueError:
        words = ", ".join(str(m.value) for m in kind)
        raise NotationError(f"{raw!r} is not one of {words}") from None


def _truth(raw: str) -> bool:
    if raw not in ("true", "false"):
        raise NotationError(f"{raw!r} is neither true nor false")
    return raw == "true"


def _switch(raw: Raw) -> bool:
    if raw not in ("true", "on"):
        raise NotationError(f"{raw!r} is not one of on, off, default")
    return True


def _plain(raw: Raw) -> int | bool | str:
    """Read a free fact: a whole number, true, false, or words."""
    if not isinstance(raw, str):
        raise NotationError(f"one value was expected, not {raw!r}")
    if raw in ("true", "false"):
        return raw == "true"
    return int(raw) if raw.lstrip("-").isdigit() else raw


def _set(item: Any, name: str, raw: Raw, where: str) -> frozenset[Any]:
    if isinstance(raw, str):
        if item is int:
            return frozenset(notation.numbers(raw))
        raise NotationError(f"a list was expected, not {raw!r}")
    return frozenset(_value(item, name, part, where) for part in raw)


def _sequence(args: tuple[Any, ...], name: str, raw: Raw, where: str) -> tuple[Any, ...]:
    item = args[0]
    if typing.get_origin(item) is tuple:  # a Table: sorted pairs of key and row
        key, row = typing.get_args(item)
        return _table(key, row, name, raw, where)
    if item is str:
        return tuple(raw)
    if not isinstance(raw, str):
        raise NotationError(f"a map such as '24-31: 3' was expected, not {raw!r}")
    return notation.code_points(raw, _map_size(name))


def _table(key: Any, row: Any, name: str, raw: Raw, where: str) -> tuple[Any, ...]:
    rows: dict[Any, Any] = {}
    for written, held in raw.items():
        value = _field(row, name, held, f"{where}.{written}")
        for one in notation.numbers(written) if key is int else (written,):
            if one in rows:
                raise NotationError(f"row {one} stands twice")
            rows[one] = value
    return tuple(sorted(rows.items()))


def _map_size(name: str) -> int:
    return next((size for prefix, size in _MAP_SIZES if name.startswith(prefix)), 8)
