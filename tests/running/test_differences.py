"""Declared against running: silence where both mean the same, one difference where not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from lossless.model.device import Device, DeviceState, Port
from lossless.running import Kind, Leaf, against_declared, between, gather, gather_alone
from lossless.snapshot import Answer, Capture, Shown, Snapshot, Taken, read
from tests.platforms.arista_eos.strategies import PORTS, states
from tests.platforms.arista_eos.test_laws import box_with
from tests.running.shown import DEMO, FIXED, built, snapshot, taken


def compared(declared: Path, shown: Path) -> list[Leaf]:
    devices = built(declared).fabric.devices
    seen = gather(devices, read(shown))
    return [
        leaf for name, device in devices.items() for leaf in against_declared(device, seen[name])
    ]


def real(leaves: Iterable[Leaf]) -> set[tuple[str, str | None, str]]:
    return {
        (leaf.device, leaf.port, ".".join(map(str, leaf.path)))
        for leaf in leaves
        if leaf.kind is not Kind.NOT_CHECKED
    }


def test_what_is_rendered_and_read_does_not_differ(tmp_path: Path) -> None:
    leaves = compared(FIXED, snapshot(tmp_path / "snap", taken(FIXED)))
    assert leaves == []


#: Each mistake of the demo as a device shows it.  The eighth host's shares are refused by its
#: kernel, so that no device ever shows them.
MISTAKES = {
    ("gpu02", None, "environment.variables.NCCL_IB_TC.value"),
    ("gpu03", "ens2np0", "classification.trust"),
    ("gpu05", "ens1np0", "mtu.l3"),
    ("gpu05", "ens1np0", "mtu.native"),
    ("leaf02", "Ethernet7/1", "pfc.send"),
    ("leaf02", "Ethernet7/1", "pfc.honour"),
    ("leaf02", "Ethernet34/1", "link.speed"),
    *(("spine02", f"Ethernet{n}/1", "ecn.queues.3.maximum") for n in range(1, 5)),
}


def test_the_mistakes_of_the_demo_are_the_differences(mistaken: Path) -> None:
    assert real(compared(FIXED, mistaken)) == MISTAKES


def test_a_faithful_mistake_is_no_difference(mistaken: Path) -> None:
    """A device that does what a wrong declaration says is no drift: that is for lint."""
    assert {where for where in real(compared(DEMO, mistaken)) if where[0] != "gpu08"} == set()


@settings(max_examples=25)
@given(state=states())
def test_whatever_a_switch_can_say_does_not_differ_from_itself(state: DeviceState) -> None:
    device = switch(state)
    seen = gather({"leaf01": device}, one_switch(box_with(state).text()))
    assert seen["leaf01"].faults == ()
    found = [d for d in against_declared(device, seen["leaf01"]) if d.kind is Kind.DIFFERENT]
    assert found == []


@settings(max_examples=25)
@given(before=states(), after=states())
def test_a_switch_has_something_to_mend_exactly_where_it_differs(
    before: DeviceState, after: DeviceState
) -> None:
    """The planner, which shares no code with the comparison, agrees."""
    device = switch(after)
    seen = gather({"leaf01": device}, one_switch(box_with(before).text()))["leaf01"]
    (part,) = seen.parts
    ops = part.platform.plan(after, part.state, part.parsed.native, None)
    differs = any(leaf.kind is Kind.DIFFERENT for leaf in against_declared(device, seen))
    assert differs == bool(ops)


def switch(state: DeviceState) -> Device:
    ports = tuple(Port(name=name) for name in PORTS)
    return Device(
        name="leaf01", kind="switch", platform="arista_eos", ports=ports, configured=state
    )


def one_switch(text: str, *, whole: bool = True) -> Snapshot:
    capture = Capture("show running-config", text, "leaf01/01-show-running-config.txt", whole)
    return Snapshot("snap", {"leaf01": Shown("leaf01", (capture,), ("arista_eos",))})


CONFIG = """\
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
interface Ethernet1/1
   service-profile ROCE
