"""Marking in states and on platforms that no inventory states."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lossless.model.classes import PortIntent
from lossless.model.profile import EcnLaw, Grade
from lossless.model.scheduling import Algorithm, Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.units import Quantity, Unit, UnitContext, in_bytes
from lossless.model.values import OFF
from lossless.rules.ecn import (
    ecn_on_strict_queue,
    ecn_thresholds_reversed,
    ecn_unit_unknown,
    lossless_without_ecn,
    wred_drops_lossless,
)
from tests.rules.views import CLASSES, faults, missing, port, profile


def curve(low: Quantity, high: Quantity) -> Ecn:
    return Ecn(queues=((3, QueueEcn(enabled=True, minimum=low, maximum=high)),))


def kbytes(number: int) -> Quantity:
    return Quantity(Fraction(number), Unit.KBYTES)


def test_a_step_is_no_reversed_pair() -> None:
    assert not faults(ecn_thresholds_reversed.check, port(ecn=curve(kbytes(300), kbytes(300))))
    assert faults(ecn_thresholds_reversed.check, port(ecn=curve(kbytes(301), kbytes(300))))


def test_units_that_nobody_can_compare_are_missing() -> None:
    mixed = curve(kbytes(100), in_bytes(90_000))
    assert missing(ecn_thresholds_reversed.check, port(ecn=mixed))
    known = profile(units=UnitContext(kbyte=1000))
    assert faults(ecn_thresholds_reversed.check, port(ecn=mixed, profile=known))


@pytest.mark.parametrize(
    ("unit", "good"), [(Unit.BYTES, True), (Unit.KBYTES, True), (Unit.PERCENT_OF_QUEUE, False)]
)
def test_a_unit_that_can_be_turned_into_another_is_taken(unit: Unit, good: bool) -> None:
    law = EcnLaw(units=frozenset({Unit.KBYTES, Unit.SEGMENTS}))
    known = profile(Grade.VERIFIED, "ecn.units", ecn=law)
    told = Quantity(Fraction(50), unit)
    found = faults(ecn_unit_unknown.check, port(ecn=curve(told, told), profile=known))
    assert bool(found) is not good


def test_a_master_switch_that_is_off_marks_nothing() -> None:
    on = QueueEcn(enabled=True)
    assert not faults(lossless_without_ecn.check, port(ecn=Ecn(queues=((3, on),))))
    assert faults(lossless_without_ecn.check, port(ecn=Ecn(enabled=OFF, queues=((3, on),))))
    assert missing(lossless_without_ecn.check, port()) == {"classes.roce.ecn"}


@pytest.mark.parametrize("control", ["spectrum-x", "ztr-rttcc", OFF])
def test_marking_is_asked_for_by_dcqcn_alone(control: str) -> None:
    intent = PortIntent(classes=CLASSES, congestion_control=control)
    view = port(intent=intent, ecn=Ecn(queues=((3, QueueEcn(enabled=OFF)),)))
    assert not faults(lossless_without_ecn.check, view)


def test_early_drops_without_marks() -> None:
    drops = QueueEcn(enabled=OFF, wred=True)
    assert faults(wred_drops_lossless.check, port(ecn=Ecn(queues=((3, drops),))))
    assert not faults(wred_drops_lossless.check, port(ecn=Ecn(queues=((0, drops),))))


def test_marks_on_the_default_queue_are_meant() -> None:
    marked = Ecn(queues=((0, QueueEcn(enabled=True)), (6, QueueEcn(enabled=True))))
    shared = Ets(queues=((0, QueueScheduling(algorithm=Algorithm.DWRR)),))
    assert not faults(ecn_on_strict_queue.check, port(ecn=marked, ets=shared))
    strict = Ets(queues=((6, QueueScheduling(algorithm=Algorithm.STRICT)),))
    [found] = faults(ecn_on_strict_queue.check, port(ecn=marked, ets=strict))
    assert "cnp" in found.message
