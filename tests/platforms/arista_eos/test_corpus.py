"""Every EOS text of the corpus, read to what a person read in it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from lossless.model.classification import Trust
from lossless.model.facet import row
from lossless.model.link import Fec, VlanMode
from lossless.model.pfc import PfcMode, WatchdogAction
from lossless.model.scheduling import Algorithm, EcnBasis, QueueEcn, QueueScheduling
from lossless.model.settings import Settings
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Cap, Quantity, Unit
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.arista_eos import PLATFORM
from lossless.platforms.contract import Output, Parsed

RUNNING = "show running-config"


def read(captures: Path, name: str) -> Parsed:
    text = (captures / "eos" / name).read_text()
    assert PLATFORM.recognises(text)
    return PLATFORM.parse([Output("", text, name)])


def queue(settings: Settings, number: int) -> QueueScheduling:
    held = row(settings.ets.queues, number)
    assert held is not None
    return held


def marking(settings: Settings, number: int) -> QueueEcn:
    held = row(settings.ecn.queues, number)
    assert held is not None
    return held


def share(percent: int) -> Bandwidth:
    return Bandwidth(BandwidthKind.ETS, percent * 10_000)


def floor(percent: int) -> Bandwidth:
    return Bandwidth(BandwidthKind.GUARANTEED, percent * 10_000)


def size(number: int, unit: Unit) -> Quantity:
    return Quantity(Fraction(number), unit)


def said(parsed: Parsed) -> list[tuple[str, int | None]]:
    return [(d.kind, d.line) for d in parsed.diagnostics]


def test_every_file_is_read_here(captures: Path) -> None:
    assert {file.name for file in (captures / "eos").iterdir() if file.suffix != ".yaml"} == {
        "SOURCES.md",
        "anta-fixture-show-priority-flow-control-counters.json",
        "anta-fixture-show-qos-interfaces-ecn-counters-queue.json",
        "avd-molecule-platform.cfg",
        "avd-molecule-qos.cfg",
        "pyavd-6.4.0-mmu-headroom.cfg",
        "pyavd-6.4.0-roce.cfg",
        "show-run-all-3.cfg",
        "show-run-all-7260cx-64-4.19.1F.cfg",
    }


def test_roce_profile_and_interface(captures: Path) -> None:
    parsed = read(captures, "pyavd-6.4.0-roce.cfg")
    assert (parsed.unread, parsed.diagnostics) == ((), ())
    assert parsed.coverage == {RUNNING}
    assert parsed.facts == {"hostname": "leaf1"}
    assert list(parsed.state.ports) == ["Ethernet1/1"]
    port = parsed.state.port("Ethernet1/1")
    assert (port.mtu.native, port.mtu.l3) == (9214, 9214)
    assert (port.link.speed, port.link.lanes, port.link.autoneg) == (400 * 10**9, 8, OFF)
    assert port.link.fec is DEFAULT
    assert port.vlans.mode is VlanMode.ROUTED
    assert port.classification.trust is Trust.DSCP
    assert (port.pfc.mode, port.pfc.send, port.pfc.honour) == (PfcMode.ON, {3}, {3})
    assert port.watchdog.enabled is True
    assert (port.watchdog.detect, port.watchdog.action) == (DEFAULT, DEFAULT)
    assert (queue(port, 1).algorithm, queue(port, 1).bandwidth) == (Algorithm.WRR, share(5))
    assert (queue(port, 3).algorithm, queue(port, 3).bandwidth) == (Algorithm.WRR, share(95))
    assert (queue(port, 6).algorithm, queue(port, 6).bandwidth) == (Algorithm.STRICT, DEFAULT)
    assert queue(port, 0) == QueueScheduling(
        algorithm=DEFAULT, bandwidth=DEFAULT, guaranteed=DEFAULT, cap=DEFAULT
    )
    assert marking(port, 3) == QueueEcn(
        enabled=True,
        wred=DEFAULT,
        minimum=size(150, Unit.KBYTES),
        maximum=size(1500, Unit.KBYTES),
        probability=1_000_000,
        weight=0,
        basis=EcnBasis.QUEUE,
        count=True,
    )
    assert marking(port, 6).enabled is DEFAULT


def test_roce_box(captures: Path) -> None:
    parsed = read(captures, "pyavd-6.4.0-roce.cfg")
    box = parsed.state.system
    maps = box.settings.classification
    told = {d: tc for d, tc in enumerate(maps.dscp_to_priority) if tc is not DEFAULT}
    assert told == {26: 3, 48: 6}
    assert maps.tc_to_queue[:8] == (DEFAULT,) * 3 + (3,) + (DEFAULT,) * 2 + (6, DEFAULT)
    assert maps.rewrite_dscp_enabled is DEFAULT
    watchdog = box.settings.watchdog
    assert (watchdog.detect, watchdog.restore, watchdog.poll) == (2 * 10**8, 2 * 10**8, 10**8)
    assert watchdog.action is WatchdogAction.DROP
    assert box.pfc_stopped is DEFAULT
    lines = parsed.lines
    file = "pyavd-6.4.0-roce.cfg"
    at = ("ports", "Ethernet1/1")
    assert lines[(*at, "pfc", "mode")] == (file, 30)
    assert lines[(*at, "ecn", "queues", 3, "minimum")] == (file, 17)
    assert lines[(*at, "ecn", "queues", 3, "count")] == (file, 34)
    assert lines[("system", "settings", "classification", "dscp_to_priority", 26)] == (file, 36)
    assert lines[("system", "settings", "watchdog", "poll")] == (file, 42)


def test_buffers(captures: Path) -> None:
    parsed = read(captures, "pyavd-6.4.0-mmu-headroom.cfg")
    assert parsed.unread == ()
    assert said(parsed) == [("unattached_object", 14)]
    box = parsed.state.system
    groups = dict(box.settings.buffers.groups)
    assert set(groups) == set(range(8))
    for number, group in groups.items():
        assert group.reserved == size(20, Unit.CELLS)
        assert group.headroom == size(1000, Unit.CELLS)
        assert group.xon_offset == size(100, Unit.BYTES)
        assert group.alpha == Alpha(ratio=Fraction(1, 4 if number == 3 else 8))
    queues = dict(box.settings.buffers.queues)
    assert (queues[3].reserved, queues[3].alpha) == (
        size(8, Unit.CELLS),
        Alpha(ratio=Fraction(8)),
    )
    assert queues[2].alpha is DEFAULT
    assert box.buffers.headroom_pool.size == size(9600, Unit.CELLS)
    assert box.ecn_global.minimum == size(1000, Unit.KBYTES)
    assert box.ecn_global.maximum == size(2000, Unit.KBYTES)
    assert {r.non_ect_forward for _, r in box.settings.ecn.queues} == {True}
    assert box.settings.watchdog.action is WatchdogAction.DROP  # "override action drop"
    assert box.raw == (
        "platform sand qos map traffic-class 3 to network-qos 3",
        "qos tx-queue 3 scheduler profile responsive",
    )


def test_buffers_of_another_generator(captures: Path) -> None:
    parsed = read(captures, "avd-molecule-platform.cfg")
    assert parsed.unread == ()
    assert said(parsed) == [("unattached_object", 13)]
    assert dict(parsed.state.ports) == {}
    queues = dict(parsed.state.system.settings.buffers.queues)
    assert queues[1].reserved == size(0, Unit.BYTES)
    assert queues[2].reserved == size(0, Unit.CELLS)
    assert queues[2].alpha == Alpha(ratio=Fraction(1, 8))
    assert [kept.line for kept in parsed.native.mmu["mc_example_profile"].kept] == [*range(6, 12)]
    assert parsed.state.system.raw == (
        "platform sand qos map traffic-class 0 to network-qos 0",
        "platform sand qos map traffic-class 1 to network-qos 7",
        "platform sand qos map traffic-class 2 to network-qos 15",
    )


def test_many_profiles(captures: Path) -> None:
    parsed = read(captures, "avd-molecule-qos.cfg")
    ports = parsed.state.ports
    assert sorted(ports) == [
        "Ethernet1",
        "Ethernet3",
        "Ethernet4",
        "Ethernet6",
        "Ethernet7",
        "Port-Channel3",
    ]
    first = ports["Ethernet1"]
    assert (first.mtu.native, first.vlans.mode) == (1500, VlanMode.ROUTED)
    assert (first.classification.trust, first.classification.default_dscp) == (Trust.DSCP, 48)
    assert (queue(first, 1).algorithm, queue(first, 1).bandwidth) == (Algorithm.WRR, share(50))
    assert (queue(first, 2).algorithm, queue(first, 2).bandwidth) == (Algorithm.STRICT, share(10))
    assert queue(first, 4).guaranteed == floor(10)
    assert marking(first, 2).minimum == marking(first, 2).maximum == size(320, Unit.KBYTES)
    assert (marking(first, 2).probability, marking(first, 2).weight) == (900_000, DEFAULT)
    assert marking(first, 4).minimum == size(320, Unit.SEGMENTS)
    assert (marking(first, 4).probability, marking(first, 4).weight) == (DEFAULT, 10)
    sixth = ports["Ethernet6"]
    assert sixth.vlans.mode is VlanMode.TRUNK
    assert sixth.vlans.tagged == {110, 111, 210, 211}
    assert (sixth.classification.trust, sixth.classification.default_pcp) == (Trust.PCP, 2)
    assert queue(sixth, 7).cap == Cap(share=400_000)
    assert (marking(sixth, 2).count, marking(sixth, 2).enabled) == (True, DEFAULT)
    seventh = ports["Ethernet7"]
    assert [queue(seventh, n).bandwidth for n in (0, 1, 5)] == [share(1), share(80), share(19)]
    assert marking(seventh, 4).count is True
    assert ports["Port-Channel3"].vlans.tagged == set(range(2, 4095))
    assert ports["Ethernet3"].pfc.mode is DEFAULT
    assert ports["Ethernet3"].mtu.native is DEFAULT


def test_profiles_that_nobody_attaches_are_read_as_well(captures: Path) -> None:
    profiles = read(captures, "avd-molecule-qos.cfg").native.profiles
    assert len(profiles) == 8
    held = profiles["test_with_pfc"].slots
    assert (held[("pfc",)], held[("no_drop", 0)], held[("no_drop", 1)]) == (True, True, "drop")
    assert held[("watchdog_timer",)].timeout == 5 * 10**7
    assert held[("watchdog_timer",)].poll is None
    assert held[("watchdog_timer",)].recovery == 1_110_000_000
    assert held[("watchdog_timer",)].forced
    assert held[("watchdog_port_action",)] is WatchdogAction.DROP
    wred = profiles["wred_uc_queues_test"].slots
    assert wred[("queue", 1, "drop", "all")].minimum == size(1000, Unit.NANOSECONDS)
    assert wred[("queue", 2, "drop", 1)].maximum == size(20_000_000, Unit.NANOSECONDS)
    assert profiles["uc_mc_queues_test"].kinds == dict.fromkeys((1, 2, 4), "uc-tx-queue")
    assert profiles["test"].kinds == dict.fromkeys((1, 2, 4), "tx-queue")
    assert profiles["no_qos_trust"].slots[("trust",)] is Trust.PORT


def test_maps_of_the_box(captures: Path) -> None:
    box = read(captures, "avd-molecule-qos.cfg").state.system
    maps = box.settings.classification
    assert [maps.dscp_to_priority[d] for d in (0, 8, 18, 26, 46, 63)] == [DEFAULT, 1, 4, 4, 5, 1]
    assert [d for d in range(64) if maps.dscp_to_priority[d] is DEFAULT] == [*range(8), 48, 56]
    assert maps.pcp_to_priority == (DEFAULT, 2, 2, 3, 2, DEFAULT, DEFAULT, DEFAULT)
    assert maps.tc_to_queue[6] == 2
    assert maps.rewrite_dscp_enabled is True
    assert maps.rewrite_dscp == (DEFAULT, 56, *(DEFAULT,) * 6)
    assert maps.rewrite_pcp == (DEFAULT, DEFAULT, 7, DEFAULT, 7, 7, DEFAULT, DEFAULT)
    assert box.pfc_stopped is True
    watchdog = box.settings.watchdog
    assert (watchdog.detect, watchdog.restore) == (5 * 10**7, 1_220_000_000)
    assert watchdog.poll == 10_001_000_000
    assert watchdog.action is None  # `no-drop` is not documented; told, and not known
    assert box.raw == ("qos map exp 0 to traffic-class 0",)


def test_what_is_not_understood_is_listed(captures: Path) -> None:
    parsed = read(captures, "avd-molecule-qos.cfg")
    policies = [5, 27, 60, 171, 181]
    classes = [246, 247, 249, 250, 252, 253, 255, 256]
    policy_map = [258, 259, 260, 262, 263, 265, 266, 268, 269, 271, 272]
    assert [u.line for u in parsed.unread] == [*policies, *classes, *policy_map, 278]
    assert parsed.unread[-1].text == "priority-flow-control pause watchdog action no-drop"
    assert parsed.unread[0].context == ("qos profile experiment",)
    assert said(parsed) == [
        ("dangling_reference", 5),
        ("unattached_object", 21),
        ("unattached_object", 59),
        ("unattached_object", 79),
        ("unattached_object", 110),
        ("unattached_object", 146),
        ("duplicate", 235),
    ]


ALL = "show-run-all-7260cx-64-4.19.1F.cfg"
LATER = "show-run-all-3.cfg"


@pytest.mark.parametrize(
    ("file", "other", "facts"),
    [
        (ALL, "Ethernet1/2", ("DCS-7260CX-64", "4.19.1F")),
        (LATER, "Ethernet1/3", ("DCS-7260CX3-64E", "4.22.3M")),
    ],
)
def test_all_defaults_shown(captures: Path, file: str, other: str, facts: tuple[str, str]) -> None:
    parsed = read(captures, file)
    assert (parsed.facts["model"], parsed.facts["version"]) == facts
    assert parsed.unread == ()
    assert parsed.coverage == frozenset()  # an excerpt: its `end` is missing
    assert "damaged" in {d.kind for d in parsed.diagnostics}
    assert list(parsed.state.ports) == ["Ethernet1/1", other]
    routed, switched = parsed.state.port("Ethernet1/1"), parsed.state.port(other)
    assert (routed.mtu.native, routed.vlans.mode) == (9212, VlanMode.ROUTED)
    assert (routed.classification.trust, switched.classification.trust) == (Trust.DSCP, DEFAULT)
    assert switched.vlans.mode is VlanMode.ACCESS
    assert (switched.vlans.access, switched.vlans.native) == (1, 1)
    assert switched.mtu.native is None  # EOS prints no MTU on a switched port
    for port in (routed, switched):
        assert (port.classification.default_pcp, port.classification.default_dscp) == (0, 0)
        assert (port.pfc.mode, port.pfc.send, port.pfc.honour) == (OFF, frozenset(), frozenset())
        assert (port.watchdog.enabled, port.watchdog.detect) == (True, DEFAULT)
        assert (port.dcb.dcbx, port.dcb.advertise) == (OFF, OFF)
        assert (port.link.pause_send, port.link.pause_honour) == (OFF, OFF)
        assert (port.link.admin_up, port.link.fec) == (True, DEFAULT)
        assert {marking(port, n).enabled for n in range(8)} == {OFF}
        assert {marking(port, n).wred for n in range(8)} == {OFF}
    shares = {0: share(69), 1: share(1), 2: share(20), 4: share(10)}
    for number in range(8):
        turns = number in shares
        assert queue(routed, number).algorithm is (Algorithm.WRR if turns else Algorithm.STRICT)
        assert queue(routed, number).bandwidth == shares.get(number, DEFAULT)
        assert queue(switched, number).algorithm is Algorithm.STRICT


def test_speeds_with_all_defaults_shown(captures: Path) -> None:
    old, later = read(captures, ALL), read(captures, LATER)
    assert old.state.port("Ethernet1/1").link.speed == 100 * 10**6  # the last of eight speeds wins
    assert [d.line for d in old.diagnostics if d.kind == "duplicate"] == [*range(23, 30)]
    assert old.state.port("Ethernet1/2").link.speed is DEFAULT
    link = later.state.port("Ethernet1/1").link
    assert (link.speed, link.lanes, link.autoneg) == (100 * 10**9, DEFAULT, OFF)
    assert marking(later.state.port("Ethernet1/1"), 3).count is OFF


def test_counters_state_nothing(captures: Path) -> None:
    for name in (
        "anta-fixture-show-priority-flow-control-counters.json",
        "anta-fixture-show-qos-interfaces-ecn-counters-queue.json",
    ):
        parsed = PLATFORM.parse([Output("", (captures / "eos" / name).read_text(), name)])
        assert not parsed.understood
        assert dict(parsed.state.ports) == {}


def test_reading_again_what_was_planned_from_each_text(captures: Path) -> None:
    """What is read can be planned and rendered, and reads the same, but for what EOS hides."""
    from lossless.model.device import Device

    device = Device(name="box", kind="switch")
    for file in sorted((captures / "eos").glob("*.cfg")):
        parsed = PLATFORM.parse([Output("", file.read_text())])
        (rendered,) = PLATFORM.render(PLATFORM.plan(parsed.state), device)
        again = PLATFORM.parse([Output("", rendered.text)])
        wanted = PLATFORM.canonical(parsed.state)
        assert again.state.system == wanted.system
        for name, settings in again.state.ports.items():
            assert settings == wanted.port(name)


def test_reed_solomon_is_told_by_speed() -> None:
    text = "interface Ethernet1\n   speed 25g\n   error-correction encoding reed-solomon\n"
    assert PLATFORM.parse([Output("", text)]).state.port("Ethernet1").link.fec is Fec.RS528
    four = text.replace("25g", "400g-4")
    assert PLATFORM.parse([Output("", four)]).state.port("Ethernet1").link.fec is Fec.RS544
    unknown = text.replace("25g", "100g")
    assert PLATFORM.parse([Output("", unknown)]).state.port("Ethernet1").link.fec is None
