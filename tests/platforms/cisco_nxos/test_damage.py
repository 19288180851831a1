"""Whatever a box prints, reading it never raises; damage that can be seen is told."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.model.facet import row
from lossless.model.pfc import PfcMode
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.contract import Output, Parsed
from tests.platforms.cisco_nxos.samples import AI, EVERYTHING, PFC_TABLE, QUEUING, STATUS, WATCHDOG

RUNNING = "show running-config"
COMMANDS = (
    "",
    RUNNING,
    "show version",
    "show interface status",
    "show interface priority-flow-control",
    "show queuing interface",
    "show queuing pfc-queue detail",
    "show policy-map system type network-qos",
    "show policy-map interface",
    "show queuing interface | json",
    "something else",
)
NOISE = st.text(alphabet="\x00\t\n\r\x08\x1b\x85\u2028 09(){}[]|%^'\"#!é٣-", max_size=12)
LOG = "2026 Jul 23 11:11:12 leaf1 %ETHPORT-5-IF_UP: Interface Ethernet1/9 is up in mode access"


def read(text: str, command: str = RUNNING) -> Parsed:
    return PLATFORM.parse([Output(command, text, "c")])


def kinds(found: Parsed) -> set[str]:
    return {d.kind for d in found.diagnostics}


@st.composite
def broken(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(EVERYTHING))
    lines = text.split("\n")
    at, row_ = draw(st.integers(0, len(text) - 1)), draw(st.integers(0, len(lines) - 1))
    kind = draw(st.sampled_from(["cut", "torn", "insert", "drop", "twice", "swap", "join", "log"]))
    if kind == "cut":
        return text[:at]
    if kind == "torn":
        return text[at:]
    if kind == "insert":
        return text[:at] + draw(NOISE) + text[at:]
    if kind == "drop":
        return "\n".join(lines[:row_] + lines[row_ + 1 :])
    if kind == "twice":
        return "\n".join([*lines[:row_], lines[row_], *lines[row_:]])
    if kind == "log":
        return "\n".join([*lines[:row_], LOG, *lines[row_:]])
    if kind == "swap":
        return text[:at] + draw(st.sampled_from("0123456789x-:(")) + text[at + 1 :]
    return text.replace("\n", draw(st.sampled_from(["", " ", "\r", "\r\n", "\r\r\n"])))


@given(st.lists(st.tuples(st.sampled_from(COMMANDS), broken()), max_size=3))
def test_broken_answers_are_read_as_far_as_they_go(answers: list[tuple[str, str]]) -> None:
    found = PLATFORM.parse([Output(command, text, "c") for command, text in answers])
    once = PLATFORM.canonical(found.state)
    assert PLATFORM.canonical(once) == once
    PLATFORM.inexpressible(found.state)


@given(st.sampled_from(COMMANDS), st.text(max_size=200))
def test_anything_at_all(command: str, text: str) -> None:
    PLATFORM.recognises(text)
    PLATFORM.parse([Output(command, text)])


# --- a configuration -----------------------------------------------------------------------------


def test_a_whole_configuration_has_no_damage() -> None:
    found = read(AI)
    assert found.coverage == {RUNNING}
    assert (found.unread, found.diagnostics) == ((), ())


def test_line_ends_of_windows_and_colours_change_nothing_of_what_is_read() -> None:
    plain = read(AI)
    windows = read(AI.replace("\n", "\r\n"))
    assert (windows.state, windows.coverage) == (plain.state, plain.coverage)
    coloured = read(re.sub(r"\n(  +mtu \d+)", "\n\x1b[7m\\1\x1b[m", AI))
    assert coloured.state == plain.state


@pytest.mark.parametrize("prompt", ["--More--", " --More-- ", "\x1b[7m--More--\x1b[m\r        \r"])
def test_a_pager_that_was_left_in_is_told(prompt: str) -> None:
    found = read(AI.replace("    pause pfc-cos 3\n", f"{prompt}\n    pause pfc-cos 3\n"))
    assert kinds(found) == {"damaged"}
    assert not found.coverage  # lines may be missing, so silence says nothing
    assert found.state.system.settings.pfc.send == frozenset({3})


def test_a_log_message_in_between_is_told_and_ends_nothing() -> None:
    found = read(AI.replace("    pause pfc-cos 3\n", f"{LOG}\n    pause pfc-cos 3\n"))
    assert found.state.system.settings.pfc.send == frozenset({3})
    (said,) = found.diagnostics
    assert (said.kind, AI.split("\n").index("    pause pfc-cos 3") + 1) == ("damaged", said.line)
    assert not found.coverage


def test_a_beginning_that_is_missing_is_told() -> None:
    torn = "    mtu 4200\n" + AI.partition("    mtu 4200\n")[2]
    found = read(torn)
    assert ("damaged", 1) in {(d.kind, d.line) for d in found.diagnostics}
    assert not found.coverage


def test_a_line_cut_off_in_its_middle_is_listed() -> None:
    whole = AI.index("priority-flow-control mode on")
    found = read(AI[: whole + len("priority-flow-control mo")])
    assert [u.text for u in found.unread] == ["priority-flow-control mo"]


def test_a_policy_cut_off_before_it_is_written_leaves_its_name_dangling() -> None:
    start = AI.index("policy-map type queuing OUT")
    found = read(AI[:start] + AI[AI.index("system qos") :])
    assert "dangling_reference" in kinds(found)


def test_prompts_around_an_answer_are_no_part_of_it() -> None:
    found = PLATFORM.parse([Output("", f"leaf1# show running-config\n{AI}\nleaf1# \n", "c")])
    assert found.state == read(AI).state
    assert found.unread == ()


def test_what_a_box_refuses_is_told() -> None:
    text = "                 ^\n% Invalid command at '^' marker.\n"
    found = read(text)
    assert kinds(found) == {"device_exception"}
    assert not found.understood
    assert not found.coverage


# --- tables --------------------------------------------------------------------------------------


def test_a_torn_table_of_queues_is_told() -> None:
    for cut in ("      5            30 ", "      5         348608 "):
        found = read(QUEUING[: QUEUING.index(cut)], "show queuing interface")
        assert kinds(found) == {"damaged"}


def test_rows_that_lost_a_part_are_listed() -> None:
    for text, command, whole, part in (
        (PFC_TABLE, "show interface priority-flow-control", "On   On  (18)      11   ", "On (18 "),
        (QUEUING, "show queuing interface", "5         348608        77376        75712", "5  34"),
        (STATUS, "show interface status", "connected 210       full    200G    QDD", "conn"),
        (WATCHDOG, "show queuing pfc-queue detail", "[Active] PFC [YES] PFC-COS [4]", "[Acti"),
    ):
        assert read(text, command).unread == ()
        assert len(read(text.replace(whole, part), command).unread) == 1, command


def test_a_table_cut_off_gives_what_was_there() -> None:
    text = PFC_TABLE[: PFC_TABLE.index("Ethernet1/3")]
    state = read(text, "show interface priority-flow-control").operational
    assert state is not None
    assert list(state.ports) == ["Ethernet1/1/1", "Ethernet1/2"]
    assert state.port("Ethernet1/1/1").pfc.mode is PfcMode.ON


def test_numbers_in_other_scripts_are_no_numbers() -> None:
    found = read(AI.replace("    mtu 4200", "    mtu ٤٢٠٠"))
    assert [u.text for u in found.unread] == ["mtu ٤٢٠٠"]
    assert not isinstance(row(found.state.system.settings.mtu.per_class, 3), int)
