"""What EOS's grammar does silently: running states that no inventory states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lossless.findings import Severity
from lossless.hardware.lookup import profile_for
from lossless.intent import build
from lossless.inventory import read
from lossless.model.facet import table
from lossless.model.pfc import Watchdog
from lossless.model.profile import Profile
from lossless.model.scheduling import Ets, QueueScheduling
from lossless.model.units import Bandwidth, BandwidthKind
from lossless.model.values import OFF
from lossless.platforms.arista_eos import PLATFORM
from lossless.platforms.arista_eos.rules import (
    RULES,
    rewrite_map_for_classification,
    rewrite_map_inert,
    watchdog_polls_too_slowly,
    watchdog_without_guarantee,
)
from lossless.platforms.contract import Output
from lossless.rules import catalogue
from lossless.rules.declare import Missing, NotApplicable, Rule, Status
from lossless.rules.engine import lint
from lossless.rules.views import DeviceView
from tests.rules.mdtest import Case, parse
from tests.rules.views import answers, faults, port

MS = 10**6


def eos() -> Profile:
    return Profile(platform="arista_eos", kind="switch")


def device(text: str, profile: Profile | None, *, whole: bool = True) -> DeviceView:
    end = "end\n" if whole else ""
    found = PLATFORM.parse([Output("", "! Command: show running-config\n" + text + end)])
    return DeviceView(
        kind="switch",
        role="leaf",
        platform="arista_eos",
        version=None,
        profile=profile,
        system=found.state.system,
        mlag=False,
        ports=(),
    )


def test_ids_are_those_of_this_platform() -> None:
    assert [rule.id for rule in RULES] == ["VND101", "VND102", "VND103", "VND104"]
    assert all(rule.severity < Severity.ERROR for rule in RULES)


MAP = "qos map traffic-class 3 to dscp 26\n"


def test_a_rewrite_map_that_does_nothing() -> None:
    rule = rewrite_map_inert.check
    facts = profile_for("arista_eos", "4.33.1F")
    (fault,) = faults(rule, device(MAP, facts))
    assert "traffic class 3 to 26" in fault.message
    assert faults(rule, device(MAP + "no qos rewrite dscp\n", facts))
    assert not faults(rule, device(MAP + "qos rewrite dscp\n", facts))
    assert not faults(rule, device("qos map dscp 26 to traffic-class 3\n", facts))


def test_where_it_was_not_seen_nothing_is_said() -> None:
    assert isinstance(answers(rewrite_map_inert.check, device(MAP, eos(), whole=False))[0], Missing)
    other = Profile(platform="sonic", kind="switch")
    assert isinstance(answers(rewrite_map_inert.check, device(MAP, other))[0], NotApplicable)


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("qos map traffic-class 7 to dscp 48\n", True),  # the default map puts 48 in class 6
        ("qos map traffic-class 3 to dscp 26\n", False),
        ("qos map traffic-class 7 to dscp 48\nqos map dscp 48 to traffic-class 7\n", False),
        ("qos map traffic-class 3 to dscp 26\nqos map dscp 26 to traffic-class 4\n", True),
    ],
)
def test_a_rewrite_map_where_classification_was_meant(text: str, bad: bool) -> None:
    facts = profile_for("arista_eos", "4.33.1F")
    assert bool(faults(rewrite_map_for_classification.check, device(text, facts))) is bad


@pytest.mark.parametrize(
    ("poll", "detect", "bad"),
    [(100, 200, False), (150, 200, True), (300, 200, False), (None, 200, False)],
)
def test_polls(poll: int | None, detect: int, bad: bool) -> None:
    dog = Watchdog(
        enabled=True,
        poll=None if poll is None else poll * MS,
        detect=detect * MS,
        restore=400 * MS,
    )
    rule = watchdog_polls_too_slowly.check
    assert bool(faults(rule, port(profile=eos(), watchdog=dog))) is bad
    assert not faults(rule, port(profile=Profile(platform="x", kind="switch"), watchdog=dog))


def watched(**queue: Any) -> Any:
    row = QueueScheduling(**queue)
    return port(profile=eos(), watchdog=Watchdog(enabled=True), ets=Ets(queues=table({3: row})))


def test_a_queue_without_a_guarantee_may_not_be_watched() -> None:
    rule = watchdog_without_guarantee.check
    assert rule.status is Status.PREVIEW
    assert faults(rule, watched())
    floor = Bandwidth(BandwidthKind.GUARANTEED, 100_000)
    assert not faults(rule, watched(guaranteed=floor))
    assert not faults(rule, port(profile=eos(), watchdog=Watchdog(enabled=OFF)))


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
        assert any(not case.marks for case in page.cases)
