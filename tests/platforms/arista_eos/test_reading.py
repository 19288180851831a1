"""Reading: spellings, what is and what is not wholly seen, and text that is damaged."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.model.classification import Trust
from lossless.model.effective import leaves
from lossless.model.link import Fec, VlanMode
from lossless.model.pfc import PfcMode, WatchdogAction
from lossless.model.scheduling import EcnBasis
from lossless.model.settings import NOTHING, Settings
from lossless.model.units import Quantity, Unit
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.arista_eos import PLATFORM
from lossless.platforms.arista_eos.names import expand, full_name
from lossless.platforms.contract import Output, Parsed
from tests.platforms.arista_eos.samples import LEAF, SPINE

RUNNING = "show running-config"


def read(text: str, command: str = "") -> Parsed:
    return PLATFORM.parse([Output(command, text)])


def port(lines: str, name: str = "Ethernet1") -> Settings:
    body = "".join(f"   {line}\n" for line in lines.split("; "))
    return read(f"interface Ethernet1\n{body}!\n").state.port(name)


# --- a whole box ---------------------------------------------------------------------------------


def test_an_operators_leaf() -> None:
    parsed = read(LEAF, RUNNING)
    assert parsed.coverage == {RUNNING}
    assert parsed.facts == {"hostname": "tor7", "model": "DCS-7060DX5-64S", "version": "4.31.2F"}
    assert list(parsed.state.ports) == [
        "Ethernet1/1",
        "Ethernet2/1",
        "Ethernet3/1",
        *(f"Ethernet4/{n}" for n in range(1, 5)),
    ]
    assert parsed.unread == ()
    assert [(d.kind, d.line) for d in parsed.diagnostics] == [("unattached_object", 30)]
    first = parsed.state.port("Ethernet1/1")
    assert (first.pfc.mode, first.pfc.send) == (PfcMode.ON, {3})
    third = parsed.state.port("Ethernet3/1")
    assert (third.pfc.mode, third.pfc.send) == (PfcMode.ON, {4})
    assert (third.dcb.dcbx, third.dcb.dialect, third.dcb.advertise) == (True, "ieee", True)
    assert (third.vlans.mode, third.vlans.tagged) == (VlanMode.TRUNK, {10, 20, 21, 22})
    assert {parsed.state.port(f"Ethernet4/{n}").link.admin_up for n in range(1, 5)} == {OFF}
    assert parsed.native.queue_kind == "uc-tx-queue"


def test_what_a_profile_carries_beside_the_model_is_kept() -> None:
    kept = read(LEAF).native.profiles["AI-HOST"].kept
    assert [(line.context, line.text) for line in kept] == [
        ((), "shape rate 95 percent"),
        (("uc-tx-queue 3",), "!! the one that must not drop"),
        (("mc-tx-queue 1",), "bandwidth percent 10"),
    ]


def test_a_guarantee_in_kbps_is_told_and_has_no_place() -> None:
    parsed = read(SPINE)
    (row,) = [r for q, r in parsed.state.port("Ethernet1").ets.queues if q == 3]
    assert row.guaranteed is None
    assert row.cap is DEFAULT
    assert parsed.unread == ()


def test_a_line_for_all_groups_and_its_exceptions() -> None:
    parsed = read(SPINE)
    groups = dict(parsed.state.system.settings.buffers.groups)
    assert {g.headroom for g in groups.values()} == {Quantity(Fraction(200_000), Unit.BYTES)}
    assert {g.reserved for g in groups.values()} == {DEFAULT}


def test_buffers_are_not_told_where_the_profile_in_force_was_not_seen() -> None:
    parsed = read("platform trident mmu queue profile gone apply\n")
    assert parsed.state.system.settings.buffers.groups == ()
    assert [d.kind for d in parsed.diagnostics] == ["dangling_reference"]


# --- what was seen -------------------------------------------------------------------------------


def test_missing_lines_stand_at_default_only_where_all_was_seen() -> None:
    whole = read(LEAF, RUNNING).state
    assert whole.port("Ethernet4/1").pfc.mode is DEFAULT
    assert whole.system.settings.classification.dscp_to_priority[0] is DEFAULT
    cut = read(LEAF.removesuffix("end\n"), RUNNING)
    assert cut.coverage == frozenset()
    assert cut.state.port("Ethernet4/1").pfc.mode is None
    assert cut.state.system.settings.classification.dscp_to_priority[0] is None
    assert cut.state.system.settings.classification.dscp_to_priority[26] == 3


def test_a_section_of_the_configuration_is_not_the_whole() -> None:
    text = "! Command: show running-config section qos\nqos map dscp 26 to traffic-class 3\nend\n"
    parsed = read(text, "show running-config section qos")
    assert parsed.coverage == frozenset()
    assert parsed.state.system.settings.classification.dscp_to_priority[0] is None


def test_a_block_that_was_cut_off_does_not_tell_which_priorities_are_lossless() -> None:
    text = (
        "! Command: show running-config\ninterface Ethernet1\n   priority-flow-control on\n"
        "   priority-flow-control priority 3 no-drop"
    )
    pfc = read(text).state.port("Ethernet1").pfc
    assert (pfc.mode, pfc.send) == (PfcMode.ON, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("interface Ethernet1\n --More-- \x08\x08\x08   mtu 9214\n", "pager"),
        ("   mtu 9214\ninterface Ethernet1\n   mtu 9000\n", "missing before it"),
        ("interface Ethernet1\n   mtu 9214\n   qos tru", "cut off"),
        ("interface Ethernet1\n   mtu 9214\x00\n", "control characters"),
        ("! Command: show running-config\nqos rewrite dscp\n", "ends with `end`"),
    ],
)
def test_damage_is_told_and_what_is_sound_is_read(text: str, said: str) -> None:
    parsed = read(text)
    assert any(d.kind == "damaged" and said in d.text for d in parsed.diagnostics)
    assert parsed.coverage == frozenset()
    assert parsed.understood


def test_the_pagers_prompt_takes_no_line_away() -> None:
    text = "interface Ethernet1\n --More-- \x08\x08\x08\x08   mtu 9214\n"
    assert read(text).state.port("Ethernet1").mtu.native == 9214


@given(
    st.sampled_from([LEAF, SPINE]),
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 40), st.text(max_size=12)), max_size=4),
    st.integers(0, 3000),
)
def test_damaged_text_never_raises(text: str, cuts: list[tuple[int, int, str]], end: int) -> None:
    for start, length, put in cuts:
        text = text[:start] + put + text[start + length :]
    parsed = read(text[:end], RUNNING)
    for settings in parsed.state.ports.values():
        assert isinstance(dict(leaves(settings)), dict)
    if not text[:end].rstrip().endswith("\nend"):
        assert parsed.coverage == frozenset()


@given(st.lists(st.sampled_from(LEAF.splitlines() + SPINE.splitlines())))
def test_lines_in_any_order_never_raise(lines: list[str]) -> None:
    read("\n".join(lines))


@pytest.mark.parametrize(
    "text",
    [
        "mtu " + "9" * 6000,
        "interface Ethernet" + "1" * 6000,
        "qos map dscp " + "1 " * 6000 + "to traffic-class 3",
        "priority-flow-control pause watchdog default timeout 0." + "3" * 6000,
        "interface Ethernet1\n" + "\n".join(" " * n + "x" for n in range(1, 3000)),
        '{"cmds": ' * 2000,
        '{"cmds": {"a": 1, "b": {"cmds": []}}}',
        "\x00\xff\ufffd",
        "",
    ],
)
def test_strange_text_never_raises(text: str) -> None:
    parsed = read(text)
    assert all(s == NOTHING or s.mtu.native is not None for s in parsed.state.ports.values()) or (
        parsed.diagnostics
    )


# --- lines ---------------------------------------------------------------------------------------


def test_unread_lines_carry_their_context() -> None:
    text = (
        "qos profile X\n   priority-flow-control wibble\n   !\n   tx-queue 3\n      wobble\n"
        "qos map dscp 99x to nowhere\ninterface Ethernet1\n   dcbx no-such\n   ip address\n"
        "interface defaults\n   mtu 9000\n"
    )
    assert [(u.line, u.text, u.context) for u in read(text).unread] == [
        (2, "priority-flow-control wibble", ("qos profile X",)),
        (5, "wobble", ("qos profile X", "tx-queue 3")),
        (6, "qos map dscp 99x to nowhere", ()),
        (8, "dcbx no-such", ("interface Ethernet1",)),
        (11, "mtu 9000", ("interface defaults",)),
    ]


def test_lines_that_only_look_like_ours() -> None:
    text = (
        "interface Ethernet1\n   service-policy type pdp input default-pdp-policy\n"
        "   no error-correction reed-solomon bypass\n   switchport dot1q ethertype 0x8100\n"
        "   qos trust dscp\n"
    )
    assert read(text).unread == ()


def test_what_stands_twice_is_told() -> None:
    text = "qos map dscp 26 to traffic-class 3\nqos map dscp 26 27 to traffic-class 4\n"
    parsed = read(text)
    assert [(d.kind, d.line) for d in parsed.diagnostics] == [("duplicate", 2)]
    assert "line 1" in parsed.diagnostics[0].text
    assert parsed.state.system.settings.classification.dscp_to_priority[26] == 4


def test_names_that_mean_nothing_are_told() -> None:
    text = (
        "interface Ethernet1\n   service-profile GONE\n   service-policy type qos input NONE\n"
        "policy-map type quality-of-service SPARE\n   class class-default\n"
    )
    parsed = read(text)
    assert [(d.kind, d.line) for d in parsed.diagnostics] == [
        ("dangling_reference", 2),
        ("dangling_reference", 3),
        ("unattached_object", 4),
    ]
    assert [u.line for u in parsed.unread] == [3, 4, 5]


def test_the_interface_outweighs_its_profile() -> None:
    text = (
        "qos profile P\n   qos trust dscp\n   priority-flow-control on\n"
        "   priority-flow-control priority 3 no-drop\n"
        "interface Ethernet1\n   service-profile P\n   qos trust cos\n"
        "   priority-flow-control priority 3 drop\n   priority-flow-control priority 4 no-drop\n"
    )
    settings = read(text).state.port("Ethernet1")
    assert settings.classification.trust is Trust.PCP
    assert settings.pfc.send == {4}


def test_defaults_that_are_printed_do_not_outweigh_a_profile() -> None:
    text = (
        "! Command: show running-config all\nqos profile P\n   qos cos 3\n"
        "   priority-flow-control on\n   no priority-flow-control pause watchdog\n"
        "interface Ethernet1\n   service-profile P\n   qos cos 0\n   no priority-flow-control\n"
        "   priority-flow-control pause watchdog\n   no qos rewrite dscp\nend\n"
    )
    parsed = read(text)
    assert parsed.coverage == {RUNNING, "show running-config all"}
    settings = parsed.state.port("Ethernet1")
    assert settings.classification.default_pcp == 3
    assert settings.pfc.mode is PfcMode.ON
    assert settings.watchdog.enabled is OFF


def test_spellings() -> None:
    assert port("priority-flow-control mode on").pfc.mode is PfcMode.ON
    assert port("no priority-flow-control").pfc.mode is OFF
    assert port("default priority-flow-control").pfc.mode is DEFAULT
    assert port("no qos trust").classification.trust is Trust.PORT
    assert port("default qos trust").classification.trust is DEFAULT
    assert port("speed forced 100gfull").link.speed == 100 * 10**9
    assert port("speed auto 10gfull").link.autoneg is True
    assert port("speed 1.6t-8").link.speed == 1600 * 10**9
    assert port("no error-correction encoding").link.fec is Fec.NONE
    assert port("flowcontrol receive on").link.pause_honour is True
    assert port("flowcontrol send off").link.pause_send is OFF
    assert port("flowcontrol send desired").link.pause_send is None
    assert port("switchport").vlans.mode is DEFAULT
    assert port("priority-flow-control pause watchdog port action notify-only").watchdog.action is (
        WatchdogAction.ALERT
    )
    delay = port("random-detect ecn delay threshold 3 milliseconds").ecn.queues
    assert {(r.enabled, r.basis) for _, r in delay} == {(True, EcnBasis.LATENCY)}
    assert len(delay) == 8


@pytest.mark.parametrize(
    ("spelled", "names"),
    [
        ("Ethernet1/1", ("Ethernet1/1",)),
        ("Ethernet 1/1", ("Ethernet1/1",)),
        ("Et1/1", ("Ethernet1/1",)),
        ("Ethernet1/1-3", ("Ethernet1/1", "Ethernet1/2", "Ethernet1/3")),
        ("Ethernet3/1/1-3/1/2", ("Ethernet3/1/1", "Ethernet3/1/2")),
        ("Ethernet1,3-4", ("Ethernet1", "Ethernet3", "Ethernet4")),
        ("Port-Channel3", ("Port-Channel3",)),
        ("Ethernet1/1-8/1", ()),
        ("Ethernet4-2", ()),
        ("Management1", ()),
        ("Ethernet1.100", ()),
    ],
)
def test_interfaces(spelled: str, names: tuple[str, ...]) -> None:
    assert expand(spelled) == names


def test_short_names() -> None:
    assert full_name("Et10/28/1") == "Ethernet10/28/1"
    assert full_name("Po3") == "Port-Channel3"
    assert full_name("Vlan10") == "Vlan10"


# --- other outputs -------------------------------------------------------------------------------


def test_version_as_json() -> None:
    text = json.dumps({"mfgName": "Arista", "modelName": "DCS-7060X6-64PE-F", "version": "4.33.1F"})
    parsed = PLATFORM.parse(
        [Output("show version | json | no-more", text), Output(RUNNING, LEAF, "run")]
    )
    assert PLATFORM.recognises(text)
    assert parsed.facts["model"] == "DCS-7060X6-64PE-F"
    assert parsed.facts["version"] == "4.33.1F"
    assert parsed.facts["hostname"] == "tor7"
    assert parsed.coverage == {RUNNING}


def test_configuration_as_json() -> None:
    text = json.dumps(
        {
            "cmds": {
                "qos map dscp 26 to traffic-class 3": None,
                "interface Ethernet1": {
                    "cmds": {
                        "mtu 9214": None,
                        "tx-queue 3": {"cmds": {"no priority": None}, "comments": []},
                    }
                },
            }
        }
    )
    parsed = read(text, "show running-config | json")
    assert parsed.coverage == {RUNNING}
    assert parsed.state.port("Ethernet1").mtu.native == 9214
    assert parsed.state.system.settings.classification.dscp_to_priority[26] == 3


def test_other_commands_are_left_alone() -> None:
    text = "Port   Enabled  Priorities\nEt1    Yes      3\n"
    assert not PLATFORM.parse([Output("show priority-flow-control", text)]).understood


def test_other_platforms_are_not_taken_for_eos() -> None:
    nexus = (
        "feature lldp\npolicy-map type network-qos qos_network\nsystem qos\n"
        "interface Ethernet1/1\n  priority-flow-control mode on\n"
    )
    assert not PLATFORM.recognises(nexus)
    assert PLATFORM.recognises(LEAF)
    assert PLATFORM.recognises(SPINE)
