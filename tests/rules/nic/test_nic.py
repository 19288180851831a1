"""What only a running host shows: agents, reaction points, buffers' cable."""

from __future__ import annotations

import pytest

from lossless.model.buffers import Buffers
from lossless.model.classes import PortIntent
from lossless.model.pfc import DcbOwner, DcbOwnership
from lossless.model.rdma import CongestionControl
from lossless.model.values import OFF
from lossless.rules.nic import (
    cable_told_too_short,
    congestion_control_off,
    dcb_owner_overwrites,
)
from tests.rules.views import CLASSES, SENDS, faults, missing, nic, port, wire

EVERY = frozenset(range(8))


@pytest.mark.parametrize(
    ("owner", "agents", "bad"),
    [
        (DcbOwner.OS, None, False),
        (DcbOwner.OS, frozenset(), False),
        (DcbOwner.OS, frozenset({"lldpad"}), True),
        (DcbOwner.OS, frozenset({"firmware", "lldpd"}), True),
        (DcbOwner.SWITCH, None, False),
        (None, None, False),
    ],
)
def test_one_owner(owner: DcbOwner | None, agents: frozenset[str] | None, bad: bool) -> None:
    view = nic(dcb=DcbOwnership(owner=owner, agents=agents))
    assert bool(faults(dcb_owner_overwrites.check, view)) is bad


@pytest.mark.parametrize(
    ("answers", "slows", "count"),
    [
        (EVERY, EVERY, 0),
        (frozenset({3}), frozenset({3}), 0),
        (EVERY, frozenset({5}), 1),
        (OFF, OFF, 2),
    ],
)
def test_both_halves_of_dcqcn_on_the_priority_of_the_class(
    answers: frozenset[int], slows: frozenset[int], count: int
) -> None:
    control = CongestionControl(algorithm="dcqcn", notification_point=answers, reaction_point=slows)
    assert len(faults(congestion_control_off.check, nic(congestion=control))) == count


def test_halves_that_nobody_told_are_missing() -> None:
    view = nic(congestion=CongestionControl(algorithm="dcqcn"))
    assert not faults(congestion_control_off.check, view)
    assert missing(congestion_control_off.check, view) == {"congestion_control"}


@pytest.mark.parametrize("control", ["ztr-rttcc", "spectrum-x", OFF, None])
def test_another_congestion_control_is_not_asked_about_dcqcn(control: str | None) -> None:
    intent = PortIntent(classes=CLASSES, sends=SENDS, congestion_control=control)
    view = nic(intent=intent, congestion=CongestionControl(algorithm=OFF))
    assert not faults(congestion_control_off.check, view)


def test_the_cable_that_headroom_is_computed_for() -> None:
    seven = nic(buffers=Buffers(cable=7_000))
    assert faults(cable_told_too_short.check, wire(seven, port(), length=30_000))
    assert not faults(cable_told_too_short.check, wire(seven, port(), length=3_000))
    told = wire(nic(), port(), length=30_000, configured_length=40_000)
    assert not faults(cable_told_too_short.check, told)
