"""What plans do: order, generations, bonds, the macro, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.findings import InputError
from lossless.model.classification import Classification, Trust
from lossless.model.device import Device, DeviceState, Port
from lossless.model.effective import effective
from lossless.model.operation import ImpactKind, Op, Verb
from lossless.model.pfc import Pfc, PfcMode, Watchdog
from lossless.model.settings import Settings, System
from lossless.model.values import DEFAULT, OFF, number_map
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.nvidia_cumulus import PLATFORM
from lossless.platforms.nvidia_cumulus.render import commands
from tests.platforms.nvidia_cumulus.strategies import profile_of, states
from tests.platforms.nvidia_cumulus.switch import Switch
from tests.platforms.nvidia_cumulus.test_laws import box_with, leaf, load, seen

P14 = profile_of(14)
THREE = Pfc(mode=PfcMode.ON, send=frozenset({3}), honour=frozenset({3}))
FOUR = Pfc(mode=PfcMode.ON, send=frozenset({4}), honour=frozenset({4}))
MACRO = System(macro="roce-lossless")
WHOLE = "nv config show -o yaml"


def rendered(state: DeviceState, release: int, device: Device | None = None) -> str:
    ops = PLATFORM.plan(state, None, None, profile_of(release))
    (file,) = PLATFORM.render(ops, device or leaf(release))
    return file.text


def read(text: str, release: int = 14) -> Parsed:
    return PLATFORM.parse([Output(WHOLE, text, "c.yaml")], profile_of(release))


# --- the macro -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("release", "words"), [(0, "enable: 'on'"), (14, "enable: 'on'"), (15, "state: enabled")]
)
def test_the_macro_in_the_words_of_a_release(release: int, words: str) -> None:
    text = rendered(DeviceState(MACRO, {"swp1": Settings(pfc=THREE)}), release)
    body = [line.strip() for line in text.splitlines()[1:]]
    assert body[:3] == ["- set:", "qos:", "roce:"]
    assert set(body[3:]) == {words, "mode: lossless"}


def test_what_the_macro_does_anyway_needs_no_profile_and_stays_in_force() -> None:
    wanted = Settings(
        pfc=THREE,
        classification=Classification(trust=Trust.BOTH, dscp_to_priority=number_map(64, {26: 3})),
    )
    found = PLATFORM.canonical(DeviceState(MACRO, {"swp1": wanted}), P14)
    port = found.port("swp1")
    assert port.pfc.send is DEFAULT
    held = effective(port, P14, found.system, assume_defaults=False).settings
    assert held.pfc == THREE
    assert held.classification.trust is Trust.BOTH


def test_a_deviation_brings_all_of_what_the_macro_says_of_the_feature() -> None:
    """A profile replaces what the box says, so what was not asked about is written out."""
    wanted = Settings(classification=Classification(dscp_to_priority=number_map(64, {26: 4})))
    found = PLATFORM.canonical(DeviceState(MACRO, {"swp1": wanted}), P14).port("swp1")
    told = found.classification.dscp_to_priority
    assert told[26] == 4
    assert [told[n] for n in range(64) if n != 26] == [n // 8 for n in range(64) if n != 26]
    assert found.classification.trust is Trust.BOTH
    assert found.pfc.send is DEFAULT  # another feature, which follows the macro


def test_the_vendor_s_recipe_for_another_priority_refines_the_macro() -> None:
    recipe = """\
nv set qos roce mode lossless
nv set qos pfc default-global switch-priority 2
nv set qos egress-queue-mapping default-global switch-priority 2 traffic-class 3
nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 0
nv set qos mapping default-global dscp 26 switch-priority 2
"""
    found = PLATFORM.parse([Output("nv config show -o commands", recipe)], P14)
    assert not found.unread
    held = effective(Settings(), P14, found.state.system, assume_defaults=False).settings
    assert held.pfc.send == held.pfc.honour == frozenset({2})
    assert held.classification.dscp_to_priority[24:28] == (3, 3, 2, 3)
    assert held.classification.priority_to_tc == (0, 0, 3, 0, 0, 0, 6, 0)
    assert (found.lines["system", "macro"]) == (None, 1)


# --- reading -------------------------------------------------------------------------------------

OWN_PROFILE = """\
- header: {model: SN5600, nvue-api-version: nvue_v1, rev-id: 1.0, version: Cumulus Linux 5.14.0}
- set:
    interface:
      swp1-2,swp4s0-1:
        qos:
          mapping:
            profile: ROCE_MAP
      bond1:
        bond:
          member:
            swp7: {}
        qos:
          mapping:
            profile: ROCE_MAP
    qos:
      mapping:
        ROCE_MAP:
          dscp:
            '26':
              switch-priority: 4
          trust: l3
      roce:
        enable: on
        mode: lossless
