"""A fleet over SSH: wrong passwords held back, interruptions, retries, other processes, agents."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest

from lossless.devices import (
    Credentials,
    Policy,
    Refused,
    Secret,
    Session,
    Target,
    Unreachable,
    connect,
    leash,
)
from lossless.devices.executors import open_executor
from lossless.devices.fleet import fan_out
from lossless.devices.gate import REFUSALS
from lossless.platforms.arista_eos.session import SESSION as EOS

from .openssh import Keys, running
from .server import Device, Line, serving

HOST = Session(privileged="sudo -n")


def settings(known: Path, **more: object) -> Policy:
    said: dict[str, object] = {
        "ssh_config": "/dev/null",
        "known_hosts": (str(known),),
        "agent": False,
        "connect_timeout": 10.0,
        "command_timeout": 30.0,
        "backoff": 0.01,
    }
    return Policy(**{**said, **more})  # type: ignore[arg-type]


def ask(policy: Policy, target: Target) -> str:
    """Ask a device one thing; a function of its own, so that other processes can be told of it."""
    with connect(target, None, policy) as session:
        return session.run("show version").text


@contextmanager
def fleet(tmp_path: Path, devices: list[Device]) -> Iterator[tuple[Policy, list[Target]]]:
    with ExitStack() as stack:
        served = [stack.enter_context(serving(device)) for device in devices]
        known = tmp_path / "known_hosts"
        known.write_text("".join(line for _, line in served))
        yield (
            settings(known),
            [
                Target(name=f"leaf{n:02}", address="127.0.0.1", port=port, session=EOS, user="op")
                for n, (port, _) in enumerate(served)
            ],
        )


def test_a_wrong_password_is_not_sent_to_a_whole_fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOSSLESS_PASSWORD", "not-that-one")
    devices = [Device(password="right") for _ in range(8)]
    with fleet(tmp_path, devices) as (policy, targets), open_executor(workers=8) as executor:
        gathered = fan_out(targets, partial(ask, policy), executor)
    assert sum(len(device.passwords) for device in devices) == REFUSALS
    assert all(isinstance(o.error, Refused) for o in gathered.outcomes)
    assert sum("was not sent" in str(o.error) for o in gathered.outcomes) == 8 - REFUSALS


def test_a_password_that_one_device_took_is_sent_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOSSLESS_PASSWORD", "right")
    answer = {"show version": "EOS\n"}.get
    devices = [Device(password="right", answer=answer) for _ in range(2)]
    devices += [Device(password="another") for _ in range(5)]
    with fleet(tmp_path, devices) as (policy, targets), open_executor(workers=1) as executor:
        gathered = fan_out(targets, partial(ask, policy), executor)
    assert [o.value for o in gathered.outcomes] == ["EOS\n"] * 2 + [None] * 5
    assert [len(device.passwords) for device in devices] == [1] * 7


def test_an_interruption_closes_sessions_that_wait(tmp_path: Path) -> None:
    waiting = threading.Event()

    async def wait(line: Line) -> None:
        waiting.set()
        await line.pause(60)

    devices = [Device(special={"show version": wait}), Device(answer=lambda command: "EOS\n")]
    start = time.monotonic()
    with fleet(tmp_path, devices) as (policy, targets), open_executor(workers=2) as executor:

        def press() -> None:
            waiting.wait(30)
            time.sleep(1.0)
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

        presser = threading.Thread(target=press)
        presser.start()
        gathered = fan_out(targets, partial(ask, policy), executor)
        presser.join()
    assert gathered.interrupted
    assert [(o.job.name, o.value) for o in gathered.outcomes] == [("leaf01", "EOS\n")]
    assert [job.name for job in gathered.left] == ["leaf00"]
    assert time.monotonic() - start < 20
    names = [repr(thread) for thread in threading.enumerate()]
    assert not [name for name in names if "lossless" in name or "Transport" in name]


def test_nothing_is_begun_while_sessions_are_let_go(tmp_path: Path) -> None:
    device = Device()
    with (
        fleet(tmp_path, [device]) as (policy, targets),
        leash.letting_go(),
        pytest.raises(Unreachable, match="interrupted"),
    ):
        ask(policy, targets[0])
    assert device.logins == 0


@contextmanager
def unsteady(port: int, resets: int) -> Iterator[tuple[int, list[int]]]:
    """Stand before a server, and reset the first connections."""
    seen: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def pipe(source: socket.socket, sink: socket.socket) -> None:
            try:
                while data := source.recv(65536):
                    sink.sendall(data)
            except OSError:
                pass
            for sock in (source, sink):
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)

        def accept() -> None:
            while True:
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                seen.append(len(seen))
                if len(seen) <= resets:
                    linger = b"\1\0\0\0\0\0\0\0"
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    client.close()
                    continue
                server = socket.create_connection(("127.0.0.1", port))
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=pipe, args=pair, daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1], seen
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(5)


@pytest.mark.parametrize(("resets", "tries"), [(0, 1), (2, 3), (3, 3)])
def test_what_passes_is_tried_again_and_not_for_ever(
    tmp_path: Path, resets: int, tries: int
) -> None:
    known = tmp_path / "known_hosts"
    with (
        serving(Device(answer=lambda command: "EOS\n")) as (port, line),
        unsteady(port, resets) as (before, seen),
    ):
        known.write_text(line.replace(str(port), str(before)))
        target = Target(name="leaf01", address="127.0.0.1", port=before, session=EOS)
        policy = settings(known, attempts=3)
        if resets < 3:
            assert ask(policy, target) == "EOS\n"
        else:
            with pytest.raises(Unreachable, match=", 3 times"):
                ask(policy, target)
        assert len(seen) == tries


def test_times_between_attempts_grow_and_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    from lossless.devices.errors import Silent
    from lossless.devices.retries import persist

    waited: list[float] = []
    monkeypatch.setattr(leash, "wait", lambda seconds: waited.append(seconds) or True)

    def never() -> None:
        raise Silent("leaf01", "no answer")

    for _ in range(2):
        with pytest.raises(Silent, match="no answer, 4 times"):
            persist(never, Policy(attempts=4, backoff=1.0))
    for number, seconds in enumerate(waited):
        assert 0.5 * 2 ** (number % 3) <= seconds <= 1.5 * 2 ** (number % 3)
    assert len(set(waited)) == 6


def test_other_processes_connect_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOSSLESS_PASSWORD", "right")
    devices = [Device(password="right", answer=lambda command: "EOS\n"), Device(password="other")]
    with (
        fleet(tmp_path, devices) as (policy, targets),
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor,
    ):
        good, bad = fan_out(targets, partial(ask, policy), executor).outcomes
    assert good.value == "EOS\n"
    assert isinstance(bad.error, Refused)
    assert bad.error.device == "leaf01"


def test_a_typed_password_does_not_leave_the_process() -> None:
    with ProcessPoolExecutor(1) as executor:
        gathered = fan_out([Credentials(password=Secret("canary"))], repr, executor)
    (outcome,) = gathered.outcomes
    assert isinstance(outcome.error, TypeError)
    assert "canary" not in str(outcome.error)


@pytest.fixture
def agent(keys: Keys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run an agent that holds two keys."""
    programs = [shutil.which(name) for name in ("ssh-agent", "ssh-add")]
    if None in programs:
        if os.environ.get("CI") == "true":
            pytest.fail("ssh-agent and ssh-add are needed in CI")
        pytest.skip("ssh-agent is not installed")
    path = tmp_path / "agent"
    process = subprocess.Popen([str(programs[0]), "-D", "-a", str(path)], stdout=subprocess.DEVNULL)
    try:
        monkeypatch.setenv("SSH_AUTH_SOCK", str(path))
        deadline = time.monotonic() + 10
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        for name in ("stranger", "user"):
            words = [str(programs[1]), "-q", str(keys.private(name))]
            subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
        yield
    finally:
        process.terminate()
        process.wait(10)


