"""From files to variables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.rdma import Environment, Variable
from lossless.model.settings import System
from lossless.platforms.collective_env.files import Kind, Line, blocks, by_path, by_text
from lossless.platforms.contract import Diagnostic, Output, Parsed, Unread

#: The lines of each file by its path; `()` for a file that is known not to be there.
Native = dict[str, tuple[Line, ...]]


def parse(outputs: Sequence[Output]) -> Parsed:
    """Read what was handed in.  Never raises."""
    native: Native = {}
    unread: list[Unread] = []
    diagnostics: list[Diagnostic] = []
    coverage: set[str] = set()
    found: dict[str, tuple[int, Variable]] = {}
    where: dict[tuple[str | int, ...], tuple[str | None, int]] = {}
    for output in outputs:
        for kind, lines, first in _files(output):
            read = tuple(kind.line(text) for text in lines or ())
            native[kind.path] = read
            strange = [(n, ln) for n, ln in enumerate(read, first) if not ln.read]
            unread += [Unread(ln.text, n, output.file, (kind.path,)) for n, ln in strange]
            diagnostics += _take(kind, read, first, output, found, where)
            if not strange:
                coverage.add(kind.path)
    variables = {name: variable for name, (_, variable) in found.items()}
    return Parsed(
        state=DeviceState(system=System(environment=Environment(variables=table(variables)))),
        native=native,
        coverage=frozenset(coverage),
        unread=tuple(unread),
        diagnostics=tuple(diagnostics),
        lines=where,
        understood=bool(native),
    )


def _files(output: Output) -> list[tuple[Kind, list[str] | None, int]]:
    told = [(by_path(path), lines, first) for path, lines, first in blocks(output.text)]
    known = [(kind, lines, first) for kind, lines, first in told if kind is not None]
    if told:
        return known
    named = re.match(r"\s*(?:sudo\s+)?cat\s+(\S+)\s*$", output.command)
    kind = by_path(named[1] if named else output.file)
    if kind is None and not output.command:
        kind = by_text(output.text)
    return [(kind, output.text.splitlines(), 1)] if kind is not None else []


def _take(
    kind: Kind,
    lines: tuple[Line, ...],
    first: int,
    output: Output,
    found: dict[str, tuple[int, Variable]],
    where: dict[tuple[str | int, ...], tuple[str | None, int]],
) -> list[Diagnostic]:
    """Take a file's variables, each from the line that wins."""
    doubled = []
    here: set[str] = set()
    for number, line in enumerate(lines, first):
        if line.name is None:
            continue
        rank, known = found.get(line.name, (0, None))
        if known is not None:
            text = f"{line.name} is set in {known.origin} and again in {kind.path}"
            doubled.append(Diagnostic("duplicate", text, number, output.file))
        wins = known is None or kind.rank > rank or (line.name in here and not kind.first_wins)
        here.add(line.name)
        if wins:
            found[line.name] = kind.rank, Variable(value=line.value, origin=kind.path)
            path = ("system", "environment", "variables", line.name, "value")
            where[path] = (output.file or output.command or None, number)
    return doubled
