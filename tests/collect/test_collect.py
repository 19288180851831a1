"""A snapshot of a fleet: what answers is in it, what does not is named, and no secret is."""

from __future__ import annotations

import json
import os
import re
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lossless import snapshot
from lossless.cli import cli
from lossless.collect import Job, Local, ask, prepare
from lossless.devices import Broken, HostKey, InMemory, Refused, Reply, Session, Unreachable
from lossless.model.device import Access
from lossless.platforms import registry
from lossless.platforms.components import components
from tests.cli.run import lossless
from tests.running.shown import FIXED, built, device, taken

from .conftest import Fleet

DEVICES = built(FIXED).fabric.devices


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments], standalone_mode=False)


def collect(out: Path, *more: str) -> Result:
    return run("collect", FIXED, "--out", out, *more)


def manifest(out: Path) -> Any:
    return json.loads((out / "manifest.json").read_text())["devices"]


def test_everything_that_is_asked_is_in_the_snapshot(fleet: Fleet, tmp_path: Path) -> None:
    ran = collect(tmp_path / "snap")
    assert ran.return_value == 0, ran.stderr
    read = snapshot.read(tmp_path / "snap")
    assert list(read.devices) == sorted(DEVICES)
    for name, shown in read.devices.items():
        told = taken(FIXED)[name]
        assert shown.error is None
        assert shown.platforms == told.platforms
        assert {c.command: c.text for c in shown.captures} == {
            a.command: a.text for a in told.answers
        }
    assert "12 of 12 devices" in ran.stderr
    compared = lossless("diff", FIXED, "--running", tmp_path / "snap")
    assert (compared.code, compared.out) == (0, "no difference in 12 devices\n")


def test_the_same_devices_give_the_same_bytes(
    fleet: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lossless.cli.collect.now", lambda: "2026-01-31T12:00:00Z")
    for name in ("one", "two"):
        assert collect(tmp_path / name, "--jobs", "3").return_value == 0
    files = [
        {p.relative_to(tmp_path / name): p.read_bytes() for p in (tmp_path / name).rglob("*.*")}
        for name in ("one", "two")
    ]
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Unreachable("leaf02", "no route to host"), "no route to host"),
        (
            Refused("leaf02", "the password was refused", "look at the user"),
            "the password was refused",
        ),
        (HostKey("leaf02", "its host key has changed"), "its host key has changed"),
        (RuntimeError("odd\n\x1b[2J"), "internal error: RuntimeError"),
    ],
)
def test_one_device_that_fails_stops_nothing(
    fleet: Fleet, tmp_path: Path, error: Exception, said: str
) -> None:
    def fail(command: str) -> None:
        raise error

    fleet.change("leaf02", fail)
    ran = collect(tmp_path / "snap")
    assert ran.return_value == 3
    assert f"leaf02: no answer: {said}" in ran.stderr
    assert "\x1b" not in ran.stderr
    assert "11 of 12 devices" in ran.stderr
    devices = manifest(tmp_path / "snap")
    assert said in devices["leaf02"]["error"]
    assert devices["leaf02"]["outputs"] == []
    assert [name for name, row in devices.items() if row["error"]] == ["leaf02"]
    compared = lossless("diff", FIXED, "--running", tmp_path / "snap")
    assert compared.code == 3
    assert "leaf02" in compared.err


def test_what_came_before_the_end_is_kept_and_known_to_be_cut_off(
    fleet: Fleet, tmp_path: Path
) -> None:
    def broken(command: str) -> None:
        if command == "show running-config":
            raise Broken("leaf02", "the connection was reset", partial="! half\nsnmp-server com")

    fleet.change("leaf02", broken)
    assert collect(tmp_path / "snap").return_value == 3
    row = manifest(tmp_path / "snap")["leaf02"]
    assert row["error"] == "the connection was reset while `show running-config` was answered"
    assert [out["complete"] for out in row["outputs"]] == [False]


def test_a_question_that_is_refused_is_an_error_only_where_it_is_needed(
    fleet: Fleet, tmp_path: Path
) -> None:
    fleet.change("leaf01", lambda command: _refused(command == "show version | json"))
    fleet.change("leaf02", lambda command: _refused(command == "show running-config"))
    assert collect(tmp_path / "snap").return_value == 3
    devices = manifest(tmp_path / "snap")
    assert devices["leaf01"]["error"] is None
    assert devices["leaf02"]["error"] == "`show running-config`: % Invalid input"


def _refused(now: bool) -> Reply | None:
    return Reply("% Invalid input\n", refusal="% Invalid input") if now else None


