"""Round trip, circular, rollback and order, over everything that EOS can say."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lossless.model.classification import Classification
from lossless.model.compare import compare_states
from lossless.model.device import Device, DeviceState
from lossless.model.effective import leaves
from lossless.model.operation import Op
from lossless.model.overlay import overlay
from lossless.model.pfc import Pfc, PfcMode
from lossless.model.settings import Settings, System
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.arista_eos import PLATFORM
from lossless.platforms.arista_eos.objects import THINGS
from lossless.platforms.arista_eos.render import FILTERS
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.macros import Macros
from tests.platforms.arista_eos.box import Box
from tests.platforms.arista_eos.strategies import PORTS, states

LEAF = Device(name="leaf01", kind="switch", model="DCS-7060X6-64PE")


def text_of(ops: tuple[Op, ...]) -> str:
    (file,) = PLATFORM.render(ops, LEAF)
    return file.text


def read(text: str, command: str = "") -> Parsed:
    return PLATFORM.parse([Output(command, text)])


def merged(before: DeviceState, after: DeviceState) -> DeviceState:
    ports = dict(before.ports)
    for name, settings in after.ports.items():
        ports[name] = overlay(before.port(name), settings)
    return DeviceState(overlay(before.system, after.system), ports)


def box_with(state: DeviceState) -> Box:
    """A box on which a state stands, and every port is there."""
    box = Box("".join(f"interface {name}\n" for name in PORTS))
    box.load(text_of(PLATFORM.plan(state)))
    return box


def seen(box: Box) -> Parsed:
    found = read(box.text(), "show running-config")
    assert found.coverage, found.diagnostics
    assert not found.unread
    return found


def with_all_ports(state: DeviceState) -> DeviceState:
    return DeviceState(state.system, {name: state.port(name) for name in PORTS})


def unlike(found: DeviceState, wanted: DeviceState) -> list[str]:
    """The leaves in which two states differ; empty exactly where they are equal."""
    said = []
    for place, one, other in [
        ("system", found.system, wanted.system),
        *((p, found.port(p), wanted.port(p)) for p in {*found.ports, *wanted.ports}),
    ]:
        a, b = dict(leaves(one)), dict(leaves(other))
        said += [
            f"{place} {path}: {a.get(path)} is not {b.get(path)}"
            for path in {*a, *b}
            if a.get(path) != b.get(path)
        ]
    assert bool(said) or found.ports.keys() != wanted.ports.keys() or found == wanted
    return sorted(said)


# --- round trip ----------------------------------------------------------------------------------


@given(states())
def test_what_is_rendered_reads_as_the_canonical_state(state: DeviceState) -> None:
    found = read(text_of(PLATFORM.plan(state)))
    wanted = PLATFORM.canonical(state)
    silent = {name for name in wanted.ports if name not in found.state.ports}
    for name in silent:  # a port of which nothing is said has no block
        assert wanted.ports[name] == PLATFORM.canonical(DeviceState(ports={name: Settings()})).port(
            name
        )
    ports = {name: held for name, held in wanted.ports.items() if name not in silent}
    assert unlike(found.state, DeviceState(wanted.system, ports)) == []
    assert found.state == DeviceState(wanted.system, ports)
    assert not list(compare_states(DeviceState(wanted.system, ports), found.state))
    assert not found.unread
    assert not found.diagnostics


@given(states())
def test_canonical_is_idempotent(state: DeviceState) -> None:
    once = PLATFORM.canonical(state)
    assert PLATFORM.canonical(once) == once


@given(states())
def test_everything_generated_can_be_said(state: DeviceState) -> None:
    assert PLATFORM.inexpressible(state) == ()


@given(states())
def test_canonical_keeps_what_is_told(state: DeviceState) -> None:
    """Independently of how `canonical` is made: each told leaf survives, or is one known loss."""
    found = PLATFORM.canonical(state)
    for name, settings in state.ports.items():
        kept = dict(leaves(found.port(name)))
        for path, held in leaves(settings):
            assert kept_or_lost(path, held, kept, dict(leaves(settings))), (name, path, held)
    kept = dict(leaves(found.system))
    for path, held in leaves(state.system):
        assert kept_or_lost(path, held, kept, dict(leaves(state.system))), (path, held)


#: What repeats the default of a port, which EOS does not print, by the leaf's name.
REPEATS: dict[str, tuple[Any, ...]] = {
    "admin_up": (True,),
    "enabled": (True, OFF),
    "access": (1,),
    "native": (1,),
    "mode": (OFF,),
}
ALIKE = ({"ets", "wrr", "dwrr", "wfq"}, {"port", "none"})


def kept_or_lost(path: Any, held: Any, kept: dict[Any, Any], all_: dict[Any, Any]) -> bool:
    now, leaf = kept.get(path), path[-1]
    if held is None or now == held or held is DEFAULT:
        return True
    if held is OFF:  # the absence of a feature is how the box comes
        return now is DEFAULT or leaf == "autoneg"
    if now is DEFAULT:
        whole_set = isinstance(held, frozenset) and not held
        return (
            whole_set
            or held in REPEATS.get(leaf, ())
            or "access" in repr(held).lower()
            or ("priority_to_tc" in path)
        )
    for words in ALIKE:
        if getattr(held, "value", None) in words:
            return now.value in words
    if leaf == "bandwidth":
        return held.amount == now.amount
    if leaf == "tagged":  # the untagged VLAN is named beside, and never tagged
        return now == held - {all_[("vlans", "native")]}
    return False


# --- circular ------------------------------------------------------------------------------------


@given(states(), states())
def test_a_plan_leads_from_before_to_after_and_back(
    before: DeviceState, after: DeviceState
) -> None:
    if not after.system.raw or not before.system.raw:  # raw lines, where told, are the whole list
        after = drop_raw(after)
        before = drop_raw(before)
    box = box_with(before)
    first = seen(box)
    assert unlike(first.state, PLATFORM.canonical(with_all_ports(before))) == []

    box.load(text_of(PLATFORM.plan(after, first.state, first.native)))
    second = seen(box)
    wanted = PLATFORM.canonical(merged(first.state, after))
    assert unlike(PLATFORM.canonical(second.state), wanted) == []
    assert PLATFORM.plan(after, second.state, second.native) == ()

    box.load(text_of(PLATFORM.plan(first.state, second.state, second.native)))
    third = seen(box)
    assert unlike(PLATFORM.canonical(third.state), PLATFORM.canonical(first.state)) == []


def drop_raw(state: DeviceState) -> DeviceState:
    return DeviceState(dataclasses.replace(state.system, raw=()), state.ports)


@given(states(), states())
def test_without_a_native_record_our_own_layout_is_assumed(
    before: DeviceState, after: DeviceState
) -> None:
    before, after = drop_raw(with_all_ports(before)), drop_raw(with_all_ports(after))
    whole = PLATFORM.canonical(before)
    box = box_with(before)
    box.load(text_of(PLATFORM.plan(after, whole)))
    wanted = PLATFORM.canonical(merged(whole, after))
    assert unlike(PLATFORM.canonical(seen(box).state), wanted) == []


# --- order ---------------------------------------------------------------------------------------

LOSSLESS = st.frozensets(st.sampled_from([3, 4, 5]), max_size=2)
MAPPED = st.dictionaries(st.sampled_from([0, 24, 26, 34]), st.sampled_from([1, 3, 4, 5]))
TWO = ("Ethernet1/1", "Ethernet2/1")


def block(header: str, lossless: frozenset[int]) -> str:
    lines = [f"   priority-flow-control priority {n} no-drop" for n in sorted(lossless)]
    on = ["   qos trust dscp", "   priority-flow-control on"] if lossless else []
    return "\n".join([header, *on, *lines, "!", ""])


@st.composite
def boxes(draw: st.DrawFn) -> str:
    """A box as its owner wrote it: a shared profile, one each, or lines on the interfaces."""
    sets = [draw(LOSSLESS), draw(LOSSLESS)]
    style = draw(st.sampled_from(["shared", "each", "interface", "mixed"]))
    text = "".join(
        f"qos map dscp {dscp} to traffic-class {tc}\n" for dscp, tc in draw(MAPPED).items()
    )
    if style == "shared":
        text += block("qos profile BOTH", sets[0])
        return text + "".join(f"interface {p}\n   service-profile BOTH\n!\n" for p in TWO)
    for port, lossless in zip(TWO, sets, strict=True):
        if style == "each" or (style == "mixed" and port == TWO[0]):
            text += block(f"qos profile OF-{port}", lossless)
            text += f"interface {port}\n   service-profile OF-{port}\n!\n"
        else:
            text += block(f"interface {port}", lossless)
    return text


@st.composite
def wishes(draw: st.DrawFn) -> DeviceState:
    named = draw(st.lists(st.sampled_from(TWO), unique=True, min_size=1))
    ports = {}
    for port in named:
        lossless = draw(LOSSLESS)
        mode = PfcMode.ON if lossless else OFF
        ports[port] = Settings(pfc=Pfc(mode=mode, send=lossless, honour=lossless))
    maps = draw(MAPPED)
    told = tuple(maps.get(dscp, DEFAULT) for dscp in range(64))
    classification = Classification(dscp_to_priority=told)
    return DeviceState(System(settings=Settings(classification=classification)), ports)


def classes(parsed: Parsed) -> list[int]:
    """The class of each DSCP: what is told over EOS's default table."""
    table_ = [1] * 8 + [0] * 8 + [dscp >> 3 for dscp in range(16, 64)]
    told = parsed.state.system.settings.classification.dscp_to_priority
    return [n if is_value(n) else d for n, d in zip(told, table_, strict=True)]


