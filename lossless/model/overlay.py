"""Laying one set of statements over another.

`overlay(low, high)`: what `high` tells wins, what it does not tell (`None`) is taken from `low`.
Laws, each a property test: `overlay(x, nothing) == x == overlay(nothing, x)`; it is associative
and idempotent.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any, TypeVar

from lossless.model.facet import is_facet, shape

F = TypeVar("F")


@cache
def _plan(kind: Any) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, shape(f)) for f in dataclasses.fields(kind))


def overlay(low: F, high: F) -> F:
    """Return `low` with everything that `high` tells laid over it."""
    if high is low:
        return low
    kind: Any = type(low)
    combined = {
        name: _combine(getattr(low, name), getattr(high, name), how) for name, how in _plan(kind)
    }
    whole: F = kind(**combined)
    return whole


def _combine(low: Any, high: Any, how: str) -> Any:
    if how == "map":
        return _overlay_map(low, high)
    if how == "table":
        return _overlay_table(low, high)
    return _overlay_leaf(low, high)


def _overlay_leaf(low: Any, high: Any) -> Any:
    if high is None:
        return low
    if low is not None and is_facet(low) and type(low) is type(high):
        return overlay(low, high)
    if type(high) is tuple:  # `System.raw`: nothing written is nothing told
        return high or low
    return high


def _overlay_map(low: tuple[Any, ...], high: tuple[Any, ...]) -> tuple[Any, ...]:
    if not low or not high:
        return high or low
    return tuple(a if b is None else b for a, b in zip(low, high, strict=True))


def _overlay_table(low: tuple[Any, ...], high: tuple[Any, ...]) -> tuple[Any, ...]:
    if not low or not high:
        return high or low
    rows = dict(low)
    for key, value in high:
        rows[key] = _overlay_leaf(rows[key], value) if key in rows else value
    return tuple(sorted(rows.items(), key=lambda pair: pair[0]))
