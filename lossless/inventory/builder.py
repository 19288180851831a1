"""From YAML to plain data: events of the C parser, and equal subtrees built once.

Every small mapping and list is interned by its keys and the identities of its values, so that a
fabric written out in full costs little more than the same fabric written as node sets, and what
follows may remember by identity what it has seen.  What the builder returns must therefore never be
changed in place.  Only the places of keys at the first two levels, and of the elements of lists at
the top, are noted; `positions` finds everything else when somebody asks.

Scalars come out as `str`, as `Raw` (plain numbers and booleans of YAML 1.2's core schema, as
written) or as `None`.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any, Final

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from lossless.findings import Location, Problem, Related
from lossless.inventory.files import File
from lossless.inventory.secret_keys import NO_SECRETS, looks_secret
from lossless.inventory.syntax import BRACE_HINT, c_loader, first_keys, resolve, syntax_problem

#: How deep mappings and lists may nest.
DEEPEST: Final = 64
#: How many values aliases may stand for in all.
MOST_ALIASED: Final = 1_000_000
#: Collections with more members than this are not shared.
_SHARED_UP_TO: Final = 512
#: Strings up to this length are worth remembering in lists of things that differ, such as links.
_SHORT: Final = 8
#: Faults of one file that are told one by one.
_MOST_PROBLEMS: Final = 200


class _Stop(Exception):  # noqa: N818 - not an error of its own: the problem is noted already
    """The rest of the file cannot be read."""


@dataclass(slots=True, eq=False)
class Outline:
    """Places (lines and columns from 0) of keys at the first two levels and of list elements."""

    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    below: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    elements: dict[str, array[int]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Document:
    """One file as data (`None` where it is empty) with its outline and faults."""

    file: File
    data: Any
    outline: Outline
    problems: list[Problem]


class Shared:
    """What builders of several files share: scalars and small collections already seen."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}
        self.plain: dict[str, Any] = {}
        self.quoted: dict[str, str] = {}
        self.table: dict[tuple[Any, ...], Any] = {}


def build(file: File, shared: Shared) -> Document:
    """Read one file.  Faults are collected in the document, not raised."""
    return _Builder(file, shared).document()