CANARY = "c4n4ry"
SECRETS = f"""\
username admin privilege 15 secret sha512 $6${CANARY}
snmp-server community {CANARY} ro
radius-server key 7 {CANARY}
"""


def test_a_secret_is_in_no_file_no_message_and_no_error(fleet: Fleet, tmp_path: Path) -> None:
    def talks(command: str) -> str | None:
        if command == "show running-config":
            return SECRETS + fleet.known["leaf01"][command]
        return None

    def dies(command: str) -> None:
        if command:
            raise Broken("leaf02", f"reset after API_TOKEN={CANARY}", partial=SECRETS)

    def refuses(command: str) -> Reply | None:
        line = f"% Invalid input: snmp-server community {CANARY}"
        return Reply(line, refusal=line) if command == "show running-config" else None

    def fails(command: str) -> None:
        raise Unreachable("spine01", f"via https://u:{CANARY}@example.net/")

    fleet.change("leaf01", talks)
    fleet.change("leaf02", dies)
    fleet.change("spine01", fails)
    fleet.change("spine02", refuses)
    ran = collect(tmp_path / "snap")
    assert ran.return_value == 3
    assert (tmp_path / "snap" / "leaf01").is_dir()
    kept = {p: p.read_text() for p in (tmp_path / "snap").rglob("*") if p.is_file()}
    assert any("<redacted>" in text for text in kept.values())
    assert [path for path, text in kept.items() if CANARY in text] == []
    assert CANARY not in ran.output + ran.stderr
    compared = lossless("diff", FIXED, "--running", tmp_path / "snap", "--device", "leaf01")
    assert (compared.code, compared.out) == (0, "no difference in 1 devices\n")


def test_an_interruption_keeps_what_was_gathered(fleet: Fleet, tmp_path: Path) -> None:
    pressed: list[str] = []

    def interrupt(command: str) -> None:
        """Press Ctrl-C once: pressed again while sessions are closed, it would end at once."""
        if command and not pressed:
            pressed.append(command)
            os.kill(os.getpid(), signal.SIGINT)

    fleet.change("leaf02", interrupt)
    ran = collect(tmp_path / "snap", "--jobs", "1")
    assert ran.return_value == 130
    devices = manifest(tmp_path / "snap")
    assert set(devices) == set(DEVICES)
    errors = {row["error"] for row in devices.values()}
    assert errors == {None, "interrupted before it had answered"}
    assert "interrupted" in ran.stderr


