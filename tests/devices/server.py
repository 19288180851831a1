"""An SSH server on loopback whose devices do what real ones do at the wrong moment."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import asyncssh

Shell = Callable[["Line"], Awaitable[None]]


@dataclass
class Line:
    """One terminal session: what a device's command line reads and writes."""

    process: Any
    device: Device
    privileged: bool = False

    @property
    def prompt(self) -> str:
        return self.device.prompt + ("#" if self.privileged else self.device.mark)

    def write(self, text: str) -> None:
        self.process.stdout.write(text.replace("\n", "\r\n"))

    async def pause(self, seconds: float = 0.05) -> None:
        await asyncio.sleep(seconds)

    async def read(self, *, echo: bool = True) -> str:
        """Read a line, echoing each character as a terminal does."""
        line = ""
        while True:
            char = await self.process.stdin.read(1)
            if not char:
                raise asyncssh.BreakReceived(0)
            if char in "\r\n":
                if echo:
                    self.write("\n")
                return line
            line += char
            if echo:
                self.process.stdout.write(char)

    async def key(self) -> str:
        key: str = await self.process.stdin.read(1)
        return key


@dataclass
class Device:
    """A device: its prompt, its passwords, and what it answers.

    `answer` gives the text of an answer; `special` handles a command in any way it likes.
    """

    prompt: str = "leaf01"
    mark: str = "#"
    password: str | None = None
    interactive: bool = False
    question: str = "Password: "
    answer: Callable[[str], str | None] = lambda command: None
    special: dict[str, Callable[[Line], Awaitable[None]]] = field(default_factory=dict)
    execute: Callable[[str], tuple[str, str, int]] | None = None
    greeting: str = ""
    silent: bool = False
    enable: str | None = None
    asked: list[str] = field(default_factory=list)
    passwords: list[str] = field(default_factory=list)
    logins: int = 0
    sessions: int = 0


PREPARED = {
    "terminal width 511": "Width set to 511 columns.\n",
    "terminal length 0": "Pagination disabled.\n",
}


class _Server(asyncssh.SSHServer):
    def __init__(self, device: Device) -> None:
        self._device = device

    def connection_made(self, conn: Any) -> None:
        self._device.logins += 1

    def begin_auth(self, username: str) -> bool:
        return self._device.password is not None

    def password_auth_supported(self) -> bool:
        return not self._device.interactive

    def validate_password(self, username: str, password: str) -> bool:
        self._device.passwords.append(password)
        return password == self._device.password

    def kbdint_auth_supported(self) -> bool:
        return self._device.interactive

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        return "", "", "en", [(self._device.question, False)]

    def validate_kbdint_response(self, username: str, responses: Any) -> bool:
        self._device.passwords.extend(responses)
        return list(responses) == [self._device.password]


async def _raise_rights(line: Line) -> None:
    if line.device.enable is not None:
        line.write("Password: ")
        said = await line.read(echo=False)
        line.write("\n")
        line.device.passwords.append(said)
        if said != line.device.enable:
            line.write("% Bad secret\n\n")
            return
    line.privileged = True


async def _handle(process: Any, device: Device) -> None:
    device.sessions += 1
    if process.command is not None:
        await _execute(process, device)
        return
    line = Line(process, device)
    try:
        line.write(device.greeting)
        if device.silent:
            await asyncio.sleep(60)
        while True:
            line.write(line.prompt)
            command = await line.read()
            if command:
                device.asked.append(command)
            if command == "exit":
                break
            if command == "enable":
                await _raise_rights(line)
            elif command in device.special:
                await device.special[command](line)
            else:
                said = PREPARED.get(command) or device.answer(command)
                known = said is not None or not command
                line.write((said or "") if known else "% Invalid input\n")
    except (asyncssh.Error, asyncssh.BreakReceived, BrokenPipeError, OSError):
        pass
    process.exit(0)


async def _execute(process: Any, device: Device) -> None:
    device.asked.append(process.command)
    if device.execute is None:
        process.stderr.write("sh: not found\n")
        process.exit(127)
        return
    out, errors, status = device.execute(process.command)
    process.stdout.write(out)
    process.stderr.write(errors)
    process.exit(status)


@contextmanager
def serving(device: Device, key: asyncssh.SSHKey | None = None) -> Iterator[tuple[int, str]]:
    """Serve a device; give its port and the line that known_hosts has for it."""
    host_key = key or asyncssh.generate_private_key("ssh-ed25519")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="server")
    thread.start()

    async def start() -> Any:
        return await asyncssh.listen(
            "127.0.0.1",
            0,
            server_host_keys=[host_key],
            server_factory=lambda: _Server(device),
            process_factory=lambda process: _handle(process, device),
            line_editor=False,
            encoding="utf-8",
            allow_pty=True,
        )

    server = asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    port = server.get_port()
    public = host_key.export_public_key().decode().strip()
    try:
        yield port, f"[127.0.0.1]:{port} {public}\n"
    finally:

        async def stop() -> None:
            server.close()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0.05)

        asyncio.run_coroutine_threadsafe(stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
