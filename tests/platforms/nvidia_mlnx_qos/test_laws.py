"""The two laws of a finished platform, over everything that it can express."""

from __future__ import annotations

import copy
import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.model.compare import Verdict, compare_states
from lossless.model.device import DeviceState
from lossless.model.operation import ImpactKind
from lossless.model.overlay import overlay
from lossless.model.pfc import DcbOwner, DcbOwnership, PfcMode
from lossless.model.settings import NOTHING, Settings
from lossless.platforms.nvidia_mlnx_qos import PLATFORM
from tests.platforms.nvidia_mlnx_qos import fake_host, rig
from tests.platforms.nvidia_mlnx_qos.apply import apply
from tests.platforms.nvidia_mlnx_qos.strategies import partial, whole

IF = "ens1np0"
FACET = {
    "pfc": "pfc",
    "pause": "link",
    "mtu": "mtu",
    "rate_limits": "ets",
    "cable_length": "buffers",
    "priority_to_buffer": "buffers",
    "buffer_sizes": "buffers",
    "cm_tos": "marking",
    "cm_mode": "marking",
    "global_tclass": "marking",
    "notification_point": "congestion",
    "reaction_point": "congestion",
    "cnp_dscp": "congestion",
    "cnp_priority": "congestion",
    "cnp_interval": "congestion",
    "cc_parameter": "congestion",
}


def fresh(**changes: Any) -> dict[str, Any]:
    return fake_host.host((IF, fake_host.nic("mlx5_0", **changes)))


def of(told: Settings) -> DeviceState:
    return DeviceState(ports={IF: told})


def laid(before: DeviceState, after: DeviceState) -> DeviceState:
    ports = {name: overlay(before.port(name), told) for name, told in after.ports.items()}
    return PLATFORM.canonical(DeviceState(ports=ports))


def without_automatic_buffers(state: DeviceState, told: Settings) -> DeviceState:
    """Leave out what firmware decides where nobody stated buffers."""
    if told.buffers.sizes:
        return state
    held = state.port(IF)
    kept = dataclasses.replace(held.buffers, sizes=(), priority_to_buffer=())
    return of(dataclasses.replace(held, buffers=kept))


def acceptable(first: Settings, second: Settings) -> Settings:
    """Leave out what the kernel refuses: new PFC or cable over buffers that stay as set by hand."""
    if not first.buffers.sizes or second.buffers.sizes:
        return second
    return dataclasses.replace(second, pfc=NOTHING.pfc, buffers=NOTHING.buffers)


def flaps(state: dict[str, Any]) -> int:
    return sum(1 for _, what in state["log"] if what == "flap")


@given(whole())
def test_a_whole_state_is_canonical_expressible_and_told_in_full(told: Settings) -> None:
    assert PLATFORM.canonical(of(told)) == of(told)
    assert PLATFORM.inexpressible(of(told)) == ()
    assert PLATFORM.plan(of(told), of(told)) == ()


@given(partial())
def test_canonical_is_idempotent(told: Settings) -> None:
    once = PLATFORM.canonical(of(told))
    assert PLATFORM.canonical(once) == once


@given(whole())
def test_round_trip_from_nothing(told: Settings) -> None:
    state = fresh()
    apply(state, PLATFORM.plan(of(told)))
    found = rig.look(state)
    assert found.unread == ()
    assert list(compare_states(PLATFORM.canonical(of(told)), found.state)) == []
    assert flaps(state) <= 1
    assert PLATFORM.plan(of(told), found.state) == ()


@given(whole(), partial())
def test_circular_and_rollback(first: Settings, second: Settings) -> None:
    state = fresh()
    apply(state, PLATFORM.plan(of(first)))
    before = rig.look(state).state
    second = acceptable(first, second)
    state["log"] = []
    ops = PLATFORM.plan(of(second), before)
    apply(state, ops)
    assert flaps(state) <= 1
    assert flaps(state) == sum(op.impact.kind is ImpactKind.PORT_FLAP for op in ops)
    after = rig.look(state).state
    expected = without_automatic_buffers(laid(before, of(second)), first)
    assert list(compare_states(expected, after)) == []
    assert PLATFORM.plan(of(second), after) == ()
    state["log"] = []
    back = without_automatic_buffers(before, first)
    if first.buffers.sizes or not second.buffers.sizes:
        apply(state, PLATFORM.plan(back, laid(after, of(second))))
        assert list(compare_states(back, rig.look(state).state)) == []
        assert flaps(state) <= 1


