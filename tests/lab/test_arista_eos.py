"""The simulated EOS: what it refuses, its modes and sessions, its drift, and our own client."""

from __future__ import annotations

import difflib
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.devices import Credentials, Policy, Target, connect
from lossless.findings import InputError
from lossless.lab import ways
from lossless.lab.arista_eos import Eos
from lossless.lab.contract import Plate, Port, Session
from lossless.lab.server import Lab, Options
from lossless.platforms.arista_eos import PLATFORM
from lossless.platforms.contract import Output

PORTS = tuple(Port(f"Ethernet{n}/1", 400 * 10**9) for n in range(1, 5))
TEXT = """! leaf01: arista_eos
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      random-detect ecn minimum-threshold 150000 bytes maximum-threshold 1500000 bytes
!
interface Ethernet1/1
   mtu 9214
   speed 400g
   service-profile ROCE
!
interface Ethernet2/1
   mtu 9214
   speed 400g
   service-profile ROCE
!
qos map dscp 24 25 26 to traffic-class 3
!
"""


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def switch(text: str = TEXT, clock: Clock | None = None) -> Eos:
    box = Eos(Plate("leaf01", "arista_eos", "4.33.1F", "DCS-7060X6-64PE", PORTS), clock or Clock())
    box.load({"running-config.cfg": text})
    return box


def type_in(session: Session, *lines: str) -> str:
    return "".join(session.feed(line).text for line in lines)


def test_refused_lines_are_named_each() -> None:
    box = Eos(Plate("leaf01", "arista_eos", ports=PORTS), Clock())
    text = "interface Ethernet1/1\n   mtu big\n   pfc on\ninterface Ethernet9/1\n   mtu 9214\n"
    with pytest.raises(InputError) as told:
        box.load({"leaf01/running-config.cfg": text})
    places = [(str(p.location), p.message) for p in told.value.problems]
    assert [where.split(":")[1] for where, _ in places] == ["2", "3", "4"]
    assert all(where.startswith("leaf01/running-config.cfg:") for where, _ in places)
    assert "mtu big" in places[0][1]


def test_prompts_follow_the_modes() -> None:
    session = switch().session("ops")
    seen = [session.prompt]
    for line in ("enable", "conf t", "interface Et1/1", "qos profile ROCE", "uc-tx-queue 3"):
        session.feed(line)
        seen.append(session.prompt)
    for line in ("exit", "end", "configure session S1", "abort", "disable"):
        session.feed(line)
        seen.append(session.prompt)
    assert seen == [
        "leaf01>",
        "leaf01#",
        "leaf01(config)#",
        "leaf01(config-if-Et1/1)#",
        "leaf01(config-qos-ROCE)#",
        "leaf01(config-qos-ROCE-uc-txq-3)#",
        "leaf01(config-qos-ROCE)#",
        "leaf01#",
        "leaf01(config-s-S1)#",
        "leaf01#",
        "leaf01>",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("show runing", "% Invalid input"),
        ("mtu 9000", "% Invalid input"),
        ("terminal wi 511", "Width set to 511 columns."),
        ("term len 0", "Pagination disabled."),
        ("configure s", "% Invalid input"),
        ("e", "% Ambiguous command"),
        ("show hostname | include FQDN", "FQDN:     leaf01"),
        ("show session-config", "% Invalid input"),
        ("show session-config named X diffs", "% Session X does not exist"),
        ("show priority-flow-control | json", "% This is an unconverted command"),
        ("show version | frobnicate", "% Invalid input"),
    ],
)
def test_what_a_line_answers(line: str, said: str) -> None:
    session = switch().session("admin")
    assert session.feed(line).text.splitlines()[0] == said


def test_a_privileged_command_needs_the_privileged_mode() -> None:
    session = switch().session("ops")
    assert session.feed("show running-config").text.startswith("% Invalid input")
    session.feed("enable")
    assert session.feed("show running-config").text.startswith("! Command: show running-config\n")


def test_structured_answers() -> None:
    session = switch().session("admin")
    assert json.loads(session.feed("show version | json").text)["modelName"] == "DCS-7060X6-64PE"
    told = json.loads(session.feed("show running-config | json").text)
    assert "service-profile ROCE" in told["cmds"]["interface Ethernet1/1"]["cmds"]


def test_two_sessions_see_one_configuration_and_a_candidate_is_apart() -> None:
    box = switch()
    one, other = box.session("admin"), box.session("admin")
    type_in(one, "configure session S1", "interface Ethernet1/1", "mtu 1500")
    assert "mtu 1500" not in other.feed("show running-config").text
    diff = one.feed("show session-config diffs").text
    assert [
        line for line in diff.splitlines() if line[0] in "+-" and line[:3] not in ("+++", "---")
    ] == [
        "-   mtu 9214",
        "+   mtu 1500",
    ]
    assert other.feed("show session-config named S1 diffs").text == diff
    one.feed("commit")
    assert "mtu 1500" in other.feed("show running-config").text
    assert "mtu 1500" not in other.feed("show startup-config").text
    other.feed("write memory")
    assert "mtu 1500" in other.feed("show startup-config").text


