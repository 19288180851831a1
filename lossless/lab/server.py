"""The lab's SSH servers: one event loop in a thread of its own, one port a device, on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import asyncssh

from lossless.lab.contract import Box
from lossless.lab.faults import Fault
from lossless.lab.terminal import Over, Terminal, straight

ADDRESS: Final = "127.0.0.1"
_START: Final = 120.0  # seconds in which a thousand servers have long started
_STOP: Final = 10.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the lab serves.

    `password` is everybody's (any user's); `base_port` is the first device's port, those of the
    others follow (0: any that are free).  `one_host_key` gives all devices one key.  `jump` serves
    a host to jump through, which lets nobody out of the lab.  `delay` is how many seconds a slow
    device waits before each answer.
    """

    password: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    base_port: int = 0
    one_host_key: bool = False
    jump: bool = False
    faults: Mapping[str, Fault] = field(default_factory=dict)
    delay: float = 3.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a device is served, and the public key ("ssh-ed25519 …") that it is known by."""

    name: str
    port: int
    key: str


class Lab:
    """Devices that are served; use as a context, or call `start` and `stop`."""

    def __init__(self, boxes: Iterable[Box], options: Options | None = None) -> None:
        self.boxes = {box.plate.name: box for box in boxes}
        self.options = options or Options()
        self.client_key = asyncssh.generate_private_key("ssh-ed25519", comment="lossless lab")
        self.places: dict[str, Place] = {}
        self.jump: Place | None = None
        self._one_key: Any = asyncssh.generate_private_key("ssh-ed25519")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="lossless-lab", daemon=True)
        self._listeners: list[Any] = []
        self.ports: set[int] = set()

    def __enter__(self) -> Lab:
        self.start()
        return self

    def __exit__(self, *told: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listen.  Raises `OSError` where a port is taken; nothing is served then."""
        self._thread.start()
        try:
            self._call(self._listen(), _START)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End every connection, and the thread."""
        if not self._thread.is_alive():
            return
        self._call(self._end(), _STOP)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_STOP)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def _call(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    async def _listen(self) -> None:
        for number, (name, box) in enumerate(self.boxes.items()):
            port = self.options.base_port + number if self.options.base_port else 0
            self.places[name] = await self._serve(name, box, port)
        if self.options.jump:
            port = self.options.base_port + len(self.boxes) if self.options.base_port else 0
            key = self._host_key()
            listener = await self._listener(port, key, lambda: _Jump(self), None)
            self.jump = Place("jump", listener.get_port(), _public(key))
            self.ports.add(self.jump.port)

    async def _serve(self, name: str, box: Box, port: int) -> Place:
        fault = self.options.faults.get(name)
        key = self._host_key()
        if fault is Fault.GARBAGE:
            server = await asyncio.start_server(_babble, ADDRESS, port)
            self._listeners.append(server)
            bound = server.sockets[0].getsockname()[1]
        else:
            other = asyncssh.generate_private_key("ssh-ed25519")
            listener = await self._listener(
                port,
                other if fault is Fault.WRONG_KEY else key,
                lambda: _Login(self, fault),
                lambda process: _attend(process, box, fault, self.options.delay),
            )
            bound = listener.get_port()
        self.ports.add(bound)
        return Place(name, bound, _public(key))

    async def _listener(
        self,
        port: int,
        key: Any,
        login: Callable[[], asyncssh.SSHServer],
        attend: Callable[[Any], Coroutine[Any, Any, None]] | None,
    ) -> Any:
        listener = await asyncssh.listen(
            ADDRESS,
            port,
            server_host_keys=[key],
            server_factory=login,
            process_factory=attend,
            line_editor=False,
            encoding="utf-8",
            errors="replace",
            config=None,
            agent_forwarding=False,
            x11_forwarding=False,
            gss_host=None,
            login_timeout=60,
        )
        self._listeners.append(listener)
        return listener

    def _host_key(self) -> Any:
        if self.options.one_host_key:
            return self._one_key
        return asyncssh.generate_private_key("ssh-ed25519")

    async def _end(self) -> None:
        for listener in self._listeners:
            listener.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=1) if others else None


def _public(key: Any) -> str:
    return " ".join(key.export_public_key().decode().split()[:2])


class _Login(asyncssh.SSHServer):
    """Who may log in: everybody who has the lab's password or key, under any name."""

    def __init__(self, lab: Lab, fault: Fault | None = None) -> None:
        self._lab = lab
        self._refuses = fault is Fault.WRONG_PASSWORD

    def begin_auth(self, username: str) -> bool:
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        same = secrets.compare_digest(password.encode(), self._lab.options.password.encode())
        return same and not self._refuses

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: Any) -> bool:
        same = key.public_data == self._lab.client_key.public_data
        return same and not self._refuses


class _Jump(_Login):
    """A host to jump through; it connects to the lab's own ports and nowhere else."""

    def connection_requested(
        self, dest_host: str, dest_port: int, orig_host: str, orig_port: int
    ) -> bool:
        return dest_host == ADDRESS and dest_port in self._lab.ports


async def _attend(process: Any, box: Box, fault: Fault | None, delay: float) -> None:
    """Serve one channel, whatever the client does."""
    with contextlib.suppress(Over, asyncssh.Error, OSError, asyncssh.BreakReceived):
        if fault is Fault.HALF_CLOSED:
            process.channel.write_eof()
            await process.channel.wait_closed()
            return
        deliver = _deliverer(process, fault, delay)
        if process.command is not None:
            await _execute(process, box, deliver)
            return
        session = box.session(process.get_extra_info("username"))
        try:
            await Terminal(process, session, deliver).run(box.banner)
        finally:
            session.close()
        process.exit(0)
        return
    process.close()


async def _execute(process: Any, box: Box, deliver: Any) -> None:
    screen = box.execute(process.command, process.get_extra_info("username"))
    await deliver(screen.text, process.stdout.write)
    process.stderr.write(screen.errors)
    process.exit(screen.status)


def _deliverer(process: Any, fault: Fault | None, delay: float) -> Any:
    async def late(text: str, write: Callable[[str], None]) -> None:
        await asyncio.sleep(delay)
        write(text)

    async def never(text: str, write: Callable[[str], None]) -> None:
        process.get_extra_info("connection").abort()
        raise Over

    async def half(text: str, write: Callable[[str], None]) -> None:
        if len(text) < _SHORT:  # what is said while a session is prepared
            write(text)
            return
        write(text[: len(text) // 2])
        await process.stdout.drain()
        await asyncio.sleep(0.05)
        await never(text, write)

    failing = {Fault.SLOW: late, Fault.DROPPING: never, Fault.MID_OUTPUT: half}
    return straight if fault is None else failing.get(fault, straight)


_SHORT: Final = 80


async def _babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer like something that is no SSH server at all."""
    del reader
    with contextlib.suppress(OSError):
        writer.write(random.Random(1).randbytes(512) + b"\r\n")  # noqa: S311 - noise
        await writer.drain()
        writer.close()
        await writer.wait_closed()