!
interface Ethernet2/1
!
end
"""


def declared(text: str = CONFIG) -> Device:
    """A switch that is declared as some text says."""
    alone = gather_alone(one_switch(text))["leaf01"]
    (part,) = alone.parts
    ports = tuple(Port(name=name) for name in part.state.ports)
    return replace(switch(part.state), ports=ports)


def against(device: Device, text: str, *, whole: bool = True) -> list[Leaf]:
    seen = gather({"leaf01": device}, one_switch(text, whole=whole))
    return list(against_declared(device, seen["leaf01"]))


def test_a_line_that_is_gone_is_a_difference() -> None:
    gone = CONFIG.replace("   priority-flow-control priority 3 no-drop\n", "")
    assert real(against(declared(), gone)) == {
        ("leaf01", "Ethernet1/1", "pfc.send"),
        ("leaf01", "Ethernet1/1", "pfc.honour"),
    }


def test_what_is_not_declared_is_left_alone() -> None:
    more = CONFIG.replace("interface Ethernet2/1\n", "interface Ethernet2/1\n   mtu 1500\n")
    silent = replace(
        declared(),
        configured=DeviceState(ports={"Ethernet1/1": declared().configured.port("Ethernet1/1")}),
    )
    assert real(against(silent, more)) == set()


def test_a_port_that_is_gone_is_a_difference_only_where_all_was_seen() -> None:
    gone = CONFIG.replace("interface Ethernet1/1\n   service-profile ROCE\n!\n", "")
    assert ("leaf01", "Ethernet1/1", "") in real(against(declared(), gone))
    assert real(against(declared(), gone.replace("end\n", ""))) == set()


def test_another_unit_is_no_difference() -> None:
    curve = "random-detect ecn minimum-threshold {} maximum-threshold {}"
    line = f"   !\n   uc-tx-queue 3\n      {curve}\n"
    at = "priority 3 no-drop\n"
    one = CONFIG.replace(at, at + line.format("150000 bytes", "1500000 bytes"))
    other = CONFIG.replace(at, at + line.format("150 kbytes", "1500 kbytes"))
    device = declared(one)
    verdicts = {leaf.kind for leaf in against(device, other)}
    # Without facts about the box nobody knows what a kbyte of it is.
    assert verdicts == {Kind.NOT_CHECKED}


def test_configured_and_not_in_force_is_told(tmp_path: Path) -> None:
    device = declared()
    seen = gather({"leaf01": device}, one_switch(CONFIG))["leaf01"]
    (part,) = seen.parts
    ports = dict(part.state.ports)
    pfc = replace(ports["Ethernet1/1"].pfc, send=frozenset({4}))
    ports["Ethernet1/1"] = replace(ports["Ethernet1/1"], pfc=pfc)
    odd = replace(seen, parts=(replace(part, operational=DeviceState(part.state.system, ports)),))
    (leaf,) = against_declared(device, odd)
    assert (leaf.kind, leaf.port, leaf.path) == (Kind.NOT_IN_FORCE, "Ethernet1/1", ("pfc", "send"))
    assert (leaf.wanted, leaf.found) == (frozenset({3}), frozenset({4}))


# --- two snapshots -------------------------------------------------------------------------------


def changes(before: str, after: str) -> set[tuple[str, str | None, str]]:
    one, other = (gather_alone(one_switch(text))["leaf01"] for text in (before, after))
    return real(between(one, other))


def test_a_snapshot_does_not_differ_from_itself() -> None:
    assert changes(CONFIG, CONFIG) == set()


def test_what_changed_is_told_both_ways() -> None:
    other = CONFIG.replace("priority 3", "priority 4").replace("Ethernet2/1", "Ethernet3/1")
    found = {
        ("leaf01", "Ethernet1/1", "pfc.send"),
        ("leaf01", "Ethernet1/1", "pfc.honour"),
        ("leaf01", "Ethernet2/1", ""),
        ("leaf01", "Ethernet3/1", ""),
    }
    assert changes(CONFIG, other) == found
    assert changes(other, CONFIG) == found


def test_another_name_of_a_profile_is_no_change() -> None:
    assert changes(CONFIG, CONFIG.replace("ROCE", "STORAGE")) == set()


def test_a_part_that_was_not_seen_is_no_change() -> None:
    cut = CONFIG[: CONFIG.index("interface Ethernet2/1")]
    one, other = (gather_alone(one_switch(text))["leaf01"] for text in (CONFIG, cut))
    kinds = {leaf.kind for leaf in between(one, other)}
    assert kinds <= {Kind.NOT_CHECKED}


# --- damage --------------------------------------------------------------------------------------


def faults(devices: dict[str, Taken], tmp_path: Path) -> dict[str, list[str]]:
    found = gather(built(FIXED).fabric.devices, read(snapshot(tmp_path / "snap", devices)))
    return {name: [f.text for f in seen.faults] for name, seen in found.items() if seen.faults}


def with_answer(name: str, change: Answer | None, number: int = 0) -> dict[str, Taken]:
    """The demo's devices with one answer of one of them changed, or gone."""
    devices = dict(taken(FIXED))
    answers = list(devices[name].answers)
    answers[number : number + 1] = [] if change is None else [change]
    devices[name] = replace(devices[name], answers=tuple(answers))
    return devices


