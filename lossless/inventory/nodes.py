"""The text of single values: where each begins and ends, and what it holds.

Only what can be replaced in place is a node here: a scalar on one line, or a flow list of scalars,
that is neither an alias nor anchored (an anchored value is a value somewhere else as well).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from lossless.inventory.syntax import c_loader

#: Line and column, both from 0, in characters.
Mark: TypeAlias = tuple[int, int]

_OPENING: Final = (MappingStartEvent, SequenceStartEvent)
_CLOSING: Final = (MappingEndEvent, SequenceEndEvent)


@dataclass(frozen=True, slots=True)
class Node:
    """A value: from `start` up to, not including, `end`; a list's members as text."""

    start: Mark
    end: Mark
    value: str | tuple[str, ...]
    quote: str = ""


def events(data: bytes) -> Iterator[Any]:
    """Yield the events of a text.  Raises `yaml.YAMLError`."""
    return iter(yaml.parse(data, Loader=c_loader()))


def find_nodes(stream: Iterable[Any], wanted: Collection[Mark]) -> dict[Mark, Node | None]:
    """Return the nodes at some places; at a key, the node that is its value.

    `None` stands for a value that cannot be replaced in place.
    """
    return {mark: node for mark, node in _walk(list(stream)) if mark in wanted}


def _walk(all_events: list[Any]) -> Iterator[tuple[Mark, Node | None]]:
    """Yield the place of every value, and of the key before it, with its node."""
    keys: list[Mark | bool | None] = []  # in a mapping: False before a key, else the key's place
    for place, event in enumerate(all_events):
        kind = type(event)
        if kind in _CLOSING:
            keys.pop()
        elif kind is ScalarEvent or kind is AliasEvent or kind in _OPENING:
            here = _mark(event.start_mark)
            if keys and keys[-1] is False:
                keys[-1] = here
            else:
                node = _node(all_events, place)
                if keys and keys[-1] is not None:
                    yield keys[-1], node  # type: ignore[misc]
                    keys[-1] = False
                yield here, node
            if kind in _OPENING:
                keys.append(False if kind is MappingStartEvent else None)


def _node(all_events: list[Any], place: int) -> Node | None:
    event = all_events[place]
    if type(event) is ScalarEvent:
        return _scalar(event)
    if type(event) is not SequenceStartEvent or not event.flow_style or event.anchor:
        return None
    members: list[str] = []
    for inner in all_events[place + 1 :]:
        if type(inner) is SequenceEndEvent:
            return Node(_mark(event.start_mark), _mark(inner.end_mark), tuple(members))
        if type(inner) is not ScalarEvent or inner.anchor:
            return None
        members.append(inner.value)
    return None


def _scalar(event: Any) -> Node | None:
    start, end = _mark(event.start_mark), _mark(event.end_mark)
    style = event.style or ""
    if event.anchor or style in ("|", ">") or start[0] != end[0] or start == end:
        return None
    return Node(start, end, event.value, "" if style == ":" else style)


def _mark(mark: Any) -> Mark:
    return mark.line, mark.column
