"""Showing what is wrong with the input: every problem, each with its place and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from lossless.findings import Location, Problem
from lossless.report.context import Files, relative

#: More than this many are counted, not shown: the first ones usually explain the rest.
MOST_SHOWN = 50
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def show(problems: Sequence[Problem]) -> None:
    """Write problems to standard error in the compilers' form."""
    files = Files()
    for problem in problems[:MOST_SHOWN]:
        click.echo("\n".join(_lines(problem, files)), err=True)
    if len(problems) > MOST_SHOWN:
        click.echo(f"... and {len(problems) - MOST_SHOWN} more", err=True)
    many = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    click.echo(f"lossless: {many} with the input", err=True)


def _lines(problem: Problem, files: Files) -> list[str]:
    where = f"{_place(problem.location)}: " if problem.location else ""
    lines = [f"{where}error: {_clean(problem.message)}"]
    text = files.line(problem.location) if problem.location else None
    if text is not None and not text.isspace() and 0 < len(text) <= 200:
        column = problem.location.column if problem.location else 1
        lines += [f"    {_clean(text)}", "    " + " " * (column - 1) + "^"]
    for related in problem.related:
        lines.append(f"    {_place(related.location)}: {_clean(related.message)}")
    if problem.hint:
        lines.append(f"    hint: {_clean(problem.hint)}")
    return lines


def _place(location: Location) -> str:
    return f"{relative(location.file)}:{location.line}:{location.column}"


def _clean(text: str) -> str:
    return _CONTROL.sub(lambda m: " " if m[0] == "\t" else f"\\x{ord(m[0]):02x}", text)
