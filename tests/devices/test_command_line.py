"""Command lines of switches, which do what real ones do at the wrong moment."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import asyncssh
import pytest

from lossless.devices import (
    Broken,
    HostKey,
    Policy,
    Refused,
    Session,
    Target,
    Transport,
    Unreachable,
    connect,
)
from lossless.platforms.arista_eos.session import SESSION as EOS
from lossless.platforms.cisco_nxos.session import SESSION as NXOS

from .server import Device, Line, serving

ANSWERS = {
    "show version": "Arista DCS-7060X6\nSoftware image version: 4.33.1F\n",
    "show running-config": (
        "! Command: show running-config\nhostname leaf01\n!\nbanner login\n% Invalid input\n"
        "leaf01#\nleaf01# not for you\nEOF\n!\nend\n"
    ),
    "show empty": "",
    "show clock": "ä ö ü\n",
}


class Place:
    """Where devices are served, and how they are connected to."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._known = folder / "known_hosts"
        self._known.touch()
        self._stack = stack
        self.policy = Policy(
            ssh_config="/dev/null",
            known_hosts=(str(self._known),),
            agent=False,
            connect_timeout=5,
            command_timeout=5,
            backoff=0.01,
        )

    def serve(self, device: Device, session: Session = EOS, **more: object) -> Target:
        port, line = self._stack.enter_context(serving(device))
        with self._known.open("a") as known:
            known.write(line)
        settings = {"name": "leaf01", "address": "127.0.0.1", "user": "admin", **more}
        return Target(session=session, port=port, **settings)  # type: ignore[arg-type]

    @contextmanager
    def session(self, device: Device, session: Session = EOS) -> Iterator[Transport]:
        with connect(self.serve(device, session), None, self.policy) as transport:
            yield transport


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with ExitStack() as stack:
        yield Place(tmp_path, stack)


@pytest.mark.parametrize("session", [EOS, NXOS], ids=["arista_eos", "cisco_nxos"])
def test_answers_are_what_the_device_said(place: Place, session: Session) -> None:
    device = Device(answer=ANSWERS.get)
    with place.session(device, session) as switch:
        for command, text in ANSWERS.items():
            reply = switch.run(command)
            assert (reply.text, reply.complete, reply.exit) == (text, True, None)
            assert reply.refusal is None  # a banner may quote a refusal
    assert device.logins == device.sessions == 1
    assert "terminal length 0" in device.asked


def test_a_refused_command_is_told_and_the_session_goes_on(place: Place) -> None:
    with place.session(Device(answer=ANSWERS.get)) as switch:
        assert switch.run("show priority-flow-controll").refusal == "% Invalid input"
        assert switch.run("show version").refusal is None


def test_text_that_looks_like_a_prompt_does_not_end_an_answer(place: Place) -> None:
    async def banner(line: Line) -> None:
        line.write("banner motd\nleaf01#\n")
        await line.pause(0.2)
        line.write("leaf01# is mine\nEOF\n")

    with place.session(Device(special={"show banner": banner})) as switch:
        assert switch.run("show banner").text == "banner motd\nleaf01#\nleaf01# is mine\nEOF\n"


def test_a_prompt_is_not_taken_out_of_a_longer_name(place: Place) -> None:
    async def neighbours(line: Line) -> None:
        line.write("to\nold-leaf01#")
        await line.pause(0.2)
        line.write("\n")

    with place.session(Device(special={"show neighbours": neighbours})) as switch:
        assert switch.run("show neighbours").text == "to\nold-leaf01#\n"


def test_a_command_that_is_painted_again_is_not_part_of_its_answer(place: Place) -> None:
    async def again(line: Line) -> None:
        line.write("leaf01#show slow\nthe answer\n")

    with place.session(Device(special={"show slow": again})) as switch:
        assert switch.run("show slow").text == "the answer\n"


@pytest.mark.parametrize(
    ("question", "wipe"),
    [
        ("--More--", "\r        \r"),
        (" --More-- ", "\b" * 10 + " " * 10 + "\b" * 10),
        ("---- More ----", "\x1b[16D\x1b[K"),
        ("--More-- or (q)uit", "\r\x1b[K"),
        ("<--- More --->", "\r              \r"),
        ("--More--(64%)", "\n"),
    ],
)
def test_a_pager_that_would_not_go_away_is_turned(place: Place, question: str, wipe: str) -> None:
    async def pages(line: Line) -> None:
        for page in range(3):
            line.write(f"   page {page}\n{question}")
            assert await line.key() == " "
            line.process.stdout.write("\r\n" if wipe == "\n" else wipe)
        line.write("   end\n")

    with place.session(Device(special={"show pages": pages}, answer=ANSWERS.get)) as switch:
        text = switch.run("show pages").text
        assert [line for line in text.splitlines() if line] == [
            "   page 0",
            "   page 1",
            "   page 2",
            "   end",
        ]
        assert switch.run("show version").text == ANSWERS["show version"]


