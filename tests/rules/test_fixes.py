"""The changes that findings propose, made in every wrong case of every page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from lossless.cli import mending
from lossless.findings import Finding
from lossless.intent import build
from lossless.inventory import read, read_again
from lossless.rules import catalogue
from lossless.rules.declare import Rule
from lossless.rules.engine import lint
from tests.rules.mdtest import Case, parse

RULES = catalogue.builtin()


def wrong_cases() -> Iterator[Any]:
    for rule in RULES:
        for case in parse(catalogue.page(rule)).cases:
            if any(mark.rule == rule.id for mark in case.marks):
                yield pytest.param(rule, case, id=f"{rule.id}: {case.title}")


def state(files: Mapping[str, bytes]) -> mending.State:
    built = build(read_again(files))
    asked = catalogue.selection(RULES)
    report = lint(built.fabric, asked, built.provenance, built.suppressions)
    return mending.State(files, built, report)


def proposed(rule: Rule, found: mending.State) -> list[Finding]:
    live = (f for f in found.report.findings if f.rule == rule.id and f.suppressed is None)
    return [f for f in live if f.edit is not None and f.edit.location is not None]


@pytest.mark.parametrize(("rule", "case"), list(wrong_cases()))
def test_what_a_rule_proposes_mends_what_it_found(rule: Rule, case: Case, tmp_path: Path) -> None:
    case.write(tmp_path)
    first = state(read([tmp_path]).sources.contents())
    offered = proposed(rule, first)
    mended = mending.mend(first, state, unsafe=True)
    left = {f.fingerprint: mended.refused.get(f.fingerprint) for f in proposed(rule, mended.state)}
    for finding in offered:
        assert finding.edit is not None
        if finding.edit.safe:
            assert finding.fingerprint not in left, left
    assert None not in left.values(), "a change is made, or it is said why it is not"
    changed = [name for name, data in first.files.items() if data != mended.state.files[name]]
    assert bool(changed) == bool(mended.made)
