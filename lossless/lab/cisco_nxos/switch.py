"""A Nexus 9000 as the lab runs it: from files to a running box, sessions, and changes by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from lossless.findings import InputError, Location, Problem
from lossless.lab.cisco_nxos import drift
from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import Holder, Refused
from lossless.lab.cisco_nxos.terminal import Terminal
from lossless.lab.contract import Change, Plate, Screen


@dataclass
class Switch:
    """One simulated device, as `contract.Box` wants it."""

    plate: Plate
    nexus: Nexus = field(init=False)

    def __post_init__(self) -> None:
        plate = self.plate
        self.nexus = Nexus(
            hostname=plate.name,
            ports={port.name: Holder() for port in plate.ports},
            speeds={port.name: port.speed for port in plate.ports if port.speed is not None},
        )
        if plate.model is not None:
            self.nexus.model = plate.model.removeprefix("N9K-")
        if plate.version is not None:
            self.nexus.release = plate.version

    @property
    def banner(self) -> str:
        """What is printed at login."""
        return "Cisco Nexus Operating System (NX-OS) Software\n"

    def load(self, files: Mapping[str, str]) -> None:
        """Type configuration files, and save.  Raises `InputError` naming each refused line."""
        problems: list[Problem] = []
        for name, text in files.items():
            self.nexus.mode = []
            for number, line in enumerate(text.splitlines(), 1):
                try:
                    self.nexus.line(line)
                except Refused as refused:
                    problems.append(_problem(name, number, line, refused))
        if problems:
            raise InputError(problems)
        self.nexus.save()

    def session(self, user: str) -> Terminal:
        """Log in."""
        del user  # the role of every account in the lab is network-admin
        return Terminal(self.nexus)

    def execute(self, command: str, user: str) -> Screen:
        """Run one command; several in one are separated by ` ; `, as NX-OS takes them."""
        session = self.session(user)
        text = "".join(session.answer(part) for part in command.split(" ; "))
        return Screen(text=text, status=int(session.refused), paged=False)

    def snapshot(self) -> str:
        """Return the running configuration."""
        return self.nexus.running_config()

    def drift(self, chance: random.Random) -> Change | None:
        """Change one thing as people do: first what, then where, so that no kind is rare."""
        kinds: dict[str, list[Change]] = {}
        for change in drift.changes(self.nexus):
            kinds.setdefault(change.kind, []).append(change)
        if not kinds:
            return None
        change = chance.choice(kinds[chance.choice(list(kinds))])
        drift.make(self.nexus, change)
        return change


def _problem(name: str, number: int, line: str, refused: Refused) -> Problem:
    why = "the simulated NX-OS does not know it" if refused.marker else str(refused)
    return Problem(f"{line.strip()}: {why}", Location(name, number, 1))
