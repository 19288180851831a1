"""JSON as devices print it: with the line of every value, and what can be saved where it is torn.

Python's own reader gives no positions and nothing of a text that is cut off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

_ESCAPE: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_PAGER: Final = re.compile(r"[ \t]*(?:--\s?More\s?--(?:\([^)\n]*\))?|<--- ?More ?--->)[ \x08\r]*")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")
_START: Final = re.compile(r"^[ \t]*\{", re.M)
_TOKEN: Final = re.compile(
    r'[ \t\r]*(?:(?P<newline>\n)|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<mark>[{}\[\]:,])'
    r"|(?P<word>-?\d[\d.eE+-]*|true|false|null))"
)
_DEPTH: Final = 64


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar, as text, and its line from 1."""

    value: str
    line: int


@dataclass(slots=True)
class Table:
    """An object: members in order, the line of each key, and whether its end was seen."""

    line: int
    members: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with the text: "damaged" or "duplicate"."""

    kind: str
    text: str
    line: int


@dataclass(slots=True)
class Scan:
    """The object that was found (`None`: there is none), and what was wrong."""

    root: Table | None
    faults: list[Fault]
    trailing: str = ""


def clean(text: str) -> tuple[str, list[Fault]]:
    """Remove what terminals add; lines keep their numbers."""
    faults: list[Fault] = []
    lines = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = _ESCAPE.sub("", raw.rstrip("\r"))
        bare = _PAGER.sub("", line)
        if bare != line:
            message = "a pager's prompt was removed: the text may lack lines"
            faults.append(Fault("damaged", message, number))
        said = _CONTROL.sub("", bare).replace("\r", "")
        if said != bare:
            faults.append(Fault("damaged", "control characters were removed", number))
        lines.append(said)
    return "\n".join(lines), faults


def scan(text: str) -> Scan:
    """Read the first JSON object of a text that may hold a prompt, an echo and damage.

    `text` must be `clean`.  Never raises.
    """
    start = _START.search(text)
    if start is None:
        return Scan(None, [])
    at = start.end() - 1
    reader = _Reader(text, at, text.count("\n", 0, at) + 1)
    root = reader.value(0)
    return Scan(root if isinstance(root, Table) else None, reader.faults, text[reader.at :])


class _Reader:
    """Reads values; after a fault it goes on with the next line."""

    def __init__(self, text: str, at: int, line: int) -> None:
        self._text = text
        self.at = at
        self._line = line
        self.faults: list[Fault] = []
        self._told: set[int] = set()

    def value(self, depth: int) -> Any:
        kind, said = self._next()
        if kind == "mark" and said in "{[" and depth < _DEPTH:
            return self._object(depth) if said == "{" else self._array(depth)
        if kind == "string":
            return Text(_unquote(said), self._line)
        if kind == "word":
            return Text(said, self._line)
        self._fault(said, "a value")
        return None

    def _object(self, depth: int) -> Table:
        table = Table(self._line)
        while True:
            kind, said = self._next()
            if kind == "end":
                self._fault("", "the end of an object")
                return table
            if kind == "string":
                self._member(table, _unquote(said), depth)
            elif said == "}":
                table.closed = True
                return table
            elif said != ",":
                self._fault(said, "a name in quotes")
                self._skip_line()

    def _member(self, table: Table, name: str, depth: int) -> None:
        line = self._line
        kind, said = self._next()
        if said != ":":
            self._fault(said, f"a colon after {name!r}")
            if kind != "end":
                self._skip_line()
            return
        value = self.value(depth + 1)
        if value is None:
            self._skip_line()
            return
        old = table.members.get(name)
        if name in table.members:
            message = f"{name!r} stands twice in one object; the last one counts"
            self.faults.append(Fault("duplicate", message, line))
        if isinstance(old, Table) and isinstance(value, Table):
            old.members.update(value.members)
            old.lines.update(value.lines)
            value = old
        table.members[name], table.lines[name] = value, line

    def _array(self, depth: int) -> Any:
        items: list[Any] = []
        line = self._line
        while True:
            save = self.at, self._line
            kind, said = self._next()
            if said == "]" or kind == "end":
                if kind == "end":
                    self._fault("", "the end of a list")
                return Text(",".join(i.value for i in items if isinstance(i, Text)), line)
            if said == ",":
                continue
            self.at, self._line = save
            item = self.value(depth + 1)
            if item is None:
                self._skip_line()
            items.append(item)

    def _next(self) -> tuple[str, str]:
        while True:
            found = _TOKEN.match(self._text, self.at)
            if found is None:
                rest = self._text[self.at :].lstrip(" \t\r")
                return ("other", rest[:20].split("\n")[0]) if rest else ("end", "")
            self.at = found.end()
            if found["newline"] is None:
                kind = found.lastgroup or "end"
                return kind, found[kind]
            self._line += 1

    def _skip_line(self) -> None:
        end = self._text.find("\n", self.at)
        self.at = len(self._text) if end < 0 else end

    def _fault(self, said: str, wanted: str) -> None:
        if self._line in self._told:
            return
        self._told.add(self._line)
        found = f"{said!r} where" if said else "the text is cut off where"
        self.faults.append(Fault("damaged", f"{found} {wanted} was expected", self._line))


def _unquote(said: str) -> str:
    import json

    try:
        return str(json.loads(said))
    except ValueError:
        return said[1:-1]
