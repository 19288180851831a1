"""The laws of laying one set of statements over another."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.model.classification import Classification
from lossless.model.effective import leaves
from lossless.model.overlay import overlay
from lossless.model.scheduling import Ecn, QueueEcn
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.values import DEFAULT, OFF, number_map
from tests.model.strategies import ALL, facets, port_settings, systems

_any_facet = st.sampled_from(ALL).flatmap(lambda kind: st.tuples(*[facets(kind)] * 3))


@given(_any_facet)
def test_overlay_is_associative_on_every_facet(three: tuple[Any, Any, Any]) -> None:
    a, b, c = three
    assert overlay(overlay(a, b), c) == overlay(a, overlay(b, c))


@given(port_settings)
def test_nothing_is_neutral_on_both_sides(x: Settings) -> None:
    assert overlay(NOTHING, x) == x
    assert overlay(x, NOTHING) == x


@given(systems)
def test_overlay_is_idempotent(x: System) -> None:
    assert overlay(x, dataclasses.replace(x)) == x


@given(port_settings, port_settings)
def test_what_the_higher_layer_tells_wins(low: Settings, high: Settings) -> None:
    both = dict(leaves(overlay(low, high)))
    told = {path: held for path, held in leaves(high) if held is not None and held != ()}
    assert {path: both[path] for path in told} == told


@given(port_settings, port_settings)
def test_what_it_does_not_tell_comes_from_below(low: Settings, high: Settings) -> None:
    both, above = dict(leaves(overlay(low, high))), dict(leaves(high))
    for path, held in leaves(low):
        if held is not None and above.get(path) is None:
            assert both[path] == held


@pytest.mark.parametrize("mark", [OFF, DEFAULT])
def test_off_and_default_are_statements(mark: Any) -> None:
    low = Classification(default_priority=3)
    assert overlay(low, Classification(default_priority=mark)).default_priority is mark


def test_maps_combine_code_point_by_code_point() -> None:
    low = Classification(dscp_to_priority=number_map(64, {26: 3, 48: 6}))
    high = Classification(dscp_to_priority=number_map(64, {26: 4}))
    combined = overlay(low, high).dscp_to_priority
    assert (combined[26], combined[48], combined[0]) == (4, 6, None)


def test_tables_combine_row_by_row_and_field_by_field() -> None:
    low = Ecn(queues=((3, QueueEcn(enabled=True, weight=1)),))
    high = Ecn(queues=((3, QueueEcn(weight=0)), (6, QueueEcn(enabled=OFF))))
    assert overlay(low, high).queues == (
        (3, QueueEcn(enabled=True, weight=0)),
        (6, QueueEcn(enabled=OFF)),
    )
