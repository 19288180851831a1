"""What a plan consists of: typed operations, each with its phase, its impact and its source."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from lossless.model.profile import Source


class Verb(enum.Enum):
    """What an operation does to its object."""

    CREATE = "create"
    SET = "set"
    UNSET = "unset"
    ATTACH = "attach"
    DETACH = "detach"
    DELETE = "delete"


class Phase(enum.IntEnum):
    """Make before break: the order in which changes reach a fabric, with a barrier after each.

    Removal runs through the same phases backwards.
    """

    PREPARE = 0
    BUFFERS = 10
    PFC = 20
    SCHEDULING = 30
    WATCHDOG = 40
    CLASSIFICATION = 50
    MARKING = 60
    CLEANUP = 90


class ImpactKind(enum.IntEnum):
    """What traffic notices, from nothing to the worst."""

    NONE = 0
    PACKET_LOSS = 1
    PORT_FLAP = 2
    PORT_BLOCK = 3
    BOX_RECARVE = 4
    DAEMON_RELOAD = 5
    REBOOT = 6


@dataclass(frozen=True, slots=True)
class Impact:
    """What an operation does to running traffic.

    `scope` is "queue", "port" or "box"; `duration` in nanoseconds, `None` where nobody knows.
    """

    kind: ImpactKind
    scope: str = "port"
    duration: int | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """One change of one object on one device.

    `object` is the platform's word for what changes and selects the macro together with `verb`;
    `key` identifies the instance; `context` is the path of modes to enter first.
    """

    verb: Verb
    object: str
    key: tuple[Any, ...] = ()
    old: Any = None
    new: Any = None
    context: tuple[str, ...] = ()
    phase: Phase = Phase.PREPARE
    impact: Impact = Impact(ImpactKind.NONE)
    source: str = ""
