"""Looking for the odd ones out: what most of a group has, and who differs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

V = TypeVar("V", bound=Hashable)
T = TypeVar("T")


def usual(counted: Iterable[tuple[V, int]]) -> V | None:
    """Return the value that more than half of a group has; `None` where there is no such."""
    totals: dict[V, int] = {}
    for value, count in counted:
        totals[value] = totals.get(value, 0) + count
    if not totals:
        return None
    best = max(totals, key=lambda value: totals[value])
    return best if 2 * totals[best] > sum(totals.values()) else None


def gather(items: Iterable[tuple[V, T]]) -> dict[V, list[T]]:
    """Collect what has the same key, in the order in which it comes."""
    groups: dict[V, list[T]] = {}
    for key, item in items:
        groups.setdefault(key, []).append(item)
    return groups
