"""Community SONiC: CONFIG_DB in, operations and JSON out.

Experimental against real boxes: forms are those of SONiC's YANG models, of its own test data and
of dumps; no rendered configuration was loaded into a switch.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from lossless.devices import Session
from lossless.model.device import Device, DeviceState
from lossless.model.operation import Op
from lossless.model.profile import Profile
from lossless.platforms.contract import Command, Inexpressible, Loss, Output, Parsed, Rendered
from lossless.snapshot.redaction import Confidential


class Sonic:
    """The platform, as `contract.Platform` describes it.  Its parts are imported when used."""

    name: Final = "sonic"
    kind: Final = "switch"

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What `canonical` drops, and why."""
        from lossless.platforms.sonic.canonical import LOSSES

        return LOSSES

    @property
    def session(self) -> Session:
        """How a session with it goes."""
        from lossless.platforms.sonic.session import SESSION

        return SESSION

    @property
    def secrets(self) -> tuple[Confidential, ...]:
        """Where its words carry secrets."""
        from lossless.platforms.sonic.secret import SECRETS

        return SECRETS

    def commands(self, device: Device) -> tuple[Command, ...]:
        """What to ask: CONFIG_DB holds everything, whichever model finds the buffers."""
        from lossless.platforms.sonic.parse import DUMP, VERSION

        del device
        return (Command(DUMP, privileged=True), Command(VERSION, needed=False))

    def recognises(self, text: str) -> bool:
        """Say whether a text looks like SONiC."""
        from lossless.platforms.sonic.parse import recognises

        return recognises(text)

    def parse(self, outputs: Sequence[Output], profile: Profile | None = None) -> Parsed:
        """Read a device; the native record is a `db.Native`."""
        from lossless.platforms.sonic.parse import parse

        del profile  # CONFIG_DB prints units and words; nothing needs the hardware to be read
        return parse(outputs)

    def canonical(self, state: DeviceState, profile: Profile | None = None) -> DeviceState:
        """Return the state as SONiC would give it back."""
        from lossless.platforms.sonic.canonical import canonical

        return canonical(state, profile)

    def inexpressible(
        self, state: DeviceState, profile: Profile | None = None
    ) -> tuple[Inexpressible, ...]:
        """List what the state says and CONFIG_DB cannot hold."""
        from lossless.platforms.sonic.canonical import inexpressible

        return inexpressible(state, profile)

    def plan(
        self,
        after: DeviceState,
        before: DeviceState | None = None,
        native: Any = None,
        profile: Profile | None = None,
    ) -> tuple[Op, ...]:
        """Return the ordered operations from `before` (`None`: a box at its defaults).

        Raises `ValueError` where `after` tells what `before` has not seen.
        """
        from lossless.platforms.sonic.plan import plan

        return plan(after, before, native, profile)

    def render(
        self, ops: Sequence[Op], device: Device, templates: Path | None = None
    ) -> tuple[Rendered, ...]:
        """Write operations as JSON and commands; there are no templates, for JSON has one form."""
        from lossless.platforms.sonic.render import render

        del templates
        return render(ops, device)


PLATFORM: Final = Sonic()
