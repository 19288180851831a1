"""The table of platforms: how far each goes, what it loses, and the facts with their sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs import support
from lossless import hardware
from lossless.platforms import registry

_SHORT: Final = {support.READ: "read", support.IGNORED: "–"}


def page() -> str:
    """Return the page's Markdown."""
    lines = [
        "# Platforms\n",
        "*Facts* is what linting needs; *parse* and *render* are there once round trip, circular",
        "change and captures are proved by tests. A platform is *verified* where its lines were",
        "read in a manual, in source code or on a device, and *experimental* otherwise; then the",
        "tool says so whenever it is used. Grades: V read there, S told by a third party, M from",
        "memory.\n",
        "| platform | kind | status | facts | parse, plan, render |",
        "|---|---|---|---|---|",
        *(_row(name) for name in hardware.platform_names()),
        "",
        *_support(),
        *_losses(),
        *_facts(),
    ]
    return "\n".join(lines) + "\n"


def _row(name: str) -> str:
    known = hardware.describe(name)
    finished = "yes" if registry.load(name) is not None else "not yet"
    status = "verified" if known.verified else "experimental"
    return f"| [{name}](#{name}) | {known.kind} | {status} | {len(known.facts)} | {finished} |"


def _support() -> Iterator[str]:
    yield "## What each platform does with each statement\n"
    yield "*full*: read and written; *read*: read, never written; *warned*: not written, which"
    yield "`render` says; *–*: no word of this platform, or a fact that nobody configures"
    yield "(what is dropped in silence stands below, with the reason).\n"
    names = [name for name in registry.PLATFORMS if registry.load(name) is not None]
    tables = [support.table_of(name) for name in names]
    rows: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for statement in support.statements():
        group, *rest = statement
        cells = tuple(_SHORT.get(table[statement], table[statement]) for table in tables)
        rows.setdefault((group, cells), []).append(".".join(rest))
    yield "| facet | statements | " + " | ".join(names) + " |"
    yield "|---" * (len(names) + 2) + "|"
    for (group, cells), fields in rows.items():
        yield f"| {group} | {', '.join(filter(None, fields))} | {' | '.join(cells)} |"
    yield ""


def _losses() -> Iterator[str]:
    yield "## What a platform cannot say or hides\n"
    yield "`canonical` drops these, so that a round trip and a comparison do not trip over them.\n"
    for name in registry.PLATFORMS:
        platform = registry.load(name)
        if platform is None or not platform.losses:
            continue
        yield f"**{name}**\n"
        yield from (f"- {loss.what}: {loss.why} ({loss.source})" for loss in platform.losses)
        yield ""


def _facts() -> Iterator[str]:
    yield "## Facts\n"
    for name in hardware.platform_names():
        known = hardware.describe(name)
        yield f"### {name}\n"
        yield f"{known.title}\n"
        yield "| fact | value | holds for | source | grade | checked |"
        yield "|---|---|---|---|---|---|"
        for fact in known.facts:
            holds = ", ".join([*([fact.versions] if fact.versions else []), *fact.families])
            source = fact.source
            cells = (f"`{fact.path}`", fact.value, holds, source.text)
            shown = " | ".join(cell.replace("|", "\\|") for cell in cells)
            yield f"| {shown} | {source.grade.value} | {source.verified_on} |"
        yield ""
