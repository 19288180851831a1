"""Planning: names are kept, edits are made where things stand, nothing else is touched."""

from __future__ import annotations

import dataclasses
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from lossless.findings import InputError
from lossless.model.buffers import Buffers, PriorityGroup
from lossless.model.classification import Classification, Trust
from lossless.model.device import Device, DeviceState
from lossless.model.facet import table
from lossless.model.link import LinkSettings, Mtu, VlanMode, VlanSettings
from lossless.model.operation import ImpactKind, Verb
from lossless.model.pfc import DcbOwnership, Pfc, PfcMode, Watchdog, WatchdogAction
from lossless.model.profile import Grade, Limits, Profile, Range
from lossless.model.scheduling import Algorithm, Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.settings import Settings, System
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Cap, Quantity, Unit
from lossless.model.values import DEFAULT, OFF, number_map
from lossless.platforms.arista_eos import PLATFORM
from lossless.platforms.contract import Output, Parsed
from tests.platforms.arista_eos.samples import LEAF, SPINE

TOMAHAWK5 = Device(name="tor7", kind="switch", model="DCS-7060X6-64PE")


def pauses(*priorities: int) -> Settings:
    lossless = frozenset(priorities)
    return Settings(pfc=Pfc(mode=PfcMode.ON, send=lossless, honour=lossless))


def ports(**held: Settings) -> DeviceState:
    return DeviceState(ports={"Ethernet" + n[1:].replace("_", "/"): s for n, s in held.items()})


def running(text: str) -> Parsed:
    parsed = PLATFORM.parse([Output("", text)])
    assert parsed.native.whole
    return parsed


def change(text: str, after: DeviceState, device: Device = TOMAHAWK5) -> list[str]:
    """The lines that lead from a box to a state, remarks and separators aside."""
    before = running(text)
    ops = PLATFORM.plan(after, before.state, before.native)
    (file,) = PLATFORM.render(ops, device)
    return [line for line in file.text.splitlines() if not re.match(r" *!(?!!)", line)]


def whole(after: DeviceState, device: Device = TOMAHAWK5, **held: Any) -> str:
    (file,) = PLATFORM.render(PLATFORM.plan(after, **held), device)
    return file.text


# --- where a change is written -------------------------------------------------------------------


def test_a_profile_that_all_its_ports_want_changed_is_edited_in_place() -> None:
    assert change(LEAF, ports(E1_1=pauses(3, 4), E2_1=pauses(3, 4))) == [
        "qos profile AI-HOST",
        "   priority-flow-control priority 4 no-drop",
    ]


def test_a_port_that_differs_gets_a_profile_of_its_own_with_all_the_old_one_carries() -> None:
    lines = change(LEAF, ports(E1_1=pauses(4)))
    name = lines[0].split()[-1]
    thresholds = "minimum-threshold 200 kbytes maximum-threshold 2000 kbytes"
    assert name.startswith("LOSSLESS-")
    assert lines == [
        f"qos profile {name}",
        "   qos trust dscp",
        "   priority-flow-control on",
        "   priority-flow-control priority 3 no-drop",
        "   priority-flow-control priority 4 no-drop",
        "   shape rate 95 percent",
        "   mc-tx-queue 1",
        "      bandwidth percent 10",
        "   uc-tx-queue 3",
        "      no priority",
        "      bandwidth percent 70",
        f"      random-detect ecn {thresholds} weight 0",
        "      !! the one that must not drop",
        "   uc-tx-queue 6",
        "      priority strict",
        "interface Ethernet1/1",
        f"   service-profile {name}",
        f"qos profile {name}",
        "   no priority-flow-control priority 3",
    ]


def test_a_profile_that_nobody_attaches_any_more_is_deleted_last() -> None:
    lines = change(LEAF, ports(E1_1=pauses(4), E2_1=pauses(3, 5)))
    assert lines[-1] == "no qos profile AI-HOST"
    assert len([line for line in lines if line.startswith("   service-profile LOSSLESS-")]) == 2


def test_a_port_is_given_the_profile_that_says_what_it_wants() -> None:
    text = (
        "qos profile ROCE\n   priority-flow-control on\n"
        "   priority-flow-control priority 3 no-drop\n"
        "interface Ethernet1\n   service-profile ROCE\ninterface Ethernet2\n"
    )
    assert change(text, ports(E2=pauses(3))) == [
        "interface Ethernet2",
        "   service-profile ROCE",
    ]


def test_what_stands_on_the_interface_is_changed_there() -> None:
    lines = change(SPINE, ports(E1=pauses(4)))
    assert lines == [
        "interface Ethernet1",
        "   priority-flow-control priority 4 no-drop",
        "   no priority-flow-control priority 3",
    ]