def test_an_interruption_before_the_first_answer_keeps_the_old_snapshot(
    fleet: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert collect(tmp_path / "snap").return_value == 0
    before = (tmp_path / "snap" / "manifest.json").read_bytes()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lossless.devices.fleet._Round.submit", interrupt)
    assert collect(tmp_path / "snap").return_value == 130
    assert (tmp_path / "snap" / "manifest.json").read_bytes() == before


def test_what_is_no_snapshot_is_not_replaced(fleet: Fleet, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    ran = collect(tmp_path)
    assert "something else than a snapshot stands here" in str(ran.exception)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_only_the_devices_named_are_asked(fleet: Fleet, tmp_path: Path) -> None:
    assert collect(tmp_path / "snap", "--device", "leaf[01-02]").return_value == 0
    assert {name for name, _, _ in fleet.asked} == {"leaf01", "leaf02"}
    assert set(manifest(tmp_path / "snap")) == {"leaf01", "leaf02"}


def test_a_device_that_cannot_be_asked_says_why() -> None:
    leaf = replace(DEVICES["leaf01"], access=None)
    unknown = replace(DEVICES["leaf02"], platform="from_the_future")
    jobs, refused = prepare({"leaf01": leaf, "leaf02": unknown, "gpu01": DEVICES["gpu01"]})
    assert [job.device for job in jobs] == ["gpu01"]
    assert {name: told.error for name, told in refused.items()} == {
        "leaf01": "no address is declared for it",
        "leaf02": "no platform that can be asked is declared for it",
    }


def test_where_to_connect_is_what_is_declared() -> None:
    access = Access(address="192.0.2.1", port=2222, user="ops", jump="bastion")
    ((job,), _) = prepare({"leaf01": replace(DEVICES["leaf01"], access=access)})
    assert job.target is not None
    assert (job.target.address, job.target.port) == ("192.0.2.1", 2222)
    assert (job.target.user, job.target.jump) == ("ops", "bastion")


def test_a_host_is_asked_once_for_all_its_components() -> None:
    ((job,), _) = prepare({"gpu01": DEVICES["gpu01"]})
    assert job.platforms == ("nvidia_mlnx_qos", "collective_env")
    texts = [command.text for command in job.commands]
    assert len(texts) == len(set(texts))
    assert any(text.startswith("mlnx_qos -i ens1np0") for text in texts)
    assert any("nccl" in text for text in texts)


#: What reads and changes nothing.  `show` and its kin show; `head` and `cat` read; the tools of
#: NICs read where no option sets anything.
READS = re.compile(
    r"show [^;&`$>]*|nv (?:config )?show [^;|&`$>]*|sonic-cfggen -d --print-data"
    r"|head -v -n \d+ [\w/ .-]+|cat [\w/ .-]+|ls -d [\w/*]+|ps -e -o comm=|ip -j -d link show"
    r"|mlnx_qos -i [\w.-]+ -a|ethtool (?:-[ai] )?[\w.-]+|show_gids|ibv_devinfo -d \w+"
    r"|cma_roce_(?:tos|mode) -d \w+ -p 1|mlxconfig -d [0-9a-f:.]+ -e query"
)


@pytest.mark.parametrize("name", list(registry.PLATFORMS))
def test_no_platform_asks_anything_that_has_a_side_effect(name: str) -> None:
    platform = registry.load(name)
    assert platform is not None
    asked = {
        command.text
        for one in DEVICES.values()
        for command in platform.commands(replace(one, platform=name))
    }
    assert asked or platform.kind != "switch"
    assert [text for text in asked if READS.fullmatch(text) is None] == []


def test_the_version_that_a_device_tells_is_kept(fleet: Fleet, tmp_path: Path) -> None:
    said = json.dumps({"modelName": "DCS-7060X6-64PE", "version": "4.34.0F"})
    fleet.change("leaf01", lambda text: said if text == "show version | json" else None)
    assert collect(tmp_path / "snap", "--device", "leaf[01-02]").return_value == 0
    devices = manifest(tmp_path / "snap")
    assert devices["leaf01"]["version"] == "4.34.0F"
    assert devices["leaf02"]["version"] == DEVICES["leaf02"].version


# --- this host -----------------------------------------------------------------------------------


def job(*texts: str, privileged: bool = False) -> Job:
    from lossless.platforms.contract import Command

    commands = tuple(Command(text, privileged=privileged) for text in texts)
    session = Session(privileged="sudo -n")
    return Job(
        device="me", session=session, target=None, platforms=(), commands=commands, secrets=()
    )


def test_this_host_answers_without_ssh() -> None:
    one = job("echo yes", "cat /nowhere/at/all", "echo HF_TOKEN=secret")
    told = ask(one, Local(one.session, timeout=10))
    assert (told.answers[0].text, told.answers[0].exit) == ("yes\n", 0)
    assert told.answers[1].exit == 1
    assert "No such file" in told.answers[1].text
    assert told.answers[2].text == "HF_TOKEN=<redacted>\n"
    assert told.error is None


def test_a_command_of_this_host_that_does_not_end_is_cut_off() -> None:
    one = job("echo first; exec sleep 30")
    told = ask(one, Local(one.session, timeout=0.3))
    assert [(a.text, a.complete) for a in told.answers] == [("first\n", False)]
    assert told.error is not None
    assert "no end after 0.3 s" in told.error


def test_collect_local_asks_the_device_that_is_named(tmp_path: Path) -> None:
    ran = lossless("collect", FIXED, "--local", "--device", "gpu01", "--out", tmp_path / "snap")
    assert ran.code in (0, 3), ran.err
    assert set(manifest(tmp_path / "snap")) == {"gpu01"}
    ran = lossless("collect", FIXED, "--local", "--out", tmp_path / "other")
    assert ran.code == 2
    assert "name the one it is by --device" in ran.err


def test_lint_of_a_declaration_imports_nothing_of_this() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from lossless.cli import cli; "
        "cli.main(['lint', 'inventory/demo-fixed'], standalone_mode=False); "
        "print([n for n in ('netmiko', 'paramiko', 'rich', 'jinja2', 'lossless.collect', "
        "'lossless.drift', 'concurrent.futures.thread') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=FIXED.parent.parent, capture_output=True, check=True
    )
    assert done.stdout.decode().endswith("[]\n")


def test_what_an_in_memory_device_shows_is_what_is_asked() -> None:
    """The twins and the seam agree: a privileged question is asked as one."""
    ((one,), _) = prepare({"leaf01": DEVICES["leaf01"]})
    known = {a.command: a.text for a in device(DEVICES["leaf01"]).answers}
    transport = InMemory(lambda text: known.get(text, Reply("", refusal="% Invalid input")))
    told = ask(one, transport)
    assert told.error is None
    assert ("show running-config", True) in transport.asked
    parts = [component.platform for component in components(DEVICES["leaf01"])]
    assert told.platforms == tuple(parts)
