"""Whatever a switch prints, reading it never raises; damage that can be seen is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.platforms.contract import Output
from lossless.platforms.nvidia_cumulus import PLATFORM
from tests.platforms.nvidia_cumulus.strategies import profile_of

YAML = """\
- header:
    model: SN5600
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.14.0
- set:
    interface:
      swp1-2:
        link:
          mtu: 9216
        qos:
          pfc:
            profile: P
          pfc-watchdog: {}
        type: swp
    qos:
      pfc:
        P:
          rx: enable
          switch-priority:
            '3': {}
          tx: enable
      roce:
        enable: on
        mode: lossless
"""
COMMANDS = """\
nv set interface swp1-2 qos pfc profile P
nv set qos pfc P switch-priority 3,4
nv set qos pfc P rx enable
nv set qos mapping default-global dscp 24-31 switch-priority 3
"""
SHOWN = """\
cumulus@leaf01:mgmt:~$ nv show qos roce
                    operational  applied
------------------  -----------  --------
state                            enabled
mode                lossless     lossless
pfc
  pfc-priority      3
  rx-enabled        enabled
  tx-enabled        enabled

RoCE SP->TC mapping and ETS configurations
=============================================
       switch-prio  traffic-class  scheduler-weight
    -  -----------  -------------  ----------------
    0  0            0              DWRR-50%
    3  3            3              DWRR-50%

Exception List
=================
        description
    --  -----------
    1   link pause is set on swp3
"""
NOISE = st.text(alphabet="\x00\t\n\r\x1b\x85\u2028 09:-{}[]&*!'\"#$é٣", max_size=12)
WHOLE = "nv config show -o yaml"


@st.composite
def broken(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from([YAML, COMMANDS, SHOWN]))
    lines = text.split("\n")
    at, row = draw(st.integers(0, len(text) - 1)), draw(st.integers(0, len(lines) - 1))
    kind = draw(st.sampled_from(["cut", "insert", "drop", "twice", "swap", "join"]))
    if kind == "cut":
        return text[:at]
    if kind == "insert":
        return text[:at] + draw(NOISE) + text[at:]
    if kind == "drop":
        return "\n".join(lines[:row] + lines[row + 1 :])
    if kind == "twice":
        return "\n".join([*lines[:row], lines[row], *lines[row:]])
    if kind == "swap":
        return text[:at] + draw(st.sampled_from("0123456789x-:")) + text[at + 1 :]
    return text.replace("\n", draw(st.sampled_from(["", " ", "\r", "\r\n"])))


@given(st.lists(st.tuples(st.sampled_from([WHOLE, "nv show qos roce", ""]), broken()), max_size=3))
def test_broken_answers_are_read_as_far_as_they_go(answers: list[tuple[str, str]]) -> None:
    profile = profile_of(14)
    found = PLATFORM.parse([Output(command, text, "c") for command, text in answers], profile)
    once = PLATFORM.canonical(found.state, profile)
    assert PLATFORM.canonical(once, profile) == once
    PLATFORM.inexpressible(found.state, profile)


@given(st.sampled_from([WHOLE, "nv show interface swp1 qos pfc", ""]), st.text(max_size=200))
def test_anything_at_all(command: str, text: str) -> None:
    PLATFORM.recognises(text)
    PLATFORM.parse([Output(command, text)])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (YAML.replace("tx: enable", "tx: 'enab"), "damaged"),
        (YAML.replace("    qos:\n      pfc:", "--More--\n    qos:\n      pfc:"), "damaged"),
        (YAML.replace("mtu: 9216", "mtu: 9216\x1b[K\x07"), "damaged"),
        (YAML.replace("profile: P", "profile: Q"), "dangling_reference"),
        (
            YAML.replace("            profile: P", "            profile: default-global"),
            "unattached_object",
        ),
        (YAML + "        mode: lossy\n", "duplicate"),
    ],
)
def test_what_is_wrong_is_told(text: str, kind: str) -> None:
    found = PLATFORM.parse([Output(WHOLE, text, "c.yaml")])
    assert kind in {d.kind for d in found.diagnostics}
    assert bool(found.coverage) is (kind != "damaged")


def test_a_log_line_in_between_does_not_end_the_reading() -> None:
    log = "2026-11-30T10:00:00.000001+00:00 leaf01 kernel: swp3: link down\n"
    text = YAML.replace("    qos:\n      pfc:", log + "    qos:\n      pfc:")
    found = PLATFORM.parse([Output(WHOLE, text)])
    assert found.state.system.macro == "roce-lossless"
    assert "damaged" in {d.kind for d in found.diagnostics}
    assert not found.coverage


def test_what_is_not_understood_is_listed_with_its_line() -> None:
    text = YAML.replace("rx: enable", "rx: maybe").replace("mode: lossless", "mode: lossfree")
    found = PLATFORM.parse([Output(WHOLE, text, "c.yaml")])
    assert [(u.text, u.line) for u in found.unread] == [("rx: maybe", 19), ("mode: lossfree", 25)]


def test_a_tree_that_repeats_itself_without_end_is_left() -> None:
    bomb = "- set:\n    a: &a {b: {}}\n" + "".join(
        f"    {'b' * n}: &{'b' * n} {{x: *{'b' * (n - 1) if n > 1 else 'a'}, "
        f"y: *{'b' * (n - 1) if n > 1 else 'a'}}}\n"
        for n in range(1, 40)
    )
    found = PLATFORM.parse([Output(WHOLE, bomb)])
    assert "damaged" in {d.kind for d in found.diagnostics}
    PLATFORM.parse([Output(WHOLE, "[" * 100_000)])
