"""A real OpenSSH server as a Linux host: keys, jump hosts, host keys, passwords, sudo."""

from __future__ import annotations

import getpass
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lossless.devices import (
    Broken,
    HostKey,
    Policy,
    Refused,
    Session,
    Target,
    Unreachable,
    connect,
)
from lossless.devices.executors import open_executor
from lossless.devices.fleet import fan_out

from .openssh import Keys, Server, running

HOST = Session(privileged="sudo -n")


@dataclass
class Bench:
    """Servers, and the files that a user would have for them."""

    program: str
    keys: Keys
    folder: Path
    stack: ExitStack
    servers: dict[str, Server] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    config: list[str] = field(default_factory=list)

    def serve(self, name: str, more: str = "", *, key: str | None = None) -> Server:
        host_key = self.keys.private(key or f"host-{name}")
        server = self.stack.enter_context(
            running(self.program, self.folder / name, host_key, self.keys.public("user"), more)
        )
        self.servers[name] = server
        self.known.append(f"[127.0.0.1]:{server.port} {self.keys.public(key or f'host-{name}')}")
        self.config.append(f"Host {name}\n  HostName 127.0.0.1\n  Port {server.port}")
        return server

    def policy(self, **more: object) -> Policy:
        known, config = self.folder / "known_hosts", self.folder / "config"
        if not known.exists():
            known.write_text("".join(f"{line}\n" for line in self.known))
        config.write_text("\n".join(self.config) + "\n")
        settings: dict[str, object] = {
            "ssh_config": str(config),
            "known_hosts": (str(known),),
            "keys": (str(self.keys.private("user")),),
            "agent": False,
            "connect_timeout": 10.0,
            "backoff": 0.01,
        }
        return Policy(**{**settings, **more})  # type: ignore[arg-type]


