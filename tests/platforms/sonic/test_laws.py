"""Round trip, circular, rollback and order, over everything that CONFIG_DB can hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.model.compare import compare_states
from lossless.model.device import Device, DeviceState
from lossless.model.effective import leaves
from lossless.model.operation import Verb
from lossless.model.overlay import overlay
from lossless.model.settings import Settings
from lossless.model.values import is_value
from lossless.platforms.contract import Output
from lossless.platforms.sonic import PLATFORM
from lossless.platforms.sonic.canonical import spread
from tests.platforms.sonic.box import Box, Config
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
    for name, settings in after.ports.items():
        told = overlay(before.port(name), settings)
        ports[name] = told
    return DeviceState(overlay(before.system, after.system), ports)


def unlike(found: DeviceState, wanted: DeviceState) -> list[str]:
    """The leaves in which two states differ."""
    said = []
    for place, one, other in [
        ("system", found.system, wanted.system),
        *((p, found.port(p), wanted.port(p)) for p in {*found.ports, *wanted.ports}),
    ]:
        a, b = dict(leaves(one)), dict(leaves(other))
        for path in {*a, *b}:
            if a.get(path) != b.get(path) and path != ("link", "lanes"):
                said.append(f"{place} {path}: {a.get(path)} is not {b.get(path)}")
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
