"""The report for a person: one block a finding, with the line it points at.

The frame follows what compilers made familiar: severity, rule, message; file, line and column; the
line itself with the place underlined; then what else there is to know.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from lossless.findings import Confidence, Finding, Location, NotChecked, Report, Severity
from lossless.report.context import Context, relative, shown

_COLOUR = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
_BOLD, _DIM, _BLUE, _GREEN = "1", "2", "1;34", "1;32"
#: The scalar, flow list or flow map that starts at a column.
_TOKEN = re.compile(r"\[[^\]]*\]|\{[^}]*\}|\"[^\"]*\"|'[^']*'|[^\s,\[\]{}#]+")
#: Control characters could drive a terminal; they are shown, not sent.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def render(report: Report, context: Context) -> str:
    """Return the whole report as text."""
    live = [f for f in report.findings if f.suppressed is None]
    blocks = ["\n".join(_finding(f, context)) + "\n" for f in live]
    if report.not_checked:
        blocks.append("\n".join(_not_checked(report.not_checked, context)) + "\n")
    blocks.append(_summary(report, context) + "\n")
    return "\n".join(blocks)


def _finding(finding: Finding, context: Context) -> Iterator[str]:
    paint = _painter(context)
    head = paint(f"{finding.severity.word}[{finding.rule}]", _COLOUR[finding.severity])
    yield f"{head} {paint(finding.name, _BOLD)}: {_visible(finding.message)}"
    yield from _frame(finding, context)
    if len(finding.objects) > 1 or finding.count > 1:
        yield from _note("on", f"{', '.join(finding.objects)} ({finding.count})", context)
    for related in finding.related:
        where = _place(related.location)
        yield from _note("see", f"{where}: {related.message}", context)
    if finding.touches:
        yield from _note("touches", ", ".join(finding.touches), context)
    if finding.confidence is not Confidence.CERTAIN:
        yield from _note("sure", finding.confidence.value, context)
    if finding.edit is not None:
        yield from _note("fix", finding.edit.description, context)


def _frame(finding: Finding, context: Context) -> Iterator[str]:
    paint = _painter(context)
    where = finding.location
    verdict = _verdict(finding)
    if where is None:
        if verdict:
            yield from _note("values", verdict, context)
        return
    width = len(str(where.line))
    yield f"{' ' * width}{paint('-->', _BLUE)} {_place(where)}"
    line = context.files.line(where)
    if line is None:
        return
    margin = paint(f"{' ' * width} |", _BLUE)
    yield margin
    yield f"{paint(f'{where.line} |', _BLUE)} {_visible(line)}"
    start = where.column - 1
    token = _TOKEN.match(line, start)
    marks = "^" * max(1, (token.end() - start) if token else 1)
    mark = paint(f"{marks} {verdict}".rstrip(), _COLOUR[finding.severity])
    yield f"{margin} {' ' * start}{mark}"


def _verdict(finding: Finding) -> str:
    parts = []
    if finding.expected is not None:
        parts.append(f"expected {shown(finding.expected)}")
    if finding.actual is not None:
        parts.append(f"found {shown(finding.actual)}")
    return ", ".join(parts)


def _note(label: str, text: str, context: Context) -> Iterator[str]:
    paint = _painter(context)
    indent = " " * (len(label) + 6)
    room = max(40, context.width - len(indent))
    lines = textwrap.wrap(_visible(text), room, break_long_words=False, break_on_hyphens=False)
    first, *rest = lines or [""]
    yield f"   {paint('=', _BLUE)} {paint(label, _BOLD)}: {first}"
    for line in rest:
        yield indent + line


def _not_checked(gaps: tuple[NotChecked, ...], context: Context) -> Iterator[str]:
    paint = _painter(context)
    rules = len({gap.rule for gap in gaps})
    head = paint("not checked", _BOLD)
    asked = f"{_many(len(gaps), 'question')} of {_many(rules, 'rule')}"
    yield f"{head}: {asked}, for want of:"
    if context.verbose:
        for gap in gaps:
            told = ", ".join(gap.missing)
            yield from _note(gap.rule, f"{', '.join(gap.objects)}: {told}", context)
        return
    by_rule: dict[str, set[str]] = {}
    for gap in gaps:
        by_rule.setdefault(gap.rule, set()).update(gap.missing)
    for rule, missing in sorted(by_rule.items()):
        yield from _note(rule, ", ".join(sorted(missing)), context)


def _summary(report: Report, context: Context) -> str:
    paint = _painter(context)
    counts = []
    for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO):
        number = report.count(severity)
        word = severity.word if severity is Severity.INFO or number == 1 else severity.word + "s"
        text = f"{number} {word}"
        counts.append(paint(text, _COLOUR[severity]) if number else text)
    counts += _suppressed(report)
    if report.not_checked:
        counts.append(f"{len(report.not_checked)} not checked")
    seen = report.summary
    looked = f"{seen.devices} devices, {seen.ports} ports, {seen.links} links"
    clean = not any(f.suppressed is None for f in report.findings)
    verdict = paint("clean", _GREEN) + ": " if clean else ""
    return f"{verdict}{', '.join(counts)} in {looked}"


def _suppressed(report: Report) -> list[str]:
    """Say how many findings are accepted, and how many of them for a time or since the start."""
    kinds = [f.suppressed.kind for f in report.findings if f.suppressed]
    if not kinds:
        return []
    said = {"maintenance": "under maintenance", "baseline": "in the baseline"}
    told = [f"{kinds.count(kind)} {what}" for kind, what in said.items() if kind in kinds]
    return [f"{len(kinds)} suppressed" + (f" ({', '.join(told)})" if told else "")]


def _place(location: Location) -> str:
    return f"{relative(location.file)}:{location.line}:{location.column}"


def _visible(text: str) -> str:
    return _CONTROL.sub(lambda m: f"\\x{ord(m[0]):02x}", text.replace("\t", " "))


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


class _Paint:
    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text


def _painter(context: Context) -> _Paint:
    return _Paint(context.colour)