def protected(parsed: Parsed, port: str) -> list[bool]:
    """For each DSCP, whether the class it is put in is paused on a port."""
    pfc = parsed.state.port(port).pfc
    lossless = pfc.send if is_value(pfc.send) and pfc.mode is PfcMode.ON else frozenset()
    return [tc in lossless for tc in classes(parsed)]


@given(boxes(), wishes())
def test_no_class_is_without_protection_on_the_way(text: str, after: DeviceState) -> None:
    """After every line: a DSCP that is lossless before and after is lossless, and one that has its
    new, lossless class already is protected in it.
    """
    box = Box(text)
    start = seen(box)
    lines = text_of(PLATFORM.plan(after, start.state, start.native)).splitlines()
    box.load("\n".join(lines))
    end = seen(box)
    wanted = PLATFORM.canonical(merged(start.state, after))
    assert unlike(PLATFORM.canonical(end.state), wanted) == []
    for number in range(len(lines) + 1):
        step = Box(text)
        step.load("\n".join(lines[:number]))
        now = seen(step)
        for port in TWO:
            assert exposed(start, now, end, port) == [], lines[:number]


def exposed(start: Parsed, now: Parsed, end: Parsed, port: str) -> list[int]:
    """The DSCPs that ought to be protected and are not."""
    was, becomes, at = classes(start), classes(end), classes(now)
    first, last, held = (protected(p, port) for p in (start, end, now))
    return [
        dscp
        for dscp in range(64)
        if not held[dscp]
        and last[dscp]
        and (first[dscp] or (at[dscp] == becomes[dscp] != was[dscp]))
    ]


@given(states())
def test_phases_of_a_whole_configuration_rise(state: DeviceState) -> None:
    """What takes something away (a port's link, the box's PFC) comes after all that adds."""
    ops = PLATFORM.plan(state)
    takes = [op.object in ("shutdown", "pfc_stop") for op in ops]
    assert takes == sorted(takes)
    phases = [op.phase for op, take in zip(ops, takes, strict=True) if not take]
    assert phases == sorted(phases)


@given(states())
def test_names_are_made_from_content(state: DeviceState) -> None:
    turned = DeviceState(state.system, dict(reversed(state.ports.items())))
    assert PLATFORM.plan(state) == PLATFORM.plan(turned)


def test_every_kind_of_operation_has_a_source_and_its_macros() -> None:
    macros = Macros("arista_eos", filters=FILTERS)
    written_anew = {"kept_line", "group_reserved", "group_threshold", "group_headroom"}
    written_anew |= {"group_resume", "queue_reserved", "queue_threshold"}
    for thing in THINGS.values():
        assert thing.source
        assert thing.impact.duration is None
        assert macros.has(f"set_{thing.name}") or thing.name == "watchdog_override"
        assert macros.has(f"unset_{thing.name}") or thing.name in written_anew
