"""Comments that suppress findings: `# lossless: ignore[PFC002] reason`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final

import yaml
from yaml.events import ScalarEvent

from lossless.findings import InlineIgnore, Location, Problem
from lossless.inventory.grammar import RULE
from lossless.inventory.positions import Positions, Spot
from lossless.inventory.syntax import c_loader

_CANDIDATE: Final = re.compile(rb"#[ \t]*lossless:[ \t]*ignore[^\r\n]*")
_COMMENT: Final = re.compile(r"#\s*lossless:\s*ignore\s*\[([^\]]*)\](.*)")
_USAGE: Final = "write: # lossless: ignore[PFC002] the reason"


def read_comments(positions: Positions) -> tuple[list[InlineIgnore], list[Problem]]:
    """Return the suppressing comments of a file, and those that cannot be read."""
    ignores: list[InlineIgnore] = []
    problems: list[Problem] = []
    for spot, text, alone in _comments(positions):
        where = positions.location(spot)
        read = _read(text, where)
        if isinstance(read, Problem):
            problems.append(read)
        else:
            rules, reason = read
            covers = _next_line(positions, spot.line) if alone else spot.line
            ignores.append(InlineIgnore(rules, reason, where, covers + 1))
    return ignores, problems


def _read(text: str, where: Location) -> tuple[tuple[str, ...], str] | Problem:
    match = _COMMENT.match(text)
    if match is None:
        return Problem("this comment names no rule to ignore", where, _USAGE)
    rules = tuple(rule.strip() for rule in match[1].split(","))
    wrong = [rule for rule in rules if not re.fullmatch(RULE, rule)]
    if wrong:
        return Problem(f"{wrong[0]!r} is not the id of a rule", where, _USAGE)
    reason = match[2].strip().lstrip(":-–— ").strip()
    if not reason:
        said = ",".join(rules)
        usage = f"write: # lossless: ignore[{said}] the reason"
        return Problem(f"ignoring {', '.join(rules)} needs a reason", where, usage)
    return rules, reason


def _comments(positions: Positions) -> Iterator[tuple[Spot, str, bool]]:
    """Yield comments (place, text, alone on its line), not what looks like one in a text."""
    data = positions.file.data
    scalars: dict[tuple[int, int], list[tuple[Spot, Spot]]] = {}
    for match in _CANDIDATE.finditer(data):
        line = _line_of(positions.starts, match.start())
        before = data[positions.starts[line] : match.start()].decode()
        if before and not before[-1].isspace():
            continue
        spot = Spot(line, len(before))
        around = positions.lines_around(line)
        if around not in scalars:
            scalars[around] = _long_scalars(positions, *around)
        if not any(first <= spot < last for first, last in scalars[around]):
            yield spot, match.group().decode(), not before.strip()


def _line_of(starts: Sequence[int], offset: int) -> int:

    return bisect_right(starts, offset) - 1


def _long_scalars(positions: Positions, first: int, last: int) -> list[tuple[Spot, Spot]]:
    """Return where quoted and block scalars of some lines begin and end."""
    try:
        return list(_scalars(positions.text(first, last), first))
    except yaml.YAMLError:
        try:
            return list(_scalars(positions.file.data, 0))
        except yaml.YAMLError:
            return []  # the file cannot be read, which is told anyway


def _scalars(data: bytes, line: int) -> Iterator[tuple[Spot, Spot]]:
    for event in yaml.parse(data, Loader=c_loader()):
        if type(event) is ScalarEvent and event.style:
            yield _spot(event.start_mark, line), _spot(event.end_mark, line)


def _spot(mark: Any, line: int) -> Spot:
    return Spot(mark.line + line, mark.column)


def _next_line(positions: Positions, line: int) -> int:
    """Return the next line that holds more than a comment; the line itself where there is none."""
    for after in range(line + 1, len(positions.starts)):
        text = positions.text(after, after + 1).strip()
        if text and not text.startswith(b"#"):
            return after
    return line