@given(whole(), whole())
def test_a_plan_touches_what_differs_and_nothing_else(first: Settings, second: Settings) -> None:
    state = fresh()
    apply(state, PLATFORM.plan(of(first)))
    before = rig.look(state).state
    ops = PLATFORM.plan(of(second), before)
    differing = {d.path[2] for d in compare_states(of(second), before)}
    touched = {FACET[op.object] for op in ops if op.object in FACET}
    # Buffers that are stated grow before PFC and shrink after it, even where they end as they were.
    assert touched <= differing | {"buffers"}
    assert differing <= touched | {"classification", "ets"}
    assert all(op.source for op in ops)
    assert all(op.impact.source for op in ops if op.impact.kind is not ImpactKind.NONE)


@settings(max_examples=4)
@given(whole(), whole())
def test_the_script_in_a_real_shell(first: Settings, second: Settings) -> None:
    with tempfile.TemporaryDirectory() as place:
        bench = rig.Rig(Path(place), fresh())
        for told in (first, second):
            bench.write(rig.script(of(told), rig.device(bench.load())))
            done = bench.run()
            if done.code == 3 and "buffer" in done.err.lower() and not told.buffers.sizes:
                return  # buffers set by hand that the second state does not state
            assert (done.code, done.err) == (0, "")
            assert sum(1 for _, what in done.log if what == "--pfc") <= 1
            assert list(compare_states(of(told), rig.look(done.state).state)) == []
            again = bench.run()
            assert (again.code, again.out, again.log) == (0, "", [])
            assert bench.run("--check").code == 0


def test_firmware_owns_what_it_learns() -> None:
    owned = dataclasses.replace(NOTHING, dcb=DcbOwnership(owner=DcbOwner.FIRMWARE))
    state = fresh(pfc=[0, 0, 0, 1, 0, 0, 0, 0])
    before = rig.look(state).state
    apply(state, PLATFORM.plan(of(owned), before))
    after = rig.look(state).state
    assert after.port(IF).dcb.owner is DcbOwner.FIRMWARE
    assert after.port(IF).pfc.mode is PfcMode.AUTO
    other = dataclasses.replace(owned, pfc=before.port(IF).pfc, ets=before.port(IF).ets)
    # Rate limits are no part of DCBX.
    assert {op.object for op in PLATFORM.plan(of(other), None)} == {"dcb_owner", "rate_limits"}
    assert "firmware learns" in PLATFORM.inexpressible(of(other))[0].message


def test_taking_pfc_away_begins_with_the_marking() -> None:
    state = fresh(pfc=[0, 0, 0, 1, 1, 0, 0, 0], tclass=106)
    before = rig.look(state).state
    held = before.port(IF)
    less = frozenset({3})
    wanted = dataclasses.replace(
        NOTHING,
        pfc=dataclasses.replace(held.pfc, send=less, honour=less),
        marking=dataclasses.replace(held.marking, global_tclass=0),
    )
    there = PLATFORM.plan(of(wanted), before)
    assert [op.object for op in there] == ["global_tclass", "pfc"]
    less_told = of(dataclasses.replace(held, buffers=NOTHING.buffers))
    back = PLATFORM.plan(less_told, laid(before, of(wanted)))
    assert [op.object for op in back] == ["pfc", "global_tclass"]


def test_what_was_not_seen_cannot_be_planned() -> None:
    state = fresh(ofed=False)
    seen = rig.look(state).state
    marked = dataclasses.replace(
        NOTHING, marking=dataclasses.replace(NOTHING.marking, global_tclass=106)
    )
    with pytest.raises(ValueError, match=r"ens1np0: marking\.global_tclass"):
        PLATFORM.plan(of(marked), seen)


@given(st.data())
def test_one_entry_is_one_operation(data: st.DataObject) -> None:
    state = fresh()
    fake_host.run(state, "mlnx_qos", ["-i", IF, "--trust", "dscp"])
    before = rig.look(state).state
    entries = list(before.port(IF).classification.dscp_to_priority)
    dscp = data.draw(st.integers(0, 63))
    entries[dscp] = (dscp // 8 + 1) % 8
    held = dataclasses.replace(before.port(IF).classification, dscp_to_priority=tuple(entries))
    wanted = of(dataclasses.replace(NOTHING, classification=held))
    (op,) = PLATFORM.plan(wanted, before)
    assert (op.object, op.old, op.new) == (
        "dscp",
        ((dscp, dscp // 8),),
        ((dscp, entries[dscp]),),
    )
    untouched = copy.deepcopy(state["nics"][IF]["apps"])
    apply(state, [op])
    changed = {d for d, p in state["nics"][IF]["apps"].items() if untouched[d] != p}
    assert changed == {str(dscp)}


def test_a_difference_that_nobody_looked_at_is_told_as_such() -> None:
    seen = rig.look(fresh(buffers=False)).state
    told = of(dataclasses.replace(NOTHING, buffers=rig.look(fresh()).state.port(IF).buffers))
    verdicts = {d.path[3]: d.verdict for d in compare_states(told, seen)}
    assert verdicts["sizes"] is Verdict.NOT_CHECKED
