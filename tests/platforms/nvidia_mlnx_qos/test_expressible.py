"""What the tools have no words for is said, and what is lost is listed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from lossless.model.buffers import Buffers, PriorityGroup
from lossless.model.classification import Classification, Trust
from lossless.model.device import Device, DeviceState
from lossless.model.link import Fec, LinkSettings, Mtu
from lossless.model.pfc import DcbOwner, DcbOwnership, Pfc, PfcMode, Watchdog
from lossless.model.profile import Limits, Profile, Range
from lossless.model.rdma import CongestionControl, Marking
from lossless.model.scheduling import Algorithm, Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.settings import Settings, System
from lossless.model.units import Bandwidth, BandwidthKind, Cap, UnitContext, in_bytes
from lossless.model.values import DEFAULT, OFF, number_map
from lossless.platforms.nvidia_mlnx_qos import PLATFORM

IF = "ens1np0"


def of(**facets: Any) -> DeviceState:
    return DeviceState(ports={IF: Settings(**facets)})


def ets(*shares: int, kind: BandwidthKind = BandwidthKind.ETS) -> Ets:
    rows = (
        QueueScheduling(algorithm=Algorithm.ETS, bandwidth=Bandwidth(kind, share * 10_000))
        for share in shares
    )
    return Ets(queues=tuple(enumerate(rows)))


def queue(**fields: Any) -> Ets:
    return Ets(queues=((0, QueueScheduling(**fields)),))


GONE: Any = (OFF,) * 64
UNSAYABLE = [
    ({"link": LinkSettings(fec=Fec.RS544)}, "link.fec"),
    ({"mtu": Mtu(l3=9000, native=9014)}, "mtu.native"),
    ({"mtu": Mtu(l3=20)}, "mtu.l3"),
    ({"mtu": Mtu(per_class=((3, 4200),))}, "mtu.per_class.3"),
    ({"watchdog": Watchdog(enabled=True)}, "watchdog.enabled"),
    ({"classification": Classification(trust=Trust.BOTH)}, "classification.trust"),
    (
        {"classification": Classification(dscp_to_priority=number_map(64, {26: 9}))},
        "classification.dscp_to_priority.26",
    ),
    (
        {"classification": Classification(dscp_to_priority=GONE)},
        "classification.dscp_to_priority",
    ),
    (
        {"classification": Classification(pcp_to_priority=number_map(8, {1: 0}))},
        "classification.pcp_to_priority.1",
    ),
    (
        {"classification": Classification(priority_to_group=number_map(8, {3: 1}))},
        "classification.priority_to_group",
    ),
    (
        {"classification": Classification(rewrite_dscp_enabled=True)},
        "classification.rewrite_dscp_enabled",
    ),
    ({"pfc": Pfc(send=frozenset({3}), honour=frozenset({3, 4}))}, "pfc.honour"),
    ({"pfc": Pfc(send=frozenset({9}))}, "pfc.send"),
    ({"pfc": Pfc(mode=PfcMode.AUTO), "dcb": DcbOwnership(owner=DcbOwner.OS)}, "pfc.mode"),
    ({"dcb": DcbOwnership(owner=DcbOwner.LLDPAD)}, "dcb.owner"),
    ({"dcb": DcbOwnership(willing=True)}, "dcb.willing"),
    ({"dcb": DcbOwnership(applications=(("udp 4791", 3),))}, "dcb.applications.udp 4791"),
    ({"ets": queue(algorithm=Algorithm.DWRR)}, "ets.queues.0.algorithm"),
    ({"ets": queue(level=1)}, "ets.queues.0.level"),
    ({"ets": queue(cap=Cap(share=100_000))}, "ets.queues.0.cap"),
    ({"ets": queue(cap=Cap(rate=12_500_000_000))}, "ets.queues.0.cap"),
    ({"ets": ets(50, kind=BandwidthKind.LINE)}, "ets.queues.0.bandwidth"),
    ({"ets": ets(60, 50)}, "ets.queues"),
    ({"ets": ets(*[10] * 8)}, "ets.queues"),
    ({"ets": ets(100, 0)}, "ets.queues"),
    ({"buffers": Buffers(cable=1_000_000)}, "buffers.cable"),
    ({"buffers": Buffers(sizes=((9, 1),))}, "buffers.sizes.9"),
    ({"buffers": Buffers(groups=((0, PriorityGroup(xoff=in_bytes(1))),))}, "buffers.groups.0"),
    ({"buffers": Buffers(manual=OFF)}, "buffers.manual"),
    ({"ecn": Ecn(queues=((3, QueueEcn(enabled=True)),))}, "ecn"),
    ({"marking": Marking(global_tclass=256)}, "marking.global_tclass"),
    ({"congestion": CongestionControl(algorithm="spectrum-x")}, "congestion.algorithm"),
    ({"congestion": CongestionControl(cnp_dscp=64)}, "congestion.cnp_dscp"),
    ({"congestion": CongestionControl(cnp_interval=1_500)}, "congestion.cnp_interval"),
    (
        {"congestion": CongestionControl(parameters=(("../x", 1),))},
        "congestion.parameters.../x",
    ),
    ({"marking": Marking(cm_mode=DEFAULT)}, "marking.cm_mode"),
]


@pytest.mark.parametrize(("facets", "path"), UNSAYABLE, ids=[path for _, path in UNSAYABLE])
def test_unsayable(facets: dict[str, Any], path: str) -> None:
    found = PLATFORM.inexpressible(of(**facets))
    assert [".".join(map(str, each.path)) for each in found] == [f"ports.{IF}.{path}"]
    assert found[0].message


@pytest.mark.parametrize(("facets", "path"), UNSAYABLE, ids=[path for _, path in UNSAYABLE])
def test_what_cannot_be_said_is_not_planned(facets: dict[str, Any], path: str) -> None:
    """Beside it, everything else is; and what is planned can be rendered."""
    told = of(**{"marking": Marking(cm_tos=106), **facets})
    ops = PLATFORM.plan(told)
    assert path.startswith("marking") or "cm_tos" in {op.object for op in ops}
    assert {op.object for op in ops} <= {"cm_tos", "dcb_owner", "ets", "rate_limits"}
    PLATFORM.render(ops, Device(name="gpu01", kind="host"))


def test_two_writers_are_one_too_many() -> None:
    told = of(
        dcb=DcbOwnership(owner=DcbOwner.LLDPAD),
        pfc=Pfc(send=frozenset({3})),
        classification=Classification(trust=Trust.DSCP),
        mtu=Mtu(l3=9000),
    )
    assert [op.object for op in PLATFORM.plan(told)] == ["mtu"]


def test_what_a_host_is_is_no_complaint() -> None:
    told = of(
        link=LinkSettings(speed=400 * 10**9, lanes=4, fec=Fec.AUTO),
        classification=Classification(
            trust=Trust.DSCP,
            pcp_to_priority=tuple(range(8)),
            tc_to_queue=tuple(range(16)),
            pfc_priority_to_queue=tuple(range(8)),
        ),
        congestion=CongestionControl(algorithm="dcqcn"),
        dcb=DcbOwnership(owner=DcbOwner.STATIC),
    )
    assert PLATFORM.inexpressible(told) == ()


def test_limits_come_with_the_profile() -> None:
    limits = Limits(native_mtu=Range(68, 9978))
    profile = Profile(platform="nvidia_mlnx_qos", kind="nic", limits=limits)
    found = PLATFORM.inexpressible(of(mtu=Mtu(l3=12_000)), profile)
    assert [each.path[2:] for each in found] == [("mtu", "native")]


def test_sizes_are_kept_as_stated_whatever_the_cell() -> None:
    """One adapter keeps 19872 bytes, which no cell of 128 divides."""
    profile = Profile(platform="nvidia_mlnx_qos", kind="nic", units=UnitContext(cell=128))
    told = of(buffers=Buffers(sizes=((0, 19_872),)))
    assert PLATFORM.canonical(told, profile).port(IF).buffers == told.port(IF).buffers
    assert PLATFORM.inexpressible(told, profile) == ()


def test_defaults_become_the_factory_s_values() -> None:
    told = of(
        classification=Classification(
            trust=DEFAULT,
            dscp_to_priority=(DEFAULT,) * 64,
            priority_to_tc=(DEFAULT,) * 8,
        ),
        pfc=Pfc(send=DEFAULT, honour=DEFAULT),
        ets=queue(algorithm=DEFAULT, cap=DEFAULT),
        buffers=Buffers(cable=DEFAULT),
        marking=Marking(global_tclass=DEFAULT, cm_tos=OFF),
        congestion=CongestionControl(notification_point=DEFAULT, reaction_point=OFF),
        mtu=Mtu(l3=DEFAULT),
    )
    port = PLATFORM.canonical(told).port(IF)
    assert (port.classification.trust, port.classification.dscp_to_priority) == (Trust.PCP, ())
    assert port.classification.priority_to_tc == (1, 0, 2, 3, 4, 5, 6, 7)
    assert (port.pfc.send, port.pfc.mode) == (frozenset(), OFF)
    assert port.ets == queue(algorithm=Algorithm.VENDOR, bandwidth=OFF, cap=OFF)
    assert (port.buffers.cable, port.mtu.native) == (7_000, 1500)
    assert (port.marking.global_tclass, port.marking.cm_tos) == (OFF, 0)
    assert port.congestion.notification_point == frozenset(range(8))
    assert port.congestion.reaction_point == frozenset()


def test_roundings() -> None:
    told = of(
        ets=queue(cap=Cap(rate=int(Fraction("12.34") * 10**9))),
        buffers=Buffers(cable=2_500),
        congestion=CongestionControl(cnp_interval=4_999),
    )
    port = PLATFORM.canonical(told).port(IF)
    assert port.ets == queue(cap=Cap(rate=12_300_000_000))
    assert port.buffers.cable == 3_000
    assert port.congestion.cnp_interval == 4_000


def test_what_the_box_states_lies_beneath_each_port() -> None:
    box = System(settings=Settings(pfc=Pfc(send=frozenset({3})), mtu=Mtu(l3=9000)))
    told = DeviceState(system=box, ports={IF: Settings(mtu=Mtu(l3=4200))})
    port = PLATFORM.canonical(told).port(IF)
    assert (port.pfc.honour, port.mtu.native) == (frozenset({3}), 4200)


def test_an_empty_plan_for_an_empty_state() -> None:
    assert PLATFORM.plan(of()) == ()


def test_every_loss_has_its_source() -> None:
    assert all(loss.what and loss.why and loss.source for loss in PLATFORM.losses)
    assert len({loss.what for loss in PLATFORM.losses}) == len(PLATFORM.losses)
