"""PFC in states that no inventory states: unknown sets, box-wide stops, platforms that split."""

from __future__ import annotations

import pytest

from lossless.findings import Severity
from lossless.model.classes import Place, PortIntent, PortRole, TrafficClass
from lossless.model.facet import table
from lossless.model.pfc import Pfc, PfcMode
from lossless.model.profile import Grade
from lossless.model.settings import System
from lossless.model.values import OFF
from lossless.rules.pfc import (
    pfc_on_default_priority,
    pfc_on_every_priority,
    pfc_on_lossy_class,
    pfc_on_undeclared_priority,
    pfc_priority_mismatch,
    pfc_stopped_box_wide,
    split_pfc_unsupported,
)
from lossless.rules.views import DeviceView, PortGroup
from tests.rules.views import CLASSES, faults, missing, nic, pauses, port, profile, wire


def test_a_set_that_nobody_told_is_missing_and_never_taken_for_off() -> None:
    link = wire(nic(pfc=Pfc(mode=PfcMode.ON)), port())
    assert not faults(pfc_priority_mismatch.check, link)
    assert missing(pfc_priority_mismatch.check, link) == {"pfc.send", "pfc.honour"}


def test_pfc_off_is_a_fault_at_the_end_that_is_off() -> None:
    bad = port(pfc=Pfc(mode=OFF))
    found = faults(pfc_priority_mismatch.check, wire(nic(), bad))
    assert [f.at for f in found] == [bad]
    assert found[0].field == "pfc.mode"
    assert found[0].actual == "off"


def test_sonics_default_pair_agrees_with_a_nic_that_pauses_one() -> None:
    assert not faults(pfc_priority_mismatch.check, wire(nic(), port(pfc=pauses(3, 4))))
    [extra] = faults(pfc_on_undeclared_priority.check, port(pfc=pauses(3, 4)))
    assert extra.expected == [3]


def test_an_end_that_only_honours_is_told_what_it_does_not_ask_for() -> None:
    half = port(pfc=Pfc(mode=PfcMode.ON, send=OFF, honour=frozenset({3})))
    [found] = faults(pfc_priority_mismatch.check, wire(nic(), half))
    assert found.field == "pfc.send"
    assert "never asks" in found.message


def test_only_what_a_host_uses_is_asked_of_its_link() -> None:
    other = TrafficClass(dscp=frozenset({33}), priorities=frozenset({4}), lossless=True)
    both = table({**dict(CLASSES), "other": other})
    here = nic(intent=PortIntent(classes=both, sends=(("rdma", "roce"),)))
    there = port(intent=PortIntent(classes=both), pfc=pauses(3, 4))
    assert not faults(pfc_priority_mismatch.check, wire(here, there))
    between = wire(port(intent=PortIntent(classes=both)), there)
    assert len(faults(pfc_priority_mismatch.check, between)) == 1


@pytest.mark.parametrize(
    ("paused", "rules"),
    [
        (range(8), ["PFC005"]),
        ((0, 3), ["PFC006"]),
        ((3, 6), ["PFC003"]),
        ((3, 4), ["PFC004"]),
        ((4, 6), []),  # the missing 3 is the fault, and it is the link's
        ((3,), []),
    ],
)
def test_one_extra_priority_is_one_finding(paused: range, rules: list[str]) -> None:
    asked = (
        pfc_on_lossy_class,
        pfc_on_undeclared_priority,
        pfc_on_every_priority,
        pfc_on_default_priority,
    )
    view = port(pfc=pauses(*paused))
    assert [m.check.id for m in asked if faults(m.check, view)] == rules


def test_a_class_declared_on_priority_0_may_be_paused() -> None:
    cls = TrafficClass(dscp=frozenset({10}), priorities=frozenset({0}), lossless=True)
    view = port(intent=PortIntent(classes=(("roce", cls),)), pfc=pauses(0))
    assert not faults(pfc_on_default_priority.check, view)


@pytest.mark.parametrize("carried", [True, False])
def test_a_box_wide_stop_is_a_fault_where_something_is_lossless(carried: bool) -> None:
    where = Place(role=PortRole.HOST, owner_role="leaf", lossless=True if carried else OFF)
    box = DeviceView(
        kind="switch",
        role="leaf",
        platform=None,
        version=None,
        profile=None,
        system=System(pfc_stopped=True),
        mlag=False,
        ports=(PortGroup(port(place=where), 4),),
    )
    assert bool(faults(pfc_stopped_box_wide.check, box)) is carried


@pytest.mark.parametrize(
    ("grade", "severity"), [(Grade.VERIFIED, None), (Grade.MEMORY, Severity.INFO)]
)
def test_what_stands_in_memory_grounds_no_error(grade: Grade, severity: Severity | None) -> None:
    half = Pfc(mode=PfcMode.ON, send=frozenset({3}), honour=OFF)
    view = port(pfc=half, profile=profile(grade, "split_pfc", split_pfc=False))
    assert [f.severity for f in faults(split_pfc_unsupported.check, view)] == [severity]
