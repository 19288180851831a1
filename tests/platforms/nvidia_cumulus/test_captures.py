"""What NVIDIA's manuals print, read to facts that were checked by reading."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from lossless.model.classification import Trust
from lossless.model.device import DeviceState
from lossless.model.facet import row
from lossless.model.pfc import PfcMode
from lossless.model.scheduling import Algorithm
from lossless.model.settings import Settings
from lossless.model.units import Bandwidth, BandwidthKind, Quantity, Unit, in_bytes
from lossless.model.values import OFF
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.nvidia_cumulus import PLATFORM
from lossless.platforms.nvidia_cumulus.canonical import quantised
from tests.platforms.nvidia_cumulus.strategies import profile_of

SILENT = (
    "nv-show-interface-swp1-counters-qos.txt",
    "nv-show-interface-swp16-qos-roce-counters.txt",
    "nv-show-interface-qos-roce-status-pool-map-5.16.txt",
)
THREE = frozenset({3})
IDENTITY = tuple(range(8))


def read(captures: Path, name: str) -> Parsed:
    found = PLATFORM.parse([Output("", (captures / "cumulus" / name).read_text(), name)])
    assert found.facts["hostname"] == "switch"
    assert found.coverage == frozenset()  # no configuration was shown whole
    return found


def running(found: Parsed) -> DeviceState:
    assert found.operational is not None
    assert found.unread == ()
    return found.operational


def kbytes(number: str, unit: Unit = Unit.KBYTES) -> Quantity:
    return Quantity(Fraction(number), unit)


def share(percent: int) -> Bandwidth:
    return Bandwidth(BandwidthKind.ETS, percent * 10_000)


def served(settings: Settings) -> dict[int, object]:
    return {
        queue: "strict" if held.algorithm is Algorithm.STRICT else held.bandwidth
        for queue, held in settings.ets.queues
    }


@pytest.mark.parametrize(
    ("name", "mode", "cable", "offered"),
    [
        ("nv-show-qos-roce-5.0-lossless.txt", "roce-lossless", 100_000, ()),
        (
            "nv-show-qos-roce-5.16-lossless-single-ipool.txt",
            "roce-lossless-single-ipool",
            100_000,
            (("udp 4791", 3),),
        ),
    ],
)
def test_the_lossless_macro(
    captures: Path, name: str, mode: str, cable: int, offered: object
) -> None:
    found = read(captures, name)
    assert found.state.system.macro == mode
    assert found.diagnostics == ()
    box = running(found).system
    assert box.macro == mode
    held = box.settings
    assert held.classification.trust is Trust.BOTH
    assert held.classification.dscp_to_priority == tuple(n // 8 for n in range(64))
    assert held.classification.pcp_to_priority == IDENTITY
    assert held.classification.priority_to_tc == (0, 0, 0, 3, 0, 0, 6, 0)
    assert (held.pfc.mode, held.pfc.send, held.pfc.honour) == (PfcMode.ON, THREE, THREE)
    assert held.buffers.cable == cable
    assert held.dcb.applications == offered
    assert served(held) == {0: share(50), 3: share(50), 6: "strict"}
    marked = {queue: r for queue, r in held.ecn.queues if r.enabled is True}
    assert set(marked) == {0, 3}
    assert {r.minimum for r in marked.values()} == {kbytes("146.48")}
    assert {r.maximum for r in marked.values()} == {kbytes("1.43", Unit.MBYTES)}


def test_the_mode_for_packet_trimming(captures: Path) -> None:
    found = read(captures, "nv-show-qos-roce-5.14-lossy-multi-tc.txt")
    held = running(found).system.settings
    macro = profile_of(14).macros["roce-lossy-multi-tc"].settings
    assert found.state.system.macro == "roce-lossy-multi-tc"
    assert (held.pfc.mode, held.pfc.send, held.pfc.honour) == (OFF, frozenset(), frozenset())
    assert held.classification.dscp_to_priority == macro.classification.dscp_to_priority
    assert held.classification.priority_to_tc == IDENTITY
    assert served(held) == served(macro)
    third = row(held.ecn.queues, 3)
    assert third is not None
    assert (third.minimum, third.maximum) == (kbytes("163"), kbytes("234"))
    assert third.probability == 50_000


def test_the_macro_on_one_interface(captures: Path) -> None:
    found = read(captures, "nv-show-interface-swp16-qos-roce-status-5.14.txt")
    state = running(found)
    held = state.port("swp16")
    assert state.system.macro == "roce-lossless"
    told = {n: p for n, p in enumerate(held.classification.dscp_to_priority) if p is not None}
    assert told == {26: 3, 48: 6}  # this view shows no other code point
    assert (held.pfc.send, held.pfc.honour) == (THREE, THREE)
    assert served(held) == {3: share(50), 6: "strict"}
    third = row(held.ecn.queues, 3)
    assert third is not None
    assert third.minimum == kbytes("153")
    assert third.probability == 1_000_000
    assert held.dcb.applications == (("udp 4791", 3),)


def test_hardware_rounds_the_thresholds_of_the_macro_up(captures: Path) -> None:
    found = read(captures, "nv-show-interface-swp16-qos-roce-status-5.14.txt")
    profile = profile_of(14, "SN3700")
    shown = row(running(found).port("swp16").ecn.queues, 3)
    made = row(quantised(profile.macros["roce-lossless"].settings, profile).ecn.queues, 3)
    assert shown is not None
    assert made is not None
    assert made.minimum == in_bytes(156_672)
    assert isinstance(shown.minimum, Quantity)
    assert shown.minimum.to_bytes(profile.units) == 156_672
    assert made.maximum == in_bytes(1_502_208)


def test_single_features_of_an_interface(captures: Path) -> None:
    found = read(captures, "nv-show-interface-qos-misc.txt")
    state = running(found)
    fifth, first = state.port("swp5"), state.port("swp1")
    marked = row(fifth.ecn.queues, 0)
    assert marked is not None
    assert (marked.enabled, marked.wred) == (True, OFF)
    assert (marked.minimum, marked.maximum) == (kbytes("153"), kbytes("1.43", Unit.MBYTES))
    assert fifth.classification.priority_to_tc == IDENTITY
    assert fifth.classification.rewrite_dscp == tuple(range(0, 64, 8))
    assert fifth.classification.rewrite_pcp == IDENTITY
    assert fifth.classification.rewrite_dscp_enabled is None  # the table does not tell
    assert served(fifth) == {queue: share(12 + queue % 2) for queue in range(8)}
    assert (fifth.link.pause_send, fifth.link.pause_honour) == (OFF, OFF)
    assert (fifth.pfc.mode, fifth.pfc.send) == (OFF, frozenset())
    assert first.classification.trust is Trust.PCP
    assert first.classification.pcp_to_priority == IDENTITY
    assert first.classification.default_priority == 0
    assert first.watchdog.enabled is True
    assert [(d.kind, d.text) for d in found.diagnostics] == [
        ("device_exception", "the watchdog of swp1 holds traffic class 2 in deadlock"),
        ("device_exception", "the watchdog of swp1 holds traffic class 7 in deadlock"),
    ]


def test_profiles_are_configuration(captures: Path) -> None:
    found = read(captures, "nv-show-qos-profiles-5.14.txt")
    box = found.state.system
    held = box.settings
    assert held.classification.trust is Trust.PORT
    assert held.classification.default_priority == 3
    assert held.classification.dscp_to_priority[22] == 4
    assert held.classification.priority_to_tc == (0, 1, 7, 3, 4, 5, 6, 7)
    assert (held.pfc.send, held.pfc.honour) == (frozenset({0}), frozenset())
    assert held.buffers.cable == 50_000
    marked = {queue: r for queue, r in held.ecn.queues if r.enabled is True}
    assert set(marked) == {4, 5, 7}
    assert {(r.wred, r.minimum, r.maximum) for r in marked.values()} == {
        (True, in_bytes(40_000), in_bytes(200_000))
    }
    strict = dict.fromkeys((0, 1, 5, 7), "strict")
    assert served(held) == strict | {2: share(30), 3: share(20), 4: share(20), 6: share(30)}
    assert box.buffers.shares == (("ingress lossy", 800_000),)
    assert f"nv set qos pfc default-global port-buffer {25_000}" in box.raw
    pools = [text for text in box.raw if "traffic-pool default-lossy switch-priority" in text]
    assert len(pools) == 8
    assert [u.text.split()[0] for u in found.unread] == [
        "Profile",
        "----------------------------",
        "lossy-multi-tc-host-group",
        "lossy-multi-tc-network-group",
    ]


@pytest.mark.parametrize("name", SILENT)
def test_counters_are_known_and_no_settings(captures: Path, name: str) -> None:
    found = read(captures, name)
    assert found.understood
    assert found.unread == ()
    assert found.state == DeviceState()


def test_a_fleet_s_report_is_not_a_switch(captures: Path) -> None:
    """NetQ tells of several switches at once: nothing of it is taken for one."""
    for path in sorted((captures / "netq").glob("*.txt")):
        text = path.read_text()
        found = PLATFORM.parse([Output("", text, path.name)])
        assert not PLATFORM.recognises(text)
        assert not found.understood
        assert found.operational is None
        assert len(found.unread) == len([line for line in text.splitlines()[1:] if line.strip()])


def test_no_capture_is_left_out(captures: Path) -> None:
    here = Path(__file__).read_text()
    names = {path.name for path in (captures / "cumulus").glob("*.txt")}
    assert names
    assert {name for name in names if name not in here} == set()