def test_colours_and_broken_characters_are_no_trouble(place: Place) -> None:
    async def odd(line: Line) -> None:
        line.write("\x1b[1mbold\x1b[0m ")
        whole = "ä".encode()
        line.process.channel.set_encoding(None)
        for byte in whole:
            line.process.channel.write(bytes([byte]))
            await line.pause()
        line.process.channel.write(b"\xff\r\n")
        line.process.channel.set_encoding("utf-8")

    with place.session(Device(special={"show odd": odd})) as switch:
        assert switch.run("show odd").text == "bold ä\ufffd\n"


def test_a_session_that_dies_in_the_middle_is_known_at_once(place: Place) -> None:
    async def die(line: Line) -> None:
        line.write("interface Ethernet1/1\n   priority-fl")
        await line.pause()
        line.process.channel.get_connection().abort()

    start = time.monotonic()
    with place.session(Device(special={"show die": die})) as switch:
        with pytest.raises(Broken, match="in the middle of an answer") as raised:
            switch.run("show die", timeout=60)
        assert raised.value.partial == "interface Ethernet1/1\n   priority-fl"
        with pytest.raises(Broken, match="the session is over"):
            switch.run("show version")
    assert time.monotonic() - start < 10


def test_an_answer_that_does_not_end_is_cut_off_in_time(place: Place) -> None:
    async def stall(line: Line) -> None:
        line.write("half\n")
        await line.pause(30)

    start = time.monotonic()
    with place.session(Device(special={"show stall": stall})) as switch:
        with pytest.raises(Broken, match=r"no prompt 0\.5 s after 'show stall'") as raised:
            switch.run("show stall", timeout=0.5)
        assert raised.value.partial == "half\n"
    assert time.monotonic() - start < 10


def test_what_came_late_is_not_the_next_answer(place: Place) -> None:
    async def late(line: Line) -> None:
        line.write("done\n" + line.prompt)
        await line.pause(0.15)
        line.write("\n2026 Dec  1 02:00:00 leaf01 %ETHPORT-5-IF_UP: up\n")

    with place.session(Device(special={"show late": late}, answer=ANSWERS.get)) as switch:
        assert switch.run("show late").text == "done\n"
        time.sleep(0.4)
        assert switch.run("show version").text == ANSWERS["show version"]


def test_the_privileged_mode_is_entered_only_when_needed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOSSLESS_ENABLE_PASSWORD", "raise-me")
    device = Device(mark=">", enable="raise-me", answer=ANSWERS.get)
    with place.session(device) as switch:
        assert switch.run("show version").text == ANSWERS["show version"]
        assert "enable" not in device.asked
        for _ in range(2):
            reply = switch.run("show running-config", privileged=True)
            assert reply.text == ANSWERS["show running-config"]
    assert device.asked.count("enable") == 1
    assert device.passwords == ["raise-me"]


def test_a_refused_privileged_mode_is_tried_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOSSLESS_ENABLE_PASSWORD", "wrong-one")
    device = Device(mark=">", enable="raise-me", answer=ANSWERS.get)
    with (
        pytest.raises(Refused, match="privileged mode was refused to 'admin'") as raised,
        place.session(device) as switch,
    ):
        switch.run("show running-config", privileged=True)
    assert device.passwords == ["wrong-one"]
    assert device.logins == 1
    assert "wrong-one" not in str(raised.value)


@pytest.mark.parametrize("interactive", [False, True])
def test_a_password_lets_in_and_a_wrong_one_is_sent_once(
    place: Place, monkeypatch: pytest.MonkeyPatch, interactive: bool
) -> None:
    device = Device(password="canary-7", interactive=interactive, answer=ANSWERS.get)
    monkeypatch.setenv("LOSSLESS_PASSWORD", "canary-7")
    with place.session(device) as switch:
        assert switch.run("show clock").text == ANSWERS["show clock"]
    assert device.passwords == ["canary-7"]
    monkeypatch.setenv("LOSSLESS_PASSWORD", "canary-8")
    with pytest.raises(Refused, match="sent once and is not tried again"), place.session(device):
        pass
    assert device.passwords == ["canary-7", "canary-8"]