"""


def test_ranges_bonds_header_and_lines() -> None:
    found = read(OWN_PROFILE)
    assert set(found.state.ports) == {"swp1", "swp2", "swp4s0", "swp4s1", "swp7", "bond1"}
    assert found.facts == {"model": "SN5600", "version": "5.14.0"}
    assert len({found.state.port(name) for name in found.state.ports}) == 1
    place = ("ports", "swp1", "classification", "dscp_to_priority", 26)
    assert found.lines[place] == ("c.yaml", 20)


def test_a_profile_of_its_own_hides_the_macro_s_map() -> None:
    text = OWN_PROFILE.replace("mode: lossless", "mode: lossy-multi-tc")
    found = read(text)
    held = effective(found.state.port("swp1"), P14, found.state.system, assume_defaults=False)
    told = held.settings.classification
    assert told.trust is Trust.DSCP
    assert told.dscp_to_priority[26] == 4
    assert told.dscp_to_priority[11] == 1  # the platform's default; the macro says 4


def test_without_a_header_or_command_nothing_counts_as_seen_whole() -> None:
    found = PLATFORM.parse([Output("", "nv set interface swp1 link mtu 9000\n")], P14)
    assert found.state.port("swp1").mtu.native == 9000
    assert found.state.port("swp1").pfc.send is None
    assert found.coverage == frozenset()
    after = DeviceState(ports={"swp1": Settings(pfc=THREE)})
    with pytest.raises(ValueError, match="not seen"):
        PLATFORM.plan(after, found.state, found.native, P14)


def test_a_header_as_the_manual_prints_it() -> None:
    found = read(OWN_PROFILE.replace("- header: {", "header: {", 1))
    assert found.coverage or found.diagnostics  # never taken for a whole box in silence


# --- bonds ---------------------------------------------------------------------------------------


def test_profiles_of_members_are_bound_to_the_bond() -> None:
    ports = tuple(Port(name=name, bond="bond1") for name in ("swp7", "swp8"))
    device = replace(leaf(14), ports=ports)
    watched = Settings(pfc=THREE, watchdog=Watchdog(enabled=True))
    text = rendered(DeviceState(ports=dict.fromkeys(("swp7", "swp8"), watched)), 14, device)
    box = Switch("5.14")
    box.load("nvue.yaml", text)
    interfaces = box.tree["interface"]
    assert set(interfaces["bond1"]["qos"]) == {"pfc"}
    assert set(interfaces["swp7"]["qos"]) == set(interfaces["swp8"]["qos"]) == {"pfc-watchdog"}


def test_members_that_disagree_are_refused() -> None:
    ports = tuple(Port(name=name, bond="bond1") for name in ("swp7", "swp8"))
    device = replace(leaf(14), ports=ports)
    state = DeviceState(ports={"swp7": Settings(pfc=THREE), "swp8": Settings(pfc=FOUR)})
    with pytest.raises(InputError, match="different profiles"):
        rendered(state, 14, device)


def test_a_change_of_a_member_is_a_change_of_its_bond() -> None:
    found = read(OWN_PROFILE)
    after = DeviceState(ports={"swp7": Settings(classification=Classification(trust=Trust.PCP))})
    ops = PLATFORM.plan(after, found.state, found.native, P14)
    assert [op.key[1] for op in ops if op.verb is Verb.ATTACH] == ["bond1"]


# --- edits ---------------------------------------------------------------------------------------


def test_a_profile_that_all_its_ports_want_changed_is_edited_in_place() -> None:
    found = read(OWN_PROFILE)
    wish = Settings(classification=Classification(dscp_to_priority=number_map(64, {26: 3})))
    after = DeviceState(ports=dict.fromkeys(found.state.ports, wish))
    ops = PLATFORM.plan(after, found.state, found.native, P14)
    assert commands(ops, 14) == ("nv set qos mapping ROCE_MAP dscp 26 switch-priority 3",)


def test_a_port_that_wants_another_one_leaves_the_others_alone() -> None:
    found = read(OWN_PROFILE)
    wish = Settings(classification=Classification(dscp_to_priority=number_map(64, {26: 3})))
    after = DeviceState(ports={"swp1": wish})
    ops = PLATFORM.plan(after, found.state, found.native, P14)
    assert [op.verb for op in ops] == [Verb.CREATE, Verb.ATTACH]
    assert [op.key[1] for op in ops if op.verb is Verb.ATTACH] == ["swp1"]


def test_a_change_that_takes_something_away_is_a_list_of_commands() -> None:
    found = read(OWN_PROFILE)
    gone = Settings(classification=Classification(trust=Trust.BOTH))
    told = tuple(n // 8 for n in range(64))
    gone = replace(gone, classification=replace(gone.classification, dscp_to_priority=told))
    after = DeviceState(ports=dict.fromkeys(found.state.ports, gone))
    ops = PLATFORM.plan(after, found.state, found.native, P14)
    (file,) = PLATFORM.render(ops, leaf(14))
    assert file.name == "nvue-commands.txt"
    assert "nv unset interface swp1 qos mapping profile" in file.text.splitlines()
    assert "nv unset qos mapping ROCE_MAP" in file.text.splitlines()


@given(states(14), states(14))
def test_no_port_names_a_profile_that_is_not_there_on_the_way(
    before: DeviceState, after: DeviceState
) -> None:
    box = box_with(before, 14)
    first = seen(box, P14)
    for op in PLATFORM.plan(after, first.state, first.native, P14):
        load(box, (op,), 14)
        assert box.bound() <= set(box.profiles())


PAUSES = st.sampled_from([Settings(pfc=pfc) for pfc in (Pfc(mode=DEFAULT), THREE, FOUR)])


@given(PAUSES, PAUSES, st.sampled_from([3, 4]), st.sampled_from([3, 4]))
def test_a_class_is_moved_after_it_is_paused_and_before_it_is_not(
    old: Settings, new: Settings, was: int, now: int
) -> None:
    """Pauses that only come are there before packets are; those that only go outlast them."""

    def told(port: Settings, priority: int) -> DeviceState:
        maps = Classification(trust=Trust.DSCP, dscp_to_priority=number_map(64, {26: priority}))
        return DeviceState(ports={"swp1": replace(port, classification=maps)})

    box = box_with(told(old, was), 14)
    first = seen(box, P14)
    ops = PLATFORM.plan(told(new, now), first.state, first.native, P14)
    places = {op.object: n for n, op in enumerate(ops) if op.verb in (Verb.ATTACH, Verb.DETACH)}
    if "pfc" in places and "mapping" in places:
        loses = old.pfc.mode is PfcMode.ON and new.pfc.mode is not PfcMode.ON
        assert (places["mapping"] < places["pfc"]) is loses


def test_what_traffic_notices() -> None:
    ops = PLATFORM.plan(DeviceState(MACRO, {"swp1": Settings(pfc=FOUR)}), None, None, P14)
    felt = {op.object: op.impact for op in ops if op.verb is not Verb.CREATE}
    assert felt["roce"].kind is ImpactKind.PACKET_LOSS
    assert felt["pfc"].scope == "box"
    assert all(op.source for op in ops)


# --- what may be written -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["swp1; reboot", "swp1\n- set", "'swp1'", "swp-1-2-and-so-on"])
def test_an_odd_name_reaches_no_device(name: str) -> None:
    state = DeviceState(ports={name: Settings(pfc=THREE)})
    gaps = PLATFORM.inexpressible(state, P14)
    assert [gap.path for gap in gaps] == [("ports", name)]
    assert PLATFORM.plan(state, None, None, P14) == ()


def test_words_of_a_newer_release_are_refused_with_the_reason() -> None:
    state = DeviceState(System(macro="roce-lossless-single-ipool"))
    (gap,) = PLATFORM.inexpressible(state, profile_of(11))
    assert gap.path == ("system", "macro")
    assert "5.11" in gap.message
    odd = Op(verb=Verb.SET, object="roce", key=("qos", "roce", "mode"), new="dci-1")
    with pytest.raises(InputError, match="does not take"):
        PLATFORM.render((odd,), leaf(14))
    assert PLATFORM.inexpressible(DeviceState(ports={"swp1": Settings(pfc=FOUR)}), profile_of(2))


def test_ports_that_want_different_maps_to_queues_are_told() -> None:
    def to(queue: int) -> Settings:
        return Settings(classification=Classification(priority_to_tc=number_map(8, {4: queue})))

    gaps = PLATFORM.inexpressible(DeviceState(ports={"swp1": to(3), "swp2": to(5)}), P14)
    assert [gap.path[:3] for gap in gaps] == [("ports", "swp2", "classification")]


def test_an_unknown_box_is_written_in_the_words_that_it_showed() -> None:
    found = PLATFORM.parse([Output(WHOLE, OWN_PROFILE.replace("5.14.0", "?"))], None)
    after = DeviceState(System(macro="roce-lossy"))
    ops = PLATFORM.plan(after, found.state, found.native, None)
    (file,) = PLATFORM.render(ops, Device(name="leaf01", kind="switch"))
    assert "mode: lossy" in file.text
    off = PLATFORM.plan(DeviceState(System(macro=OFF)), found.state, found.native, None)
    assert commands(off, 14)[-1] == "nv unset qos roce mode"
    (file,) = PLATFORM.render(off, Device(name="leaf01", kind="switch"))
    assert "nv set qos roce enable off" in file.text.splitlines()
