"""Public cases, both ways: the faulty facts give the rule, the right ones give nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lossless.cli.catalogue import all_rules
from lossless.findings import Finding, Severity
from lossless.intent import build
from lossless.inventory import read
from lossless.rules import catalogue
from lossless.rules.declare import Fault
from lossless.rules.engine import lint
from tests.cases.shown import SHOWN
from tests.cases.table import CASES, Evidence, cases, parts
from tests.rules.mdtest import Case


def _found(evidence: Evidence, facts: str, folder: Path) -> list[Finding]:
    Case("case", evidence.base, {"case.yaml": facts}).write(folder)
    built = build(read([str(folder)]))
    rules = catalogue.selection(all_rules(), profile="strict")
    return list(lint(built.fabric, rules, built.provenance, built.suppressions).findings)


def _evidence(kind: str) -> Iterator[Any]:
    for case in cases():
        for one in getattr(case, kind):
            yield pytest.param(case.id, one, id=f"{case.id} {one.rule}")


def test_every_case_is_in_the_table_once() -> None:
    assert tuple(case.id for case in cases()) == CASES
    assert {case.waits for case in cases() if case.waits} == set(parts())


@pytest.mark.parametrize(("case", "evidence"), list(_evidence("shown")))
def test_facts_of_a_case(case: str, evidence: Evidence, tmp_path: Path) -> None:
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    if evidence.wrong is not None:
        wrong.mkdir()
        found = [f for f in _found(evidence, evidence.wrong, wrong) if f.rule == evidence.rule]
        assert [f.severity.word for f in found] == [evidence.level], found
        assert evidence.text, f"{case}: say what the finding says"
        assert evidence.text in found[0].message
        assert found[0].location is not None
    assert evidence.right is not None
    right.mkdir()
    beside = _found(evidence, evidence.right, right)
    assert [
        f.message for f in beside if f.severity > Severity.INFO or f.rule == evidence.rule
    ] == []


@pytest.mark.parametrize(("case", "evidence"), list(_evidence("views")))
def test_what_a_running_device_shows_of_a_case(case: str, evidence: Evidence) -> None:
    rule = catalogue.find(evidence.rule)
    assert rule is not None
    wrong, right = SHOWN[case, evidence.rule]
    faults = [answer for answer in rule.check(wrong) if isinstance(answer, Fault)]
    assert [(f.severity or rule.severity).word for f in faults] == [evidence.level]
    assert evidence.text
    assert evidence.text in faults[0].message
    assert [answer for answer in rule.check(right) if isinstance(answer, Fault)] == []


def test_all_facts_by_hand_belong_to_a_case() -> None:
    assert set(SHOWN) == {(case.id, one.rule) for case in cases() for one in case.views}
