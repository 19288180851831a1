"""What a facet is: one topic of a port's settings, immutable, compared by identity once interned.

Three shapes of field combine when one layer is laid over another (`overlay`):

* a *leaf* is replaced whole (numbers, words, sets);
* a *map* (`NumberMap`) is combined code point by code point;
* a *table* (`Table`: sorted pairs of key and row) is combined row by row, and rows that are
  facets themselves field by field.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, TypeVar, cast, dataclass_transform

C = TypeVar("C", bound=type)
K = TypeVar("K", int, str)
V = TypeVar("V")

Table: TypeAlias = tuple[tuple[K, V], ...]

_SHAPE = "shape"
_FACETS: set[type] = set()


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,)
)
def facet(cls: C) -> C:
    """Make a class a facet: a frozen, slotted, keyword-only dataclass."""
    made = cast("C", dataclasses.dataclass(frozen=True, slots=True, kw_only=True)(cls))
    _FACETS.add(made)
    return made


@dataclass_transform(frozen_default=True, kw_only_default=True)
def atom(cls: C) -> C:
    """Make a class one indivisible value: like a facet, but replaced whole when overlaid."""
    return cast("C", dataclasses.dataclass(frozen=True, slots=True, kw_only=True)(cls))


def is_facet(thing: object) -> bool:
    """Say whether `thing` is a group of statements, combined field by field."""
    return type(thing) in _FACETS


def map_field() -> Any:
    """Declare a `NumberMap` field; `()` says that nothing was told."""
    return dataclasses.field(default=(), metadata={_SHAPE: "map"})


def table_field() -> Any:
    """Declare a `Table` field; `()` says that nothing was told."""
    return dataclasses.field(default=(), metadata={_SHAPE: "table"})


def shape(field: dataclasses.Field[Any]) -> str:
    """Return "leaf", "map" or "table"."""
    kind: str = field.metadata.get(_SHAPE, "leaf")
    return kind


def table(rows: Mapping[K, V] | Iterable[tuple[K, V]]) -> Table[K, V]:
    """Build a table: keys ascending, each once."""
    pairs = rows.items() if isinstance(rows, Mapping) else rows
    return tuple(sorted(dict(pairs).items(), key=lambda pair: pair[0]))


def row(rows: Table[K, V], key: K) -> V | None:
    """Return the row of one key, or `None`."""
    for name, found in rows:
        if name == key:
            return found
    return None
