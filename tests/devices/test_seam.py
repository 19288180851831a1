"""The seam: what a session says, its twins, and errors that travel."""

from __future__ import annotations

import pickle

import pytest

from lossless.devices import (
    Broken,
    HostKey,
    InMemory,
    Refused,
    Replay,
    Reply,
    Session,
    Target,
    Unreachable,
    shared,
)

EOS = Session(cli="arista_eos", errors=(r"^% ?Invalid input",), enable=True)
HOST = Session(privileged="sudo -n")


def test_a_refusal_is_told_by_its_line() -> None:
    assert EOS.refusal("show foo\n            ^\n% Invalid input\n") == "% Invalid input"
    assert EOS.refusal("! description % Invalid input\nvlan 3\n") is None


def test_components_of_one_host_share_a_session() -> None:
    assert shared([HOST, Session(privileged="sudo -n")]) == HOST
    with pytest.raises(ValueError, match="different sessions"):
        shared([HOST, EOS])
    with pytest.raises(ValueError, match="different sessions"):
        shared([])


def test_a_snapshot_answers_what_it_was_asked() -> None:
    replay = Replay({"show version": "EOS", "show users": Reply("", exit=1)})
    assert replay.run("show version", privileged=True) == Reply("EOS")
    assert replay.run("show users").exit == 1
    missing = replay.run("show clock")
    assert not missing.complete
    assert missing.refusal is not None


def test_a_device_in_memory_remembers_what_it_was_asked() -> None:
    def answer(command: str) -> str:
        if command == "reload":
            raise Broken("leaf01", "it went away")
        return command.upper()

    device = InMemory(answer)
    assert device.run("show clock").text == "SHOW CLOCK"
    with pytest.raises(Broken):
        device.run("reload", privileged=True)
    assert device.asked == [("show clock", False), ("reload", True)]


@pytest.mark.parametrize("kind", [Unreachable, Refused, HostKey])
def test_errors_travel_between_processes(kind: type[Unreachable]) -> None:
    error = kind("leaf01", "no answer", "look at the cable")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (again.device, again.reason, again.remedy) == (
        "leaf01",
        "no answer",
        "look at the cable",
    )
    assert str(again) == "leaf01: no answer (look at the cable)"


def test_what_had_come_travels_too() -> None:
    again = pickle.loads(pickle.dumps(Broken("leaf01", "it went away", partial="vlan 3\n")))
    assert again.partial == "vlan 3\n"
    assert "vlan" not in str(again)


def test_targets_travel() -> None:
    target = Target(name="leaf01", address="2001:db8::1", session=EOS, jump="a,b")
    assert pickle.loads(pickle.dumps(target)) == target