def test_a_queue_is_edited_in_the_sub_mode_that_the_box_shows() -> None:
    row = QueueScheduling(bandwidth=Bandwidth(BandwidthKind.ETS, 500_000))
    settings = Settings(ets=Ets(queues=table({3: row})))
    assert change(SPINE, ports(E1=settings)) == [
        "interface Ethernet1",
        "   tx-queue 3",
        "      bandwidth percent 50",
    ]


def test_nothing_but_the_interface_is_touched_where_only_it_was_asked_for() -> None:
    assert change(LEAF, ports(E1_1=Settings(mtu=Mtu(native=9000)))) == [
        "interface Ethernet1/1",
        "   mtu 9000",
    ]


def test_a_buffer_profile_in_force_is_replaced_and_carries_what_is_not_modelled() -> None:
    groups = table({3: PriorityGroup(alpha=Alpha(ratio=Fraction(1, 2)))})
    after = DeviceState(System(settings=Settings(buffers=Buffers(groups=groups))))
    lines = change(SPINE, after)
    name = lines[0].split()[-1]
    others = [f"   ingress priority-group {n} threshold 1/4" for n in (0, 1, 2, 4, 5, 6, 7)]
    assert lines[0] == f"platform trident mmu queue profile {name}"
    assert sorted(lines[1:11]) == sorted(
        [
            *others,
            "   ingress priority-group 3 threshold 1/2",
            "   ingress headroom bytes 200000",
            "   egress multicast queue 0 reserved 0",
        ]
    )
    assert lines[11:] == [
        f"platform trident mmu queue profile {name} apply",
        "no platform trident mmu queue profile deep",
    ]


def test_headroom_told_of_one_group_is_said_of_all() -> None:
    size = Quantity(Fraction(300_000), Unit.BYTES)
    groups = table({3: PriorityGroup(headroom=size)})
    after = DeviceState(System(settings=Settings(buffers=Buffers(groups=groups))))
    assert "   ingress headroom bytes 300000" in change(SPINE, after)
    rows = PLATFORM.canonical(after).system.settings.buffers.groups
    assert {row.headroom for _, row in rows} == {size}


def test_an_override_of_the_watchdogs_action_goes_with_the_action() -> None:
    text = (
        "priority-flow-control pause watchdog action errdisable\n"
        "priority-flow-control pause watchdog override action drop\n"
    )
    watchdog = Watchdog(action=WatchdogAction.ALERT)
    assert change(text, DeviceState(System(settings=Settings(watchdog=watchdog)))) == [
        "priority-flow-control pause watchdog action notify-only",
        "no priority-flow-control pause watchdog override action drop",
    ]


def test_a_spelling_of_the_box_is_kept_when_it_is_taken_away() -> None:
    row = QueueEcn(non_ect_forward=OFF)
    after = DeviceState(
        System(settings=Settings(ecn=Ecn(queues=table(dict.fromkeys(range(8), row)))))
    )
    assert change("qos random-detect ecn allow non-ect chip-based\n", after) == [
        "no qos random-detect ecn allow non-ect chip-based"
    ]


def test_a_speed_without_lanes_does_not_keep_those_of_the_speed_before() -> None:
    text = "interface Ethernet1\n   speed 400g-8\n"
    assert change(text, ports(E1=Settings(link=LinkSettings(speed=100 * 10**9)))) == [
        "interface Ethernet1",
        "   speed 100g",
    ]


def test_the_untagged_vlan_is_among_the_allowed_ones() -> None:
    vlans = VlanSettings(mode=VlanMode.TRUNK, native=5, tagged=frozenset({711, 712}))
    text = whole(ports(E1=Settings(vlans=vlans)))
    assert "   switchport trunk allowed vlan 5,711-712\n" in text
    assert PLATFORM.parse([Output("", text)]).state.port("Ethernet1").vlans.tagged == {711, 712}


def test_what_was_not_seen_is_not_changed() -> None:
    seen = PLATFORM.parse([Output("show running-config", "interface Ethernet1\n   mtu 9000\n")])
    PLATFORM.plan(ports(E1=Settings(mtu=Mtu(native=9214))), seen.state, seen.native)
    with pytest.raises(ValueError, match=r"not seen.*Ethernet1 pfc\.mode"):
        PLATFORM.plan(ports(E1=pauses(3)), seen.state, seen.native)


def test_what_is_not_told_is_left_alone() -> None:
    before = running(LEAF)
    assert PLATFORM.plan(DeviceState(), before.state, before.native) == ()
    assert PLATFORM.plan(before.state, before.state, before.native) == ()


# --- the operations ------------------------------------------------------------------------------