@pytest.mark.parametrize(
    ("then", "at", "kept"),
    [
        (None, 299.0, True),
        (None, 300.0, False),
        ("configure session S1 commit", 400.0, True),
        ("configure session S1 abort", 0.0, False),
    ],
)
def test_a_timed_commit_is_taken_back_unless_confirmed(
    then: str | None, at: float, kept: bool
) -> None:
    clock = Clock()
    box = switch(clock=clock)
    session = box.session("admin")
    type_in(session, "configure session S1", "interface Ethernet1/1", "mtu 1500")
    assert type_in(session, "commit timer 00:05:00") == ""
    told = json.loads(session.feed("show configuration sessions detail | json").text)
    assert told["commitTimerSessionName"] == "S1"
    type_in(session, "configure session S2", "mtu 1500")
    assert session.feed("commit").text == "% A commit timer is already pending\n"
    type_in(session, "abort")
    if then:
        assert session.feed(then).text == ""
    clock.now += at
    assert ("mtu 1500" in box.snapshot()) is kept


def test_clean_config_keeps_the_interfaces() -> None:
    box = switch()
    session = box.session("admin")
    type_in(session, "configure session S1", "rollback clean-config", "commit")
    assert "qos profile" not in box.snapshot()
    assert all(f"interface {port.name}\n" in box.snapshot() for port in PORTS)


def test_what_is_in_use_stays() -> None:
    session = switch().session("admin")
    session.feed("configure")
    assert session.feed("no qos profile ROCE").text == "% Invalid input\n"


def _differences(before: str, after: str) -> list[str]:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line[:1] + line[2:].strip() for line in lines if line[0] in "+-"]


@settings(max_examples=60)
@given(st.integers())
def test_drift_changes_what_it_tells_and_nothing_else(seed: int) -> None:
    box, twin = switch(), switch()
    before = box.snapshot()
    change = box.drift(random.Random(seed))
    assert change is not None
    assert change == twin.drift(random.Random(seed))
    wanted = [f"-{change.before}"] if change.before else []
    wanted += [f"+{change.after}"] if change.after else []
    assert sorted(_differences(before, box.snapshot())) == sorted(wanted)
    if change.port is not None:
        block = box.snapshot().split(f"interface {change.port}\n")[1].split("!")[0]
        assert change.after in block
    assert change.device == "leaf01"
    assert box.startup.text() == before


@settings(max_examples=30)
@given(st.integers(), st.integers(2, 12))
def test_drifts_follow_one_another(seed: int, number: int) -> None:
    box, chance = switch(), random.Random(seed)
    changes = [box.drift(chance) for _ in range(number)]
    assert None not in changes
    texts = [str(change) for change in changes]
    assert all(text.startswith("leaf01") for text in texts)
    Eos(box.plate, Clock()).load({"x": box.snapshot()})


def test_a_box_without_anything_still_drifts() -> None:
    assert switch("").drift(random.Random(1)) is not None
    assert Eos(Plate("x", "arista_eos"), Clock()).drift(random.Random(1)) is None


def test_lossless_asks_it_over_ssh(tmp_path: Path) -> None:
    """Login, privileged mode, paging off, a long answer, a refusal: with the project's client."""
    from lossless.model.device import Device

    box = switch(TEXT + "".join(f"interface Vlan{n}\n   description v{n}\n" for n in range(2, 90)))
    device = Device(name="leaf01", kind="switch", platform="arista_eos")
    with Lab([box], Options()) as lab:
        files = ways.write(lab, tmp_path, ways.Names({"leaf01": "192.0.2.11"}))
        policy = Policy(ssh_config=str(files.ssh_config), agent=False)
        target = Target(name="leaf01", address="192.0.2.11", session=PLATFORM.session)
        with connect(target, Credentials(), policy) as session:
            replies = {
                c.text: session.run(c.text, privileged=c.privileged)
                for c in PLATFORM.commands(device)
            }
            refused = session.run("show nonsense")
    assert refused.refusal == "% Invalid input"
    assert all(reply.complete and reply.refusal is None for reply in replies.values())
    parsed = PLATFORM.parse([Output(text, reply.text) for text, reply in replies.items()])
    assert not parsed.unread
    assert not parsed.diagnostics
    assert parsed.coverage
    assert parsed.facts["model"] == "DCS-7060X6-64PE"
