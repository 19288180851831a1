"""Round trip, circular, rollback and order, over everything that CONFIG_DB can hold."""

from __future__ import annotations

import copy
import dataclasses
import json

from hypothesis import given, settings

from lossless.model.compare import compare_states
from lossless.model.device import Device, DeviceState
from lossless.model.effective import leaves
from lossless.model.overlay import overlay
from lossless.model.values import is_value
from lossless.platforms.contract import Output
from lossless.platforms.sonic import PLATFORM
from lossless.platforms.sonic.canonical import spread
from tests.platforms.sonic.box import Box, Config
from tests.platforms.sonic.conftest import Judge
from tests.platforms.sonic.strategies import PORTS, states

LEAF = Device(name="leaf01", kind="switch", version="202511")


def factory(state: DeviceState) -> Config:
    """A box that has its ports, and nothing said of them but their lanes."""
    rows: dict[str, dict[str, str]] = {}
    for name in PORTS:
        lanes = state.port(name).link.lanes
        rows[name] = {"lanes": ",".join(str(n) for n in range(lanes))} if is_value(lanes) else {}
    return {"PORT": rows}


def box_with(state: DeviceState) -> Box:
    box = Box(factory(state))
    box.apply(PLATFORM.render(PLATFORM.plan(state), LEAF))
    return box


def with_all_ports(state: DeviceState) -> DeviceState:
    return DeviceState(state.system, {name: state.port(name) for name in PORTS})


def merged(before: DeviceState, after: DeviceState) -> DeviceState:
    after = spread(after, None)
    ports = dict(before.ports)
    for name, held in after.ports.items():
        told = overlay(before.port(name), held)
        # Lanes come with the port: no plan changes them.
        link = dataclasses.replace(told.link, lanes=before.port(name).link.lanes)
        ports[name] = dataclasses.replace(told, link=link)
    return DeviceState(overlay(before.system, after.system), ports)


def unlike(found: DeviceState, wanted: DeviceState) -> list[str]:
    """The leaves in which two states differ."""
    said = []
    for place, one, other in [
        ("system", found.system, wanted.system),
        *((p, found.port(p), wanted.port(p)) for p in {*found.ports, *wanted.ports}),
    ]:
        a, b = dict(leaves(one)), dict(leaves(other))
        differ = [p for p in {*a, *b} if a.get(p) != b.get(p) and p != ("link", "lanes")]
        said += [f"{place} {path}: {a.get(path)} is not {b.get(path)}" for path in differ]
    return sorted(said)


@given(states())
def test_what_is_rendered_reads_as_the_canonical_state(state: DeviceState) -> None:
    found = box_with(state).read()
    wanted = PLATFORM.canonical(with_all_ports(state))
    assert unlike(found.state, wanted) == []
    assert found.state == wanted
    assert not list(compare_states(wanted, found.state))
    assert not found.unread
    assert not found.diagnostics


@given(states())
def test_canonical_is_idempotent(state: DeviceState) -> None:
    once = PLATFORM.canonical(state)
    assert unlike(PLATFORM.canonical(once), once) == []
    assert PLATFORM.canonical(once) == once


@given(states())
def test_everything_generated_can_be_said(state: DeviceState) -> None:
    assert PLATFORM.inexpressible(state) == ()


@given(states(), states())
def test_a_plan_leads_from_before_to_after_and_back(
    before: DeviceState, after: DeviceState
) -> None:
    box = box_with(before)
    first = box.read()
    assert unlike(first.state, PLATFORM.canonical(with_all_ports(before))) == []

    box.apply(PLATFORM.render(PLATFORM.plan(after, first.state, first.native), LEAF))
    second = box.read()
    wanted = PLATFORM.canonical(merged(first.state, after))
    assert unlike(second.state, wanted) == []
    assert PLATFORM.plan(after, second.state, second.native) == ()

    box.apply(PLATFORM.render(PLATFORM.plan(first.state, second.state, second.native), LEAF))
    third = box.read()
    assert unlike(third.state, first.state) == []


@given(states(), states())
def test_without_a_native_record_our_own_layout_is_assumed(
    before: DeviceState, after: DeviceState
) -> None:
    whole = PLATFORM.canonical(with_all_ports(before))
    box = box_with(before)
    box.apply(PLATFORM.render(PLATFORM.plan(after, whole), LEAF))
    wanted = PLATFORM.canonical(merged(whole, after))
    assert unlike(box.read().state, wanted) == []


# --- SONiC's own models --------------------------------------------------------------------------


@settings(max_examples=25)
@given(before=states(), after=states())
def test_the_models_accept_every_configuration_on_the_way(
    judge: Judge, before: DeviceState, after: DeviceState
) -> None:
    box = box_with(before)
    assert judge(box.config) == ""
    first = box.read()
    for file in PLATFORM.render(PLATFORM.plan(after, first.state, first.native), LEAF):
        box.apply([file])
        assert judge(box.config) == "", file.name


# --- order ---------------------------------------------------------------------------------------


def bare(config: Config, port: str) -> frozenset[tuple[int, int]]:
    """The (DSCP, priority) pairs that a port classifies, and does not pause."""
    row = config.get("PORT_QOS_MAP", {}).get(port, {})
    paused = row.get("pfc_enable", "").split(",")
    held = config.get("DSCP_TO_TC_MAP", {}).get(row.get("dscp_to_tc_map"), {})
    return frozenset((int(d), int(tc)) for d, tc in held.items() if tc not in paused)


def lossless(config: Config, port: str) -> frozenset[int]:
    row = config.get("PORT_QOS_MAP", {}).get(port, {})
    return frozenset(int(p) for p in row.get("pfc_enable", "").split(",") if p)


@given(states(), states())
def test_no_class_is_without_protection_on_the_way(before: DeviceState, after: DeviceState) -> None:
    """What is lossless before or after is never classified without PFC in between."""
    box = box_with(before)
    first = box.read()
    files = PLATFORM.render(PLATFORM.plan(after, first.state, first.native), LEAF)
    start, steps = copy.deepcopy(box.config), []
    for file in files:
        steps += [copy.deepcopy(step) for step in box.steps(file)]
    for port in PORTS:
        meant = lossless(start, port) | lossless(box.config, port)
        allowed = bare(start, port) | bare(box.config, port)
        for step in steps:
            found = {pair for pair in bare(step, port) - allowed if pair[1] in meant}
            assert not found, (port, sorted(found))


@given(states(), states())
def test_nothing_that_is_named_is_ever_missing(before: DeviceState, after: DeviceState) -> None:
    box = box_with(before)
    first = box.read()
    for file in PLATFORM.render(PLATFORM.plan(after, first.state, first.native), LEAF):
        for step in box.steps(file):
            found = PLATFORM.parse([Output("show runningconfiguration all", json.dumps(step))])
            lost = [d.text for d in found.diagnostics if d.kind == "dangling_reference"]
            assert lost == []