def test_operations_say_what_they_do_to_traffic() -> None:
    before = running(LEAF)
    ops = PLATFORM.plan(ports(E1_1=pauses(4)), before.state, before.native)
    created = [op for op in ops if op.verb is Verb.CREATE]
    attached = [op for op in ops if op.verb is Verb.ATTACH]
    assert [op.impact.kind for op in created] == [ImpactKind.NONE]
    (attach,) = attached
    assert (attach.old, attach.key) == ("AI-HOST", ("Ethernet1/1",))
    assert attach.impact.kind is ImpactKind.PACKET_LOSS
    assert attach.impact.duration is None
    assert attach.impact.source is not None
    assert attach.impact.source.grade is Grade.MEMORY
    assert all(op.source for op in ops)


def test_a_replaced_value_is_one_line_and_no_gap() -> None:
    text = "priority-flow-control pause watchdog default timeout 0.2\n"
    after = DeviceState(System(settings=Settings(watchdog=Watchdog(detect=3 * 10**8))))
    assert change(text, after) == ["priority-flow-control pause watchdog default timeout 0.3"]


# --- words ---------------------------------------------------------------------------------------


def test_a_guess_of_the_sub_mode_is_said() -> None:
    row = QueueScheduling(algorithm=Algorithm.STRICT)
    after = ports(E1=Settings(ets=Ets(queues=table({6: row}))))
    known = whole(after)
    assert "uc-tx-queue 6" in known
    assert "guess" not in known
    old = whole(after, Device(name="a", kind="switch", model="DCS-7260CX3-64E"))
    assert "   tx-queue 6" in old
    assert "guess" not in old
    unknown = whole(after, Device(name="a", kind="switch"))
    assert "is a guess" in unknown
    facts = Profile(platform="arista_eos", kind="switch", facts={"queue_mode": "tx-queue"})
    told = whole(after, Device(name="a", kind="switch"), profile=facts)
    assert "guess" not in told
    assert "   tx-queue 6" in told
    assert PLATFORM.parse([Output("", unknown)]).unread == ()


@pytest.mark.parametrize(
    "name",
    ["Ethernet1\nusername x", "Ethernet1; reload", "$(reboot)", "{{ 7*7 }}", "", "eth0", "Et1"],
)
def test_no_other_name_than_a_ports_reaches_a_device(name: str) -> None:
    after = DeviceState(ports={name: pauses(3)})
    assert PLATFORM.plan(after) == ()
    assert [fault.path for fault in PLATFORM.inexpressible(after)] == [("ports", name)]


def test_names_of_the_box_that_cannot_be_written_safely_are_refused() -> None:
    text = "qos profile A;B\n   qos trust dscp\ninterface Ethernet1\n   service-profile A;B\n"
    with pytest.raises(InputError, match="A;B"):
        change(text, ports(E1=pauses(3)))


@pytest.mark.parametrize("name", ["leaf\nend", "", "a b", "x" * 300])
def test_a_devices_name_cannot_carry_lines(name: str) -> None:
    with pytest.raises(InputError, match="device name"):
        whole(ports(E1=pauses(3)), Device(name=name, kind="switch"))


def test_a_macro_can_be_overridden(tmp_path: Path) -> None:
    mine = tmp_path / "arista_eos"
    mine.mkdir()
    (mine / "macros.j2").write_text(
        "{% macro set_pfc(o) %}priority-flow-control mode on{% endmacro %}"
    )
    ops = PLATFORM.plan(ports(E1=pauses(3)))
    (file,) = PLATFORM.render(ops, TOMAHAWK5, tmp_path)
    assert "   priority-flow-control mode on\n" in file.text
    assert "   priority-flow-control priority 3 no-drop\n" in file.text


# --- what cannot be said -------------------------------------------------------------------------

G = 10**9
KB = Quantity(Fraction(150), Unit.KBYTES)


def queue(**held: Any) -> Settings:
    return Settings(ets=Ets(queues=table({3: QueueScheduling(**held)})))


def marks(**held: Any) -> Settings:
    return Settings(ecn=Ecn(queues=table({3: QueueEcn(**held)})))


