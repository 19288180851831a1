"""Arista EOS: running configuration in, operations and configuration lines out.

Experimental against real boxes: the forms are those of device dumps and of Arista's own generator,
but no rendered configuration was loaded into a switch (the virtual EOS refuses most of them).
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


class AristaEos:
    """The platform, as `contract.Platform` describes it.  Its parts are imported when used."""

    name: Final = "arista_eos"
    kind: Final = "switch"

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What `canonical` drops, and why."""
        from lossless.platforms.arista_eos.canonical import LOSSES

        return LOSSES

    @property
    def session(self) -> Session:
        """How a session with it goes."""
        from lossless.platforms.arista_eos.session import SESSION

        return SESSION

    @property
    def secrets(self) -> tuple[Confidential, ...]:
        """Where its words carry secrets."""
        from lossless.platforms.arista_eos.secret import SECRETS

        return SECRETS

    def commands(self, device: Device) -> tuple[Command, ...]:
        """What to ask: the running configuration says everything, units included."""
        from lossless.platforms.arista_eos.parse import RUNNING, VERSION

        del device
        return (Command(RUNNING, privileged=True), Command(VERSION, needed=False))

    def recognises(self, text: str) -> bool:
        """Say whether a text looks like EOS."""
        from lossless.platforms.arista_eos.parse import recognises

        return recognises(text)

    def parse(self, outputs: Sequence[Output], profile: Profile | None = None) -> Parsed:
        """Read a device; the native record is a `slots.Native`."""
        from lossless.platforms.arista_eos.parse import parse

        return parse(outputs, profile)

    def canonical(self, state: DeviceState, profile: Profile | None = None) -> DeviceState:
        """Return the state as EOS would give it back."""
        from lossless.platforms.arista_eos.canonical import canonical

        return canonical(state, profile)

    def inexpressible(
        self, state: DeviceState, profile: Profile | None = None
    ) -> tuple[Inexpressible, ...]:
        """List what the state says and EOS has no words for."""
        from lossless.platforms.arista_eos.canonical import inexpressible

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
        from lossless.platforms.arista_eos.plan import plan

        return plan(after, before, native, profile)

    def render(
        self, ops: Sequence[Op], device: Device, templates: Path | None = None
    ) -> tuple[Rendered, ...]:
        """Write operations as one file.  Raises `InputError` for unsafe names and templates."""
        from lossless.platforms.arista_eos.render import render

        return render(ops, device, templates)


PLATFORM: Final = AristaEos()
