"""Quantities become bytes only where the platform says how."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lossless.model.units import (
    Alpha,
    Bandwidth,
    BandwidthKind,
    Cap,
    Quantity,
    Unit,
    UnitContext,
    in_bytes,
)
from lossless.model.values import entry, number_map


@pytest.mark.parametrize(
    ("unit", "context", "expected"),
    [
        (Unit.BYTES, UnitContext(), 2),
        (Unit.KBYTES, UnitContext(kbyte=1000), 2000),
        (Unit.MBYTES, UnitContext(mbyte=1 << 20), 2 << 20),
        (Unit.CELLS, UnitContext(cell=254), 508),
        (Unit.SEGMENTS, UnitContext(segment=208), 416),
        (Unit.PERCENT_OF_QUEUE, UnitContext(queue=1000), 20),
        (Unit.PERCENT_OF_POOL, UnitContext(pool=500), 10),
        (Unit.NANOSECONDS, UnitContext(rate=400 * 10**9), 100),
        (Unit.CELLS, UnitContext(kbyte=1000), None),
        (Unit.NANOSECONDS, UnitContext(), None),
        (Unit.PACKETS, UnitContext(cell=254), None),
    ],
)
def test_two_of_each_unit(unit: Unit, context: UnitContext, expected: int | None) -> None:
    assert Quantity(Fraction(2), unit).to_bytes(context) == expected


def test_every_unit_says_its_name() -> None:
    said = {str(Quantity(Fraction(3, 2), unit)) for unit in Unit}
    assert {"1.5B", "1.5 kbytes", "1.5 % of queue", "1.5 ns"} <= said


@pytest.mark.parametrize("bad", [Alpha, Cap, lambda: Cap(1, 1)])
def test_half_told_atoms_are_refused(bad: object) -> None:
    with pytest.raises(ValueError, match=r"alpha|cap"):
        bad()  # type: ignore[operator]


def test_shares_are_shown_in_per_cent_of_their_kind() -> None:
    assert str(Bandwidth(BandwidthKind.ETS, 600_000)) == "60% (ets)"
    assert str(Bandwidth(BandwidthKind.WEIGHT, 20)) == "weight 20"


def test_a_map_without_entries_is_not_told() -> None:
    assert number_map(8) == ()
    assert entry((), 3) is None
    assert entry(number_map(8, {3: 5}), 3) == 5
    with pytest.raises(ValueError, match=r"outside 0\.\.7"):
        number_map(8, {8: 1})


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (300_000, "300KB"),
        (3_000_000, "3MB"),
        (1 << 20, "1MiB"),
        (160 << 10, "160KiB"),
        (24_470, "24470B"),
        (0, "0B"),
    ],
)
def test_bytes_are_written_as_people_do(size: int, text: str) -> None:
    assert str(in_bytes(size)) == text
