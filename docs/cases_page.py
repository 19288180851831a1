"""The page about public cases: which rule finds each, and why some are found by none."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.cli.catalogue import listed_rules
from lossless.rules.declare import Rule
from tests.cases.table import PublicCase, cases, parts


def page() -> str:
    """Return the page, without its first line."""
    table = cases()
    rules = {rule.id: rule for rule in listed_rules()}
    seen = [case for case in table if case.rules]
    waiting = [case for case in table if case.waits]
    never = [case for case in table if case.never]
    lines = [
        "# Public cases\n",
        f"{len(table)} faults of lossless Ethernet that were met in the open: in issue threads, in",
        "published configurations, in papers. Each that a rule finds is a test, both ways: the",
        "faulty fact gives the rule, the right one gives nothing (`tests/cases`).\n",
        f"- {len(seen)} are found, or are guards against a false alarm",
        f"- {len(waiting)} wait for a part of the catalogue that is still to come",
        f"- {len(never)} no rule over configuration can find\n",
        "| case | symptom | told in | found by |",
        "|---|---|---|---|",
        *(_row(case, rules) for case in table),
        "\n## What cases wait for\n",
        *_waiting(waiting),
    ]
    return "\n".join(lines) + "\n"


def _row(case: PublicCase, rules: dict[str, Rule]) -> str:
    sources = "<br>".join(_source(source) for source in case.sources)
    return f"| {case.id} | {case.symptom} | {sources} | {_fate(case, rules)} |"


def _source(source: str) -> str:
    scheme, separator, rest = source.partition("://")
    if not separator:
        return source
    short = rest.removeprefix("github.com/").split("/")
    return f"[{_name(short)}]({scheme}://{rest})"


def _name(parts_of: list[str]) -> str:
    """Return the short name of an address: "owner/name #12", or the host."""
    numbered = len(parts_of) == 4 and parts_of[2] in ("issues", "pull")
    if numbered:
        return f"{parts_of[0]}/{parts_of[1]} #{parts_of[3]}"
    return "/".join(parts_of[:2]) if len(parts_of) == 2 else parts_of[0]


def _fate(case: PublicCase, rules: dict[str, Rule]) -> str:
    if case.never:
        return f"none: {case.never}"
    if case.waits:
        return f"waits for {case.waits}"
    names = []
    for named in case.rules:
        rule = rules[named]
        names.append(f"[{named}](../{rule.module.replace('.', '/')}.md) {rule.name}")
    guard = all(one.wrong is None for one in case.shown) and not case.views
    text = ("kept quiet: " if guard else "") + ", ".join(names)
    return f"{text}; {case.beside}" if case.beside else text


def _waiting(waiting: list[PublicCase]) -> Iterator[str]:
    for part, description in parts().items():
        held = [case.id for case in waiting if case.waits == part]
        yield f"- {part} ({len(held)}): {description}: {', '.join(held)}"
