"""The environment of collective libraries on a host: NCCL, RCCL, UCX, HCCL, NVSHMEM.

A component of every host beside its NICs: it holds `System.environment` and nothing else.
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


class CollectiveEnv:
    """The component as the contract wants a platform; without state."""

    name: Final = "collective_env"
    kind: Final = "host"

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What `canonical` drops, and why."""
        from lossless.platforms.collective_env.state import LOSSES

        return LOSSES

    @property
    def session(self) -> Session:
        """How a session with it goes."""
        from lossless.platforms.collective_env.session import SESSION

        return SESSION

    @property
    def secrets(self) -> tuple[Confidential, ...]:
        """Where its words carry secrets."""
        from lossless.platforms.collective_env.secret import SECRETS

        return SECRETS

    def commands(self, device: Device) -> tuple[Command, ...]:
        """One read shows all files, and says which of them are missing."""
        from lossless.platforms.collective_env.files import KINDS

        return (Command("head -v -n 1000 " + " ".join(kind.path for kind in KINDS)),)

    def recognises(self, text: str) -> bool:
        """Say whether a text looks like one of the files."""
        from lossless.platforms.collective_env.files import KINDS, by_text

        return by_text(text) is not None or any(f"==> {kind.path} <==" in text for kind in KINDS)

    def parse(self, outputs: Sequence[Output], profile: Profile | None = None) -> Parsed:
        """Read the files.  Never raises for what stands in them."""
        from lossless.platforms.collective_env.parse import parse

        return parse(outputs)

    def canonical(self, state: DeviceState, profile: Profile | None = None) -> DeviceState:
        """Return the environment alone, each variable with its file.  Idempotent."""
        from lossless.platforms.collective_env.state import canonical

        return canonical(state)

    def inexpressible(
        self, state: DeviceState, profile: Profile | None = None
    ) -> tuple[Inexpressible, ...]:
        """List variables whose name or value a file cannot carry."""
        from lossless.platforms.collective_env.state import inexpressible

        return inexpressible(state)

    def plan(
        self,
        after: DeviceState,
        before: DeviceState | None = None,
        native: Any = None,
        profile: Profile | None = None,
    ) -> tuple[Op, ...]:
        """Return one operation per file that changes; other lines of it stay as they are.

        Raises `ValueError` where a file that changes was not looked at.
        """
        from lossless.platforms.collective_env.plan import plan

        return plan(after, before, native)

    def render(
        self, ops: Sequence[Op], device: Device, templates: Path | None = None
    ) -> tuple[Rendered, ...]:
        """Write the files.  Raises `InputError` for a variable that a file cannot carry."""
        from lossless.platforms.collective_env.render import render

        return render(ops, device, templates)


PLATFORM: Final = CollectiveEnv()

__all__ = ["PLATFORM", "CollectiveEnv"]
