"""Node sets: many names written as one, in an order that matters.

`gpu[01-08]` names eight hosts; `Ethernet[0-60/4]` every fourth port; `[3,0,1,2]` keeps the order
in which it is written, because cables and addresses are paired by position.  A set has no
operators, so that a name can never turn into a computation, and its size is checked before
anything is expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from math import prod

#: The most members that one set may have.
LIMIT = 1_000_000

_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18})(?:/([0-9]{1,18}))?)?\Z")
_OPERATOR = re.compile(r"[!&^*@]")
_DIGITS = re.compile(r"([0-9]{1,18})")
_SPECIAL = re.compile(r"[\[\],!&^*@]")

# A name with one or more digits, taken apart: the text between the numbers, and the numbers.
_Skeleton = tuple[str, ...]
_Box = tuple[frozenset[str], ...]

# One place in a name: plain text, or the numbers that stand there and the digits to pad them to.
_Axis = str | list[tuple[range, int]]


class NodeSetError(ValueError):
    """A node set that cannot be read; the message says what to write instead."""


def is_set(text: str) -> bool:
    """Say whether a text is written as a set (even of one member), not as one plain name."""
    return _SPECIAL.search(text) is not None


def expand(text: str, limit: int = LIMIT) -> list[str]:
    """Return the members of a set in the order written.

    The first index varies slowest.  Numbers keep the zero padding with which they are written.
    Raises `NodeSetError` for duplicates, operators, unbalanced or nested brackets, ends of a range
    with unequal padding, and more than `limit` members.
    """
    if not is_set(text):
        if not text.strip():
            raise NodeSetError("a name is empty")
        return [text]
    members = [_axes(member, text) for member in _members(text)]
    total = sum(prod(map(_size, axes)) for axes in members)
    if total > limit:
        raise NodeSetError(f"{_short(text)} names {total} members; the limit is {limit}")
    out: list[str] = []
    for axes in members:
        out.extend(map("".join, product(*map(_written, axes))))
    if len(set(out)) != len(out):
        raise NodeSetError(f"{_short(text)} names {_first_repeated(out)!r} twice")
    return out


def varying(text: str) -> int:
    """Return how many indexes of a set vary: 0 for one name, 1 for `a[1-2]` or `a,b`.

    Only sets with one varying index can be paired with another by position.  Raises
    `NodeSetError` like `expand`.
    """
    if not is_set(text):
        return 0
    members = [_axes(member, text) for member in _members(text)]
    dimensions = [sum(1 for axis in axes if _size(axis) > 1) for axes in members]
    return max(1, *dimensions) if len(members) > 1 else dimensions[0]


def fold(names: Iterable[str]) -> str:
    """Return one short canonical text for a set of names; the order given does not matter.

    `expand(fold(names))` holds the same names, as long as none of them holds a character that
    means something in a node set.
    """
    groups: dict[_Skeleton, set[tuple[str, ...]]] = {}
    for name in names:
        parts = _DIGITS.split(name)
        key = tuple(parts[::2])
        group = groups.get(key)
        if group is None:
            group = groups[key] = set()
        group.add(tuple(parts[1::2]))
    out = [
        _write(skeleton, box)
        for skeleton, numbers in groups.items()
        for box in _boxes(numbers, len(skeleton) - 1)
    ]
    return ",".join(sorted(out, key=sort_key))


def sort_key(name: str) -> tuple[tuple[str | int, ...], str]:
    """Return a key that sorts names as people count: `leaf2` before `leaf10`."""
    parts = _DIGITS.split(name)
    return tuple(int(p) if i % 2 else p for i, p in enumerate(parts)), name


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _first_repeated(names: list[str]) -> str:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""


def _members(text: str) -> list[str]:
    """Split at the commas outside brackets."""
    operator = _OPERATOR.search(text)
    if operator:
        raise NodeSetError(
            f"{operator.group()!r} in {_short(text)} has no meaning here; list the names instead"
        )
    out: list[str] = []
    depth = start = 0
    for place, char in enumerate(text):
        if char in "[]":
            depth += 1 if char == "[" else -1
            if depth not in (0, 1):
                raise NodeSetError(f"unbalanced or nested brackets in {_short(text)}")
        elif char == "," and not depth:
            out.append(text[start:place].strip())
            start = place + 1
    if depth:
        raise NodeSetError(f"unbalanced or nested brackets in {_short(text)}")
    out.append(text[start:].strip())
    if not all(out):
        raise NodeSetError(f"a name is empty in {_short(text)}")
    return out


def _axes(member: str, text: str) -> list[_Axis]:
    """Take a member apart: text and bracketed numbers alternate."""
    parts = _BRACKET.split(member)
    return [
        [_range(number.strip(), text) for number in part.split(",")] if i % 2 else part
        for i, part in enumerate(parts)
    ]


def _size(axis: _Axis) -> int:
    return 1 if isinstance(axis, str) else sum(len(numbers) for numbers, _ in axis)


def _written(axis: _Axis) -> list[str]:
    if isinstance(axis, str):
        return [axis]
    return [f"{i:0{width}d}" for numbers, width in axis for i in numbers]


def _range(part: str, text: str) -> tuple[range, int]:
    """Return the numbers of `a`, `a-b` or `a-b/step`, and the digits to pad them to."""
    match = _RANGE.match(part)
    if match is None:
        raise NodeSetError(
            f"{_short(part)} in {_short(text)} is not a number or a range such as 1-8 or 0-60/4"
        )
    low, high, step_text = match.groups()
    width = len(low)
    if high is None:
        return range(int(low), int(low) + 1), width
    padded = any(end[0] == "0" and len(end) > 1 for end in (low, high))
    if padded and len(low) != len(high):
        raise NodeSetError(
            f"{part!r} in {_short(text)}: both ends of a padded range need as many digits"
        )
    first, last, step = int(low), int(high), int(step_text or 1)
    if step < 1:
        raise NodeSetError(f"{part!r} in {_short(text)}: a step must be 1 or more")
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return numbers, width if padded else 1


def _boxes(numbers: set[tuple[str, ...]], dimensions: int) -> Iterable[_Box]:
    """Cover a set of vectors with boxes, merging the last index first."""
    if dimensions == 0:
        return [()]
    last: dict[tuple[str, ...], list[str]] = {}
    for vector in numbers:
        last.setdefault(vector[:-1], []).append(vector[-1])
    # Few distinct sets stand behind many prefixes: make equal ones one object before merging.
    shared: dict[frozenset[str], frozenset[str]] = {}
    merged: dict[tuple[frozenset[str], ...], list[tuple[str, ...]]] = {}
    for prefix, ends in last.items():
        axis = frozenset(ends)
        merged.setdefault((shared.setdefault(axis, axis),), []).append(prefix)
    for _ in range(dimensions - 1):
        merged = _merge_once(merged)
    return list(merged)


def _merge_once(
    boxes: dict[tuple[frozenset[str], ...], list[tuple[str, ...]]],
) -> dict[tuple[frozenset[str], ...], list[tuple[str, ...]]]:
    """Move the last index of each prefix into the boxes, merging where all else is equal."""
    merged: dict[tuple[frozenset[str], ...], list[tuple[str, ...]]] = {}
    for box, prefixes in boxes.items():
        by_rest: dict[tuple[str, ...], list[str]] = {}
        for prefix in prefixes:
            by_rest.setdefault(prefix[:-1], []).append(prefix[-1])
        for rest, ends in by_rest.items():
            merged.setdefault((frozenset(ends), *box), []).append(rest)
    return merged


def _write(skeleton: _Skeleton, box: _Box) -> str:
    out = skeleton[0]
    for axis, text in zip(box, skeleton[1:], strict=True):
        out += (next(iter(axis)) if len(axis) == 1 else f"[{_write_axis(axis)}]") + text
    return out


def _padding(number: str) -> int:
    return len(number) if number[0] == "0" and len(number) > 1 else 0


def _write_axis(axis: frozenset[str]) -> str:
    """Write numbers as ranges.

    A number without padding joins the padded ones of its width: `08,09,10` is one range.
    """
    widths = {_padding(number) for number in axis} - {0}
    by_width: dict[int, list[int]] = {}
    for number in axis:
        width = len(number) if len(number) in widths else 0
        by_width.setdefault(width, []).append(int(number))
    groups = sorted(by_width.items())
    return ",".join(text for width, numbers in groups for text in _runs(sorted(numbers), width))


def _runs(numbers: list[int], width: int) -> Iterable[str]:
    start = 0
    while start < len(numbers):
        step, end = _run(numbers, start)
        low = f"{numbers[start]:0{width or 1}d}"
        if end - start >= 2 or (end > start and step == 1):
            yield f"{low}-{numbers[end]:0{width or 1}d}" + (f"/{step}" if step > 1 else "")
            start = end + 1
        else:
            yield low
            start += 1


def _run(numbers: list[int], start: int) -> tuple[int, int]:
    """Return the step from `start` to the next number, and how far that step goes on."""
    if start + 1 == len(numbers):
        return 1, start
    step = numbers[start + 1] - numbers[start]
    end = start + 1
    while end + 1 < len(numbers) and numbers[end + 1] - numbers[end] == step:
        end += 1
    return step, end
