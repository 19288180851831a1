"""NVIDIA ConnectX and BlueField NICs: `mlnx_qos`, RDMA marking and congestion control on a host.

The tools set run-time state, so that what is rendered is an idempotent script and the unit that
runs it whenever the interface appears.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lossless.devices import Session
from lossless.model.device import Device, DeviceState
from lossless.model.operation import Op
from lossless.model.profile import Profile
from lossless.platforms.contract import Command, Inexpressible, Loss, Output, Parsed, Rendered
from lossless.platforms.nvidia_mlnx_qos import canonical as _canonical
from lossless.platforms.nvidia_mlnx_qos import expressible as _expressible
from lossless.platforms.nvidia_mlnx_qos import parse as _parse
from lossless.platforms.nvidia_mlnx_qos import plan as _plan
from lossless.platforms.nvidia_mlnx_qos import reads as _reads
from lossless.snapshot.redaction import Confidential


class NvidiaMlnxQos:
    """The platform as the contract wants it; without state."""

    name = _reads.NAME
    kind = "nic"
    losses: tuple[Loss, ...] = _canonical.LOSSES

    @property
    def session(self) -> Session:
        """How a session with it goes."""
        from lossless.platforms.nvidia_mlnx_qos.session import SESSION

        return SESSION

    @property
    def secrets(self) -> tuple[Confidential, ...]:
        """Where its words carry secrets."""
        from lossless.platforms.nvidia_mlnx_qos.secret import SECRETS

        return SECRETS

    def commands(self, device: Device) -> tuple[Command, ...]:
        """List the reads for each NIC of this platform, then those for the whole host."""
        return _reads.commands(device)

    def recognises(self, text: str) -> bool:
        """Say whether a text looks like the answer of one of the tools."""
        return _reads.question(Output("", text)) is not None

    def parse(self, outputs: Sequence[Output], profile: Profile | None = None) -> Parsed:
        """Read a host's NICs.  Never raises for what was printed."""
        return _parse.parse(outputs)

    def canonical(self, state: DeviceState, profile: Profile | None = None) -> DeviceState:
        """Return the state as the tools would give it back.  Idempotent."""
        return _canonical.canonical(state, profile)

    def inexpressible(
        self, state: DeviceState, profile: Profile | None = None
    ) -> tuple[Inexpressible, ...]:
        """List what the state says and the tools cannot, or the kernel refuses."""
        return _expressible.inexpressible(state, profile)

    def plan(
        self,
        after: DeviceState,
        before: DeviceState | None = None,
        native: Any = None,
        profile: Profile | None = None,
    ) -> tuple[Op, ...]:
        """Return the ordered operations; without `before`, all that `after` states.

        Raises `ValueError` where `before` does not tell what `after` changes.
        """
        return _plan.plan(after, before, profile)

    def render(
        self, ops: Sequence[Op], device: Device, templates: Path | None = None
    ) -> tuple[Rendered, ...]:
        """Write the script `lossless-nic` and its unit.  Raises `InputError` for unusable names."""
        from lossless.platforms.nvidia_mlnx_qos.render import render  # jinja2 only when used

        return render(ops, device, templates)


PLATFORM = NvidiaMlnxQos()

__all__ = ["PLATFORM", "NvidiaMlnxQos"]
