"""What a simulated device must be able to do, and what it gives back.

A box is one device: its state, shared by all who are logged in.  A session is one of them: its
prompt, its mode, its pager.  A box starts from configuration text and refuses lines that it does
not know; it prints its state in its vendor's format.  Nothing here reads a clock: time is handed
in.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

#: Seconds that only grow, as `time.monotonic` gives them; tests hand in one that they move.
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Port:
    """A port that is there: `speed` in bit/s; a host's has `rdma`, `pci`, `tool` (its platform)."""

    name: str
    speed: int | None = None
    rdma: str | None = None
    pci: str | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Plate:
    """What a device is, whatever its configuration: the name on it, its software, its ports."""

    name: str
    platform: str
    version: str | None = None
    model: str | None = None
    ports: tuple[Port, ...] = ()


@dataclass(frozen=True, slots=True)
class Screen:
    """What comes of one line.

    `text` is printed (lines, each with its line feed); `errors` and `status` are the
    standard error and the exit status where a command runs in a channel of its own.  `ask` is a
    question whose answer, unseen on the screen, is the next line.  `paged` says whether the
    session's pager stops it.  `closed` ends the session.
    """

    text: str = ""
    errors: str = ""
    status: int = 0
    ask: str | None = None
    paged: bool = True
    closed: bool = False


class Session(Protocol):
    """One login at a command line."""

    @property
    def prompt(self) -> str:
        """The prompt as it stands now, trailing blank included."""

    @property
    def page(self) -> int:
        """Lines of a screen, after which the pager stops; 0: no pager."""

    @property
    def more(self) -> str:
        """What the pager asks at the end of a page."""

    def feed(self, line: str) -> Screen:
        """Take a line that was typed, or the answer to a question.  Never raises."""

    def close(self) -> None:
        """The login is over, however it ended; what was not committed may be forgotten."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change made by hand on one device.

    `kind` is its name in the list of what people do; `lines` are what they typed.  `port` is the
    port it was typed at (`None`: the whole box), `field` what it changes in the words of the model
    ("pfc.enabled", "ecn.queues"), `key` the queue, priority or DSCP where only one is meant.
    `before` and `after` are as this box writes them.  `also` are fields that the same lines change
    beside it, and `ports` all ports that it reaches where it is more than `port`.
    """

    kind: str
    device: str
    field: str
    lines: tuple[str, ...]
    port: str | None = None
    key: int | None = None
    before: str = ""
    after: str = ""
    also: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.device}:{self.port}" if self.port else self.device
        which = f"{self.field}[{self.key}]" if self.key is not None else self.field
        before, after = self.before or "nothing", self.after or "nothing"
        return f"{where}: {self.kind}: {which}: {before} -> {after}"


class Box(Protocol):
    """One device.  Cheap: a thousand fit in a process."""

    @property
    def plate(self) -> Plate:
        """What it is."""

    @property
    def banner(self) -> str:
        """What it prints at login, before the first prompt."""

    def load(self, files: Mapping[str, str]) -> None:
        """Start from the text of configuration files, by name, as `lossless render` writes them.

        Raises `InputError` with a problem (file and line) for each line that it refuses.
        """

    def session(self, user: str) -> Session:
        """Log in.  "root" and "admin" have all rights at once where the device knows such."""

    def execute(self, command: str, user: str) -> Screen:
        """Run one command in a channel of its own, without a terminal or pager."""

    def snapshot(self) -> str:
        """Return all of its configuration as text: two texts differ in what was changed."""

    def drift(self, chance: random.Random) -> Change | None:
        """Change one thing as people do, and tell what; `None` where nothing can be changed.

        The same state and the same `chance` give the same change.
        """
