"""The report as one HTML file: no script, nothing loaded from elsewhere, everything escaped.

`written` lays out any page of tiles and cards; `render` makes one of findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lossless.findings import Confidence, Finding, Location, NotChecked, Report, Severity
from lossless.report.context import Context, relative, shown

#: Control characters are shown, since a browser may leave them out.
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Tile:
    """A number at the head of a page.  `tone` is "error", "warning", "info", "good" or ""."""

    number: int
    label: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One thing that is told: a badge in a tone, a head, a sentence, lines, and facts."""

    tone: str
    badge: str
    head: str
    says: str = ""
    code: str = ""
    facts: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Cards under one title."""

    title: str
    cards: Sequence[Card]


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page; sections without cards are left out."""

    title: str
    under: str
    version: str
    tiles: Sequence[Tile] = ()
    sections: Sequence[Section] = field(default_factory=tuple)


def written(page: Page) -> str:
    """Return a page as HTML."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True, finalize=_visible
    )
    source = Path(__file__).with_name("page.html.j2").read_text(encoding="utf-8")
    told = [section for section in page.sections if section.cards]
    shown_page = Page(page.title, page.under, page.version, page.tiles, told)
    return environment.from_string(source).render(page=shown_page)


def _visible(value: object) -> object:
    if not isinstance(value, str):
        return value
    return _CONTROL.sub(lambda m: f"\\x{ord(m[0]):02x}", value)


def render(report: Report, context: Context) -> str:
    """Return the whole report as HTML."""
    live = [f for f in report.findings if f.suppressed is None]
    accepted = [f for f in report.findings if f.suppressed is not None]
    seen = report.summary
    tiles = [
        Tile(report.count(severity), word, tone if report.count(severity) else "good")
        for severity, word, tone in (
            (Severity.ERROR, "errors", "error"),
            (Severity.WARNING, "warnings", "warning"),
            (Severity.INFO, "informative", "info"),
        )
    ]
    tiles += [Tile(len(accepted), "suppressed"), Tile(len(report.not_checked), "not checked")]
    page = Page(
        title="Findings" if live else "No findings",
        under=f"{seen.devices} devices, {seen.ports} ports, {seen.links} links",
        version=context.version,
        tiles=tiles,
        sections=[
            Section(f"{word} ({len(own)})", [_card(f, context) for f in own])
            for severity, word in (
                (Severity.ERROR, "Errors"),
                (Severity.WARNING, "Warnings"),
                (Severity.INFO, "Informative"),
            )
            if (own := [f for f in live if f.severity is severity])
        ]
        + [
            Section(f"Suppressed ({len(accepted)})", [_card(f, context) for f in accepted]),
            Section(f"Not checked ({len(report.not_checked)})", list(_gaps(report.not_checked))),
        ],
    )
    return written(page)


def _card(finding: Finding, context: Context) -> Card:
    line = None if finding.location is None else context.files.line(finding.location)
    return Card(
        tone="" if finding.suppressed else finding.severity.word,
        badge=finding.rule,
        head=finding.name,
        says=finding.message,
        code="" if line is None else line.strip(),
        facts=list(_facts(finding)),
    )


def _facts(finding: Finding) -> Iterator[tuple[str, str]]:
    if finding.location is not None:
        yield "at", _place(finding.location)
    if finding.objects:
        count = f" ({finding.count})" if finding.count > 1 else ""
        yield "on", ", ".join(finding.objects) + count
    if finding.expected is not None:
        yield "expected", shown(finding.expected)
    if finding.actual is not None:
        yield "found", shown(finding.actual)
    for related in finding.related:
        yield "see", f"{_place(related.location)}: {related.message}"
    if finding.touches:
        yield "touches", ", ".join(finding.touches)
    if finding.confidence is not Confidence.CERTAIN:
        yield "sure", finding.confidence.value
    if finding.edit is not None:
        yield "fix", finding.edit.description
    if finding.suppressed is not None:
        yield "accepted", finding.suppressed.reason


def _gaps(gaps: Sequence[NotChecked]) -> Iterator[Card]:
    for gap in gaps:
        facts = [("on", ", ".join(gap.objects)), ("not told", ", ".join(gap.missing))]
        yield Card("", gap.rule, "", facts=facts)


def _place(location: Location) -> str:
    return f"{relative(location.file)}:{location.line}:{location.column}"
