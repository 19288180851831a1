"""Configuration text whose blocks are told by indentation, read into a tree with line numbers.

Depth is relative: a line belongs to the nearest line above it that is indented less, however many
columns the platform uses.  Nothing is raised for damaged text; what was wrong is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_ESCAPE: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_PAGER: Final = re.compile(r"^\s*(?:--\s?More\s?--|<--- ?More ?--->)(?:[ \x08\r]*[\x08\r])?")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffd]")


@dataclass(slots=True)
class Node:
    """One line: its text without indentation, its number from 1, and the lines below it."""

    text: str
    line: int
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[tuple[tuple[str, ...], Node]]:
        """Yield every line below with the texts of the lines that enclose it, in order."""
        stack: list[tuple[tuple[str, ...], Node]] = []
        stack += [((self.text,), child) for child in reversed(self.children)]
        while stack:
            context, node = stack.pop()
            yield context, node
            stack += [((*context, node.text), child) for child in reversed(node.children)]


@dataclass(frozen=True, slots=True)
class Damage:
    """Something wrong with the text itself: "pager", "control characters" or "torn"."""

    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The lines at the left margin, comments (without their sign), and what was damaged."""

    nodes: tuple[Node, ...]
    comments: tuple[Node, ...]
    damage: tuple[Damage, ...]
    lines: int


def read_tree(text: str, comment: str = "!", keep: str | None = None) -> Tree:
    """Read indented text.

    Lines that start with `comment` are set apart, unless they start with `keep` (EOS shows a
    person's remarks as `!!`), which are lines like any other.
    """
    roots: list[Node] = []
    comments: list[Node] = []
    damage: list[Damage] = []
    stack: list[tuple[int, Node]] = []
    number = 0
    for number, raw in enumerate(text.split("\n"), 1):
        line = _clean(raw, number, damage)
        said = line.strip()
        if not said:
            continue
        node = Node(said, number)
        if said.startswith(comment) and not (keep and said.startswith(keep)):
            comments.append(Node(said[len(comment) :].strip(), number))
            continue
        _hang(node, len(line) - len(line.lstrip()), stack, roots, damage)
    return Tree(tuple(roots), tuple(comments), tuple(damage), number)


def _hang(
    node: Node,
    indent: int,
    stack: list[tuple[int, Node]],
    roots: list[Node],
    damage: list[Damage],
) -> None:
    while stack and stack[-1][0] >= indent:
        stack.pop()
    if stack:
        stack[-1][1].children.append(node)
    else:
        if indent > 0:
            damage.append(Damage("torn", node.line))
        roots.append(node)
    stack.append((indent, node))


def _clean(raw: str, number: int, damage: list[Damage]) -> str:
    line = _ESCAPE.sub("", raw.rstrip("\r"))
    bare = _PAGER.sub("", line)
    if bare != line:
        damage.append(Damage("pager", number))
    clean = _CONTROL.sub("", bare)
    if clean != bare:
        damage.append(Damage("control characters", number))
    return clean.expandtabs(8).rstrip()
