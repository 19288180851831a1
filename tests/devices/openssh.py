"""A real OpenSSH server on loopback, run by whoever runs the tests."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Keys:
    """Pairs of keys, by name."""

    folder: Path
    program: str

    def private(self, name: str, kind: str = "ed25519", passphrase: str = "") -> Path:
        path = self.folder / f"{name}_{kind}"
        if not path.exists():
            words = [self.program, "-q", "-t", kind, "-N", passphrase, "-C", name, "-f", str(path)]
            subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
        return path

    def public(self, name: str, kind: str = "ed25519", passphrase: str = "") -> str:
        self.private(name, kind, passphrase)
        return Path(f"{self.private(name, kind)}.pub").read_text().strip()


@dataclass(frozen=True)
class Server:
    """A server that runs: its port, and its log."""

    port: int
    log: Path

    def said(self, text: str) -> int:
        return self.log.read_text().count(text)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


@contextmanager
def running(
    program: str, folder: Path, host_key: Path, authorized: str, more: str = ""
) -> Iterator[Server]:
    """Run a server with one host key, which lets in who holds one of the authorized keys."""
    folder.mkdir(parents=True, exist_ok=True)
    allowed = folder / "authorized_keys"
    allowed.write_text(authorized + "\n")
    config = folder / "sshd_config"
    config.write_text(
        f"HostKey {host_key}\nListenAddress 127.0.0.1\nAuthorizedKeysFile {allowed}\n"
        "StrictModes no\nPidFile none\nUsePAM no\nAcceptEnv LC_*\nMaxStartups 100\n"
        f"PermitRootLogin yes\nLogLevel VERBOSE\n{more}\n"
    )
    if os.geteuid() == 0:
        with suppress(OSError):
            os.makedirs("/run/sshd", exist_ok=True)  # where it separates privileges
    log = folder / "log"
    port = free_port()
    words = [program, "-D", "-e", "-f", str(config), "-p", str(port)]
    with log.open("w") as errors:
        process = subprocess.Popen(words, stderr=errors, stdin=subprocess.DEVNULL)
        try:
            _wait(process, port, log)
            yield Server(port, log)
        finally:
            process.terminate()
            process.wait(10)


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(f"sshd did not start: {log.read_text()}")
