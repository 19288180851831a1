"""Comparison says what differs, and never takes silence for agreement."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from lossless.model.compare import Verdict, compare, compare_states, same
from lossless.model.device import DeviceState
from lossless.model.overlay import overlay
from lossless.model.pfc import Pfc, PfcMode
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.units import Alpha, Quantity, Unit, UnitContext, in_bytes
from lossless.model.values import DEFAULT, OFF
from tests.model.strategies import port_settings


@given(port_settings)
def test_nothing_differs_from_itself(x: Settings) -> None:
    assert not [d for d in compare(x, overlay(NOTHING, x)) if d.verdict is Verdict.DIFFERENT]


@given(port_settings)
def test_wanting_nothing_finds_nothing(x: Settings) -> None:
    assert list(compare(NOTHING, x)) == []


@given(port_settings, port_settings)
def test_mending_every_difference_leaves_none(wanted: Settings, found: Settings) -> None:
    mended = overlay(found, wanted)
    assert not [d for d in compare(wanted, mended) if d.verdict is Verdict.DIFFERENT]


@given(port_settings)
def test_an_unseen_port_is_not_checked_and_never_equal(wanted: Settings) -> None:
    verdicts = {d.verdict for d in compare(wanted, NOTHING)}
    assert verdicts <= {Verdict.NOT_CHECKED}
    assert bool(verdicts) == (wanted != NOTHING and overlay(NOTHING, wanted) != NOTHING)


def test_a_difference_names_its_path() -> None:
    wanted = DeviceState(ports={"e1": Settings(pfc=Pfc(mode=PfcMode.ON))})
    found = DeviceState(ports={"e1": Settings(pfc=Pfc(mode=OFF))})
    (difference,) = compare_states(wanted, found)
    assert difference.path == ("ports", "e1", "pfc", "mode")
    assert (difference.wanted, difference.found) == (PfcMode.ON, OFF)


def test_the_box_is_compared_too() -> None:
    wanted = DeviceState(system=System(pfc_stopped=OFF))
    found = DeviceState(system=System(pfc_stopped=True))
    assert [d.path for d in compare_states(wanted, found)] == [("system", "pfc_stopped")]


@pytest.mark.parametrize(
    ("wanted", "found", "context", "verdict"),
    [
        (in_bytes(1000), Quantity(Fraction(1), Unit.KBYTES), UnitContext(kbyte=1000), True),
        (in_bytes(1000), Quantity(Fraction(1), Unit.KBYTES), UnitContext(kbyte=1024), False),
        (in_bytes(1000), Quantity(Fraction(1), Unit.KBYTES), UnitContext(), None),
        (Quantity(Fraction(2), Unit.CELLS), Quantity(Fraction(2), Unit.CELLS), UnitContext(), True),
        (Alpha(Fraction(1, 8)), Alpha(Fraction(1, 8), index=3), UnitContext(), True),
        (Alpha(index=3), Alpha(Fraction(1, 8)), UnitContext(), None),
        (Alpha(index=3), Alpha(index=4), UnitContext(), False),
        (3, DEFAULT, UnitContext(), None),
        (OFF, 3, UnitContext(), False),
    ],
)
def test_one_leaf(
    wanted: object, found: object, context: UnitContext, verdict: bool | None
) -> None:
    assert same(wanted, found, context) is verdict
