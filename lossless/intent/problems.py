"""Collecting what is wrong with a declaration: all of it, each with its place."""

from __future__ import annotations

from collections.abc import Iterable

from lossless.findings import InputError, Location, Problem, Related
from lossless.intent.layers import Path, Sources

#: Of one kind at one entry, so many are told one by one; the rest are counted.
TOLD_SINGLY = 5


class Problems:
    """The faults found so far.  Places are looked up when a fault is added, and only then."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._found: list[Problem] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(
        self,
        message: str,
        path: Path | Location | None = None,
        hint: str | None = None,
        related: Iterable[tuple[Path | Location | None, str]] = (),
    ) -> None:
        """Note one fault, at a path of the inventory or at a place that is already known."""
        places = [(self._place(where), text) for where, text in related]
        self._found.append(
            Problem(
                message,
                self._place(path),
                hint,
                tuple(Related(place, text) for place, text in places if place is not None),
            )
        )

    def _place(self, where: Path | Location | None) -> Location | None:
        if where is None or isinstance(where, Location):
            return where
        return self._sources.find(where)

    def raise_if_any(self) -> None:
        """Raise `InputError` with everything noted."""
        if self._found:
            raise InputError(list(dict.fromkeys(self._found)))


class Chorus:
    """Faults of one entry that stands for many: the first few are told, the rest counted."""

    def __init__(self, problems: Problems, path: Path) -> None:
        self._problems = problems
        self._path = path
        self._count = 0

    def add(
        self,
        message: str,
        key: str | None = None,
        hint: str | None = None,
        related: Iterable[tuple[Path | Location | None, str]] = (),
    ) -> None:
        """Note one fault, at the entry or at one of its keys."""
        self._count += 1
        if self._count <= TOLD_SINGLY:
            path = self._path if key is None else (*self._path, key)
            self._problems.add(message, path, hint, related)

    def close(self) -> None:
        """Tell how many faults were not told singly."""
        more = self._count - TOLD_SINGLY
        if more > 0:
            self._problems.add(f"and {more} more of the same entry", self._path)