@pytest.mark.parametrize(
    ("settings", "leaf"),
    [
        (Settings(mtu=Mtu(native=9216)), "native"),
        (Settings(mtu=Mtu(native=9000, l3=8986)), "l3"),
        (Settings(mtu=Mtu(per_class=table({3: 4200}))), 3),
        (Settings(link=LinkSettings(speed=400 * G, lanes=3)), "speed"),
        (Settings(link=LinkSettings(lanes=8)), "speed"),
        (Settings(classification=Classification(trust=Trust.BOTH)), "trust"),
        (Settings(classification=Classification(default_priority=3)), "default_priority"),
        (Settings(pfc=Pfc(mode=PfcMode.AUTO)), "mode"),
        (Settings(pfc=Pfc(send=frozenset({3}), honour=frozenset({4}))), "honour"),
        (Settings(pfc=Pfc(send=frozenset({8}))), "send"),
        (Settings(watchdog=Watchdog(action=WatchdogAction.FORWARD)), "action"),
        (Settings(watchdog=Watchdog(action=WatchdogAction.ERRDISABLE)), "action"),
        (Settings(watchdog=Watchdog(detect=2 * 10**8)), "restore"),
        (Settings(watchdog=Watchdog(detect=123, restore=10**9)), "detect"),
        (Settings(watchdog=Watchdog(priorities=frozenset({3}))), "priorities"),
        (Settings(dcb=DcbOwnership(willing=True)), "willing"),
        (Settings(dcb=DcbOwnership(dcbx=True, dialect="cin")), "dialect"),
        (Settings(dcb=DcbOwnership(applications=table({"udp 4791": 3}))), "udp 4791"),
        (queue(algorithm=Algorithm.CBS), "algorithm"),
        (queue(bandwidth=Bandwidth(BandwidthKind.ETS, 125_000)), "bandwidth"),
        (queue(bandwidth=Bandwidth(BandwidthKind.LINE, 500_000)), "bandwidth"),
        (queue(level=2), "level"),
        (queue(cap=Cap(rate=1500)), "cap"),
        (marks(enabled=True, minimum=KB), "maximum"),
        (marks(enabled=True, minimum=KB, maximum=KB, probability=0), "probability"),
        (marks(enabled=True, minimum=KB, maximum=KB, weight=16), "weight"),
        (marks(wred=True), "wred"),
        (Settings(ecn=Ecn(enabled=True)), "enabled"),
        (Settings(ets=Ets(queues=table({9: QueueScheduling(level=None)}))), 9),
    ],
)
def test_what_a_port_of_eos_cannot_say(settings: Settings, leaf: str | int) -> None:
    state = ports(E1=settings)
    found = PLATFORM.inexpressible(state)
    assert leaf in {fault.path[-1] for fault in found}
    assert all(fault.path[:2] == ("ports", "Ethernet1") and fault.message for fault in found)
    assert PLATFORM.canonical(PLATFORM.canonical(state)) == PLATFORM.canonical(state)


@pytest.mark.parametrize(
    ("system", "leaf"),
    [
        (
            System(settings=Settings(classification=Classification(tc_to_queue=maps16({7: 6})))),
            7,
        )
        for maps16 in [lambda told: number_map(16, told)]
    ]
    + [
        (
            System(
                settings=Settings(classification=Classification(priority_to_tc=(1, *range(1, 8))))
            ),
            0,
        ),
        (System(macro="roce"), "macro"),
        (System(raw=("username admin secret x",)), "raw"),
        (System(settings=Settings(watchdog=Watchdog(enabled=True))), "enabled"),
        (
            System(
                settings=Settings(
                    buffers=Buffers(groups=table({3: PriorityGroup(alpha=Alpha(index=3))}))
                )
            ),
            "alpha",
        ),
    ],
)
def test_what_a_box_of_eos_cannot_say(system: System, leaf: str | int) -> None:
    found = PLATFORM.inexpressible(DeviceState(system))
    assert leaf in {fault.path[-1] for fault in found}


def test_maps_of_ports_that_differ_cannot_both_hold() -> None:
    one, other = (
        Settings(classification=Classification(dscp_to_priority=number_map(64, {26: tc})))
        for tc in (3, 4)
    )
    same = ports(E1=one, E2=one)
    assert PLATFORM.inexpressible(same) == ()
    assert "qos map dscp 26 to traffic-class 3\n" in whole(same)
    found = PLATFORM.inexpressible(ports(E1=one, E2=other))
    assert [f.path for f in found] == [
        ("ports", "Ethernet2", "classification", "dscp_to_priority", 26)
    ]


def test_limits_of_the_hardware_facts_count() -> None:
    facts = Profile(
        platform="arista_eos",
        kind="switch",
        limits=Limits(native_mtu=Range(68, 10_000), watchdog_poll=Range(10**7, 30 * G)),
    )
    state = ports(E1=Settings(mtu=Mtu(native=9600)))
    assert PLATFORM.inexpressible(state, facts) == ()
    poll = Watchdog(detect=G, restore=G, poll=40 * G)
    assert PLATFORM.inexpressible(ports(E1=Settings(watchdog=poll)), facts)
    assert not PLATFORM.inexpressible(ports(E1=Settings(watchdog=poll)))


def test_default_where_the_device_does_not_print_it() -> None:
    up = dataclasses.replace(pauses(3), link=LinkSettings(admin_up=True))
    assert PLATFORM.canonical(ports(E1=up)).port("Ethernet1").link.admin_up is DEFAULT
    assert "shutdown" not in whole(ports(E1=up))