class _Builder:
    def __init__(self, file: File, shared: Shared) -> None:
        self._file = file
        self._get = c_loader()(file.data).get_event
        self._shared = shared
        self._outline = Outline()
        self._problems: list[Problem] = []
        self._anchors: dict[str, Any] = {}
        self._open: set[str] = set()
        self._sizes: dict[int, int] = {}
        self._aliased = 0
        self._suspicious: set[str] = set()
        self._repeated: list[tuple[Any, str, Any]] = []
        # Only files with these characters can hold anchors or tags: others are read faster.
        self._decorated = b"&" in file.data or b"!" in file.data

    def document(self) -> Document:
        data = None
        try:
            data = self._stream()
        except _Stop:
            pass
        except yaml.YAMLError as error:
            self._problems.append(syntax_problem(self._file, error))
        self._explain_repeated()
        return Document(self._file, data, self._outline, self._problems)

    def _stream(self) -> Any:
        get = self._get
        get()  # start of the stream
        if type(get()) is not DocumentStartEvent:
            return None
        event = get()
        if type(event) is MappingStartEvent:
            self._decoration(event)
            data: Any = self._root(event)
        else:
            data = self._value(event, 0)
        get()  # end of the document
        after = get()
        if type(after) is not StreamEndEvent:
            self._fault(after, "a second document begins here", "keep one document per file")
            raise _Stop
        return data

    def _fault(self, event: Any, message: str, hint: str | None = None) -> None:
        if len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(Problem(message, self._location(event.start_mark), hint))

    def _location(self, mark: Any) -> Location:
        return Location(self._file.name, mark.line + 1, mark.column + 1)

    # The first two levels: what is written where is noted -----------------------------------------

    def _root(self, start: Any) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, place, event in self._pairs(start, out):
            self._outline.keys.setdefault(key, place)
            if type(event) is MappingStartEvent:
                self._decoration(event)
                self._enter(event)
                out[key] = self._section(event, self._outline.below.setdefault(key, {}))
                self._leave(event, out[key])
            elif type(event) is SequenceStartEvent:
                self._decoration(event)
                self._enter(event)
                out[key] = self._elements(self._outline.elements.setdefault(key, array("L")))
                self._leave(event, out[key])
            else:
                out[key] = self._value(event, 1)
        return out

    def _section(self, start: Any, places: dict[str, tuple[int, int]]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, place, event in self._pairs(start, out):
            places.setdefault(key, place)
            out[key] = self._value(event, 2)
        return out

    def _pairs(self, start: Any, out: dict[str, Any]) -> Any:
        """Yield (key, place, first event of the value) of a mapping."""
        get = self._get
        while type(event := get()) is not MappingEndEvent:
            key = self._key(event)
            if key in out:
                self._repeated.append((start.start_mark, key, event.start_mark))
            mark = event.start_mark
            event = get()
            if key in self._suspicious:
                self._refuse_secret(mark, key, event)
            yield key, (mark.line, mark.column), event

    def _elements(self, places: array[int]) -> list[Any]:
        """Read a list at the top.  Its elements differ from each other: nothing is interned."""
        get = self._get
        out: list[Any] = []
        while type(event := get()) is not SequenceEndEvent:
            mark = event.start_mark
            places.append(mark.line)
            places.append(mark.column)
            if type(event) is MappingStartEvent and not self._decorated:
                out.append(self._element(event))
            else:
                out.append(self._value(event, 2))
        return out

    def _element(self, start: Any) -> dict[str, Any]:
        get = self._get
        keys, plain, quoted = self._shared.keys, self._shared.plain, self._shared.quoted
        out: dict[str, Any] = {}
        while type(event := get()) is not MappingEndEvent:
            first = event
            try:
                key = keys[event.value]
            except (KeyError, AttributeError):
                key = self._key(event)
            event = get()
            if type(event) is not ScalarEvent:
                value: Any = self._value(event, 3)
            elif event.style:
                text = event.value
                value = quoted.setdefault(text, text) if len(text) <= _SHORT else text
            else:
                text = event.value
                value = plain.get(text, plain)
                if value is plain:
                    value = resolve(text)
                    if len(text) <= _SHORT:
                        plain[text] = value
            if key in out or self._suspicious:
                self._unusual(start, first, key, event, out)
            out[key] = value
        return out

    # Everything below: equal subtrees become one object -------------------------------------------

    def _value(self, event: Any, depth: int) -> Any:
        if self._decorated:
            self._decoration(event)
        kind = type(event)
        if kind is ScalarEvent:
            value = self._scalar(event)
        elif kind is MappingStartEvent:
            self._enter(event, depth)
            value = self._mapping(event, depth + 1)
        elif kind is SequenceStartEvent:
            self._enter(event, depth)
            value = self._sequence(depth + 1)
        else:
            return self._alias(event)
        if event.anchor is not None:
            self._leave(event, value)
        return value

    def _mapping(self, start: Any, depth: int) -> dict[str, Any]:
        get = self._get
        shared = self._shared
        keys, plain, quoted = shared.keys, shared.plain, shared.quoted
        simple = not self._decorated
        out: dict[str, Any] = {}
        while type(event := get()) is not MappingEndEvent:
            first = event
            try:
                key = keys[event.value]
            except (KeyError, AttributeError):
                key = self._key(event)
            event = get()
            if simple and type(event) is ScalarEvent:
                text = event.value
                if event.style:
                    value: Any = quoted.setdefault(text, text)
                else:
                    value = plain.get(text, plain)
                    if value is plain:
                        value = plain[text] = resolve(text)
            else:
                value = self._value(event, depth)
            if key in out or self._suspicious:
                self._unusual(start, first, key, event, out)
            out[key] = value
        if len(out) > _SHARED_UP_TO:
            return out
        found: dict[str, Any] = shared.table.setdefault((*out, *map(id, out.values())), out)
        return found

    def _sequence(self, depth: int) -> list[Any]:
        get = self._get
        out: list[Any] = []
        while type(event := get()) is not SequenceEndEvent:
            out.append(self._value(event, depth))
        if len(out) > _SHARED_UP_TO:
            return out
        found: list[Any] = self._shared.table.setdefault((None, *map(id, out)), out)
        return found

    def _scalar(self, event: Any) -> Any:
        text = event.value
        if event.style:
            return self._shared.quoted.setdefault(text, text)
        plain = self._shared.plain
        value = plain.get(text, plain)
        if value is plain:
            value = plain[text] = resolve(text)
        return value

    # What is seldom -------------------------------------------------------------------------------

    def _key(self, event: Any) -> str:
        """Return a key that was not seen before, or that is no key."""
        if type(event) is not ScalarEvent:
            if type(event) is AliasEvent:
                self._fault(event, "a key cannot be an alias", "write the key out")
                return f"*{event.anchor}"
            self._fault(event, "a key must be one word, not a list or a mapping", BRACE_HINT)
            raise _Stop
        text = str(event.value)
        if self._decorated:
            self._decoration(event)
        if not event.style and text == "<<":
            self._fault(
                event, "merge keys (<<) are not read", "use a node set, a role or `extends`"
            )
        elif not event.style and not text:
            self._fault(event, "a key is missing before the colon", "write `key: value`")
        elif looks_secret(text):
            self._suspicious.add(text)
        else:
            return self._shared.keys.setdefault(text, text)
        return text  # not remembered: the next one is looked at again

    def _unusual(self, start: Any, first: Any, key: str, event: Any, out: dict[str, Any]) -> None:
        if key in out:
            self._repeated.append((start.start_mark, key, first.start_mark))
        if key in self._suspicious:
            self._refuse_secret(first.start_mark, key, event)

    def _refuse_secret(self, mark: Any, key: str, event: Any) -> None:
        if type(event) is ScalarEvent and len(self._problems) < _MOST_PROBLEMS:
            message = f"{key!r} looks like a secret"
            self._problems.append(Problem(message, self._location(mark), NO_SECRETS))

    def _decoration(self, event: Any) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None:
            self._fault(event, f"the tag {tag[:60]!r} is not read", "remove it")

    def _enter(self, event: Any, depth: int = 0) -> None:
        if depth >= DEEPEST:
            self._fault(event, f"nested deeper than {DEEPEST} levels", "no inventory needs that")
            raise _Stop
        if event.anchor is not None:
            self._open.add(event.anchor)

    def _leave(self, event: Any, value: Any) -> None:
        if event.anchor is not None:
            self._open.discard(event.anchor)
            self._anchors[event.anchor] = value

    def _alias(self, event: Any) -> Any:
        name = event.anchor
        if name in self._open:
            self._fault(event, f"the alias *{name} stands inside what it names", "write it out")
        elif name not in self._anchors:
            hint = "set the anchor before it; a text that begins with '*' needs quotes"
            self._fault(event, f"the alias *{name} names no anchor of this file", hint)
        else:
            value = self._anchors[name]
            self._aliased += self._size(value)
            if self._aliased > MOST_ALIASED:
                limit = f"aliases stand for more than {MOST_ALIASED} values"
                self._fault(event, limit, "use a node set, a role or `extends`")
                raise _Stop
            return value
        return None

    def _size(self, value: Any) -> int:
        if not isinstance(value, (dict, list)):
            return 1
        found = self._sizes.get(id(value))
        if found is None:
            below = value.values() if isinstance(value, dict) else value
            found = self._sizes[id(value)] = 1 + sum(map(self._size, below))
        return found

    def _explain_repeated(self) -> None:
        """Tell of keys that stand twice; the first place is looked for only now."""
        repeated = self._repeated[:_MOST_PROBLEMS]
        wanted = {(mark.line, mark.column): set[str]() for mark, _, _ in repeated}
        for mark, key, _ in repeated:
            wanted[mark.line, mark.column].add(key)
        first = first_keys(self._file, wanted) if wanted else {}
        for mark, key, again in repeated:
            place = first.get((mark.line, mark.column, key))
            related = () if place is None else (Related(self._location(place), "first here"),)
            where = f", first at line {place.line + 1}" if place is not None else ""
            self._problems.append(
                Problem(
                    f"the key {key[:60]!r} is written twice{where}",
                    self._location(again),
                    "keep one of the two",
                    related,
                )
            )
