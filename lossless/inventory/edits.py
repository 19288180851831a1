"""Changing values where they are written, so that every other byte stays as it was.

A change replaces one scalar or flow list by another, spelled as a person would write it.  What
comes out is read again before it is believed: but for the changed values, its YAML must say event
for event what it said before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple

import yaml
from yaml.events import ScalarEvent, SequenceEndEvent, SequenceStartEvent

from lossless.findings import Location
from lossless.inventory.nodes import Mark, Node, events, find_nodes

#: Texts that need no quotes anywhere in YAML, not even between braces.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.%/+-]*(?: [A-Za-z0-9_.%/+-]+)*")
_BREAK: Final = re.compile(rb"\r\n|[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9]")
_PAIRS: Final[Mapping[str, tuple[str, str]]] = {
    word: pair for pair in (("on", "off"), ("yes", "no"), ("true", "false")) for word in pair
}


@dataclass(frozen=True, slots=True)
class Change:
    """A new value for what is written at a place: a number, a text, a switch or a list of them."""

    location: Location
    value: Any


@dataclass(slots=True)
class Edited:
    """A changed text, which changes are in it, and why the others are not."""

    data: bytes
    made: list[Change] = field(default_factory=list)
    refused: list[tuple[Change, str]] = field(default_factory=list)


class _RefusedError(ValueError):
    """A change that cannot be made in place."""


def edit(data: bytes, changes: Sequence[Change]) -> Edited:
    """Return a text with changes made.

    Of changes that contradict or overlap each other none is made.  Raises `ValueError` where the
    result would say more or less than was asked; that is a fault of this module.
    """
    out = Edited(data)
    before = list(events(data))
    nodes = find_nodes(before, {_mark(change) for change in changes})
    splices: dict[Mark, _Splice] = {}
    for change in changes:
        try:
            node = _editable(nodes.get(_mark(change)))
            text = spell(change.value, node)
            _refuse_contradiction(splices.get(node.start), text)
        except _RefusedError as refused:
            out.refused.append((change, str(refused)))
        else:
            splices.setdefault(node.start, _Splice(node, text, [])).asked.append(change)
    ordered = _apart([splices[start] for start in sorted(splices)], out)
    out.data = _spliced(data, ordered)
    out.made = [change for splice in ordered for change in splice.asked]
    _check(before, out.data, {splice.node.start: splice.text for splice in ordered})
    return out


class _Splice(NamedTuple):
    """A node, its new text, and the changes that asked for it."""

    node: Node
    text: str
    asked: list[Change]


def _mark(change: Change) -> Mark:
    return change.location.line - 1, change.location.column - 1


def _editable(node: Node | None) -> Node:
    if node is None:
        raise _RefusedError("what is written there is no single value that can be replaced")
    return node


def _refuse_contradiction(other: _Splice | None, text: str) -> None:
    if other is not None and other.text != text:
        raise _RefusedError(f"another fix sets the same value to {other.text}")


def _apart(splices: list[_Splice], out: Edited) -> list[_Splice]:
    """Return the splices that do not lie inside one another."""
    inside = {
        one.node.start
        for first, second in pairwise(splices)
        if second.node.start < first.node.end
        for one in (first, second)
    }
    for splice in splices:
        if splice.node.start in inside:
            out.refused.extend((change, "two fixes overlap") for change in splice.asked)
    return [splice for splice in splices if splice.node.start not in inside]


def _spliced(data: bytes, splices: Iterable[_Splice]) -> bytes:
    starts = [0, *(match.end() for match in _BREAK.finditer(data))]

    def offset(mark: Mark) -> int:
        line, column = mark
        last = starts[line + 1] if line + 1 < len(starts) else len(data)
        text = data[starts[line] : last].decode()
        mark_of_order = text.startswith("\ufeff")  # libyaml does not count it
        return starts[line] + len(text[: column + mark_of_order].encode())

    parts, done = [], 0
    for node, text, _ in splices:
        parts += [data[done : offset(node.start)], text.encode()]
        done = offset(node.end)
    return b"".join([*parts, data[done:]])


def _check(before: list[Any], data: bytes, changed: Mapping[Mark, str]) -> None:
    """Raise `ValueError` unless the new text says what the old one said, but for the changes."""
    try:
        after = list(events(data))
        expected = [_said(event) for event in _with(before, changed)]
    except yaml.YAMLError as error:
        raise ValueError(f"a fix would have broken the file: {error}") from error
    if [_said(event) for event in after] != expected:
        raise ValueError("a fix would have changed more than its own value")


def _with(before: list[Any], changed: Mapping[Mark, str]) -> Iterable[Any]:
    """Yield events with those of changed nodes replaced by those of their new text."""
    skipping = False  # the members of a list that was replaced
    for event in before:
        start = event.start_mark.line, event.start_mark.column
        if skipping:
            skipping = type(event) is not SequenceEndEvent
        elif type(event) in (ScalarEvent, SequenceStartEvent) and start in changed:
            yield from list(events(f"[{changed[start]}]".encode()))[3:-3]
            skipping = type(event) is SequenceStartEvent
        else:
            yield event


def _said(event: Any) -> tuple[Any, ...]:
    said = (getattr(event, name, None) for name in ("value", "anchor", "tag", "style"))
    return type(event), *said


def spell(value: Any, old: Node) -> str:
    """Return a value as a person would write it in place of another."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_scalar(member, '') for member in value)}]"
    if isinstance(value, bool):
        words = _PAIRS.get(old.value.lower() if isinstance(old.value, str) else "", ("on", "off"))
        return words[0] if value else words[1]
    return _scalar(value, old.quote)


def _scalar(value: Any, quote: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.isprintable():
        raise _RefusedError(f"{value!r} is no value that can be written on one line")
    if quote == "'" and "'" not in value:
        return f"'{value}'"
    if quote == '"' or _PLAIN.fullmatch(value) is None:
        return json.dumps(value, ensure_ascii=False)
    return value
