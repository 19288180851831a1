"""Sessions with POSIX hosts: each command in a channel of its own, without a terminal.

So there is no prompt to guess, no pager and no echo, output is what the command wrote, and its
exit status is known.
"""

from __future__ import annotations

import re
import time
from importlib import import_module
from typing import Any, Final

from lossless.devices.errors import Broken
from lossless.devices.seam import Reply, Session

#: Where tools for administrators lie, which a login without a terminal may not look in.
_ADMINISTRATOR: Final = "PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH; "
_SUDO: Final = re.compile(
    r"^(?:sudo: .*|Sorry, user .* is not allowed.*|.* is not in the sudoers.*)$"
)
_STEP: Final = 0.5
_CHUNK: Final = 1 << 16


class PosixSession:
    """A session with a host whose login shell is POSIX."""

    def __init__(
        self, device: str, transport: Any, session: Session, user: str, *, timeout: float
    ) -> None:
        self._device = device
        self._transport = transport
        self._prefix = "" if user == "root" else session.privileged
        self._timeout = timeout

    def run(self, command: str, *, timeout: float | None = None, privileged: bool = False) -> Reply:
        """Run a command; one that does not end in time is cut off, and the session goes on."""
        seconds = timeout if timeout is not None else self._timeout
        raised = privileged and bool(self._prefix)
        worded = f"{self._prefix} {command}" if raised else command
        reply = self._run(worded, seconds)
        if reply.exit == 127 and not raised:
            # It was not found, so that nothing was done: look where tools of administrators lie.
            again = self._run(_ADMINISTRATOR + worded, seconds)
            reply = again if again.exit != 127 else reply
        return _with_refusal(reply, raised=raised)

    def _run(self, worded: str, seconds: float) -> Reply:
        answer = _Answer(self._device, self._channel(worded), time.monotonic() + seconds)
        try:
            answer.read()
        finally:
            answer.channel.close()
        if answer.late:
            said = f"no end after {seconds:g} s"
            return Reply(answer.text(), complete=False, refusal=said, errors=answer.errors())
        if answer.exit == -1:
            raise_if_gone(self._device, self._transport, answer.text())
            said = "the command was killed"
            return Reply(answer.text(), complete=False, refusal=said, errors=answer.errors())
        text, errors = answer.text(), answer.errors()
        return Reply(text if answer.exit == 0 else text + errors, answer.exit, errors=errors)

    def _channel(self, worded: str) -> Any:
        paramiko: Any = import_module("paramiko")

        try:
            channel = self._transport.open_session()
            # Servers take LC_* where they were told to (sshd_config(5), AcceptEnv), and pass over
            # it elsewhere: messages in one language are messages that can be read.
            channel.set_environment_variable("LC_ALL", "C")
            channel.exec_command(worded)
            channel.shutdown_write()
        except (paramiko.SSHException, EOFError, OSError):
            raise_if_gone(self._device, self._transport, "")
            raise Broken(
                self._device, "the host runs no command without a terminal", "look at ForceCommand"
            ) from None
        return channel


class _Answer:
    """What a command writes, until it ends or its time is over."""

    def __init__(self, device: str, channel: Any, deadline: float) -> None:
        self._device = device
        self.channel = channel
        self._deadline = deadline
        self._out: list[bytes] = []
        self._err: list[bytes] = []
        self._step = _STEP
        self.late = False
        self.exit = -1

    def read(self) -> None:
        """Read both streams as they come, so that neither fills up while the other is read."""
        while not self.late:
            try:
                chunk = self._next()
            except TimeoutError:
                # A command that writes errors alone would wait for us to read them.
                self._step = _STEP if not self._drain() else 0.005
                self.late = time.monotonic() >= self._deadline
                continue
            if not chunk:
                break
            self._out.append(chunk)
            self._drain()
        if not self.late:
            self._finish()

    def _next(self) -> bytes:
        self.channel.settimeout(max(0.0, min(self._step, self._deadline - time.monotonic())))
        chunk: bytes = self.channel.recv(_CHUNK)
        return chunk

    def _drain(self) -> bool:
        """Read the errors that are there, and say whether there were any."""
        before = len(self._err)
        while self.channel.recv_stderr_ready():
            self._err.append(self.channel.recv_stderr(_CHUNK))
        return len(self._err) > before

    def _finish(self) -> None:
        """Read the rest of the errors and the exit status, which come after the output's end."""
        left = max(0.0, self._deadline - time.monotonic())
        if not self.channel.status_event.wait(left):
            self.late = True
            return
        self.exit = self.channel.recv_exit_status()
        self.channel.settimeout(_STEP)
        try:
            while chunk := self.channel.recv_stderr(_CHUNK):
                self._err.append(chunk)
        except TimeoutError:
            self._drain()

    def text(self) -> str:
        return b"".join(self._out).decode("utf-8", "replace")

    def errors(self) -> str:
        return b"".join(self._err).decode("utf-8", "replace")


def raise_if_gone(device: str, transport: Any, partial: str) -> None:
    """Raise `Broken` where the connection is over; it may take a moment to be known."""
    deadline = time.monotonic() + _STEP
    while transport.is_active() and time.monotonic() < deadline:
        time.sleep(0.02)
    if not transport.is_active():
        raise Broken(device, "the connection ended before the answer did", partial=partial)


def _with_refusal(reply: Reply, *, raised: bool) -> Reply:
    """Tell a command that was not run from one that ran and failed."""
    if reply.exit in (None, 0):
        return reply
    lines = [line.strip() for line in reply.errors.splitlines() if line.strip()]
    if raised:
        for line in lines:
            if _SUDO.match(line):
                return Reply(reply.text, reply.exit, refusal=line, errors=reply.errors)
    if reply.exit in {126, 127}:
        said = lines[-1] if lines else "the command was not found"
        return Reply(reply.text, reply.exit, refusal=said, errors=reply.errors)
    return reply
