"""Maps that only a device shows: the two maps of PFC, groups, re-marking on the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lossless.model.classes import PortIntent
from lossless.model.classification import Classification, Trust
from lossless.model.link import VlanMode, VlanSettings
from lossless.model.rdma import Environment, Marking, Variable
from lossless.model.settings import System
from lossless.model.values import DEFAULT, number_map
from lossless.rules.mapping import (
    class_queue_mismatch,
    cnp_paused,
    dscp_lands_elsewhere,
    dscp_rewritten_on_path,
    lossy_shares_lossless_queue,
    mark_not_trusted,
    marking_outside_class,
    marking_says_congested,
    pause_misses_queue,
)
from tests.rules.views import (
    BY_EIGHTS,
    CLASSES,
    CNP,
    ROCE,
    SENDS,
    faults,
    missing,
    nic,
    path,
    pauses,
    port,
)

GOOD = Classification(trust=Trust.DSCP, dscp_to_priority=BY_EIGHTS)
ALL_TO_1 = number_map(64, dict.fromkeys(range(64), 1))


def identity(size: int) -> tuple[int, ...]:
    return tuple(range(size))


def test_a_queue_of_another_number_is_right_where_pause_stops_it() -> None:
    maps = replace(
        GOOD,
        priority_to_tc=identity(8),
        tc_to_queue=number_map(16, {3: 4}),
        pfc_priority_to_queue=number_map(8, {3: 4}),
    )
    assert not faults(pause_misses_queue.check, port(classification=maps))
    wrong = replace(maps, pfc_priority_to_queue=number_map(8, {3: 3}))
    [found] = faults(pause_misses_queue.check, port(classification=wrong))
    assert (found.expected, found.actual) == ([4], 3)


def test_a_pause_for_another_group_than_the_class_is_counted_in() -> None:
    maps = replace(
        GOOD,
        priority_to_tc=identity(8),
        tc_to_group=number_map(16, {3: 0}),
        pfc_priority_to_group=number_map(8, {3: 3}),
    )
    [found] = faults(pause_misses_queue.check, port(classification=maps))
    assert "group" in found.message


def test_a_declared_queue_against_maps_that_nobody_told_is_no_fault() -> None:
    cls = replace(ROCE, queue=4)
    view = port(
        intent=PortIntent(classes=(("roce", cls),)),
        classification=replace(GOOD, tc_to_queue=identity(16)),
    )
    assert not faults(class_queue_mismatch.check, view)
    told = replace(GOOD, priority_to_tc=identity(8), tc_to_queue=identity(16))
    view.classification = told
    [found] = faults(class_queue_mismatch.check, view)
    assert (found.field, found.expected, found.actual) == ("classes.roce.queue", 4, 3)


def test_a_lossy_class_in_the_group_of_a_lossless_one() -> None:
    maps = replace(GOOD, priority_to_group=number_map(8, {0: 3, 3: 3, 6: 6}))
    [found] = faults(lossy_shares_lossless_queue.check, port(classification=maps))
    assert "priority group 3" in found.message
    apart = replace(GOOD, priority_to_group=number_map(8, {0: 0, 3: 3, 6: 0}))
    assert not faults(lossy_shares_lossless_queue.check, port(classification=apart))


def test_a_map_is_followed_hop_by_hop() -> None:
    bad = port(classification=replace(GOOD, dscp_to_priority=ALL_TO_1))
    way = path((None, nic()), (bad, port()), (port(), None))
    [found] = faults(dscp_lands_elsewhere.check, way)
    assert found.at is bad
    assert (found.expected, found.actual) == (3, 1)


def test_a_map_that_nobody_told_is_missing() -> None:
    blind = port(classification=Classification(trust=Trust.DSCP))
    way = path((None, nic()), (blind, port()), (port(), None))
    assert not faults(dscp_lands_elsewhere.check, way)
    assert missing(dscp_lands_elsewhere.check, way) == {"classes.roce.dscp"}


def test_a_rewritten_dscp_is_the_rewriters_fault_and_asked_once() -> None:
    writes = replace(GOOD, rewrite_dscp_enabled=True, rewrite_dscp=number_map(8, {3: 10}))
    rewriter = port(classification=writes)
    way = path((None, nic()), (port(), rewriter), (port(), port()), (port(), None))
    assert not faults(dscp_lands_elsewhere.check, way)
    [found] = faults(dscp_rewritten_on_path.check, way)
    assert found.at is rewriter
    assert (found.expected, found.actual) == (26, 10)


def test_a_rewrite_that_the_next_hop_understands_is_none() -> None:
    writes = replace(GOOD, rewrite_dscp_enabled=True, rewrite_dscp=number_map(8, {3: 24}))
    way = path((None, nic()), (port(), port(classification=writes)), (port(), None))
    assert not faults(dscp_rewritten_on_path.check, way)


def test_notices_in_a_paused_priority() -> None:
    bad = port(pfc=pauses(3, 6))
    way = path((None, nic()), (bad, port()), (port(), None), kind="cnp")
    [found] = faults(cnp_paused.check, way)
    assert found.at is bad
    assert not faults(cnp_paused.check, path((None, nic()), (bad, port()), (port(), None)))


@pytest.mark.parametrize(
    ("vlans", "good"),
    [
        (VlanSettings(mode=VlanMode.ROUTED), False),
        (VlanSettings(mode=VlanMode.ACCESS), False),
        (VlanSettings(mode=VlanMode.TRUNK, rdma=frozenset({711}), native=7), True),
        (VlanSettings(mode=VlanMode.TRUNK, rdma=frozenset({7}), native=7), False),
        (VlanSettings(mode=VlanMode.TRUNK, rdma=DEFAULT), True),
    ],
)
def test_a_priority_in_the_tag_needs_a_tag(vlans: VlanSettings, good: bool) -> None:
    cls = replace(ROCE, pcp=frozenset({3}))
    view = port(
        intent=PortIntent(classes=(("roce", cls),)),
        classification=Classification(trust=Trust.PCP),
        vlans=vlans,
    )
    assert bool(faults(mark_not_trusted.check, view)) is not good


def test_a_dedicated_port_may_look_at_no_mark() -> None:
    blind = Classification(trust=Trust.PORT, default_priority=3)
    assert not faults(mark_not_trusted.check, port(classification=blind))
    assert faults(
        mark_not_trusted.check,
        port(classification=Classification(trust=Trust.PORT, default_priority=0)),
    )


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("104", True),
        ("105", True),
        ("106", True),
        (" 106 ", True),
        ("96", False),
        ("26", False),
        ("3", False),
        ("300", False),
        ("0x6a", False),
        ("", False),
        ("-1", False),
    ],
)
def test_a_traffic_class_byte_is_compared_by_its_dscp(text: str, good: bool) -> None:
    environment = Environment(variables=(("NCCL_IB_TC", Variable(value=text)),))
    view = nic(system=System(environment=environment))
    assert bool(faults(marking_outside_class.check, view)) is not good
    assert not missing(marking_outside_class.check, view)


def test_an_accepted_dscp_lands_in_the_class() -> None:
    cls = replace(ROCE, accepts=frozenset(range(24, 32)))
    view = nic(
        intent=PortIntent(classes=(("roce", cls), ("cnp", CNP)), sends=SENDS),
        marking=Marking(global_tclass=96),
    )
    assert not faults(marking_outside_class.check, view)


def test_an_application_of_its_own_is_asked_about_its_own_class() -> None:
    sends = (("rdma", "roce"), ("storage", "cnp"))
    marking = Marking(global_tclass=106, applications=(("storage", 192), ("other", 192)))
    view = nic(intent=PortIntent(classes=CLASSES, sends=sends), marking=marking)
    assert [f.field for f in faults(marking_outside_class.check, view)] == [
        "marking.applications.other"
    ]


def test_only_both_ecn_bits_say_congested() -> None:
    for low, bad in enumerate((False, False, False, True)):
        view = nic(marking=Marking(global_tclass=104 + low))
        assert bool(faults(marking_says_congested.check, view)) is bad
