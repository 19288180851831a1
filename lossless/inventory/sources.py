"""Which file said what, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from lossless.findings import InlineIgnore, Location, Problem
from lossless.inventory.builder import Document
from lossless.inventory.comments import read_comments
from lossless.inventory.positions import Found, Path, Positions, deepest

#: The one section whose lists are joined over files.
LINKS = "links"


class Sources:
    """Places of everything in a declaration, and the comments that suppress findings.

    Nothing is computed before it is asked for.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._files = [Positions(document) for document in documents]
        self._links = [len(d.outline.elements.get(LINKS, ())) // 2 for d in documents]
        self._lookup = cache(self._search)

    @property
    def files(self) -> tuple[str, ...]:
        """The files read, in order."""
        return tuple(positions.file.name for positions in self._files)

    def find(self, path: Path) -> Location | None:
        """Return the place of a value, or of the nearest enclosing one that is written.

        A mapping or list that begins below its key is found at its key.
        """
        hit = self._lookup(path)
        if hit is None:
            return None
        positions, found = hit
        below = found.value.line != found.key.line
        return positions.location(found.key if below else found.value)

    def find_key(self, path: Path) -> Location | None:
        """Return the place of a key, or of the nearest enclosing one that is written."""
        hit = self._lookup(path)
        return None if hit is None else hit[0].location(hit[1].key)

    def find_all(self, path: Path) -> list[Location]:
        """Return the place of a key in every file that writes the whole of the path."""
        hits = self._candidates(path)
        return [p.location(found.key) for p, found in hits if found.depth == len(path)]

    def value(self, path: Path) -> str | tuple[str, ...] | None:
        """Return the text of the scalar, or of the flow list, that is written at a path.

        `None` where nothing is written at the whole of it, or a mapping.
        """
        hit = self._lookup(path)
        if hit is None or hit[1].depth != len(path):
            return None
        node = hit[0].node(hit[1].value)
        return None if node is None else node.value

    def contents(self) -> dict[str, bytes]:
        """Return the bytes of each file as they were read, in order."""
        return {positions.file.name: positions.file.data for positions in self._files}

    def inline_ignores(self) -> tuple[InlineIgnore, ...]:
        """Return the comments that suppress findings, over all files."""
        return tuple(ignore for p in self._files for ignore in read_comments(p)[0])

    def comment_problems(self) -> list[Problem]:
        """Return the suppressing comments that cannot be read."""
        return [problem for p in self._files for problem in read_comments(p)[1]]

    def _search(self, path: Path) -> tuple[Positions, Found] | None:
        return deepest(self._candidates(path))

    def _candidates(self, path: Path) -> Iterator[tuple[Positions, Found]]:
        if len(path) > 1 and path[0] == LINKS and isinstance(path[1], int):
            yield from self._link(path[1], path)
            return
        for positions in self._files:
            found = positions.find(path)
            if found is not None:
                yield positions, found

    def _link(self, number: int, path: Path) -> Iterator[tuple[Positions, Found]]:
        for positions, count in zip(self._files, self._links, strict=True):
            if number < count:
                found = positions.find((LINKS, number, *path[2:]))
                if found is not None:
                    yield positions, found
                return
            number -= count
