"""What NX-OS's grammar does silently: pages' cases, running states, and published designs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lossless.findings import Severity
from lossless.hardware import profile_for
from lossless.intent import build
from lossless.inventory import read
from lossless.model.classification import Classification, Trust
from lossless.model.effective import effective, effective_system
from lossless.model.pfc import Watchdog
from lossless.model.settings import Settings, System
from lossless.model.values import DEFAULT, OFF, number_map
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.cisco_nxos.rules import (
    RULES,
    cos_and_group_both_pause,
    long_cable_without_pause_buffer,
    marks_nearly_everything,
    watchdog_of_the_box_off,
)
from lossless.platforms.contract import Output
from lossless.rules import catalogue
from lossless.rules.declare import Fault, NotApplicable, Rule
from lossless.rules.engine import lint
from lossless.rules.views import PortView
from tests.platforms.cisco_nxos.samples import AI, AZURE
from tests.rules.mdtest import Case, parse
from tests.rules.views import answers, faults, nic, pauses, port, wire

FACTS = profile_for("cisco_nxos", "10.4(3)")


def running(text: str, name: str) -> PortView:
    """A port as rules see it, read from a running configuration."""
    state = PLATFORM.parse([Output("show running-config", text)]).state
    box = state.system
    held = effective(state.port(name), FACTS, box, assume_defaults=False).settings
    facets = {facet: getattr(held, facet) for facet in Settings.__dataclass_fields__}
    system = effective_system(box, FACTS, assume_defaults=False)
    return port(profile=FACTS, system=system, **facets)


def test_ids_are_those_of_this_platform() -> None:
    assert [rule.id for rule in RULES] == ["VND201", "VND202", "VND203", "VND204"]
    assert all(rule.severity < Severity.ERROR for rule in RULES)


# --- running states ------------------------------------------------------------------------------

DOG = "priority-flow-control watch-dog-interval on\n"


def test_a_watchdog_needs_both_places() -> None:
    rule = watchdog_of_the_box_off.check
    assert faults(rule, running(AI, "Ethernet1/1/1")) == []
    (fault,) = faults(rule, running(AI.replace(f"\n{DOG}", "\n"), "Ethernet1/1/1"))
    assert "in both places" in fault.message
    assert fault.severity is None  # verified: the rule's own severity


@pytest.mark.parametrize("box", [OFF, DEFAULT])
def test_where_the_box_is_off_or_never_was_on(box: Any) -> None:
    system = System(settings=Settings(watchdog=Watchdog(enabled=box)))
    view = port(profile=FACTS, system=system, watchdog=Watchdog(enabled=True))
    assert len(faults(watchdog_of_the_box_off.check, view)) == 1


def test_where_nothing_is_told_of_the_box_nothing_is_asked() -> None:
    view = port(profile=FACTS, watchdog=Watchdog(enabled=True))
    (answer,) = answers(watchdog_of_the_box_off.check, view)
    assert isinstance(answer, NotApplicable)


def test_a_pause_that_names_another_group_than_its_number() -> None:
    maps = Classification(
        trust=Trust.BOTH,
        dscp_to_priority=number_map(64, {26: 3}),
        pcp_to_priority=number_map(8, {5: 3}),
        pfc_priority_to_group=number_map(8, {5: 3}),
    )
    view = port(profile=FACTS, classification=maps, pfc=pauses(5))
    (fault,) = faults(cos_and_group_both_pause.check, view)
    assert "pauses 5 and 3" in fault.message
    only_cos = Classification(trust=Trust.PCP, pcp_to_priority=number_map(8, {5: 3}))
    assert not faults(
        cos_and_group_both_pause.check, port(profile=FACTS, classification=only_cos, pfc=pauses(5))
    )


def test_the_buffer_is_asked_for_beyond_a_hundred_metres() -> None:
    rule = long_cable_without_pause_buffer.check
    assert faults(rule, wire(nic(), port(profile=FACTS), length=100_001))
    assert not faults(rule, wire(nic(), port(profile=FACTS), length=100_000))
    assert not faults(rule, wire(nic(), port(), length=300_000))  # another platform


def test_the_marks_of_a_laboratory() -> None:
    rule = marks_nearly_everything.check
    low = AI.replace("150 kbytes maximum-threshold 3000", "10 kbytes maximum-threshold 30")
    options: Mapping[str, Any] = rule.options
    assert list(rule.check(running(AI, "Ethernet1/1/1"), **options)) == []
    (fault,) = rule.check(running(low, "Ethernet1/1/1"), **options)
    assert isinstance(fault, Fault)
    assert "30 kbytes" in fault.message


@pytest.mark.parametrize(
    ("text", "names"),
    [(AI, ("Ethernet1/1/1", "Ethernet1/1/2")), (AZURE, ("Ethernet1/17",))],
    ids=["Cisco AI/ML", "Azure Local"],
)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_published_designs_are_silent(rule: Rule, text: str, names: tuple[str, ...]) -> None:
    for name in names:
        view = running(text, name)
        subject = wire(nic(), view, length=3000) if rule.id == "VND203" else view
        found = rule.check(subject, **rule.options)
        assert [a for a in found if not isinstance(a, NotApplicable)] == []


# --- the pages' cases, which a declaration states ------------------------------------------------

PAGES = [(rule, case) for rule in RULES for case in parse(catalogue.page(rule)).cases]


@pytest.mark.parametrize(("rule", "case"), PAGES, ids=lambda held: getattr(held, "title", ""))
def test_a_case_of_a_page(rule: Rule, case: Case, tmp_path: Path) -> None:
    case.write(tmp_path)
    built = build(read([str(tmp_path)]))
    report = lint(built.fabric, [rule], built.provenance, built.suppressions)
    found = {
        (f.severity.word, f.rule, f.location.line if f.location else None) for f in report.findings
    }
    assert found == {(mark.level, mark.rule, mark.line) for mark in case.marks}
    said = " ".join(f.message for f in report.findings)
    assert all(mark.text in said for mark in case.marks)
    assert report.not_checked == ()


def test_every_rule_has_a_page_with_its_name() -> None:
    for rule in RULES:
        page = parse(catalogue.page(rule))
        assert (page.rule, page.name) == (rule.id, rule.name)
        assert any(not case.marks for case in page.cases) == (rule.id != "VND201")