@pytest.fixture
def bench(sshd: str, keys: Keys, tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(sshd, keys, tmp_path, stack)


def host(address: str, **more: object) -> Target:
    return Target(name="gpu01", address=address, session=HOST, **more)  # type: ignore[arg-type]


def test_a_key_lets_in_and_commands_tell_how_they_ended(bench: Bench) -> None:
    server = bench.serve("gpu")
    with connect(host("gpu"), None, bench.policy()) as session:
        reply = session.run("printf 'a\\n\\303\\244\\n'; echo aside >&2")
        assert (reply.text, reply.errors, reply.exit) == ("a\nä\n", "aside\n", 0)
        reply = session.run("cat /proc/self/nonsense")
        assert reply.exit == 1
        assert "No such file or directory" in reply.text
        assert reply.refusal is None
        reply = session.run("no-such-tool -a")
        assert reply.exit == 127
        assert reply.refusal is not None
        assert "not found" in reply.refusal
        reply = session.run("printf started; exec sleep 5", timeout=0.5)
        assert (reply.text, reply.exit, reply.complete) == ("started", None, False)
        reply = session.run("echo half; kill -9 $$")
        assert (reply.text, reply.exit, reply.complete) == ("half\n", None, False)
        assert session.run("cat; echo end").text == "end\n"
    assert server.said("Accepted publickey") == 1


def test_two_streams_that_fill_up_do_not_stop_each_other(bench: Bench) -> None:
    bench.serve("gpu")
    with connect(host("gpu"), None, bench.policy()) as session:
        reply = session.run("seq 1 1000000 >&2; seq 1 1000000", timeout=50)
    assert reply.exit == 0
    assert reply.text == reply.errors == "".join(f"{n}\n" for n in range(1, 1000001))


def test_a_changed_host_key_is_refused_and_its_line_named(bench: Bench) -> None:
    bench.serve("gpu", key="host-of-somebody-else")
    name = f"[127.0.0.1]:{bench.servers['gpu'].port}"
    bench.known[:] = ["# a comment", f"{name} {bench.keys.public('host-gpu')}"]
    policy = bench.policy(accept_new_host_keys=True)
    before = Path(policy.known_hosts[0]).read_text()
    with pytest.raises(HostKey) as raised, connect(host("gpu"), None, policy):
        pass
    text = str(raised.value)
    assert "has changed" in text
    assert f"{policy.known_hosts[0]}:2 " in text
    assert f"ssh-keygen -f '{policy.known_hosts[0]}' -R '{name}'" in text
    assert text.count("ED25519 SHA256:") == 2
    assert Path(policy.known_hosts[0]).read_text() == before
    assert bench.servers["gpu"].said("Accepted") == 0


def test_a_key_of_another_kind_does_not_make_it_new(bench: Bench) -> None:
    bench.serve("gpu")
    bench.known[:] = [
        f"[127.0.0.1]:{bench.servers['gpu'].port} {bench.keys.public('host-gpu', 'ecdsa')}"
    ]
    policy = bench.policy(accept_new_host_keys=True)
    with pytest.raises(HostKey, match="has changed"), connect(host("gpu"), None, policy):
        pass


def test_an_unknown_host_key_is_refused_unless_said_otherwise(bench: Bench) -> None:
    bench.serve("gpu")
    bench.known[:] = []
    with (
        pytest.raises(HostKey, match="--accept-new-host-keys"),
        connect(host("gpu"), None, bench.policy()),
    ):
        pass
    accepting = bench.policy(accept_new_host_keys=True)
    with connect(host("gpu"), None, accepting) as session:
        assert session.run("true").exit == 0
    with connect(host("gpu"), None, bench.policy()) as session:
        assert session.run("true").exit == 0
    lines = Path(accepting.known_hosts[0]).read_text().splitlines()
    assert lines == [
        f"[127.0.0.1]:{bench.servers['gpu'].port} "
        + " ".join(bench.keys.public("host-gpu").split()[:2])
    ]


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_each_kind_of_key_and_hashed_names_are_known(
    bench: Bench, kind: str, sshd: str, tmp_path: Path
) -> None:
    private = bench.keys.private("many", kind)
    server = bench.stack.enter_context(
        running(sshd, tmp_path / "kinds", private, bench.keys.public("user", kind))
    )
    known = tmp_path / "hashed"
    known.write_text(f"[127.0.0.1]:{server.port} {bench.keys.public('many', kind)}\n")
    import subprocess

    subprocess.run([bench.keys.program, "-q", "-H", "-f", known], check=True, capture_output=True)
    assert "127.0.0.1" not in known.read_text()
    policy = bench.policy(known_hosts=(str(known),), keys=(str(bench.keys.private("user", kind)),))
    with connect(host("127.0.0.1", port=server.port), None, policy) as session:
        assert session.run("echo in").text == "in\n"


def test_two_jump_hosts_are_passed_and_their_keys_verified(bench: Bench) -> None:
    for name in ("first", "second", "gpu"):
        bench.serve(name)
    bench.config.append("Host inner\n  HostName 127.0.0.1")
    bench.config.append(f"  Port {bench.servers['gpu'].port}\n  ProxyJump first,second")
    with connect(host("inner"), None, bench.policy()) as session:
        came_from = session.run("echo $SSH_CONNECTION").text.split()[1]
    assert bench.servers["first"].said("Accepted publickey") == 1
    assert bench.servers["second"].said("Accepted publickey") == 1
    assert bench.servers["gpu"].said(f"127.0.0.1 port {came_from}") > 0
    with connect(host("gpu", jump="second"), None, bench.policy()) as session:
        assert session.run("true").exit == 0
    assert bench.servers["first"].said("Accepted publickey") == 1


def test_a_jump_host_whose_key_changed_is_not_passed(bench: Bench) -> None:
    for name in ("first", "second", "gpu"):
        bench.serve(name)
    bench.known[1] = f"[127.0.0.1]:{bench.servers['second'].port} {bench.keys.public('host-gpu')}"
    with (
        pytest.raises(HostKey, match="has changed") as raised,
        connect(host("gpu", jump="first,second"), None, bench.policy()),
    ):
        pass
    assert f"[127.0.0.1]:{bench.servers['second'].port}" in str(raised.value)
    assert bench.servers["gpu"].said("Connection from") <= 1  # our own look whether it listens


def test_a_jump_host_that_forbids_and_one_that_finds_nobody(bench: Bench) -> None:
    bench.serve("strict", "AllowTcpForwarding no")
    bench.serve("open")
    bench.serve("gpu")
    with (
        pytest.raises(Unreachable, match="the jump host forbids it"),
        connect(host("gpu", jump="strict"), None, bench.policy()),
    ):
        pass
    with (
        pytest.raises(Unreachable, match="the jump host cannot connect"),
        connect(host("127.0.0.1", port=1, jump="open"), None, bench.policy()),
    ):
        pass


def test_a_fleet_shares_its_jump_host(bench: Bench) -> None:
    bench.serve("bastion")
    bench.serve("gpu", "MaxSessions 20")
    policy = bench.policy()
    together = threading.Barrier(6)

    def ask(number: int) -> str:
        with connect(host("gpu", jump="bastion"), None, policy) as session:
            together.wait(30)
            return session.run(f"echo {number}").text

    with open_executor(workers=6) as executor:
        gathered = fan_out(range(6), ask, executor)
    assert [o.value for o in gathered.outcomes] == [f"{n}\n" for n in range(6)]
    assert bench.servers["bastion"].said("Accepted publickey") == 1
    assert not [t for t in threading.enumerate() if "Transport" in repr(t)]


def test_a_jump_host_that_fails_is_tried_once_for_a_fleet(bench: Bench) -> None:
    bastion = bench.serve("bastion")
    bench.known.clear()
    policy = bench.policy()

    def ask(number: int) -> str:
        target = Target(name=f"gpu{number}", address="192.0.2.1", session=HOST, jump="bastion")
        with connect(target, None, policy) as session:
            return session.run("true").text

    with open_executor(workers=4) as executor:
        gathered = fan_out(range(12), ask, executor)
    errors = [o.error for o in gathered.outcomes]
    assert all(isinstance(error, HostKey) for error in errors)
    assert [str(error).split(":")[0] for error in errors] == [f"gpu{n}" for n in range(12)]
    assert bastion.said("Connection from") == 2  # one is our own look whether it listens


def test_a_jump_host_that_comes_back_is_used(bench: Bench) -> None:
    bench.serve("bastion")
    bench.serve("gpu")
    policy = bench.policy()
    for _ in range(2):
        with connect(host("gpu", jump="bastion"), None, policy) as session:
            assert session.run("true").exit == 0
    assert bench.servers["bastion"].said("Accepted publickey") == 2


def test_a_wrong_password_is_sent_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    server = bench.serve("gpu", "PasswordAuthentication yes\nKbdInteractiveAuthentication no")
    monkeypatch.setenv("LOSSLESS_PASSWORD", "not-the-password")
    policy = bench.policy(keys=(), attempts=5)
    with pytest.raises(Refused) as raised, connect(host("gpu"), None, policy):
        pass
    assert "refused the password" in str(raised.value)
    assert "not-the-password" not in str(raised.value)
    assert server.said("Failed password") == 1
    assert server.said("Connection from") == 2  # one is our own look whether it listens


def test_no_key_and_no_password_says_what_to_give(bench: Bench) -> None:
    bench.serve("gpu", "PasswordAuthentication yes")
    locked = bench.keys.private("locked", passphrase="hush")
    with (
        pytest.raises(Refused) as raised,
        connect(host("gpu"), None, bench.policy(keys=(str(locked),))),
    ):
        pass
    text = str(raised.value)
    assert f"{locked} locked" in text
    assert "LOSSLESS_KEY_PASSPHRASE" in text
    assert "LOSSLESS_PASSWORD" in text


def test_a_locked_key_is_opened(
    bench: Bench, sshd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = bench.keys.private("locked", passphrase="hush")
    public = bench.keys.public("locked", passphrase="hush")
    server = bench.stack.enter_context(
        running(sshd, tmp_path / "locked", bench.keys.private("host-locked"), public)
    )
    bench.known.append(f"[127.0.0.1]:{server.port} {bench.keys.public('host-locked')}")
    monkeypatch.setenv("LOSSLESS_KEY_PASSPHRASE", "hush")
    with connect(
        host("127.0.0.1", port=server.port), None, bench.policy(keys=(str(locked),))
    ) as session:
        assert session.run("true").exit == 0


def test_rights_are_asked_for_only_where_a_command_needs_them(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    sudo = tools / "sudo"
    sudo.write_text(
        '#!/bin/sh\n[ "$1" = -n ] || exit 9\nshift\n'
        'case "$1" in refuse) echo "sudo: a password is required" >&2; exit 1;; esac\n'
        'AS_ROOT=yes exec "$@"\n'
    )
    sudo.chmod(0o755)
    bench.serve("gpu", f"SetEnv PATH={tools}:/usr/bin:/bin")
    with connect(host("gpu"), None, bench.policy()) as session:
        asks = "printenv AS_ROOT"
        assert session.run(asks).text == ""
        if getpass.getuser() == "root":
            assert session.run(asks, privileged=True).text == ""
    from lossless.devices.credentials import Credentials
    from lossless.devices.posix import PosixSession
    from lossless.devices.route import way_to
    from lossless.devices.ssh import opened_way

    policy, target, who = bench.policy(), host("gpu"), Credentials()
    with opened_way(target, way_to(target, who, policy), who, policy) as transport:
        session = PosixSession("gpu01", transport, HOST, "somebody", timeout=10)
        assert session.run("printenv AS_ROOT", privileged=True).text == "yes\n"
        refused = session.run("refuse", privileged=True)
        assert refused.refusal == "sudo: a password is required"
        assert refused.exit == 1


def test_tools_of_administrators_are_found(bench: Bench) -> None:
    bench.serve("gpu", "SetEnv PATH=/usr/bin:/bin")
    with connect(host("gpu"), None, bench.policy()) as session:
        assert session.run("command -v sshd >/dev/null || exit 127; echo found").text == "found\n"


def test_a_server_that_dies_is_told(bench: Bench) -> None:
    bench.serve("gpu")
    with (
        connect(host("gpu"), None, bench.policy()) as session,
        pytest.raises(Broken, match="ended before the answer") as raised,
    ):
        session.run("echo half; sleep 0.2; kill -9 $PPID; sleep 5")
    assert raised.value.partial == "half\n"


def test_a_program_in_ssh_config_is_not_run(bench: Bench, tmp_path: Path) -> None:
    bench.serve("gpu")
    mark = tmp_path / "ran"
    bench.config.append(f"Host odd\n  HostName 127.0.0.1\n  ProxyCommand touch {mark}")
    with (
        pytest.raises(Unreachable, match=r"config:\d+:3 says ProxyCommand"),
        connect(host("odd"), None, bench.policy()),
    ):
        pass
    assert not mark.exists()
