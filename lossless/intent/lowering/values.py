"""From what a declaration holds to what a field of the model holds."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from lossless.intent.layers import is_off
from lossless.inventory.kinds import UNKNOWN
from lossless.model.values import OFF, Field, Switch

E = TypeVar("E", bound=enum.Enum)

_NOTHING: Mapping[str, Any] = {}


def told(value: Any) -> Any:
    """Return a value; `None` where it was declared unknown."""
    return None if value is UNKNOWN else value


def switch(value: Any) -> Switch:
    """Return a yes/no statement in the model's spelling."""
    if value is None or value is UNKNOWN:
        return None
    return OFF if is_off(value) else True


def section(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the map under a key; an empty one where there is none."""
    held = data.get(key)
    return held if isinstance(held, Mapping) else _NOTHING


def numbers(value: Any) -> frozenset[int]:
    """Return a number or a list of numbers as a set."""
    if value is None or value is UNKNOWN or is_off(value):
        return frozenset()
    if isinstance(value, int):
        return frozenset((value,))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return frozenset(value)
    return frozenset()


def word(kind: type[E], value: Any) -> Field[E]:
    """Return a word as a member of an enumeration of the model."""
    value = told(value)
    if value is None or isinstance(value, kind):
        return value
    if is_off(value):
        return OFF
    return kind(value)


def field(value: Any) -> Any:
    """Return a scalar as a field: unknown is not told, and no is `OFF`."""
    value = told(value)
    return OFF if value is not None and is_off(value) else value
