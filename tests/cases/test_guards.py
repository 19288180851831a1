"""Vendors' own designs that plain rules would cry wolf over, and the faults beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from lossless.findings import Finding
from lossless.intent import build
from lossless.inventory import read
from lossless.rules import catalogue
from lossless.rules.engine import lint
from tests.rules.mdtest import Case

GUARDS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "guards.yaml").read_text(encoding="utf-8")
)


def _lint(base: str, facts: str, folder: Path) -> list[Finding]:
    folder.mkdir()
    Case("guard", base, {"case.yaml": facts}).write(folder)
    built = build(read([str(folder)]))
    rules = catalogue.selection(catalogue.builtin(), profile="strict")
    return list(lint(built.fabric, rules, built.provenance, built.suppressions).findings)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard["name"])
def test_a_guard(guard: dict[str, Any], tmp_path: Path) -> None:
    found = _lint(guard["base"], guard["facts"], tmp_path / "quiet")
    voices = {f.rule: f.severity.word for f in found}
    loud = {rule: word for rule, word in voices.items() if rule in guard.get("quiet", ())}
    assert loud == {}
    says = guard.get("says", {})
    assert {rule: voices.get(rule) for rule in says} == says
    alarms = {rule for rule, word in voices.items() if word != "info"} - set(says)
    assert alarms == set(), [f.message for f in found]
    fault = guard["fault"]
    loud = {
        f.rule: f.severity.word for f in _lint(guard["base"], fault["facts"], tmp_path / "fault")
    }
    assert loud.get(fault["rule"]) == fault["level"]
    assert set(guard.get("quiet", ())) | set(says), "a guard names what must be quiet"


def test_every_rule_that_a_guard_names_exists() -> None:
    named = {rule for g in GUARDS for rule in (*g.get("quiet", ()), g["fault"]["rule"])}
    assert {rule for rule in named if catalogue.find(rule) is None} == set()
