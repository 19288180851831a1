"""Every rule's page, case by case."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from lossless.findings import Finding, Location, NotChecked, Report, Severity
from lossless.intent import build
from lossless.inventory import read
from lossless.rules import catalogue
from lossless.rules.declare import Answer, Rule
from lossless.rules.engine import lint
from tests.rules.mdtest import Case, Mark, Page, parse

RULES = (*catalogue.builtin(), *catalogue.own())
#: Found only when a rule itself is broken, a baseline is stale, in what a device would start with
#: or whether it is shut down: no inventory can bring it about.
WITHOUT_CASES = frozenset({"INT001", "INT002", "INV010", "INV011", "INV902", "INV904", "INV905"})
#: Faults of running devices, which no inventory can state: their wrong cases are tests of views.
SHOWN_BY_DEVICES = frozenset({"NIC003", "PFC009"})


def _page(rule: Rule) -> Page:
    return parse(catalogue.page(rule))


def _cases() -> Iterator[Any]:
    for rule in RULES:
        try:
            page = _page(rule)
        except (OSError, ValueError):
            continue  # reported by test_every_rule_has_a_page
        for case in page.cases:
            yield pytest.param(rule, case, id=f"{rule.id}: {case.title}")


@dataclass
class Counted:
    """A rule that counts how often it found nothing to say."""

    rule: Rule
    passes: int = 0

    def watched(self) -> Rule:
        """Return the rule, watched."""

        @functools.wraps(self.rule.check)
        def check(*subject: Any, **options: Any) -> Iterable[Answer]:
            answers = list(self.rule.check(*subject, **options) or ())
            self.passes += not answers
            return answers

        return replace(self.rule, check=check)


def _lint(case: Case, rule: Rule, folder: Path) -> tuple[Report, int]:
    case.write(folder)
    built = build(read([str(folder)]))
    counted = Counted(rule)
    asked = [r for r in catalogue.selection(catalogue.builtin()) if r.id != rule.id]
    if rule not in catalogue.own():
        asked.append(counted.watched())
    report = lint(built.fabric, asked, built.provenance, built.suppressions)
    return report, counted.passes


def _fits(mark: Mark, finding: Finding, files: Mapping[str, str]) -> bool:
    if mark.level != finding.severity.word or mark.rule != finding.rule:
        return False
    if mark.text not in finding.message:
        return False
    place = finding.location
    if mark.line is None:
        return place is None or not _can_be_marked(place, files)
    return place is not None and (Path(place.file).name, place.line) == (mark.file, mark.line)


def _can_be_marked(place: Location, files: Mapping[str, str]) -> bool:
    """Say whether a place is a line of a snippet that holds more than a comment."""
    text = files.get(Path(place.file).name)
    return text is not None and not text.splitlines()[place.line - 1].lstrip().startswith("#")


def _fits_unchecked(mark: Mark, entry: NotChecked) -> bool:
    said = " ".join((*entry.missing, *entry.objects))
    return mark.level == "not-checked" and mark.rule == entry.rule and mark.text in said


def _unmarked(case: Case, rule: Rule, report: Report) -> Iterator[str]:
    """Yield findings of the page's rule, and errors of others, that no mark announces."""
    for finding in report.findings:
        if finding.suppressed is not None:
            continue
        mine = finding.rule == rule.id or finding.severity is Severity.ERROR
        if mine and not any(_fits(mark, finding, case.files) for mark in case.marks):
            word, place = finding.severity.word, finding.location
            yield f"unmarked: {place}: {word}: {finding.rule} {finding.message!r}"
    for entry in report.not_checked:
        announced = any(_fits_unchecked(mark, entry) for mark in case.marks)
        if entry.rule == rule.id and not announced:
            yield f"unmarked: not-checked: {rule.id} {entry.objects} lack {entry.missing}"


def _missed(case: Case, report: Report) -> Iterator[str]:
    """Yield marks that announce what was not found."""
    live = [f for f in report.findings if f.suppressed is None]
    for mark in case.marks:
        found = any(_fits(mark, finding, case.files) for finding in live)
        if not found and not any(_fits_unchecked(mark, entry) for entry in report.not_checked):
            near = [f"{f.location}: {f.message}" for f in live if f.rule == mark.rule]
            yield f"not found: {mark}; of this rule: {near or 'nothing'}"


@pytest.mark.parametrize(("rule", "case"), list(_cases()))
def test_a_case_finds_what_its_page_says(rule: Rule, case: Case, tmp_path: Path) -> None:
    report, _ = _lint(case, rule, tmp_path)
    assert [*_unmarked(case, rule, report), *_missed(case, report)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_page(rule: Rule, tmp_path: Path) -> None:
    page = _page(rule)
    assert (page.rule, page.name) == (rule.id, rule.name)
    if rule.id in WITHOUT_CASES:
        return
    marked = [any(m.rule == rule.id for m in case.marks) for case in page.cases]
    assert any(marked) or rule.id in SHOWN_BY_DEVICES, "a page needs a wrong case"
    right = [case for case, wrong in zip(page.cases, marked, strict=True) if not wrong]
    assert right, "a page needs a right case"
    if rule in catalogue.own():
        return
    passes = 0
    for number, case in enumerate(right):
        folder = tmp_path / str(number)
        folder.mkdir()
        passes += _lint(case, rule, folder)[1]
    assert passes, "the rule does not apply anywhere in the right cases, so they show nothing"
