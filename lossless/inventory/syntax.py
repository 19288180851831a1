"""What libyaml has to say, in this project's words, and what is looked for only after a fault."""

from __future__ import annotations

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

from lossless.findings import Location, Problem
from lossless.inventory.files import File

BRACE_HINT: Final = 'quote texts that hold { } or [ ], for example "gpu{n:02}:ens[1-2]"'


def c_loader() -> Any:
    """Return PyYAML's loader on libyaml.  Raises `RuntimeError` where it was built without."""
    loader = getattr(yaml, "CSafeLoader", None)
    if loader is None:
        raise RuntimeError(
            "PyYAML was installed without its C parser, which lossless needs; "
            "install it from a wheel: pip install --force-reinstall --only-binary :all: pyyaml"
        )
    return loader


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
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    said = str(getattr(error, "problem", None) or error).split("\n")[0]
    if mark is None:
        return Problem(f"not YAML: {said}", Location(file.name, 1, 1), "check the file")
    line, column = mark.line, mark.column
    lines = file.data.split(b"\n", line + 1)
    text = lines[line].decode(errors="replace") if line < len(lines) else ""
    where = Location(file.name, line + 1, column + 1)
    context = getattr(error, "context", None)
    return Problem(
        f"not YAML: {said}" + (f" {context}" if context else ""),
        where,
        _syntax_hint(said, str(context or ""), text, column),
    )


def _syntax_hint(said: str, context: str, text: str, column: int) -> str:
    before, rest = text[:column], text[column:]
    if "\t" in text[: len(text) - len(text.lstrip())] or "tab" in said or rest.startswith("\t"):
        return "indent with spaces, not with tabs"
    if "flow" in context and (rest[:1] in "[{" or before[-1:] in "]}" or "[" in rest):
        return 'a text with [ ] or { } inside { } needs quotes: "192.0.2.[11-12]"'
    if "control characters" in said:
        return "remove the control character"
    if "mapping values are not allowed" in said:
        return "quote texts that hold ': ', and check the indentation"
    if "cannot start any token" in said:
        return "quote texts that begin with a special character"
    return "check quotes, brackets and indentation on this line and above it"
