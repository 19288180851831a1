"""Live devices: how a command reaches one and how its answer comes back.

The seam is `Transport`, one method: `run`.  `Replay` and `InMemory` are
its twins for snapshots and tests.
"""

from __future__ import annotations

from lossless.devices.credentials import Credentials, Login, Secret
from lossless.devices.errors import Broken, DeviceError, HostKey, Refused, Unreachable
from lossless.devices.seam import Policy, Reply, Session, Target, Transport, shared
from lossless.devices.twins import InMemory, Replay

__all__ = [
    "Broken",
    "Credentials",
    "DeviceError",
    "HostKey",
    "InMemory",
    "Login",
    "Policy",
    "Refused",
    "Replay",
    "Reply",
    "Secret",
    "Session",
    "Target",
    "Transport",
    "Unreachable",
    "shared",
]
