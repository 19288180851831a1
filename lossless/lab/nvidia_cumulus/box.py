"""A simulated Cumulus switch: its revisions, and the timer of one that waits to be confirmed.

`nv set` makes a pending revision of the person's own; `nv config apply` makes it the applied one,
and since 5.9 saves it in the same breath (`auto-save`).  A revision that was applied to be
confirmed is taken back when its time is over.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from lossless.findings import InputError, Location, Problem
from lossless.lab.contract import Change, Clock, Plate, Screen
from lossless.lab.nvidia_cumulus import drift, grammar, invalid, reading, tree
from lossless.lab.nvidia_cumulus.grammar import Refused
from lossless.lab.nvidia_cumulus.tree import Tree

if TYPE_CHECKING:
    from lossless.lab.nvidia_cumulus.shell import Login

_NEWEST: Final = 18
_AUTO_SAVE: Final = 9  # the first release that saves what it applies


@dataclass(slots=True)
class Revision:
    """A revision by number: what it holds, what it was made from, and what became of it."""

    number: int
    held: Tree
    base: Tree
    user: str = ""
    message: str = ""
    state: str = "pending"


@dataclass(slots=True)
class Timer:
    """A revision that is taken back at `end` (of the box's clock) unless it is confirmed."""

    number: int
    end: float
    before: int


@dataclass(slots=True)
class _Held:
    revisions: dict[int, Revision] = field(default_factory=dict)
    pending: dict[str, int] = field(default_factory=dict)
    timer: Timer | None = None
    applied: int = 1


class Cumulus:
    """One switch; every login sees this state."""

    banner = ""

    def __init__(self, plate: Plate, clock: Clock) -> None:
        self.plate = plate
        self.clock = clock
        self.release = _release(plate.version)
        self.grammar = grammar.grammar(self.release)
        self.files: dict[str, str] = {}
        start: Tree = {
            "interface": {port.name: {"type": "swp"} for port in plate.ports},
            "system": {"hostname": plate.name},
        }
        self._held = _Held({1: Revision(1, start, {}, "root", "initial", "applied")})
        self.startup: Tree = copy.deepcopy(start)

    # --- what runs -----------------------------------------------------------------------------

    @property
    def applied(self) -> Tree:
        """The applied configuration: one whose time is over has been taken back."""
        self.tick()
        return self._held.revisions[self._held.applied].held

    @property
    def number(self) -> int:
        """The applied revision's number."""
        self.tick()
        return self._held.applied

    @property
    def timer(self) -> Timer | None:
        """The revision that waits to be confirmed."""
        self.tick()
        return self._held.timer

    @property
    def saves(self) -> bool:
        """Say whether what is applied is saved at once."""
        told = tree.at(self.applied, "system", "config", "auto-save")
        word = next(iter(told.values()), None) if isinstance(told, dict) else None
        if word in ("on", "enabled"):
            return True
        return word is None and self.release >= _AUTO_SAVE

    @property
    def hostname(self) -> str:
        """The name that the prompt shows."""
        return str(tree.at(self.applied, "system", "hostname") or self.plate.name)

    def tick(self) -> None:
        """Take back a revision that was not confirmed in time."""
        timer = self._held.timer
        if timer is not None and self.clock() >= timer.end:
            self.revert()

    # --- the contract --------------------------------------------------------------------------

    def load(self, files: Mapping[str, str]) -> None:
        """Start from files of trees or commands; see `contract.Box`."""
        faults = []
        held = copy.deepcopy(self.applied)
        for name, text in files.items():
            for line, told, why in reading.load(self.grammar, self.release, held, text):
                said = f"{self.plate.name}: a simulated Cumulus switch refuses `{told}`"
                faults.append(Problem(said, Location(name, line, 1), why))
            faults += [
                Problem(f"{self.plate.name}: {why}", Location(name, 1, 1))
                for why in invalid.faults(held, self.ports)
            ]
        if faults:
            raise InputError(faults)
        self._held.revisions[self._held.applied].held = held
        self.startup = copy.deepcopy(held)

    def session(self, user: str) -> Login:
        """Log in."""
        from lossless.lab.nvidia_cumulus.shell import Login

        return Login(self, user)

    def execute(self, command: str, user: str) -> Screen:
        """Run a command line of the shell."""
        from lossless.lab.nvidia_cumulus import shell

        return shell.run(self, command, user)

    def snapshot(self) -> str:
        """Return the applied configuration as YAML, each port on its own."""
        return tree.yaml(self.applied)

    def drift(self, chance: random.Random) -> Change | None:
        """Change one thing as people do; see `contract.Box`."""
        return drift.make(self, chance)

    @property
    def ports(self) -> tuple[str, ...]:
        """The ports that are there."""
        return tuple(port.name for port in self.plate.ports)

    # --- pending -------------------------------------------------------------------------------

    def pending(self, user: str) -> Revision | None:
        """Return the revision that a person is changing."""
        number = self._held.pending.get(user)
        return None if number is None else self._held.revisions[number]

    def attach(self, user: str, number: int | None = None) -> tuple[Revision, bool]:
        """Return a person's pending revision, and whether it was made just now.

        Raises `Refused` for a number that is not pending.
        """
        if number is not None:
            told = self._held.revisions.get(number)
            if told is None or told.state != "pending":
                raise Refused(f"Unknown revision: {number}")
            self._held.pending[user] = number
            return told, False
        held = self.pending(user)
        if held is not None:
            return held, False
        number = max(self._held.revisions) + 1
        base = self.applied
        made = Revision(number, copy.deepcopy(base), base, user)
        self._held.revisions[number] = made
        self._held.pending[user] = number
        return made, True

    def detach(self, user: str) -> None:
        """Let a pending revision lie; it keeps its number."""
        self._held.pending.pop(user, None)

    def enter(self, held: Tree, verb: str, words: list[str]) -> None:
        """Change a tree as `nv set` or `nv unset` does.  Raises `Refused`, with nothing changed."""
        reading.enter(self.grammar, self.release, held, verb, words)

    # --- revisions -----------------------------------------------------------------------------

    def revisions(self) -> Iterator[Revision]:
        """Yield revisions, the newest first."""
        self.tick()
        yield from sorted(self._held.revisions.values(), key=lambda one: -one.number)

    def revision(self, word: str, user: str) -> Tree:
        """Return what a revision by name or number holds.  Raises `Refused`."""
        if word in ("applied", "operational"):
            return self.applied
        if word == "startup":
            return self.startup
        if word == "empty":
            return {}
        if word == "pending":
            held = self.pending(user)
            if held is None:
                raise Refused("No pending revision")
            return held.held
        found = self._held.revisions.get(int(word)) if word.isdigit() else None
        if found is None:
            raise Refused(f"Unknown revision: {word}")
        return found.held

    def delete(self, word: str) -> None:
        """Forget a pending revision.  Raises `Refused`."""
        number = int(word) if word.isdigit() else -1
        told = self._held.revisions.get(number)
        if told is None or told.state != "pending":
            raise Refused(f"Unknown revision: {word}")
        del self._held.revisions[number]
        self._held.pending = {u: n for u, n in self._held.pending.items() if n != number}

    # --- applying ------------------------------------------------------------------------------

    def apply(
        self, user: str, message: str = "", seconds: float | None = None, number: int | None = None
    ) -> Revision:
        """Apply the pending revision, or an older one, for good or until a time is over.

        Raises `Refused` where there is none, where one waits to be confirmed, or where it is not
        valid.
        """
        if self.timer is not None:
            raise Refused(f"revision {self.timer.number} waits to be confirmed")
        revision = self._to_apply(user, number)
        wanted = revision.held
        if revision.state == "pending":
            wanted = tree.changed(revision.base, revision.held, self.applied)
        faults = invalid.faults(wanted, self.ports)
        if faults:
            revision.state = "invalid"
            raise Refused("\n  ".join([f"Invalid config [rev_id: {revision.number}]", *faults]))
        before = self._held.applied
        revision.held, revision.message = wanted, message
        revision.state = "applied" if seconds is None else "confirm"
        self._held.applied = revision.number
        if seconds is not None:
            self._held.timer = Timer(revision.number, self.clock() + seconds, before)
        self.detach(user)
        self._save()
        return revision

    def _to_apply(self, user: str, number: int | None) -> Revision:
        if number is None:
            pending = self.pending(user)
            if pending is None:
                raise Refused("No pending revision to apply")
            if pending.state == "invalid":
                pending.state = "pending"
            return pending
        found = self._held.revisions.get(number)
        if found is None:
            raise Refused(f"Unknown revision: {number}")
        if found.state == "pending":
            return found
        again = Revision(max(self._held.revisions) + 1, found.held, {}, user, state="again")
        self._held.revisions[again.number] = again
        return again

    def confirm(self) -> int:
        """Keep the revision that waits.  Raises `Refused` where none does."""
        timer = self.timer
        if timer is None:
            raise Refused("No revision waits to be confirmed")
        self._held.revisions[timer.number].state = "applied"
        self._held.timer = None
        return timer.number

    def revert(self) -> int:
        """Take back the revision that waits.  Raises `Refused` where none does."""
        timer = self._held.timer
        if timer is None:
            raise Refused("No revision waits to be confirmed")
        self._held.revisions[timer.number].state = "confirm_fail"
        self._held.applied, self._held.timer = timer.before, None
        self._save()
        return timer.before

    def save(self) -> None:
        """Make the applied configuration the one that it starts with."""
        self.startup = copy.deepcopy(self.applied)

    def _save(self) -> None:
        if self.saves:
            self.save()

    def header(self) -> dict[str, Any]:
        """Return what stands above a configuration."""
        return {
            "model": self.plate.model or "VX",
            "nvue-api-version": "nvue_v1",
            "rev-id": f"{self.number}.0",
            "version": f"Cumulus Linux {self.version}",
        }

    @property
    def version(self) -> str:
        """The software's version, with a third number."""
        told = self.plate.version or f"5.{_NEWEST}"
        return told if told.count(".") > 1 else f"{told}.0"


def _release(version: str | None) -> int:
    found = re.match(r"5\.(\d{1,2})", version or "")
    return min(int(found[1]), _NEWEST) if found else _NEWEST
