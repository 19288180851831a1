"""What a format needs beside the report: the rules, the files' text, and the terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lossless.findings import Location
from lossless.rules.declare import Rule


@dataclass(slots=True)
class Files:
    """Lines of the files that findings point into, read once and only when asked for."""

    _lines: dict[str, list[str]] = field(default_factory=dict)

    def line(self, location: Location) -> str | None:
        """Return the line at a location, or `None` where it cannot be read again."""
        if location.file not in self._lines:
            path = Path(location.file)
            try:  # a pipe would be waited for, and what it held is gone
                text = path.read_text(encoding="utf-8") if path.is_file() else ""
            except (OSError, ValueError):  # no such file, or not text
                text = ""
            self._lines[location.file] = text.split("\n")
        lines = self._lines[location.file]
        return lines[location.line - 1] if 0 < location.line <= len(lines) else None


@dataclass(frozen=True, slots=True)
class Context:
    """How to write.

    `page` returns the Markdown page of a rule by id; `colour` and `width` describe the terminal;
    `verbose` lists what was not checked object by object.
    """

    version: str
    rules: Mapping[str, Rule] = field(default_factory=dict)
    page: Callable[[str], str] | None = None
    files: Files = field(default_factory=Files)
    colour: bool = False
    width: int = 100
    verbose: bool = False


def relative(file: str) -> str:
    """Return a path as a reader of the report writes it: relative where it lies below here."""
    path = Path(file)
    if not path.is_absolute():
        return file
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return file


def as_uri(file: str) -> str:
    """Return a file as a URI reference: relative with forward slashes, or absolute `file:`."""
    shown = relative(file)
    path = Path(shown)
    return path.as_uri() if path.is_absolute() else shown.replace(os.sep, "/")


def plain(value: object) -> object:
    """Return a value of the model as JSON can hold it: numbers, strings, lists, objects."""
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, frozenset | set):
        return sorted((plain(v) for v in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    inner = getattr(value, "value", None)  # an enum member
    return inner if isinstance(inner, str | int) else str(value)


def shown(value: object) -> str:
    """Return a value as a person reads it."""
    simple = plain(value)
    if isinstance(simple, list):
        return "[" + ", ".join(shown(v) for v in simple) + "]"
    return str(simple)