def test_a_question_that_is_not_a_password_is_left_to_people(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Device(password="x", interactive=True, question="Verification code: ")
    monkeypatch.setenv("LOSSLESS_PASSWORD", "canary-9")
    with pytest.raises(Refused, match="asks 'Verification code:'"), place.session(device):
        pass
    assert "canary-9" not in device.passwords


def test_secrets_are_in_no_log_and_no_error(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The root logger listens to everything; netmiko and paramiko would tell it all they hear."""
    caplog.set_level(logging.DEBUG)
    for name in ("netmiko", "paramiko", "paramiko.transport"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    monkeypatch.setenv("LOSSLESS_PASSWORD", "canary-login")
    monkeypatch.setenv("LOSSLESS_ENABLE_PASSWORD", "canary-enable")
    answers = {"show snmp": "snmp-server community canary-community ro\n"}
    device = Device(mark=">", password="canary-login", enable="canary-enable", answer=answers.get)
    with place.session(device) as switch:
        assert "canary-community" in switch.run("show snmp", privileged=True).text
        with pytest.raises(Broken) as raised:
            switch.run("enable", timeout=0.3)
    assert "canary" not in caplog.text
    assert "canary" not in str(raised.value)


def test_a_login_that_shows_no_prompt_is_told(place: Place) -> None:
    policy_seconds = 2.0
    device = Device(silent=True, greeting="Welcome\n")
    target = place.serve(device)
    policy = Policy(
        ssh_config="/dev/null",
        known_hosts=place.policy.known_hosts,
        agent=False,
        connect_timeout=policy_seconds,
        attempts=2,
        backoff=0.01,
    )
    with (
        pytest.raises(Unreachable, match="no prompt of arista_eos was seen, 2 times"),
        connect(target, None, policy),
    ):
        pass
    assert device.sessions == 2


def test_a_session_that_ends_before_its_prompt_is_told(place: Place) -> None:
    device = Device(greeting="too many users\n")

    async def gone(line: Line) -> None:
        raise asyncssh.BreakReceived(0)

    device.special[""] = gone  # the first empty line that netmiko sends
    device.mark = ""
    with pytest.raises(Unreachable, match="ended before there was a prompt"), place.session(device):
        pass


@contextmanager
def plain_server(answer: bytes, *, close: bool) -> Iterator[int]:
    """Serve something that is not SSH."""
    import threading

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="server")
    thread.start()

    held: list[asyncio.StreamWriter] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()
        if close:
            writer.close()
        else:
            held.append(writer)  # one that nobody holds closes itself

    async def start() -> asyncio.Server:
        return await asyncio.start_server(handle, "127.0.0.1", 0)

    server = asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        for writer in held:
            loop.call_soon_threadsafe(writer.close)
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


@pytest.mark.parametrize(
    ("answer", "close", "said", "attempts"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n" * 200, False, "does not speak SSH", 1),
        (b"", False, "took the connection and said nothing, 2 times", 2),
        (b"", True, r"(closed the connection|said nothing).*, 2 times", 2),
        (b"SSH-2.0-half\r\n", False, "did not agree on keys in time, 2 times", 2),
        (b"SSH-2.0-half\r\n", True, "closed the connection before keys.*, 2 times", 2),
    ],
)
def test_what_is_no_ssh_server_is_told(
    place: Place, answer: bytes, close: bool, said: str, attempts: int
) -> None:
    policy = Policy(
        ssh_config="/dev/null",
        known_hosts=place.policy.known_hosts,
        agent=False,
        connect_timeout=0.6,
        attempts=2,
        backoff=0.01,
    )
    with plain_server(answer, close=close) as port:
        target = Target(name="leaf01", address="127.0.0.1", port=port, session=EOS)
        with pytest.raises(Unreachable, match=said), connect(target, None, policy):
            pass


def test_a_closed_port_and_an_unknown_name_are_told_at_once(place: Place) -> None:
    start = time.monotonic()
    target = Target(name="leaf01", address="127.0.0.1", port=1, session=EOS)
    with (
        pytest.raises(Unreachable, match="refuses connections"),
        connect(target, None, place.policy),
    ):
        pass
    target = Target(name="leaf01", address="no such name", session=EOS)
    with (
        pytest.raises(Unreachable, match="leaf01: the name no such name is not known"),
        connect(target, None, place.policy),
    ):
        pass
    assert time.monotonic() - start < 3


def test_a_wrong_host_key_is_refused_before_a_password_is_sent(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOSSLESS_PASSWORD", "canary-7")
    device = Device(password="canary-7")
    target = place.serve(device)
    known = Path(place.policy.known_hosts[0])
    other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip()
    known.write_text(f"[127.0.0.1]:{target.port} {other}\n")
    with pytest.raises(HostKey, match="has changed"), connect(target, None, place.policy):
        pass
    assert device.passwords == []


def test_a_device_type_that_netmiko_does_not_know_is_told(place: Place) -> None:
    with (
        pytest.raises(Unreachable, match="netmiko does not know 'sonic'"),
        place.session(Device(), Session(cli="sonic")),
    ):
        pass
