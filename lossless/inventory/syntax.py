"""The YAML we read: the C parser, the core schema of YAML 1.2, and syntax errors in our words."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.reader import ReaderError

from lossless.findings import InputError, Location, Problem
from lossless.inventory.files import File, place
from lossless.inventory.scalars import Raw

BRACE_HINT: Final = 'quote texts that hold { } or [ ], for example "gpu{n:02}:ens[1-2]"'


_NOT_TEXT: Final = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|true|True|TRUE|false|False|FALSE"
).fullmatch
_NULLS: Final = frozenset(("", "~", "null", "Null", "NULL"))


def c_loader() -> Any:
    """Return PyYAML's loader on libyaml.  Raises `InputError` where it was built without."""
    loader = getattr(yaml, "CSafeLoader", None)
    if loader is None:
        hint = "install its wheel: pip install --force-reinstall --only-binary :all: pyyaml"
        raise InputError([Problem("PyYAML was installed without its C parser", None, hint)])
    return loader


def resolve(text: str) -> Any:
    """Return what a plain scalar is in YAML 1.2's core schema: text, `Raw` or `None`."""
    if text in _NULLS:
        return None
    return Raw(text) if _NOT_TEXT(text) else text


def first_keys(
    file: File, wanted: dict[tuple[int, int], set[str]]
) -> dict[tuple[int, int, str], Any]:
    """Return the marks of the first keys of some names, by the place where their mapping starts."""
    found: dict[tuple[int, int, str], Any] = {}
    stack: list[tuple[tuple[int, int], bool] | None] = []
    try:
        for event in yaml.parse(file.data, Loader=c_loader()):
            _note_first(event, wanted, stack, found)
    except yaml.YAMLError:
        pass  # told already
    return found


def _note_first(event: Any, wanted: Any, stack: list[Any], found: dict[Any, Any]) -> None:
    kind = type(event)
    if kind in (MappingEndEvent, SequenceEndEvent):
        stack.pop()
    elif kind in (ScalarEvent, AliasEvent, MappingStartEvent, SequenceStartEvent):
        if stack and stack[-1] is not None:
            place, is_key = stack[-1]
            stack[-1] = (place, not is_key)
            if is_key and kind is ScalarEvent and event.value in wanted.get(place, ()):
                found.setdefault((*place, event.value), event.start_mark)
        if kind is MappingStartEvent:
            stack.append(((event.start_mark.line, event.start_mark.column), True))
        elif kind is SequenceStartEvent:
            stack.append(None)


def syntax_problem(file: File, error: Any) -> Problem:
    """Return a syntax error in this project's words, with a hint where its cause is known."""
    said = str(getattr(error, "problem", None) or error).split("\n")[0]
    context = str(getattr(error, "context", None) or "")
    if isinstance(error, ReaderError):
        where = place(file.name, file.data, min(error.position, len(file.data)))
        return Problem(f"not YAML: {said}", where, "remove the control character")
    mark = getattr(error, "problem_mark", None)
    if mark is None or "end of stream" in said:  # where it began says more than where it ends
        mark = getattr(error, "context_mark", None) or mark
    if mark is None:
        return Problem(f"not YAML: {said}", Location(file.name, 1, 1), "check the file")
    lines = file.data.split(b"\n", mark.line + 1)
    text = lines[mark.line].decode(errors="replace") if mark.line < len(lines) else ""
    return Problem(
        f"not YAML: {said} {context}".rstrip(),
        Location(file.name, mark.line + 1, mark.column + 1),
        _syntax_hint(said, context, text, mark.column),
    )


def _syntax_hint(said: str, context: str, text: str, column: int) -> str:
    before, rest = text[:column], text[column:]
    if "\t" in text[: len(text) - len(text.lstrip())] or "tab" in said or rest.startswith("\t"):
        return "indent with spaces, not with tabs"
    if "flow" in context and ("[" in rest or rest.startswith("{") or before.endswith(("]", "}"))):
        return 'a text with [ ] or { } inside { } needs quotes: "192.0.2.[11-12]"'
    if "mapping values are not allowed" in said:
        return "quote texts that hold ': ', and check the indentation"
    if "cannot start any token" in said:
        return "quote texts that begin with a special character"
    return "check quotes, brackets and indentation on this line and above it"
