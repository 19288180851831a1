"""The laws of a finished platform, against a box that disagrees where it can."""

from __future__ import annotations

import copy

from hypothesis import assume, given

from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.model.device import Device, DeviceState
from lossless.model.operation import Op
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.contract import Output, Parsed
from tests.platforms.cisco_nxos.meaning import Claim, claims
from tests.platforms.cisco_nxos.strategies import PORTS, states

LEAF = Device(name="leaf1", kind="switch", platform="cisco_nxos")


def written(ops: tuple[Op, ...]) -> str:
    """The lines of a plan."""
    return PLATFORM.render(ops, LEAF)[0].text


def shown(box: Nexus) -> Parsed:
    """What a box's running configuration is read to."""
    found = PLATFORM.parse([Output("show running-config", box.running_config())])
    assert found.unread == ()
    assert [d for d in found.diagnostics if d.kind not in ("unattached_object",)] == []
    return found


def fresh(state: DeviceState, ports: tuple[str, ...] = PORTS) -> Nexus:
    """A box at its defaults that was given a state."""
    box = Nexus.of(ports)
    box.type(written(PLATFORM.plan(state)))
    return box


@given(states())
def test_everything_generated_can_be_said(state: DeviceState) -> None:
    assert PLATFORM.inexpressible(state) == ()


@given(states())
def test_round_trip_of_the_written_text(state: DeviceState) -> None:
    ops = PLATFORM.plan(state)
    assume(ops)  # a text in which nothing is configured is not taken for a whole configuration
    found = PLATFORM.parse([Output("show running-config", written(ops))])
    told = PLATFORM.canonical(state)
    assert found.unread == ()
    assert found.state.system == told.system
    for name, settings in found.state.ports.items():
        assert settings == told.ports[name]


@given(states())
def test_round_trip_through_a_box(state: DeviceState) -> None:
    found = shown(fresh(state, tuple(state.ports))).state
    told = PLATFORM.canonical(state)
    assert found.system == told.system
    assert dict(found.ports) == dict(told.ports)


@given(states())
def test_canonical_is_idempotent(state: DeviceState) -> None:
    once = PLATFORM.canonical(state)
    assert PLATFORM.canonical(once) == once
    assert PLATFORM.inexpressible(once) == ()


# --- from one state to another -------------------------------------------------------------------


def wrong(box: Nexus, state: DeviceState) -> list[Claim]:
    """What a state wants of its ports and the box does not do."""
    stops = state.system.settings.watchdog.enabled in (OFF, DEFAULT)
    return [
        (name, *claim)  # type: ignore[misc]
        for name, told in state.ports.items()
        for claim in claims(box, name, told)
        if claim[1] != claim[2] and not (claim[0] == "the box's watchdog" and stops)
    ]


@given(states())
def test_a_new_box_does_what_a_state_wants(state: DeviceState) -> None:
    assert wrong(fresh(state), state) == []


@given(states(), states())
def test_a_running_box_does_what_a_state_wants(first: DeviceState, second: DeviceState) -> None:
    box = fresh(first)
    before = shown(box)
    box.type(written(PLATFORM.plan(second, before.state, before.native)))
    assert wrong(box, second) == []


@given(states(), states())
def test_ports_that_are_not_told_keep_their_own(first: DeviceState, second: DeviceState) -> None:
    box = fresh(first)
    earlier = copy.deepcopy(box.ports)
    before = shown(box)
    box.type(written(PLATFORM.plan(second, before.state, before.native)))
    for name, port in box.ports.items():
        if name not in second.ports:
            assert port.lines == earlier[name].lines
            assert port.policies.keys() == earlier[name].policies.keys()


@given(states(), states())
def test_the_second_plan_is_empty(first: DeviceState, second: DeviceState) -> None:
    box = fresh(first)
    before = shown(box)
    box.type(written(PLATFORM.plan(second, before.state, before.native)))
    after = shown(box)
    assert PLATFORM.plan(second, after.state, after.native) == ()
    assert PLATFORM.plan(after.state, after.state, after.native) == ()


@given(states(raw=False), states(raw=False))
def test_rollback_gives_the_state_before(first: DeviceState, second: DeviceState) -> None:
    box = fresh(first)
    before = shown(box)
    box.type(written(PLATFORM.plan(second, before.state, before.native)))
    after = shown(box)
    box.type(written(PLATFORM.plan(before.state, after.state, after.native)))
    back = shown(box)
    assert back.state.system == before.state.system
    assert dict(back.state.ports) == dict(before.state.ports)


@given(states(), states())
def test_without_a_record_of_names_the_box_is_taken_for_ours(
    first: DeviceState, second: DeviceState
) -> None:
    box = fresh(first)
    before = shown(box)
    box.type(written(PLATFORM.plan(second, before.state)))
    assert wrong(box, second) == []


# --- order ---------------------------------------------------------------------------------------


def exposed(box: Nexus) -> set[tuple[str, int]]:
    """Ports and groups into which packets are put that nothing pauses there."""
    paused = box.paused()
    return {
        (name, group)
        for name in box.ports
        for group in set(box.sorts(name).values())
        if not (group in paused and box.pauses(name))
    }


@given(states(), states())
def test_no_packet_meets_a_lossless_group_without_pause(
    first: DeviceState, second: DeviceState
) -> None:
    box = fresh(first)
    before = shown(box)
    ops = PLATFORM.plan(second, before.state, before.native)
    end = copy.deepcopy(box)
    end.type(written(ops))
    lossless = box.paused().keys() | end.paused().keys()
    allowed = exposed(box) | exposed(end)
    for line in written(ops).splitlines():
        box.line(line)
        assert {one for one in exposed(box) if one[1] in lossless} <= allowed, line


@given(states())
def test_a_new_box_is_written_in_order(state: DeviceState) -> None:
    ops = PLATFORM.plan(state)
    box, end = Nexus.of(PORTS), Nexus.of(PORTS)
    end.type(written(ops))
    allowed = exposed(box) | exposed(end)
    for line in written(ops).splitlines():
        box.line(line)
        assert {one for one in exposed(box) if one[1] in end.paused()} <= allowed, line
