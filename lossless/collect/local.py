"""The host that this runs on, asked without SSH: `lossless collect --local`."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Mapping

from lossless.devices import Reply, Session
from lossless.model.device import Device


class Local:
    """A transport whose commands run here, through `sh` as on a host over SSH.

    The commands are those of the platforms: their names of interfaces have a grammar.
    """

    def __init__(self, session: Session, *, timeout: float) -> None:
        self._prefix = session.privileged if os.geteuid() != 0 else ""
        self._timeout = timeout

    def run(self, command: str, *, timeout: float | None = None, privileged: bool = False) -> Reply:
        """Run one command and return its answer; one that does not end in time is cut off."""
        worded = f"{self._prefix} {command}" if privileged and self._prefix else command
        seconds = self._timeout if timeout is None else timeout
        try:
            done = subprocess.run(  # noqa: S603  the platforms' own reads
                ["/bin/sh", "-c", worded],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
                env={
                    **os.environ,
                    "LC_ALL": "C",
                    "PATH": f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin:/sbin",
                },
            )
        except subprocess.TimeoutExpired as error:
            text = _text(error.stdout)
            return Reply(text, complete=False, refusal=f"no end after {seconds:g} s")
        except OSError as error:
            return Reply("", complete=False, refusal=f"sh: {error.strerror}")
        text, errors = _text(done.stdout), _text(done.stderr)
        refusal = _sudo(errors) if worded is not command and done.returncode != 0 else None
        text = text if done.returncode == 0 else text + errors
        return Reply(text, done.returncode, refusal=refusal, errors=errors)


def this_host(devices: Mapping[str, Device]) -> Device | None:
    """Return the declared device that is this host, by its name; `None` where none is."""
    name = socket.gethostname()
    for told in (name, name.partition(".")[0]):
        if told in devices:
            return devices[told]
    return None


def _sudo(errors: str) -> str | None:
    lines = (line.strip() for line in errors.splitlines())
    return next((line for line in lines if line.startswith("sudo:")), None)


def _text(content: bytes | None) -> str:
    return (content or b"").decode("utf-8", errors="replace")
