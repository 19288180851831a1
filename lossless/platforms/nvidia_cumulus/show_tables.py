"""Text tables of NVUE's show commands: columns told by the dashes beneath their heads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_RULE: Final = re.compile(r"\s*[-…]+(\s+[-…]+)*\s*")
_TITLE: Final = re.compile(r"={3,}\s*")


@dataclass(slots=True)
class Table:
    """A titled table: the names of its columns, and its rows with their lines."""

    title: str
    heads: list[str]
    rows: list[tuple[int, list[str]]] = field(default_factory=list)

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield rows by column name."""
        for line, cells in self.rows:
            yield line, dict(zip(self.heads, map(str.strip, cells), strict=False))


def tables_of(lines: list[tuple[int, str]]) -> tuple[list[Table], list[tuple[int, str]]]:
    """Return the tables among numbered lines, and the lines that stand outside them."""
    tables: list[Table] = []
    loose: list[tuple[int, str]] = []
    starts: list[int] = []
    title = ""
    for place, (number, text) in enumerate(lines):
        after = lines[place + 1][1] if place + 1 < len(lines) else ""
        if not text.strip() or _TITLE.fullmatch(text):
            continue
        if _RULE.fullmatch(text):
            starts = [found.start() for found in re.finditer(r"[-…]+", text)]
            if loose and loose[-1][0] == lines[place - 1][0]:
                loose.pop()
            heads = cells(lines[place - 1][1] if place else "", starts)
            tables.append(Table(title, [head.strip() for head in heads]))
        elif _TITLE.fullmatch(after):
            title, starts = text.strip(), []
        elif starts and not _RULE.fullmatch(after):
            tables[-1].rows.append((number, cells(text, starts)))
        elif text.strip() != "No Data":
            loose.append((number, text.strip()))
    return tables, loose


def cells(text: str, starts: list[int]) -> list[str]:
    """Cut a line where the columns start; the first keeps its indentation."""
    if not starts:
        return []
    ends = [*starts[1:], len(text) + 1]
    first, *rest = zip([0, *starts[1:]], ends, strict=True)
    return [text[first[0] : first[1]].rstrip(), *(text[a:b].strip() for a, b in rest)]


@dataclass(frozen=True, slots=True)
class Pair:
    """One key of a head block: what runs, what was applied, and its line."""

    running: str
    applied: str
    line: int

    @property
    def either(self) -> str:
        """What runs, or else what was applied."""
        return self.running or self.applied


def block_of(tables: list[Table]) -> dict[tuple[str, ...], Pair]:
    """Return the keys of the block with the columns `operational` and `applied`, by path."""
    found: dict[tuple[str, ...], Pair] = {}
    for held in tables:
        if held.title or not {"operational", "applied"} & set(held.heads):
            continue
        above = ""
        for line, cells in held.rows:
            row = dict(zip(held.heads, cells, strict=False))
            name = cells[0] if cells else ""
            if not name.startswith(" "):
                above = name.strip()
            path = (above, name.strip()) if name.startswith(" ") else (above,)
            if name.startswith("["):  # an item of a collection, one line each
                path = (above, row.get("applied", "") or row.get("operational", ""))
            found[path] = Pair(row.get("operational", ""), row.get("applied", ""), line)
    return found
