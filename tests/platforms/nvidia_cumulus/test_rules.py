"""The rules of this platform, by their pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lossless.intent import build
from lossless.inventory import read
from lossless.platforms.nvidia_cumulus.rules import RULES
from lossless.rules.declare import Rule
from lossless.rules.engine import lint
from tests.rules.mdtest import Case, parse


def page(rule: Rule) -> str:
    file = sys.modules[rule.module].__file__
    assert file is not None
    return Path(file).with_suffix(".md").read_text(encoding="utf-8")


def cases() -> Iterator[Any]:
    for rule in RULES:
        for case in parse(page(rule)).cases:
            yield pytest.param(rule, case, id=f"{rule.id}: {case.title}")


@pytest.mark.parametrize(("rule", "case"), list(cases()))
def test_a_case_finds_what_its_page_says(rule: Rule, case: Case, tmp_path: Path) -> None:
    case.write(tmp_path)
    built = build(read([str(tmp_path)]))
    report = lint(built.fabric, [rule], built.provenance, built.suppressions)
    found = {
        (f.severity.word, f.rule, f.location.line if f.location else None) for f in report.findings
    }
    found |= {("not-checked", left.rule, None) for left in report.not_checked}
    assert found == {(m.level, m.rule, m.line) for m in case.marks}
    for mark in case.marks:
        if mark.level != "not-checked":
            assert any(mark.text in f.message for f in report.findings)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_its_page(rule: Rule) -> None:
    found = parse(page(rule))
    assert (found.rule, found.name) == (rule.id, rule.name)
    assert 400 <= int(rule.id[3:]) < 500
