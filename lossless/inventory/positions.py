"""Where things are written, found only when somebody asks.

The builder notes the place of every key at the first two levels and of every element of a list at
the top.  For anything deeper the lines from there to the next noted place are read again as a
little document of their own; where that cannot be done (flow style over several lines), the whole
file is.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from lossless.findings import Location
from lossless.inventory.builder import Document
from lossless.inventory.nodes import Node, find_nodes
from lossless.inventory.syntax import c_loader

#: Keys and list indexes from the top of a document.
Path: TypeAlias = tuple[str | int, ...]

#: What libyaml counts as the end of a line.
_BREAK: Final = re.compile(rb"\r\n|[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9]")


class Spot(NamedTuple):
    """Line and column, both from 0."""

    line: int
    column: int


class Found(NamedTuple):
    """How many steps of a path exist, where the last of them is named, and where its value is."""

    depth: int
    key: Spot
    value: Spot


#: Where each path's key and value are.
Index: TypeAlias = dict[Path, tuple[Spot, Spot]]

#: Of so many noted things all places are kept: both ends of a link, and what was asked before.
_KEPT: Final = 4


class Positions:
    """Places in one document."""

    def __init__(self, document: Document) -> None:
        self.file = document.file
        self._outline = document.outline
        self._indexes: dict[Spot, Index] = {}  # the one used last stands last

    @cached_property
    def starts(self) -> array[int]:
        """Byte offsets at which the lines start."""
        return array("Q", [0, *(m.end() for m in _BREAK.finditer(self.file.data))])

    def location(self, spot: Spot) -> Location:
        """Return a spot as a location."""
        return Location(self.file.name, spot.line + 1, spot.column + 1)

    def find(self, path: Path) -> Found | None:
        """Return the place of a path, or of the deepest part of it that exists."""
        if not path:
            return None
        top = path[0]
        spot = self._outline.keys.get(top) if isinstance(top, str) else None
        if spot is None:
            return None
        whole = Found(1, Spot(*spot), Spot(*spot))
        return self._closest(path, whole) or whole

    def node(self, spot: Spot) -> Node | None:
        """Return the value that is written at a spot; `None` for what is no single value."""
        first, last = self.lines_around(spot.line)
        for top, data in ((first, self.text(first, last)), (0, self.file.data)):
            wanted = (spot.line - top, spot.column)
            try:
                return find_nodes(_events(data), (wanted,)).get(wanted)
            except yaml.YAMLError:
                continue  # flow style over several lines: read the whole file
        return None

    def _closest(self, path: Path, whole: Found) -> Found | None:
        anchor, covered = self._anchor(path)
        named = path[covered - 1]
        below = (0 if isinstance(named, int) else named, *path[covered:])
        if covered == 1 and self._divided(named):
            below = (named,)  # all that is below is noted, and this path is not
        try:
            if covered == 2 and isinstance(named, str):
                found = _deepest(self._index(anchor), below, anchor)
            else:
                found = _descend(_events(self._slice(anchor, covered)), below, anchor.line, anchor)
        except yaml.YAMLError:
            found = None
        if found is not None:
            return found._replace(depth=found.depth + covered - 1)
        try:
            return _descend(_events(self.file.data), path, 0)
        except yaml.YAMLError:
            return whole  # the file ends in a syntax error, which is told anyway

    def _index(self, anchor: Spot) -> Index:
        """Return the places of all that is written of one noted thing.

        Whoever asks about one port of a device asks about the next one: a few are kept.
        """
        found = self._indexes.pop(anchor, None)
        if found is None:
            found = {}
            events = _events(self._slice(anchor, 2))
            event = _next_node(events)
            if event is not None:
                _note(event, events, (), anchor.line, found)
        self._indexes[anchor] = found
        while len(self._indexes) > _KEPT:
            del self._indexes[next(iter(self._indexes))]
        return found

    def _anchor(self, path: Path) -> tuple[Spot, int]:
        """Return the deepest noted place on a path, and how many steps it covers."""
        top = str(path[0])
        if len(path) > 1:
            second = path[1]
            places = self._outline.elements.get(top)
            if isinstance(second, int) and places is not None and 2 * second + 1 < len(places):
                return Spot(places[2 * second], places[2 * second + 1]), 2
            spot = self._outline.below.get(top, {}).get(str(second))
            if spot is not None and isinstance(second, str):
                return Spot(*spot), 2
        return Spot(*self._outline.keys[top]), 1

    @cached_property
    def _noted(self) -> list[int]:
        """Lines on which something noted begins, ascending."""
        lines = {line for line, _ in self._outline.keys.values()}
        for places in self._outline.below.values():
            lines.update(line for line, _ in places.values())
        for elements in self._outline.elements.values():
            lines.update(elements[::2])
        return sorted(lines)

    def _divided(self, name: str | int) -> bool:
        return bool(self._outline.below.get(str(name)) or self._outline.elements.get(str(name)))

    def _slice(self, spot: Spot, covered: int) -> bytes:
        """Return the lines to read again; for a whole section, up to the end: reading is lazy."""
        last = len(self.starts) if covered == 1 else self.lines_around(spot.line)[1]
        return self.text(spot.line, last)

    def lines_around(self, line: int) -> tuple[int, int]:
        """Return the first line of the noted thing that holds a line, and the line after it.

        Where nothing is noted at or before the line, all lines up to the first noted one.
        """
        at = bisect_right(self._noted, line)
        first = self._noted[at - 1] if at else 0
        last = self._noted[at] if at < len(self._noted) else len(self.starts)
        return first, last

    def text(self, first: int, last: int) -> bytes:
        """Return the bytes of lines `first` up to, not including, `last`."""
        ends = self.starts
        return self.file.data[ends[first] : ends[last] if last < len(ends) else None]


def _events(data: bytes) -> Iterator[Any]:
    return iter(yaml.parse(data, Loader=c_loader()))


def _descend(
    events: Iterator[Any], path: Path, line: int, first: Spot | None = None
) -> Found | None:
    """Walk into the first node of an event stream as far as a path leads.

    `line` is that of the stream's start in the file; `first` is where the first step must be.
    """
    found: Found | None = None
    event = _next_node(events)
    for depth, step in enumerate(path, 1):
        if event is None:
            return found
        if type(event) is MappingStartEvent and isinstance(step, str):
            below = _into_mapping(events, step)
        elif type(event) is SequenceStartEvent and isinstance(step, int):
            below = _into_sequence(events, step)
        else:
            return found
        if below is None:
            return found
        key, event = below
        spot = Spot(key.line + line, key.column)
        if depth == 1 and first not in (None, spot):
            return None
        value = Spot(event.start_mark.line + line, event.start_mark.column)
        found = Found(depth, spot, value)
    return found


def _note(event: Any, events: Iterator[Any], above: Path, line: int, out: Index) -> None:
    """Read a node and note every key and member in it; of equal keys the first."""
    end = {MappingStartEvent: MappingEndEvent, SequenceStartEvent: SequenceEndEvent}.get(
        type(event)
    )
    if end is None:
        return
    number = 0
    while type(key := next(events)) is not end:
        value = key
        if end is MappingEndEvent:
            if type(key) is not ScalarEvent:
                _skip(key, events)
            value = next(events)
        named = type(key) is ScalarEvent or end is SequenceEndEvent
        path = (*above, key.value if end is MappingEndEvent and named else number)
        number += 1
        if named and path not in out:
            out[path] = _spot(key, line), _spot(value, line)
            _note(value, events, path, line, out)
        else:
            _skip(value, events)


def _spot(event: Any, line: int) -> Spot:
    return Spot(event.start_mark.line + line, event.start_mark.column)


def _deepest(index: Index, path: Path, first: Spot) -> Found | None:
    """Return the deepest part of a path that is noted; `first` is where it must begin."""
    top = index.get(path[:1])
    if top is None or top[0] != first:
        return None
    depth = next(n for n in range(len(path), 0, -1) if path[:n] in index)
    return Found(depth, *index[path[:depth]])


def _next_node(events: Iterator[Any]) -> Any:
    for event in events:
        if isinstance(event, (ScalarEvent, AliasEvent, MappingStartEvent, SequenceStartEvent)):
            return event
    return None


def _into_mapping(events: Iterator[Any], name: str) -> tuple[Any, Any] | None:
    for event in events:
        if type(event) is MappingEndEvent:
            return None
        matches = type(event) is ScalarEvent and event.value == name
        _skip(event, events)
        value = next(events)
        if matches:
            return event.start_mark, value
        _skip(value, events)
    return None


def _into_sequence(events: Iterator[Any], index: int) -> tuple[Any, Any] | None:
    for at, event in enumerate(events):
        if type(event) is SequenceEndEvent:
            return None
        if at == index:
            return event.start_mark, event
        _skip(event, events)
    return None


def _skip(event: Any, events: Iterator[Any]) -> None:
    """Read to the end of the node that an event begins."""
    depth = 0
    while True:
        kind = type(event)
        if kind in (MappingStartEvent, SequenceStartEvent):
            depth += 1
        elif kind in (MappingEndEvent, SequenceEndEvent):
            depth -= 1
        if depth <= 0:
            return
        event = next(events)


def deepest(candidates: Iterable[tuple[Positions, Found]]) -> tuple[Positions, Found] | None:
    """Return the candidate that knows most of a path; the first among equals."""
    best: tuple[Positions, Found] | None = None
    for candidate in candidates:
        if best is None or candidate[1].depth > best[1].depth:
            best = candidate
    return best
