"""What is known about a platform: limits, defaults, laws and units.

The facts themselves are data files of `lossless.hardware`, each with its source; they reach the
rules as a `Profile` attached to a port or device, so that rules import neither hardware nor
platforms.  A fact nobody verified is `None`, and a rule that needs it answers "not checked".
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from lossless.model.classification import Trust
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.units import NO_CONTEXT, Unit, UnitContext


class Grade(enum.Enum):
    """How well a fact is known."""

    VERIFIED = "V"  # read in a manual, in source code, or in a capture
    SECONDARY = "S"  # told by a third party
    MEMORY = "M"  # nobody looked it up; never the ground of an error


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from, how well it is known, and when it was last checked (ISO date)."""

    text: str
    grade: Grade
    verified_on: str


class Scope(enum.Enum):
    """Where a platform keeps a setting."""

    PORT = "port"
    SYSTEM = "system"


class EtsSum(enum.Enum):
    """What the scheduling shares of one port must add up to."""

    EXACTLY_100 = "exactly 100"  # refused otherwise
    AT_MOST_100 = "at most 100"
    FREE = "free"  # weights, any sum


@dataclass(frozen=True, slots=True)
class Range:
    """An inclusive range; either end may be unknown."""

    low: int | None = None
    high: int | None = None

    def holds(self, number: int) -> bool:
        """Say whether a number is not outside the known ends."""
        return (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Counts and ranges.  Times in nanoseconds, sizes in bytes (native MTU as the platform counts).

    `reserved_tcs` and `reserved_queues` cannot carry user classes.
    """

    lossless_priorities: int | None = None
    queues: int | None = None
    traffic_classes: int | None = None
    groups: int | None = None
    native_mtu: Range = Range()
    watchdog_detect: Range = Range()
    watchdog_restore: Range = Range()
    watchdog_poll: Range = Range()
    reserved_tcs: frozenset[int] = frozenset()
    reserved_queues: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class MtuAccounting:
    """How the platform's MTU number relates to usable layer-3 bytes.

    `overhead` is what the native number counts on top of the IP packet (0 where the number *is*
    the IP MTU, 14 or 18 where it counts the Ethernet header or the FCS too).
    """

    overhead: int | None = None

    def l3(self, native: int) -> int | None:
        """Return usable layer-3 bytes."""
        return None if self.overhead is None else native - self.overhead

    def native(self, l3: int) -> int | None:
        """Return the native number that gives these layer-3 bytes."""
        return None if self.overhead is None else l3 + self.overhead


@dataclass(frozen=True, slots=True, kw_only=True)
class EtsLaw:
    """How the platform's scheduler may be configured.

    `strict_first`: strict queues are served before all shared ones.  `zero_allowed`: a shared
    queue may have a share of 0.  `remaining_excludes_strict`: shares divide what strict leaves.
    """

    total: EtsSum | None = None
    strict_first: bool | None = None
    zero_allowed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EcnLaw:
    """Units the platform accepts for thresholds, and the step that hardware rounds to (bytes)."""

    units: frozenset[Unit] = frozenset()
    quantum: int | None = None
    probability: Range = Range()  # per cent
    weight: Range = Range()
    per_queue: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """All that is known about one platform at one version (or one NIC family).

    `defaults` is what a port does when nobody configured it, `system_defaults` the box;
    `trust_by_vlan_mode` overrides the default trust where it depends on the port's mode
    ("routed", "access", "trunk").  `macros` are the platform's named profiles.  `sources` names
    the source of each fact by its path in the data file.
    """

    platform: str
    kind: str  # "switch" or "nic"
    verified: bool = False  # False: experimental, said wherever the platform is used
    defaults: Settings = NOTHING
    system_defaults: System = System()
    trust_by_vlan_mode: Mapping[str, Trust] = field(default_factory=dict)
    macros: Mapping[str, System] = field(default_factory=dict)
    limits: Limits = Limits()
    mtu: MtuAccounting = MtuAccounting()
    ets: EtsLaw = EtsLaw()
    ecn: EcnLaw = EcnLaw()
    units: UnitContext = NO_CONTEXT
    classifier_scope: Scope | None = None
    trust_supported: frozenset[Trust] = frozenset()
    watchdog_supported: bool | None = None
    dcbx_supported: bool | None = None
    split_pfc: bool | None = None  # can send and honour different sets
    facts: Mapping[str, int | str | bool] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)

    def source(self, path: str) -> Source | None:
        """Return the source of a fact ("limits.native_mtu"), or of the nearest one that holds it.

        `None` where nothing was told: then there is nothing to stand on either.
        """
        while path:
            if path in self.sources:
                return self.sources[path]
            path = path.rpartition(".")[0]
        return None
