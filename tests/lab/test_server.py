"""The lab's servers: logins, terminals, channels, faults, and the end of it all."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.findings import InputError
from lossless.lab import faults, ways
from lossless.lab.faults import Fault, Share
from lossless.lab.server import Lab, Options
from tests.lab.toys import ToyBox, connect, shell


def test_a_terminal_echoes_edits_and_pages() -> None:
    box = ToyBox("t1")

    async def talk(lab: Lab) -> None:
        async with await connect(lab, "t1") as connection:
            line = await shell(connection)
            assert await line.until("t1>") == "Welcome\r\nt1>"
            assert await line.say("ab\r", "t1>") == "ab\r\nt1>"
            assert await line.say("cX\x7fd\r\n", "t1>") == "cX\b \bd\r\nt1>"
            assert await line.say("gone\x15ef\r", "t1>") == "gone" + "\b \b" * 4 + "ef\r\nt1>"
            for number in range(4):
                await line.say(f"w{number}\r", "t1>")
            first = await line.say("show\r", "--More--")
            assert first == "show\r\nab\r\ncd\r\nef\r\nw0\r\nw1\r\n--More--"
            assert (await line.say(" ", "t1>")).endswith("w2\r\nw3\r\nt1>")
            await line.say("show\r", "--More--")
            assert "w2" not in await line.say("q", "t1>")
            assert await line.say("secret\r", "Password: ") == "secret\r\nPassword: "
            assert await line.say("xyz\r", "t1>") == "\r\nheard xyz\r\nt1>"

    with Lab([box]) as lab:
        asyncio.run(talk(lab))
    assert box.closed == 1


def test_two_sessions_see_one_box() -> None:
    async def talk(lab: Lab) -> None:
        async with await connect(lab, "t1") as one, await connect(lab, "t1") as other:
            a, b = await shell(one), await shell(other)
            await a.until(">")
            await b.until(">")
            await a.say("said\r", ">")
            assert "said" in await b.say("show\r", ">")

    with Lab([ToyBox("t1")]) as lab:
        asyncio.run(talk(lab))


def test_a_command_in_a_channel_of_its_own_has_errors_and_a_status() -> None:
    async def talk(lab: Lab) -> None:
        async with await connect(lab, "t1") as connection:
            done = await connection.run("uptime")
        assert (done.stdout, done.stderr, done.exit_status) == (
            "ops ran uptime\n",
            "and said so\n",
            3,
        )

    with Lab([ToyBox("t1")]) as lab:
        asyncio.run(talk(lab))


def test_passwords_and_keys_are_looked_at() -> None:
    async def talk(lab: Lab) -> None:
        async with await connect(lab, "t1", client_keys=None, password="right"):
            pass
        for bad in (
            {"client_keys": None, "password": "wrong"},
            {"client_keys": [asyncssh.generate_private_key("ssh-ed25519")]},
        ):
            with pytest.raises(asyncssh.PermissionDenied):
                await connect(lab, "t1", **bad)

    with Lab([ToyBox("t1")], Options(password="right")) as lab:
        asyncio.run(talk(lab))


def test_ssh_config_and_known_hosts_lead_to_every_device(tmp_path: Path) -> None:
    """As a client reads them, the jump host included, which leads nowhere else."""

    async def talk(lab: Lab, written: ways.Written) -> None:
        how: dict[str, Any] = {"config": [str(written.ssh_config)], "username": "ops"}
        known = str(written.known_hosts)
        for name in ("t1", "192.0.2.2"):
            async with asyncssh.connect(name, known_hosts=known, **how) as connection:
                assert (await connection.run("x")).stdout == "ops ran x\n"
        async with asyncssh.connect("bastion", known_hosts=known, **how) as bastion:
            async with asyncssh.connect("t2", tunnel=bastion, known_hosts=known, **how) as there:
                assert (await there.run("x")).stdout == "ops ran x\n"
            with pytest.raises(asyncssh.ChannelOpenError):
                await bastion.open_connection("127.0.0.1", 9)

    with Lab([ToyBox("t1"), ToyBox("t2")], Options(jump=True)) as lab:
        names = ways.Names({"t1": "192.0.2.1", "t2": "192.0.2.2"}, ("bastion",))
        written = ways.write(lab, tmp_path / "lab", names)
        assert written.key.stat().st_mode & 0o777 == 0o600
        asyncio.run(talk(lab, written))


def _outcome(lab: Lab, known: Path) -> str:
    """Run a long command as a client would, and say how it went."""

    async def ask() -> str:
        async with await connect(lab, "t1", known) as connection:
            done = await asyncio.wait_for(connection.run("long"), 1.0)
            return f"{len(done.stdout)} {done.exit_status}"

    try:
        return asyncio.run(ask())
    except (OSError, asyncssh.Error, TimeoutError) as error:
        return type(error).__name__


@pytest.mark.parametrize(
    ("fault", "outcomes"),
    [
        (None, {"401 0"}),
        (Fault.SLOW, {"TimeoutError"}),
        (Fault.DROPPING, {"ConnectionLost", "0 None"}),
        (Fault.HALF_CLOSED, {"TimeoutError"}),
        (Fault.WRONG_KEY, {"HostKeyNotVerifiable"}),
        (Fault.WRONG_PASSWORD, {"PermissionDenied"}),
        (Fault.GARBAGE, {"ConnectionLost", "ProtocolError", "ConnectionResetError"}),
        (Fault.MID_OUTPUT, {"ConnectionLost", "200 None"}),
    ],
)
def test_each_fault_fails_in_its_own_way(
    fault: Fault | None, outcomes: set[str], tmp_path: Path
) -> None:
    boxes = [ToyBox("t1")]
    with Lab(boxes, Options(faults={"t1": fault} if fault else {}, delay=5)) as lab:
        written = ways.write(lab, tmp_path, ways.Names())
        assert _outcome(lab, written.known_hosts) in outcomes


def test_the_lab_ends_with_connections_open() -> None:
    lab = Lab([ToyBox("t1")])
    lab.start()

    async def leave_open() -> None:
        connection = await connect(lab, "t1")
        line = await shell(connection)
        await line.until(">")
        await asyncio.get_running_loop().run_in_executor(None, lab.stop)

    start = time.monotonic()
    asyncio.run(leave_open())
    assert time.monotonic() - start < 5
    assert not [t for t in threading.enumerate() if t.name == "lossless-lab"]
    with pytest.raises(OSError):
        asyncio.run(connect(lab, "t1"))


def test_a_port_that_is_taken_is_an_error_and_nothing_stays() -> None:
    with Lab([ToyBox("t1")]) as lab:
        port = lab.places["t1"].port
        second = Lab([ToyBox("t2")], Options(base_port=port))
        with pytest.raises(OSError):
            second.start()
    assert not [t for t in threading.enumerate() if t.name == "lossless-lab"]


@pytest.mark.parametrize("text", ["", "slo", "slow:", "slow:0", "slow:101", "slow:x", "slow:5:5"])
def test_a_fault_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError) as told:
        faults.read(text)
    assert re.search("fault|per cent", str(told.value.problems[0].message))


@given(
    st.integers(1, 50),
    st.lists(st.sampled_from(Fault), min_size=1, max_size=3),
    st.floats(0.5, 100),
    st.integers(),
)
def test_faults_hit_their_share_and_the_same_devices_again(
    number: int, kinds: list[Fault], percent: float, seed: int
) -> None:
    names = [f"d{n}" for n in range(number)]
    shares = [Share(kind, percent) for kind in kinds]
    hit = faults.spread(names, shares, seed)
    assert hit == faults.spread(names, shares, seed)
    wanted = len(kinds) * max(1, int(number * percent / 100 + 0.5))
    assert len(hit) == min(number, wanted)


def test_a_fault_is_read_with_and_without_its_share() -> None:
    assert faults.read("slow") == Share(Fault.SLOW, 100)
    assert faults.read("half-closed:12.5%") == Share(Fault.HALF_CLOSED, 12.5)
    assert faults.read("mid-output:10") == Share(Fault.MID_OUTPUT, 10)