@pytest.mark.usefixtures("agent")
def test_keys_of_an_agent_let_in(sshd: str, keys: Keys, tmp_path: Path) -> None:
    known, config = tmp_path / "known_hosts", tmp_path / "config"
    with running(sshd, tmp_path / "gpu", keys.private("host-gpu"), keys.public("user")) as server:
        known.write_text(f"[127.0.0.1]:{server.port} {keys.public('host-gpu')}\n")
        target = Target(name="gpu01", address="127.0.0.1", port=server.port, session=HOST)
        with connect(target, None, settings(known, agent=True)) as session:
            assert session.run("true").exit == 0
        with pytest.raises(Refused), connect(target, None, settings(known)):
            pass
        # IdentitiesOnly: of the agent's keys only those whose public half is named.
        config.write_text(f"IdentitiesOnly yes\nIdentityFile {tmp_path}/mine\n")
        only = settings(known, agent=True, ssh_config=str(config))
        (tmp_path / "mine.pub").write_text(keys.public("stranger"))
        with pytest.raises(Refused, match="1 key tried"), connect(target, None, only):
            pass
        (tmp_path / "mine.pub").write_text(keys.public("user"))
        with connect(target, None, only) as session:
            assert session.run("true").exit == 0
        # A file that ssh_config names is used; netmiko passes over it.
        config.write_text(f"IdentityFile {keys.private('user')}\n")
        with connect(target, None, settings(known, ssh_config=str(config))) as session:
            assert session.run("true").exit == 0


def test_ipv6_addresses_are_connected_to(sshd: str, keys: Keys, tmp_path: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    known = tmp_path / "known_hosts"
    with running(
        sshd, tmp_path / "gpu", keys.private("host-gpu"), keys.public("user"), "ListenAddress ::1"
    ) as server:
        known.write_text(f"[::1]:{server.port} {keys.public('host-gpu')}\n")
        policy = settings(known, keys=(str(keys.private("user")),))
        target = Target(name="gpu01", address="::1", port=server.port, session=HOST)
        with connect(target, None, policy) as session:
            assert session.run("echo $SSH_CONNECTION").text.startswith("::1 ")
