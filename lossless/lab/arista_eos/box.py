"""A simulated EOS switch: running and startup configuration, candidates, and the commit timer."""

from __future__ import annotations

import difflib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lossless.findings import InputError, Location, Problem
from lossless.lab.arista_eos import drift, shows
from lossless.lab.arista_eos.configuration import Configuration, Refused
from lossless.lab.contract import Change, Clock, Plate, Screen

if TYPE_CHECKING:
    from lossless.lab.arista_eos.session import EosSession

_MOST_PENDING = 5  # the default of `service configuration session max pending`


@dataclass(slots=True)
class Candidate:
    """A configuration session that is not committed, and what was running when it began."""

    base: Configuration
    held: Configuration


@dataclass(slots=True)
class Timer:
    """A commit that is taken back at `end` (of the box's clock) unless it is confirmed."""

    name: str
    end: float
    before: Configuration


class Eos:
    """One switch; every session sees this state."""

    banner = ""

    def __init__(self, plate: Plate, clock: Clock) -> None:
        self.plate = plate
        self.clock = clock
        self.ports = tuple(port.name for port in plate.ports)
        self._running = Configuration(f"hostname {plate.name}", self.ports)
        self.startup = self._running.copy()
        self.pending: dict[str, Candidate] = {}
        self.timer: Timer | None = None

    @property
    def running(self) -> Configuration:
        """What runs now: a commit whose time is over has been taken back."""
        if self.timer is not None and self.clock() >= self.timer.end:
            self.revert()
        return self._running

    @property
    def hostname(self) -> str:
        """The name that the prompt shows."""
        return self.running.top.lines.get("hostname", "hostname localhost").split()[1]

    def load(self, files: Mapping[str, str]) -> None:
        """Start from configuration files; see `contract.Box`."""
        faults = []
        for name, text in files.items():
            for number, line, why in self._running.refused(text):
                told = f"{self.plate.name}: a simulated EOS refuses `{line}`"
                hint = "" if str(why) == line else str(why).removeprefix(f"{line}: ")
                faults.append(Problem(told, Location(name, number, 1), hint or None))
        if faults:
            raise InputError(faults)
        self.startup = self._running.copy()

    def session(self, user: str) -> EosSession:
        """Log in; "root" and "admin" are privileged at once."""
        from lossless.lab.arista_eos.session import EosSession

        return EosSession(self, privileged=user in ("root", "admin"))

    def execute(self, command: str, user: str) -> Screen:
        """Run one command; EOS takes it as if it were typed."""
        from lossless.lab.arista_eos.session import EosSession

        screen = EosSession(self, privileged=user in ("root", "admin")).feed(command)
        return Screen(screen.text, status=1 if screen.text.startswith("% ") else 0)

    def snapshot(self) -> str:
        """Return the running configuration, without the remarks above it."""
        return self.running.text()

    def drift(self, chance: random.Random) -> Change | None:
        """Change one thing as people do; see `contract.Box`."""
        return drift.make(self, chance)

    def save(self) -> None:
        """Copy the running configuration to the startup configuration."""
        self.startup = self.running.copy()

    # -- configuration sessions --------------------------------------------------------------

    def candidate(self, name: str) -> Candidate:
        """Return a configuration session, a new one where there is none.  Raises `Refused`."""
        if name not in self.pending:
            if len(self.pending) >= _MOST_PENDING:
                raise Refused("Maximum number of pending sessions has been reached")
            self.pending[name] = Candidate(self.running.copy(), self.running.copy())
        return self.pending[name]

    def commit(self, name: str, seconds: float | None = None) -> None:
        """Make a candidate the running configuration, for good or until a time is over.

        A timed commit that is committed again is confirmed.  Raises `Refused`.
        """
        running = self.running
        if self.timer is not None:
            if self.timer.name == name and seconds is None and name not in self.pending:
                self.timer = None
                return
            raise Refused("A commit timer is already pending")
        if name not in self.pending:
            raise Refused(f"Session {name} does not exist")
        held = self.pending.pop(name).held
        if seconds is not None:
            self.timer = Timer(name, self.clock() + seconds, running)
        self._running = held

    def abort(self, name: str) -> None:
        """Forget a candidate, or take its timed commit back now.  Raises `Refused`."""
        if self.timer is not None and self.timer.name == name:
            self.revert()
        elif self.pending.pop(name, None) is None:
            raise Refused(f"Session {name} does not exist")

    def revert(self) -> None:
        """Take a timed commit back."""
        if self.timer is not None:
            self._running, self.timer = self.timer.before, None

    def diffs(self, name: str) -> str:
        """Return what a candidate would change, as EOS prints it.  Raises `Refused`."""
        if name not in self.pending:
            raise Refused(f"Session {name} does not exist")
        before = shows.running(self, self.running).splitlines()
        after = shows.running(self, self.pending[name].held).splitlines()
        lines = difflib.unified_diff(
            before, after, "system:/running-config", f"session:/{name}-session-config", lineterm=""
        )
        return "".join(f"{line.rstrip()}\n" for line in lines)

    def interfaces(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Yield each interface with what is in force there, its profile's lines first."""
        top = self.running.top
        for opened, block in top.blocks.items():
            if opened.startswith("interface "):
                name = block.lines.get("service-profile", "").removeprefix("service-profile ")
                profile = top.blocks.get(f"qos profile {name}")
                yield (
                    opened.removeprefix("interface "),
                    {**(profile.lines if profile else {}), **block.lines},
                )
