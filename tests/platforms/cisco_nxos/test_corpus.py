"""Every public capture of NX-OS, read to facts that were found by reading it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lossless.model.classification import Trust
from lossless.model.device import DeviceState
from lossless.model.facet import row, table
from lossless.model.link import VlanMode
from lossless.model.pfc import PfcMode
from lossless.model.scheduling import Algorithm, Ets, QueueScheduling
from lossless.model.settings import Settings
from lossless.model.units import Bandwidth, BandwidthKind, in_bytes
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.contract import Output, Parsed
from tests.platforms.cisco_nxos.somebody import kbytes, share

GX2B = "nxos/n9k-9332dgx2b-10.4.3-"
LEAF = ("Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/2/1", "Ethernet1/2/2")

#: Every text of NX-OS.  None of them holds a line that concerns us and is not understood.
FILES = (
    "azurelocal/azl-reference-nxos-fully-converged-intf.cfg",
    "azurelocal/azl-reference-nxos-qos.cfg",
    "azurelocal/sdn-nexus3132-tor1.cfg",
    "nxos/batfish-nxos_class_map.cfg",
    "nxos/batfish-nxos_interface_properties.cfg",
    "nxos/batfish-nxos_interface_show_all_1.cfg",
    "nxos/batfish-nxos_interface_show_all_2.cfg",
    "nxos/batfish-nxos_policy_map.cfg",
    "nxos/batfish-nxos_system.cfg",
    "nxos/n5k-priority-flow-control-auto-off.txt",
    "nxos/n9k-9.2.2-show-policy-map-interface-default-8q.txt",
    f"{GX2B}before-relevant.cfg",
    f"{GX2B}desired.cfg",
    f"{GX2B}final-relevant.cfg",
    f"{GX2B}full-show-session-after.txt",
    f"{GX2B}full-show-session.txt",
    f"{GX2B}invalid-command-show-system-qos.txt",
    f"{GX2B}network-qos-and-intf.txt",
    f"{GX2B}queuing-before-write.txt",
    f"{GX2B}rollback.cfg",
    f"{GX2B}show-interface-status.txt",
    f"{GX2B}show-policy-map-system-type-network-qos.txt",
    f"{GX2B}show-queuing-interface-e1-1-1.txt",
    f"{GX2B}show-run-interface-e1-1-1.txt",
    f"{GX2B}show-run-section-class-map.txt",
    f"{GX2B}show-run-section-policy-map.txt",
    "nxos/n9k-9332pq-priority-flow-control-auto-off.txt",
    "nxos/n9k-show-queuing-summary-default-8q.txt",
    "nxos/otel-cisco-pfc-watchdog-testdata.txt",
)
#: What is said of the texts themselves; of all others nothing is.
SAID = {
    "azurelocal/azl-reference-nxos-fully-converged-intf.cfg": {("duplicate", 65)},
    "azurelocal/sdn-nexus3132-tor1.cfg": {("unattached_object", 126), ("unattached_object", 134)},
    f"{GX2B}invalid-command-show-system-qos.txt": {("device_exception", 2)},
}


@pytest.fixture
def read(captures: Path) -> Any:
    def one(*names: str) -> Parsed:
        texts = [(captures / name).read_text(encoding="utf-8") for name in names]
        return PLATFORM.parse([Output("", t, n) for t, n in zip(texts, names, strict=True)])

    return one


def running(found: Parsed) -> DeviceState:
    assert found.operational is not None
    return found.operational


def test_no_text_of_the_corpus_is_forgotten(captures: Path) -> None:
    found = {f"nxos/{p.name}" for p in (captures / "nxos").iterdir() if p.suffix != ".md"}
    found |= {f"azurelocal/{p.name}" for p in (captures / "azurelocal").glob("*nx*.cfg")}
    found |= {f"azurelocal/{p.name}" for p in (captures / "azurelocal").glob("*nexus*.cfg")}
    assert found == set(FILES)


def test_no_text_of_another_platform_is_taken_for_ours(captures: Path) -> None:
    texts = [
        path for path in sorted(captures.rglob("*")) if path.is_file() and path.suffix != ".md"
    ]
    found = {
        str(path.relative_to(captures))
        for path in texts
        if PLATFORM.recognises(path.read_text(encoding="utf-8", errors="replace"))
    }
    # A table of links alone says nothing of who printed it.
    assert found == set(FILES) - {f"{GX2B}show-interface-status.txt"}


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_unread(read: Any, name: str) -> None:
    found = read(name)
    assert found.unread == ()
    assert {(d.kind, d.line) for d in found.diagnostics} == SAID.get(name, set())
    assert found.understood is (not name.endswith("show-system-qos.txt"))


@pytest.mark.parametrize("name", FILES)
def test_what_is_read_can_be_said_again(read: Any, name: str) -> None:
    state = read(name).state
    once = PLATFORM.canonical(state)
    assert PLATFORM.canonical(once) == once


# --- Nexus 9332D-GX2B ----------------------------------------------------------------------------


def test_the_lab_before(read: Any) -> None:
    found = read(f"{GX2B}before-relevant.cfg")
    box = found.state.system.settings
    assert box.pfc.send == frozenset({3})
    assert (row(box.mtu.per_class, 3), row(box.mtu.per_class, 0)) == (2240, 9216)
    assert tuple(found.state.ports) == LEAF
    for name in LEAF:
        port = found.state.port(name)
        assert (port.pfc.mode, port.watchdog.enabled, port.mtu.native) == (PfcMode.ON, True, 9216)
        assert (port.vlans.mode, port.vlans.access) == (VlanMode.ACCESS, 2300)
        assert port.classification.trust is Trust.DSCP
        sorts = enumerate(port.classification.dscp_to_priority)
        assert {n: group for n, group in sorts if group} == {26: 3, 48: 7}


def test_the_lab_is_changed_and_changed_back(read: Any) -> None:
    for name, vlan in ((f"{GX2B}desired.cfg", 2310), (f"{GX2B}rollback.cfg", 2300)):
        ports = read(name).state.ports
        assert {port: s.vlans.access for port, s in ports.items()} == dict.fromkeys(LEAF, vlan)
        assert all(s.mtu.native is None for s in ports.values())
    desired = read(f"{GX2B}desired.cfg").native
    policy = desired.policies[("network-qos", "qos_network")]
    assert policy.classes["c-8q-nq3"].slots == {("mtu",): 4200}


def test_the_lab_afterwards(read: Any) -> None:
    ports = read(f"{GX2B}final-relevant.cfg").state.ports
    assert tuple(ports) == LEAF
    for settings in ports.values():
        assert (settings.pfc.mode, settings.mtu.native) == (PfcMode.ON, 9216)
        assert settings.watchdog.enabled is None  # the text is a part, and does not show it


def test_one_interface(read: Any) -> None:
    found = read(f"{GX2B}show-run-interface-e1-1-1.txt")
    assert found.coverage == {"show running-config interface Ethernet1/1/1"}
    assert found.facts == {"version": "10.4(3)"}
    port = found.state.port("Ethernet1/1/1")
    assert (port.mtu.native, port.vlans.access, port.pfc.mode) == (9216, 2310, PfcMode.ON)
    assert port.link.pause_send is DEFAULT


def test_sections_are_put_together(read: Any) -> None:
    parts = (
        "show-run-interface-e1-1-1",
        "show-run-section-class-map",
        "show-run-section-policy-map",
    )
    found = read(*(f"{GX2B}{part}.txt" for part in parts))
    maps = found.state.port("Ethernet1/1/1").classification
    assert {n: g for n, g in enumerate(maps.dscp_to_priority) if g} == {26: 3, 48: 7}
    out = found.native.policies[("queuing", "QOS_EGRESS_PORT")]
    order = ("6", "5", "4", "3", "2", "1", "-default", "7")
    assert list(out.classes) == [f"c-out-8q-q{n}" for n in order]
    marks = out.classes["c-out-8q-q3"].slots[("detect",)]
    assert (marks.minimum, marks.maximum) == (kbytes(10), kbytes(30))
    assert (marks.probability, marks.weight, marks.ecn) == (7, 0, True)
    assert [kept.text for kept in out.classes["c-out-8q-q3"].kept] == [
        "burst-detect rise-threshold 60 percent fall-threshold 40 percent"
    ]
    left = out.classes["c-out-8q-q5"].slots
    assert left[("bandwidth",)] == share(0)
    assert left[("detect",)].maximum == kbytes(2550)


def test_a_whole_session(read: Any) -> None:
    found = read(f"{GX2B}full-show-session.txt")
    assert found.facts == {
        "hostname": "RoCE_LF2",
        "version": "10.4(3)",
        "model": "N9K-C9332D-GX2B",
    }
    assert tuple(found.state.ports) == LEAF[:3]
    port = found.state.port("Ethernet1/2/1")
    assert port.classification.dscp_to_priority[26] == 3
    box = running(found)
    assert box.system.settings.pfc.send == frozenset({3})
    assert row(box.system.settings.mtu.per_class, 3) == 4200
    assert box.port("Ethernet1/1/1").link.speed == 200 * 10**9
    assert box.port("Ethernet1/16").link.speed == 40 * 10**9
    assert box.port("Ethernet1/32").vlans.mode is VlanMode.ROUTED
    assert len(box.ports) == 36
    queues_of_the_lab(box.port("Ethernet1/1/1"))


def queues_of_the_lab(port: Settings) -> None:
    ets = dict(port.ets.queues)
    assert [ets[n].bandwidth for n in range(8)] == [
        share(50), share(0), share(0), share(50), share(0), share(0), share(0), OFF
    ]  # fmt: skip
    assert (ets[7].algorithm, ets[7].level) == (Algorithm.STRICT, 1)
    room = row(port.buffers.groups, 3)
    assert room is not None
    assert (room.limit, room.xoff, room.xon) == (
        in_bytes(340704),
        in_bytes(524352 - 340704),
        in_bytes(336672),
    )
    assert port.pfc.send == frozenset({3})


@pytest.mark.parametrize(
    ("name", "ports"),
    [
        (f"{GX2B}show-queuing-interface-e1-1-1.txt", LEAF[:1]),
        (f"{GX2B}queuing-before-write.txt", (LEAF[0], LEAF[2])),
        (f"{GX2B}full-show-session-after.txt", LEAF[:3]),
    ],
)
def test_queues_of_the_lab(read: Any, name: str, ports: tuple[str, ...]) -> None:
    box = running(read(name))
    assert tuple(box.ports) == ports
    queues_of_the_lab(box.port(ports[0]))


def test_ports_of_one_box_have_different_buffers(read: Any) -> None:
    box = running(read(f"{GX2B}full-show-session.txt"))
    room = row(box.port("Ethernet1/1/2").buffers.groups, 3)
    assert room is not None
    assert (room.limit, room.xon) == (in_bytes(194304), in_bytes(190272))


@pytest.mark.parametrize(
    "name",
    [f"{GX2B}show-policy-map-system-type-network-qos.txt", f"{GX2B}network-qos-and-intf.txt"],
)
def test_the_policy_in_force(read: Any, name: str) -> None:
    box = running(read(name)).system.settings
    assert box.pfc.send == frozenset({3})
    assert (row(box.mtu.per_class, 3), row(box.mtu.per_class, 0)) == (4200, 9216)
    assert box.classification.pfc_priority_to_group[3] == 3


def test_links_of_the_lab(read: Any) -> None:
    box = running(read(f"{GX2B}show-interface-status.txt"))
    assert len(box.ports) == 36
    first = box.port("Ethernet1/1/1")
    assert (first.link.speed, first.vlans.access) == (200 * 10**9, 2310)
    assert box.port("Ethernet1/2/2").link.speed is None  # not connected


# --- other boxes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "ports"),
    [
        (
            "nxos/n5k-priority-flow-control-auto-off.txt",
            ("Ethernet1/47", "Ethernet1/48", "Ethernet4/15", "Ethernet4/16"),
        ),
        ("nxos/n9k-9332pq-priority-flow-control-auto-off.txt", ("Ethernet1/27", "Ethernet1/28")),
    ],
)
def test_negotiated_and_off(read: Any, name: str, ports: tuple[str, ...]) -> None:
    box = running(read(name))
    assert tuple(box.ports) == ports
    for settings in box.ports.values():
        assert (settings.pfc.mode, settings.pfc.send) == (PfcMode.AUTO, OFF)


@pytest.mark.parametrize(
    ("name", "port"),
    [
        ("nxos/n9k-9.2.2-show-policy-map-interface-default-8q.txt", "Ethernet1/2"),
        ("nxos/n9k-show-queuing-summary-default-8q.txt", "Ethernet1/1"),
    ],
)
def test_the_default_policy_as_it_runs(read: Any, name: str, port: str) -> None:
    ets = dict(running(read(name)).port(port).ets.queues)
    assert [ets[n].bandwidth for n in range(7)] == [share(100), *[share(0)] * 6]
    assert (ets[7].algorithm, ets[7].level) == (Algorithm.STRICT, 1)


def test_a_watchdog(read: Any) -> None:
    dog = running(read("nxos/otel-cisco-pfc-watchdog-testdata.txt")).port("Ethernet1/23").watchdog
    assert (dog.enabled, dog.priorities) == (True, frozenset({3}))


def test_defaults_that_are_shown(read: Any) -> None:
    old = read("nxos/batfish-nxos_interface_show_all_1.cfg").state.port("Ethernet1/21")
    new = read("nxos/batfish-nxos_interface_show_all_2.cfg").state.port("Ethernet1/2")
    for port in (old, new):
        assert (port.pfc.mode, port.mtu.native) == (DEFAULT, DEFAULT)
        assert (port.link.pause_send, port.link.pause_honour) == (DEFAULT, DEFAULT)
        assert (port.vlans.mode, port.link.admin_up) == (VlanMode.ACCESS, True)
    assert (new.link.speed, new.vlans.access) == (10**9, 17)
    assert old.link.speed is DEFAULT


def test_grammar_of_class_maps(read: Any) -> None:
    found = read("nxos/batfish-nxos_class_map.cfg").native.class_maps
    held = found[("qos", "cm_qos")]
    assert held.dscp == frozenset({18, 20, 22, *range(24, 40)})  # precedence 3 and 4
    assert held.foreign  # an access list, too
    network = found[("network-qos", "cm_network_qos")]
    assert (network.groups, network.cos) == (frozenset({3}), frozenset({1, 2, 4}))
    assert not any(kind == "control-plane" for kind, _ in found)


def test_grammar_of_policy_maps(read: Any) -> None:
    found = read("nxos/batfish-nxos_policy_map.cfg")
    policies = found.native.policies
    network = policies[("network-qos", "pm_network_qos")]
    assert list(network.classes) == ["class-default", "cm_network_qos"]  # written in two blocks
    assert network.classes["cm_network_qos"].slots == {("mtu",): 9216}
    assert ("qos", "pm_qos2") in policies  # the type is qos where none is named
    assert policies[("qos", "pm_qos")].classes["cm_qos"].slots == {("group",): 4}
    assert found.state.system.settings.pfc.send is OFF
    assert row(found.state.system.settings.mtu.per_class, 0) == 1500


def test_grammar_of_interfaces(read: Any) -> None:
    found = read("nxos/batfish-nxos_interface_properties.cfg")
    first = found.state.port("Ethernet1/1")
    assert (first.mtu.native, first.vlans.mode) == (9216, VlanMode.ROUTED)
    attached = found.native.interfaces["Ethernet1/1"].attached
    assert attached[("qos", "input")] == "pm_qos_in"
    assert attached[("queuing", "output")] == "pm_queuing_out"
    system = read("nxos/batfish-nxos_system.cfg").native.system.attached
    assert system[("network-qos", "")] == "jumbo"


# --- storage -------------------------------------------------------------------------------------


def test_the_reference_of_azure_local(read: Any) -> None:
    found = read("azurelocal/azl-reference-nxos-qos.cfg")
    box = found.state.system.settings
    assert box.pfc.send == frozenset({3})
    assert {g: row(box.mtu.per_class, g) for g in (0, 3, 7)} == {0: 9216, 3: 9216, 7: 9216}
    ets, ecn = dict(box.ets.queues), dict(box.ecn.queues)
    assert (ets[3].bandwidth, ets[0].bandwidth) == (share(50), share(48))
    assert ets[7].bandwidth == Bandwidth(BandwidthKind.LINE, 10_000)
    assert (ecn[3].minimum, ecn[3].maximum) == (kbytes(300), kbytes(300))
    assert (ecn[3].probability, ecn[3].weight) == (1_000_000, 0)
    port = found.state.port("Ethernet1/17")
    assert (port.classification.trust, port.dcb.advertise) == (Trust.PCP, True)
    assert {n: g for n, g in enumerate(port.classification.pcp_to_priority) if g != DEFAULT} == {
        3: 3,
        7: 7,
    }
    assert (port.vlans.native, port.vlans.tagged) == (99, frozenset({711}))


def test_a_range_of_ports(read: Any) -> None:
    found = read("azurelocal/azl-reference-nxos-fully-converged-intf.cfg")
    assert list(found.state.ports) == ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3"]
    for settings in found.state.ports.values():
        assert (settings.pfc.mode, settings.dcb.advertise) == (PfcMode.ON, True)
        assert (settings.mtu.native, settings.vlans.native) == (9216, 7)
        assert settings.vlans.tagged == frozenset({201, 712})  # the second of two boxes


def test_a_nexus_3132(read: Any) -> None:
    found = read("azurelocal/sdn-nexus3132-tor1.cfg")
    assert found.coverage == {"show running-config"}
    assert found.facts == {"hostname": "TOR1", "version": "6.0(2)U6(1)"}
    box = found.state.system
    assert box.raw == ("hardware profile pfc mmu buffer-reservation 40",)
    assert box.settings.classification.trust is Trust.PCP
    assert box.settings.classification.pcp_to_priority[3] == 3
    assert box.settings.pfc.send == frozenset({3})  # `pause no-drop`, and CoS 3 is sorted there
    assert row(box.settings.mtu.per_class, 3) == 2240
    lossless = [n for n, p in found.state.ports.items() if p.pfc.mode is PfcMode.ON]
    assert len(lossless) == 32
    room = row(found.state.port(lossless[0]).buffers.groups, 3)
    assert room is not None
    assert (room.limit, room.xon) == (in_bytes(46800), in_bytes(34320))
    assert found.state.port(lossless[0]).vlans.tagged == frozenset(range(7, 12))


def test_a_box_with_words_of_its_own_is_not_written(read: Any) -> None:
    found = read("azurelocal/sdn-nexus3132-tor1.cfg")
    share_of_three = QueueScheduling(algorithm=Algorithm.DWRR, bandwidth=share(40))
    ets = Ets(queues=table({3: share_of_three}))
    changed = DeviceState(ports={"Ethernet1/11": Settings(ets=ets)})
    with pytest.raises(ValueError, match=r"four queues|classes of its own"):
        PLATFORM.plan(changed, found.state, found.native)