def test_nothing_is_wrong_with_what_is_whole(tmp_path: Path) -> None:
    assert faults(taken(FIXED), tmp_path) == {}


def test_a_device_that_is_not_there_has_a_fault(tmp_path: Path) -> None:
    devices = {name: told for name, told in taken(FIXED).items() if name != "leaf02"}
    assert faults(devices, tmp_path) == {"leaf02": ["it is not in the snapshot"]}


def test_a_device_that_did_not_answer_has_a_fault(tmp_path: Path) -> None:
    devices = {**taken(FIXED), "leaf02": Taken(error="timed out", platforms=("arista_eos",))}
    assert faults(devices, tmp_path) == {"leaf02": ["it did not answer: timed out"]}


@pytest.mark.parametrize("lines", [1, 9, 20, 60])
def test_a_text_that_is_cut_off_has_a_fault(lines: int, tmp_path: Path) -> None:
    (answer,) = taken(FIXED)["leaf02"].answers
    text = "".join(answer.text.splitlines(keepends=True)[:lines])
    found = faults(with_answer("leaf02", replace(answer, text=text)), tmp_path)
    assert set(found) == {"leaf02"}
    assert real(compared(FIXED, tmp_path / "snap")) == set()


def test_an_answer_known_to_be_cut_off_has_a_fault(tmp_path: Path) -> None:
    (answer,) = taken(FIXED)["leaf02"].answers
    found = faults(with_answer("leaf02", replace(answer, complete=False)), tmp_path)
    assert found == {"leaf02": ["the answer is cut off"]}


def test_an_answer_that_is_missing_has_a_fault(tmp_path: Path) -> None:
    found = faults(with_answer("gpu03", None), tmp_path)
    assert found == {"gpu03": ["`mlnx_qos -i ens1np0 -a` was not answered"]}


@pytest.mark.parametrize("text", ["", "Connection refused\n", "\x00\xff\x1b[2J" * 30, "{" * 5000])
def test_what_is_not_understood_has_a_fault_and_is_never_a_difference(
    text: str, tmp_path: Path
) -> None:
    (answer,) = taken(FIXED)["leaf02"].answers
    found = faults(with_answer("leaf02", replace(answer, text=text)), tmp_path)
    assert set(found) == {"leaf02"}
    assert {
        where for where in real(compared(FIXED, tmp_path / "snap")) if where[0] == "leaf02"
    } == set()


def test_a_capture_of_another_device_is_noted(tmp_path: Path) -> None:
    (answer,) = taken(FIXED)["leaf02"].answers
    other = replace(answer, text=answer.text.replace("!\n", "!\nhostname spine01\n", 1))
    place = snapshot(tmp_path / "snap", with_answer("leaf02", other))
    seen = gather(built(FIXED).fabric.devices, read(place))
    assert [note.text for note in seen["leaf02"].notes] == ["the device calls itself spine01"]
    assert [name for name, there in seen.items() if there.notes] == ["leaf02"]
