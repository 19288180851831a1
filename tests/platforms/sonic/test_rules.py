"""The rules of this platform: their pages, and what only devices show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lossless.findings import Severity
from lossless.hardware.lookup import profile_for
from lossless.intent import build
from lossless.inventory import read
from lossless.model.buffers import Buffers
from lossless.model.classification import Classification
from lossless.model.pfc import Pfc, PfcMode, Watchdog
from lossless.model.values import DEFAULT, number_map
from lossless.platforms.sonic.rules import (
    RULES,
    cable_length_zero,
    class_without_queue,
    lossy_class_in_lossless_group,
    pause_names_other_priority,
    watchdog_watches_nothing,
)
from lossless.rules.declare import Rule
from lossless.rules.engine import lint
from lossless.rules.views import PortView
from tests.rules.mdtest import Case, parse
from tests.rules.views import faults, port

NEW, OLD = profile_for("sonic", "202505"), profile_for("sonic", "202111")
ON = Pfc(mode=PfcMode.ON, send=frozenset({3}), honour=frozenset({3}))
IDENTITY = {n: n if n == 3 else 0 for n in range(8)}


def page(rule: Rule) -> str:
    import sys

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
    found = sorted(
        (f.severity.word, f.rule, f.location.line if f.location else None) for f in report.findings
    )
    assert found == sorted((m.level, m.rule, m.line) for m in case.marks)
    for mark in case.marks:
        assert any(mark.text in f.message for f in report.findings)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_its_page(rule: Rule) -> None:
    found = parse(page(rule))
    assert (found.rule, found.name) == (rule.id, rule.name)


def sonic(**held: Any) -> PortView:
    return port(**{"profile": NEW, "pfc": ON, **held})


def maps(**held: dict[int, int]) -> Classification:
    sizes = {"dscp_to_priority": 64, "tc_to_queue": 16, "tc_to_group": 16}
    told: dict[str, Any] = {n: number_map(sizes.get(n, 8), m) for n, m in held.items()}
    return Classification(**told)


def test_a_cable_of_nothing() -> None:
    view = sonic(buffers=Buffers(cable=0))
    assert faults(cable_length_zero.check, view)
    assert not faults(cable_length_zero.check, sonic(buffers=Buffers(cable=5000)))
    assert not faults(cable_length_zero.check, sonic(buffers=Buffers(cable=0), pfc=Pfc()))
    assert not faults(cable_length_zero.check, port(buffers=Buffers(cable=0), profile=None))


def test_a_watchdog_without_pfcwd_sw_enable() -> None:
    dog = Watchdog(enabled=True, priorities=DEFAULT)
    assert faults(watchdog_watches_nothing.check, sonic(watchdog=dog))
    assert not faults(watchdog_watches_nothing.check, sonic(watchdog=dog, profile=OLD))
    untold = Watchdog(enabled=True)
    assert not faults(watchdog_watches_nothing.check, sonic(watchdog=untold))


def test_a_lossy_class_beside_a_lossless_one() -> None:
    rule = lossy_class_in_lossless_group.check
    found = faults(rule, sonic(classification=maps(tc_to_group={**IDENTITY, 1: 3})))
    assert ["traffic class 1 " in fault.message for fault in found] == [True]
    assert not faults(rule, sonic(classification=maps(tc_to_group=IDENTITY)))
    assert not faults(rule, sonic(classification=Classification()))


def test_a_pause_for_another_priority() -> None:
    rule = pause_names_other_priority.check
    wrong = maps(tc_to_group={**IDENTITY, 3: 4})
    assert faults(rule, sonic(classification=wrong))
    assert not faults(rule, sonic(classification=maps(tc_to_group=IDENTITY)))
    mapped = maps(tc_to_group={**IDENTITY, 3: 4}, pfc_priority_to_group={3: 4})
    assert not faults(rule, sonic(classification=mapped))


def test_a_class_without_a_queue() -> None:
    rule = class_without_queue.check
    queues = {n: n for n in range(8)}
    wrong = maps(dscp_to_priority={26: 3, 8: 8}, tc_to_queue=queues)
    (found,) = faults(rule, sonic(classification=wrong))
    assert "DSCP 8 " in found.message
    assert not faults(
        rule, sonic(classification=maps(dscp_to_priority={26: 3}, tc_to_queue=queues))
    )
    partly = maps(dscp_to_priority={26: 3, 8: 1}, tc_to_queue={3: 3})
    assert not faults(rule, sonic(classification=partly))  # a declaration: the rest is written
    assert rule.severity is Severity.ERROR
