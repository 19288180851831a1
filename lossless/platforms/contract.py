"""What a platform must be able to do, and what it gives back.

A platform is finished when three things hold, each a test over everything it can express: round
trip (`parse(render(s)) == canonical(s)`), circular (applying `plan(after, before)` to `before`
gives `after`), and captures (every real capture read to the right facts, unread lines listed).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from lossless.devices import Session
from lossless.model.device import Device, DeviceState
from lossless.model.operation import Op
from lossless.model.profile import Profile
from lossless.snapshot.redaction import Confidential


@dataclass(frozen=True, slots=True)
class Command:
    """Something to ask a device.  `needed`: without its answer the device is not understood."""

    text: str
    needed: bool = True
    privileged: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """What a device answered to one command, or one configuration file.

    `command` may be "" where nobody said which command it was; the platform then recognises it.
    """

    command: str
    text: str
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A line in a context that matters here, and which was not understood."""

    text: str
    line: int
    file: str | None = None
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A fact about the text itself.

    `kind` is "dangling_reference", "unattached_object", "duplicate", "damaged" or
    "device_exception".
    """

    kind: str
    text: str
    line: int | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read from one device.

    `native` is the platform's own record of names and attachments: opaque, never compared, always
    handed to the planner.  `coverage` holds the commands that were wholly seen, so that a missing
    line there means `DEFAULT` and elsewhere `None`.  `lines` tells on which line (and of which
    output) a leaf was read, by the leaf's path with "system" or ("ports", name) in front.
    `facts` are identity: "hostname", "version", "model", "firmware", "driver", …  `operational` is
    what commands told of what runs, where they tell it apart from what is configured.
    """

    state: DeviceState
    native: Any = None
    coverage: frozenset[str] = frozenset()
    unread: tuple[Unread, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[tuple[str | int, ...], tuple[str | None, int]] = field(default_factory=dict)
    understood: bool = True
    operational: DeviceState | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the platform cannot say or hides, so that `canonical` drops it."""

    what: str
    why: str
    source: str


@dataclass(frozen=True, slots=True)
class Inexpressible:
    """A statement of a state that this platform (or version) has no words for."""

    path: tuple[str | int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A file to write for one device.  `mode` are POSIX permission bits."""

    name: str
    text: str
    mode: int = 0o644


class Platform(Protocol):
    """One NOS or NIC tool.  Modules or frozen objects may satisfy it; there is no base class."""

    @property
    def name(self) -> str:
        """The platform's name in inventories ("arista_eos")."""

    @property
    def kind(self) -> str:
        """Either "switch" or "nic"."""

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What `canonical` drops, and why."""

    @property
    def session(self) -> Session:
        """How a session with it goes, for `lossless.devices`."""

    @property
    def secrets(self) -> tuple[Confidential, ...]:
        """Where its words carry secrets, for whoever keeps or shows what a device said."""

    def commands(self, device: Device) -> tuple[Command, ...]:
        """What to ask a device to see everything this platform can express."""

    def recognises(self, text: str) -> bool:
        """Say whether a text without a known command looks like this platform's."""

    def parse(self, outputs: Sequence[Output], profile: Profile | None) -> Parsed:
        """Read a device.  Never raises for what a device printed."""

    def canonical(self, state: DeviceState, profile: Profile | None) -> DeviceState:
        """Return the state as this platform would give it back.  Idempotent."""

    def inexpressible(
        self, state: DeviceState, profile: Profile | None
    ) -> tuple[Inexpressible, ...]:
        """List what the state says and the platform cannot."""

    def plan(
        self,
        after: DeviceState,
        before: DeviceState | None,
        native: Any,
        profile: Profile | None,
    ) -> tuple[Op, ...]:
        """Return the ordered operations from `before` (`None`: a box at its defaults) to `after`.

        Raises `ValueError` where `before` was not seen well enough to be undone.
        """

    def render(
        self, ops: Sequence[Op], device: Device, templates: Path | None = None
    ) -> tuple[Rendered, ...]:
        """Write operations in the platform's words; `templates` may override macros."""
