"""A box that is as small as a box can be, and a client to talk to it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import asyncssh

from lossless.lab.contract import Change, Plate, Screen
from lossless.lab.server import ADDRESS, Lab


class ToyBox:
    """Holds words; two sessions see the same."""

    banner = "Welcome\n"

    def __init__(self, name: str) -> None:
        self.plate = Plate(name, "toy")
        self.words: list[str] = []
        self.closed = 0

    def load(self, files: Mapping[str, str]) -> None:
        self.words = [word for text in files.values() for word in text.split()]

    def session(self, user: str) -> ToySession:
        return ToySession(self, user)

    def execute(self, command: str, user: str) -> Screen:
        if command == "long":
            return Screen("x" * 400 + "\n")
        return Screen(f"{user} ran {command}\n", "and said so\n", 3)

    def snapshot(self) -> str:
        return "\n".join(self.words)

    def drift(self, chance: random.Random) -> Change | None:
        return None


class ToySession:
    page = 5
    more = "--More--"

    def __init__(self, box: ToyBox, user: str) -> None:
        self.box, self.user = box, user
        self.prompt = f"{box.plate.name}>"
        self._secret = False

    def feed(self, line: str) -> Screen:
        if self._secret:
            self._secret = False
            return Screen(f"heard {line}\n")
        if line == "exit":
            return Screen(closed=True)
        if line == "secret":
            self._secret = True
            return Screen(ask="Password: ")
        if line == "show":
            return Screen("".join(f"{word}\n" for word in self.box.words))
        if line:
            self.box.words.append(line)
        return Screen()

    def close(self) -> None:
        self.box.closed += 1


async def connect(lab: Lab, name: str, known: Path | None = None, **more: Any) -> Any:
    """Log in as a client does, with the lab's key unless another way is told."""
    settings: dict[str, Any] = {
        "username": "ops",
        "client_keys": [lab.client_key],
        "known_hosts": str(known) if known else None,
        "config": None,
        "login_timeout": 10,
        **more,
    }
    return await asyncssh.connect(ADDRESS, lab.places[name].port, **settings)


class Talk:
    """A client's terminal: `say` types a line and gives all until something stands at the end."""

    def __init__(self, process: Any) -> None:
        self._process = process

    async def until(self, end: str, seconds: float = 10) -> str:
        said = ""
        while not said.endswith(end):
            chunk = await asyncio.wait_for(self._process.stdout.read(4096), seconds)
            assert chunk, f"the session ended after {said!r}"
            said += chunk
        return said

    async def say(self, line: str, end: str) -> str:
        self._process.stdin.write(line)
        return await self.until(end)


async def shell(connection: Any) -> Talk:
    return Talk(await connection.create_process(term_type="vt100"))
