"""Buffers as a running switch shows them: maps to groups, and groups that are lossy."""

from __future__ import annotations

from fractions import Fraction

from lossless.model.buffers import Buffers, PriorityGroup
from lossless.model.classification import Classification, Trust
from lossless.model.units import Quantity, Unit, in_bytes
from lossless.model.values import OFF, number_map
from lossless.rules.buf import lossless_without_headroom, xon_above_xoff
from lossless.rules.mapping import lossy_shares_lossless_queue
from tests.rules.views import BY_EIGHTS, faults, port

#: Priorities 3 and 4 have groups of their own, everything else is in group 0.
TO_GROUPS = number_map(16, {n: n if n in (3, 4, 7) else 0 for n in range(8)})


def _maps(tc_to_group: tuple[object, ...]) -> Classification:
    return Classification(
        trust=Trust.DSCP,
        dscp_to_priority=BY_EIGHTS,
        tc_to_group=tc_to_group,  # type: ignore[arg-type]
    )


def test_a_lossy_group_under_a_lossless_class() -> None:
    for group, bad in (
        (PriorityGroup(lossless=OFF), True),
        (PriorityGroup(lossless=True, xoff=in_bytes(0)), True),
        (PriorityGroup(lossless=True, headroom=OFF), True),
        (PriorityGroup(lossless=True, xoff=in_bytes(160_000)), False),
        (PriorityGroup(lossless=True), False),
    ):
        view = port(buffers=Buffers(groups=((3, group),)))
        assert bool(faults(lossless_without_headroom.check, view)) is bad


def test_the_group_of_a_class_is_where_the_maps_lead_it() -> None:
    elsewhere = _maps(number_map(16, {3: 1}))
    view = port(
        classification=elsewhere, buffers=Buffers(groups=((3, PriorityGroup(lossless=OFF)),))
    )
    assert not faults(lossless_without_headroom.check, view)
    view = port(
        classification=elsewhere, buffers=Buffers(groups=((1, PriorityGroup(lossless=OFF)),))
    )
    assert faults(lossless_without_headroom.check, view)


def test_a_lossy_class_in_the_group_of_a_lossless_one_by_its_traffic_class() -> None:
    assert not faults(lossy_shares_lossless_queue.check, port(classification=_maps(TO_GROUPS)))
    shared = _maps((*TO_GROUPS[:6], 3, *TO_GROUPS[7:]))
    found = faults(lossy_shares_lossless_queue.check, port(classification=shared))
    assert ["class cnp shares priority group 3" in f.message for f in found] == [True]


def test_thresholds_in_cells_are_compared_as_they_stand() -> None:
    def group(xon: int) -> PriorityGroup:
        return PriorityGroup(
            xon=Quantity(Fraction(xon), Unit.CELLS), xoff=Quantity(Fraction(100), Unit.CELLS)
        )

    for xon, bad in ((100, False), (101, True)):
        view = port(buffers=Buffers(groups=((3, group(xon)),)))
        assert bool(faults(xon_above_xoff.check, view)) is bad
