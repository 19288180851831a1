"""Round trip, circular, rollback and order, over everything that each release of NVUE can say."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lossless.model.compare import compare_states
from lossless.model.device import Device, DeviceState
from lossless.model.effective import effective, effective_system, leaves
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.model.settings import Settings
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.nvidia_cumulus import PLATFORM
from tests.platforms.nvidia_cumulus.strategies import PORTS, profile_of, releases, states
from tests.platforms.nvidia_cumulus.switch import Switch

CONFIG = "nv config show -o yaml"


def leaf(release: int) -> Device:
    return Device(name="leaf01", kind="switch", version=f"5.{release}", model="SN5600")


def load(box: Switch, ops: object, release: int) -> None:
    for file in PLATFORM.render(ops, leaf(release)):  # type: ignore[arg-type]
        box.load(file.name, file.text)


def box_with(state: DeviceState, release: int) -> Switch:
    box = Switch(f"5.{release}", PORTS)
    load(box, PLATFORM.plan(state, None, None, profile_of(release)), release)
    return box


def seen(box: Switch, profile: Profile, style: str = "yaml") -> Parsed:
    found = PLATFORM.parse([Output(f"nv config show -o {style}", box.show(style))], profile)
    assert found.coverage
    assert not found.unread
    assert not found.diagnostics
    return found


def with_all_ports(state: DeviceState) -> DeviceState:
    return DeviceState(state.system, {name: state.port(name) for name in PORTS})


def merged(before: DeviceState, after: DeviceState) -> DeviceState:
    ports = dict(before.ports)
    for name, settings in after.ports.items():
        ports[name] = overlay(before.port(name), settings)
    return DeviceState(overlay(before.system, after.system), ports)


def without_lines(state: DeviceState) -> DeviceState:
    return DeviceState(replace(state.system, raw=()), state.ports)


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
    return sorted(said)


def meaning(state: DeviceState, profile: Profile) -> DeviceState:
    """What is in force: a default that is written out is that default."""

    def settled(port: Settings) -> Settings:
        return effective(port, profile, state.system, assume_defaults=False).settings

    box = replace(
        effective_system(state.system, profile, assume_defaults=False), settings=settled(Settings())
    )
    return DeviceState(box, {name: settled(port) for name, port in state.ports.items()})


def differ(found: DeviceState, wanted: DeviceState, profile: Profile) -> list[str]:
    """The leaves in which what two states mean differs, as the platform gives them back."""
    canonical = PLATFORM.canonical
    one, other = canonical(found, profile), canonical(wanted, profile)
    said = unlike(meaning(one, profile), meaning(other, profile))
    # `fec rs` without a speed that tells its code is among the losses: it reads back as not told.
    return [line for line in said if not ("'fec'" in line and "None" in line)]


@st.composite
def one(draw: st.DrawFn) -> tuple[int, DeviceState]:
    release = draw(releases())
    return release, draw(states(release))


@st.composite
def two(draw: st.DrawFn) -> tuple[int, DeviceState, DeviceState]:
    release = draw(releases())
    return release, draw(states(release)), draw(states(release))


@given(one(), st.sampled_from(["yaml", "json", "commands"]))
def test_what_is_rendered_reads_as_the_canonical_state(
    drawn: tuple[int, DeviceState], style: str
) -> None:
    release, state = drawn
    profile = profile_of(release)
    found = seen(box_with(state, release), profile, style)
    wanted = PLATFORM.canonical(with_all_ports(state), profile)
    assert unlike(found.state, wanted) == []
    assert found.state == wanted
    assert not list(compare_states(wanted, found.state, profile.units))


@given(one())
def test_canonical_is_idempotent(drawn: tuple[int, DeviceState]) -> None:
    release, state = drawn
    once = PLATFORM.canonical(state, profile_of(release))
    assert unlike(PLATFORM.canonical(once, profile_of(release)), once) == []


@given(one())
def test_everything_generated_can_be_said(drawn: tuple[int, DeviceState]) -> None:
    release, state = drawn
    assert PLATFORM.inexpressible(state, profile_of(release)) == ()


@given(two())
def test_a_plan_leads_from_before_to_after_and_back(
    drawn: tuple[int, DeviceState, DeviceState],
) -> None:
    release, before, after = drawn
    if not (before.system.raw and after.system.raw):  # lines, where told, are the whole list
        before, after = without_lines(before), without_lines(after)
    profile = profile_of(release)
    box = box_with(before, release)
    first = seen(box, profile)

    load(box, PLATFORM.plan(after, first.state, first.native, profile), release)
    second = seen(box, profile)
    assert differ(second.state, merged(first.state, after), profile) == []
    assert PLATFORM.plan(after, second.state, second.native, profile) == ()

    load(box, PLATFORM.plan(first.state, second.state, second.native, profile), release)
    third = seen(box, profile)
    assert differ(third.state, first.state, profile) == []
