"""How often a shared part of a declaration is written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from lossless.inventory.positions import Path


class Repeats:
    """Counts the places at which equal subtrees stand, which the builder made one object."""

    def __init__(self, root: Any) -> None:
        self._root = root

    def of(self, path: Path) -> int:
        """Return at how many places the collection stands that holds what a path leads to."""
        holder = self._root
        for step in path[:-1]:
            try:
                below = holder[step]
            except (KeyError, IndexError, TypeError):
                break
            if not isinstance(below, (dict, list)):
                break
            holder = below
        return self._counts.get(id(holder), 1)

    @cached_property
    def _counts(self) -> dict[int, int]:
        """The number of ways from the root to each collection, by identity."""
        order: list[Any] = []
        seen: set[int] = set()
        waiting: list[tuple[Any, bool]] = [(self._root, False)]
        while waiting:  # children before parents
            node, done = waiting.pop()
            if done:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                waiting.append((node, True))
                waiting.extend((child, False) for child in _collections(node))
        counts = dict.fromkeys(seen, 0)
        counts[id(self._root)] = 1
        for node in reversed(order):
            for child in _collections(node):
                counts[id(child)] += counts[id(node)]
        return counts


def _collections(node: Any) -> Iterable[Any]:
    below = node.values() if isinstance(node, dict) else node
    return [child for child in below if isinstance(child, (dict, list))]
