"""A login as a terminal sees it: echo, editing of a line, pages, and questions.

Characters are echoed as they come and lines end with CR LF, as devices do: clients wait for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from lossless.lab.contract import Screen, Session
from lossless.lab.line_mode import pages

_RUBOUT: Final = "\b \b"
_INTERRUPT, _END_OF_INPUT, _END_OF_MODE = "\x03", "\x04", "\x1a"

#: Writes the text of an answer; a device that fails does something else here.
Deliver = Callable[[str, Callable[[str], None]], Awaitable[None]]


class Over(Exception):  # noqa: N818 - no error: the person left
    """The client is gone."""


class Terminal:
    """One shell on a pseudo-terminal (or without one: then nothing is echoed)."""

    def __init__(self, process: Any, session: Session, deliver: Deliver) -> None:
        self._process = process
        self._session = session
        self._deliver = deliver
        self._echo = process.get_terminal_type() is not None
        self._waiting = ""
        self._after_return = False

    def write(self, text: str) -> None:
        """Send text as a terminal gets it."""
        self._process.stdout.write(text.replace("\n", "\r\n") if self._echo else text)

    async def run(self, banner: str) -> None:
        """Talk until the session is left.  Raises `Over` where the client is gone."""
        self.write(banner)
        asked: str | None = None
        while True:
            if asked is None:
                self.write(self._session.prompt if self._echo else "")
            else:
                self.write(asked)
            line = await self._line(seen=asked is None)
            screen = self._session.feed(line)
            await self._show(screen)
            if screen.closed:
                return
            asked = screen.ask

    async def _key(self) -> str:
        while not self._waiting:
            self._waiting = await self._process.stdin.read(4096)
            if not self._waiting:
                raise Over
        key, self._waiting = self._waiting[0], self._waiting[1:]
        return key

    async def _line(self, *, seen: bool) -> str:
        line = ""
        while True:
            key = await self._key()
            swallow, self._after_return = self._after_return and key == "\n", key == "\r"
            if swallow:
                continue
            if key in "\r\n":
                self.write("\n" if self._echo else "")
                return line
            if key == _END_OF_INPUT and not line:
                raise Over
            if key == _END_OF_MODE:
                self.write("\n" if self._echo else "")
                return "end"
            line = self._edited(line, key, seen=seen and self._echo)

    def _edited(self, line: str, key: str, *, seen: bool) -> str:
        """Return the line after one more key, and show on the screen what became of it."""
        if key in "\x7f\b":
            self._process.stdout.write(_RUBOUT if seen and line else "")
            return line[:-1]
        if key == _INTERRUPT:
            self.write("^C\n" + self._session.prompt if seen else "")
            return ""
        if key == "\x15":
            self._process.stdout.write(_RUBOUT * len(line) if seen else "")
            return ""
        if key < " ":
            return line
        self._process.stdout.write(key if seen else "")
        return line + key

    async def _show(self, screen: Screen) -> None:
        length = self._session.page if screen.paged and self._echo else 0
        cut = pages(screen.text, length)
        for number, page in enumerate(cut, 1):
            await self._deliver(page, self.write)
            if number < len(cut) and not await self._next_page():
                return
        self.write(screen.errors)

    async def _next_page(self) -> bool:
        """Ask for the next page; say whether it is wanted."""
        question = self._session.more
        self._process.stdout.write(question)
        while (key := await self._key()) not in " \rqQ\n" + _INTERRUPT:
            pass
        self._process.stdout.write("\r" + " " * len(question) + "\r")
        return key in " \r\n"


async def straight(text: str, write: Callable[[str], None]) -> None:
    """Deliver an answer as a healthy device does."""
    write(text)
    await asyncio.sleep(0)
