"""Quantities that a vendor states in its own unit, and how they become bytes.

Base units of the model are bytes, bit/s, nanoseconds, millimetres and parts per million.  A
threshold that a vendor states in cells, segments, kbytes or a share of a queue keeps its number
and unit, because the conversion depends on the platform and sometimes nobody knows it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction

PPM = 1_000_000


class Unit(enum.Enum):
    """Units in which sizes and thresholds are stated."""

    BYTES = "bytes"
    KBYTES = "kbytes"  # 1000 or 1024 by platform, and for some nobody knows
    MBYTES = "mbytes"
    CELLS = "cells"
    SEGMENTS = "segments"
    PACKETS = "packets"
    PERCENT_OF_QUEUE = "% of queue"
    PERCENT_OF_POOL = "% of pool"
    NANOSECONDS = "ns"

    def __repr__(self) -> str:
        return f"Unit.{self.name}"


@dataclass(frozen=True, slots=True)
class UnitContext:
    """What a platform's units measure; `None` where it is not known.

    All sizes in bytes; `rate` in bit/s converts a time threshold into the bytes that the port
    sends meanwhile.
    """

    kbyte: int | None = None
    mbyte: int | None = None
    cell: int | None = None
    segment: int | None = None
    queue: int | None = None
    pool: int | None = None
    rate: int | None = None


NO_CONTEXT = UnitContext()


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a vendor's unit, exact."""

    number: Fraction
    unit: Unit

    def to_bytes(self, context: UnitContext = NO_CONTEXT) -> int | None:
        """Return whole bytes (rounded down), or `None` where the context does not tell."""
        size = _unit_size(self.unit, context)
        return None if size is None else int(self.number * size)

    def __str__(self) -> str:
        number = self.number
        if self.unit is Unit.BYTES and number.denominator == 1:
            return _written(number.numerator)
        text = str(number.numerator) if number.denominator == 1 else f"{float(number):g}"
        return f"{text}B" if self.unit is Unit.BYTES else f"{text} {self.unit.value}"


#: How people write sizes; the first that leaves a whole number is taken.
_SIZES = (("MB", 10**6), ("KB", 10**3), ("MiB", 1 << 20), ("KiB", 1 << 10))


def _written(size: int) -> str:
    """Write bytes as the inventory does ("300KB"), exactly."""
    for unit, many in _SIZES:
        if size and size % many == 0:
            return f"{size // many}{unit}"
    return f"{size}B"


def _unit_size(unit: Unit, context: UnitContext) -> Fraction | None:
    known: dict[Unit, int | None] = {
        Unit.BYTES: 1,
        Unit.KBYTES: context.kbyte,
        Unit.MBYTES: context.mbyte,
        Unit.CELLS: context.cell,
        Unit.SEGMENTS: context.segment,
    }
    if unit in known:
        size = known[unit]
        return None if size is None else Fraction(size)
    shares = {Unit.PERCENT_OF_QUEUE: context.queue, Unit.PERCENT_OF_POOL: context.pool}
    if unit in shares:
        whole = shares[unit]
        return None if whole is None else Fraction(whole, 100)
    if unit is Unit.NANOSECONDS and context.rate is not None:
        return Fraction(context.rate, 8 * 10**9)
    return None


def in_bytes(size: int) -> Quantity:
    """Return a size that was stated in bytes."""
    return Quantity(Fraction(size), Unit.BYTES)


@dataclass(frozen=True, slots=True)
class Alpha:
    """A dynamic threshold: the share of the free pool that one queue or group may take.

    Vendors write an index, an exponent or the ratio; the index is kept for the round trip and the
    ratio for comparison.  Either may be unknown, not both.
    """

    ratio: Fraction | None = None
    index: int | None = None

    def __post_init__(self) -> None:
        if self.ratio is None and self.index is None:
            raise ValueError("an alpha needs a ratio or an index")


class BandwidthKind(enum.Enum):
    """What a scheduling share is a share of.  Sums are only meaningful inside one kind."""

    ETS = "ets"  # per cent among the ETS classes (IEEE 802.1Qaz)
    REMAINING = "remaining"  # per cent of what strict classes leave
    LINE = "line"  # per cent of the line rate
    GUARANTEED = "guaranteed"  # a floor, per cent of the line rate
    WEIGHT = "weight"  # a bare number relative to the other weights

    def __repr__(self) -> str:
        return f"BandwidthKind.{self.name}"


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """A scheduling share: parts per million of its kind, or a bare weight."""

    kind: BandwidthKind
    amount: int

    def __str__(self) -> str:
        if self.kind is BandwidthKind.WEIGHT:
            return f"weight {self.amount}"
        return f"{self.amount / 10_000:g}% ({self.kind.value})"


@dataclass(frozen=True, slots=True)
class Cap:
    """An upper limit on a queue: an absolute rate in bit/s or parts per million of the line."""

    rate: int | None = None
    share: int | None = None

    def __post_init__(self) -> None:
        if (self.rate is None) == (self.share is None):
            raise ValueError("a cap is either a rate or a share of the line")
