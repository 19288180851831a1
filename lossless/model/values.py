"""The four values a field can hold.

A field is a *value*, `OFF` (known to be absent or disabled), `DEFAULT` (known to stand at the
platform's default) or `None` (nobody told us).  `None` is never read as `OFF`: a rule that needs
it answers "not checked", and a plan whose target holds it leaves the device alone.

A yes/no feature holds `True` or `OFF`, never `False`, so that "no" has one spelling.
"""

from __future__ import annotations

import enum
from typing import Final, Literal, TypeAlias, TypeGuard, TypeVar

T = TypeVar("T")


class Mark(enum.Enum):
    """The two values that say something about a field without being its content."""

    OFF = "off"
    DEFAULT = "default"

    def __repr__(self) -> str:
        return self.name


OFF: Final = Mark.OFF
DEFAULT: Final = Mark.DEFAULT

#: What a leaf of the model may hold.
Field: TypeAlias = T | Mark | None
#: A feature that is on (`True`), `OFF`, at its `DEFAULT`, or not told.
Switch: TypeAlias = Literal[True] | Mark | None
#: A map from a small integer (the index) to a number: one entry per code point, or `()` when no
#: entry was told.  64 entries for DSCP, 8 for PCP and priority, 16 for traffic class.
NumberMap: TypeAlias = tuple[Field[int], ...]


def is_value(field: Field[T]) -> TypeGuard[T]:
    """Say whether the field holds content: neither `OFF`, nor `DEFAULT`, nor `None`."""
    return field is not None and not isinstance(field, Mark)


def value(field: Field[T]) -> T | None:
    """Return the content of a field, or `None` where there is none."""
    return field if is_value(field) else None


def number_map(size: int, entries: dict[int, int] | None = None) -> NumberMap:
    """Build a map of `size` code points from the entries that are told."""
    told = entries or {}
    for index in told:
        if not 0 <= index < size:
            raise ValueError(f"code point {index} is outside 0..{size - 1}")
    return tuple(told.get(i) for i in range(size)) if told else ()


def entry(mapping: NumberMap, index: int) -> Field[int]:
    """Return what a map says of one code point; `None` where it says nothing."""
    return mapping[index] if 0 <= index < len(mapping) else None
