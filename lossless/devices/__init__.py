"""Live devices: how a command reaches one and how its answer comes back.

The seam is `Transport`, one method: `run`.  `connect` gives one over SSH; `Replay` and `InMemory`
are its twins for snapshots and tests.  `fan_out` asks a fleet.  Nothing heavy is imported here:
netmiko and paramiko come with the first connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lossless.devices.credentials import Credentials, Secret, ask_password
from lossless.devices.errors import Broken, DeviceError, HostKey, Refused, Unreachable
from lossless.devices.seam import Policy, Reply, Session, Target, Transport, shared
from lossless.devices.twins import InMemory, Replay

__all__ = [
    "Broken",
    "Credentials",
    "DeviceError",
    "HostKey",
    "InMemory",
    "Policy",
    "Refused",
    "Replay",
    "Reply",
    "Secret",
    "Session",
    "Target",
    "Transport",
    "Unreachable",
    "ask_password",
    "connect",
    "shared",
]


@contextmanager
def connect(
    target: Target, credentials: Credentials | None = None, policy: Policy | None = None
) -> Iterator[Transport]:
    """Open one session with a device over SSH, and close it whatever happens.

    Raises `Unreachable`, `Refused` or `HostKey` where no session comes about; `run` raises
    `Broken` where one ends too early.  What is worth trying again is tried `policy.attempts`
    times; a refused password never is.
    """
    from lossless.devices.connecting import opened

    with opened(target, credentials or Credentials(), policy or Policy()) as transport:
        yield transport
