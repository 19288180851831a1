"""A fleet in memory: devices that show what the demo's fixed twin says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from lossless.collect import gathering
from lossless.devices import Credentials, InMemory, Policy, Reply, Target
from tests.running.shown import FIXED, taken

Answer = Callable[[str, str], str | Reply]


class Fleet:
    """Devices by name.  `change` what one of them answers; `asked` are all commands."""

    def __init__(self) -> None:
        self.changes: dict[str, Callable[[str], str | Reply | None]] = {}
        self.asked: list[tuple[str, str, bool]] = []
        self.known = {
            name: {answer.command: answer.text for answer in told.answers}
            for name, told in taken(FIXED).items()
        }

    def change(self, device: str, answer: Callable[[str], str | Reply | None]) -> None:
        self.changes[device] = answer

    @contextmanager
    def connect(
        self, target: Target, credentials: Credentials, policy: Policy
    ) -> Iterator[InMemory]:
        def answer(command: str) -> str | Reply:
            changed = self.changes.get(target.name, lambda _: None)(command)
            if changed is not None:
                return changed
            text = self.known[target.name].get(command)
            return Reply("", refusal="no such command") if text is None else text

        self.changes.get(target.name, lambda _: None)("")
        transport = InMemory(answer)
        try:
            yield transport
        finally:
            self.asked += [(target.name, *one) for one in transport.asked]


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> Fleet:
    devices = Fleet()
    monkeypatch.setattr(gathering, "connect", devices.connect)
    return devices
