"""NVIDIA Cumulus Linux: NVUE configuration in, operations and NVUE trees or commands out.

The forms are those of NVIDIA's published schema and manual; no rendered configuration was loaded
into a switch.
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


class NvidiaCumulus:
    """The platform, as `contract.Platform` describes it.  Its parts are imported when used."""

    name: Final = "nvidia_cumulus"
    kind: Final = "switch"
    #: Statements that are read from what it shows, and never written.
    reads_only: Final = ("dcb.applications",)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What `canonical` drops, and why."""
        from lossless.platforms.nvidia_cumulus.canonical import LOSSES

        return LOSSES

    @property
    def session(self) -> Session:
        """How a session with it goes."""
        from lossless.platforms.nvidia_cumulus.session import SESSION

        return SESSION

    @property
    def secrets(self) -> tuple[Confidential, ...]:
        """Where its words carry secrets."""
        from lossless.platforms.nvidia_cumulus.secret import SECRETS

        return SECRETS

    def commands(self, device: Device) -> tuple[Command, ...]:
        """What to ask: the applied configuration, and what the macro makes of it."""
        from lossless.platforms.nvidia_cumulus.parse import CONFIG, ROCE

        ports = [port.name for port in device.ports]
        shown = [
            Command(f"nv show interface {name} qos roce status", needed=False) for name in ports
        ]
        return (Command(CONFIG), Command(ROCE, needed=False), *shown)

    def recognises(self, text: str) -> bool:
        """Say whether a text looks like NVUE."""
        from lossless.platforms.nvidia_cumulus.parse import recognises

        return recognises(text)

    def parse(self, outputs: Sequence[Output], profile: Profile | None = None) -> Parsed:
        """Read a device; the native record is a `box.Native`."""
        from lossless.platforms.nvidia_cumulus.parse import parse

        return parse(outputs, profile)

    def canonical(self, state: DeviceState, profile: Profile | None = None) -> DeviceState:
        """Return the state as NVUE would give it back."""
        from lossless.platforms.nvidia_cumulus.canonical import canonical

        return canonical(state, profile)

    def inexpressible(
        self, state: DeviceState, profile: Profile | None = None
    ) -> tuple[Inexpressible, ...]:
        """List what the state says and NVUE has no words for."""
        from lossless.platforms.nvidia_cumulus.canonical import inexpressible

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
        from lossless.platforms.nvidia_cumulus.plan import plan

        return plan(after, before, native, profile)

    def render(
        self, ops: Sequence[Op], device: Device, templates: Path | None = None
    ) -> tuple[Rendered, ...]:
        """Write operations as a tree or as commands; there are no templates, both have one form.

        Raises `InputError` for what may not reach a device.
        """
        from lossless.platforms.nvidia_cumulus.render import render

        del templates
        return render(ops, device)


PLATFORM: Final = NvidiaCumulus()
