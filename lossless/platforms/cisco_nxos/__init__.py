"""Cisco NX-OS on Nexus 9000: configuration and `show` output in, configuration lines out.

The words are those of published configurations for Nexus 9000 with eight queues; boxes with four
queues, or with queuing classes of their own (Nexus 3000 and 5000), are read and not written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from lossless.devices import Session
from lossless.model.device import Device, DeviceState
from lossless.model.operation import Op
from lossless.model.profile import Profile
from lossless.platforms.contract import (
    Command,
    Inexpressible,
    Loss,
    Output,
    Parsed,
    Rendered,
)
from lossless.snapshot.redaction import Confidential


class CiscoNxos:
    """The platform, as `contract.Platform` describes it.  Its parts are imported when used."""

    name: Final = "cisco_nxos"
    kind: Final = "switch"
    #: Statements that are read from what it shows, and never written.
    reads_only: Final = ("link.speed", "link.autoneg", "watchdog.priorities")

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What `canonical` drops, and why."""
        from lossless.platforms.cisco_nxos.canonical import LOSSES

        return LOSSES

    @property
    def session(self) -> Session:
        """How a session with it goes."""
        from lossless.platforms.cisco_nxos.session import SESSION

        return SESSION

    @property
    def secrets(self) -> tuple[Confidential, ...]:
        """Where its words carry secrets."""
        from lossless.platforms.cisco_nxos.secret import SECRETS

        return SECRETS

    def commands(self, device: Device) -> tuple[Command, ...]:
        """What to ask: the running configuration, and what runs where it may differ."""
        from lossless.platforms.cisco_nxos import sessions

        del device
        return (
            Command(sessions.RUNNING, privileged=True),
            Command(sessions.VERSION, needed=False),
            Command(sessions.STATUS, needed=False),
            Command(sessions.PFC, needed=False),
            Command(sessions.QUEUING, needed=False),
            Command(sessions.WATCHDOG, needed=False),
            Command(sessions.NETWORK, needed=False),
        )

    def recognises(self, text: str) -> bool:
        """Say whether a text looks like NX-OS."""
        from lossless.platforms.cisco_nxos.parse import recognises

        return recognises(text)

    def parse(self, outputs: Sequence[Output], profile: Profile | None = None) -> Parsed:
        """Read a device; the native record is a `box.Box`."""
        from lossless.platforms.cisco_nxos.parse import parse

        return parse(outputs, profile)

    def canonical(self, state: DeviceState, profile: Profile | None = None) -> DeviceState:
        """Return the state as NX-OS would give it back."""
        from lossless.platforms.cisco_nxos.canonical import canonical

        return canonical(state, profile)

    def inexpressible(
        self, state: DeviceState, profile: Profile | None = None
    ) -> tuple[Inexpressible, ...]:
        """List what the state says and NX-OS has no words for."""
        from lossless.platforms.cisco_nxos.canonical import inexpressible

        return inexpressible(state, profile)

    def plan(
        self,
        after: DeviceState,
        before: DeviceState | None = None,
        native: Any = None,
        profile: Profile | None = None,
    ) -> tuple[Op, ...]:
        """Return the ordered operations from `before` (`None`: a box at its defaults).

        Raises `ValueError` where `after` tells what of the box was not shown.
        """
        from lossless.platforms.cisco_nxos.plan import plan

        return plan(after, before, native, profile)

    def render(
        self, ops: Sequence[Op], device: Device, templates: Path | None = None
    ) -> tuple[Rendered, ...]:
        """Write operations as one file.  Raises `InputError` for unsafe names and templates."""
        from lossless.platforms.cisco_nxos.render import render

        return render(ops, device, templates)


PLATFORM: Final = CiscoNxos()
