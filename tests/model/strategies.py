"""Hypothesis strategies for facets, derived from their declarations.

Leaves are drawn from a few values each, so that two draws often agree and often differ.
"""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lossless.model import buffers, classification, link, pfc, rdma, scheduling, settings
from lossless.model.facet import is_facet, shape, table
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Cap, Quantity, Unit
from lossless.model.values import DEFAULT, OFF, Mark

ATOMS: dict[type, st.SearchStrategy[Any]] = {
    int: st.integers(0, 4),
    str: st.sampled_from(["a", "b"]),
    bool: st.booleans(),
    Quantity: st.builds(
        Quantity, st.integers(1, 3).map(Fraction), st.sampled_from([Unit.BYTES, Unit.KBYTES])
    ),
    Alpha: st.builds(Alpha, st.integers(1, 3).map(Fraction), st.none() | st.integers(0, 2)),
    Bandwidth: st.builds(Bandwidth, st.sampled_from(BandwidthKind), st.integers(0, 3)),
    Cap: st.builds(Cap, st.integers(1, 3)),
    frozenset: st.frozensets(st.integers(0, 7), max_size=3),
}


def facets(kind: type) -> st.SearchStrategy[Any]:
    """Draw any instance of a facet."""
    hints = typing.get_type_hints(kind)
    drawn = {f.name: _field(f, hints[f.name]) for f in dataclasses.fields(kind)}
    return st.builds(kind, **drawn)


def _field(field: dataclasses.Field[Any], hint: Any) -> st.SearchStrategy[Any]:
    how = shape(field)
    if how == "map":
        size = 64 if "dscp_to" in field.name else 16 if field.name.startswith("tc_") else 8
        told = st.lists(_leaf(int), min_size=size, max_size=size).map(tuple)
        return st.just(()) | told
    if how == "table":
        key, value = typing.get_args(typing.get_args(hint)[0])
        return st.dictionaries(ATOMS[key], _value(value), max_size=3).map(table)
    return _value(hint)


def _value(hint: Any) -> st.SearchStrategy[Any]:
    if isinstance(hint, type) and is_facet_type(hint):
        return facets(hint)
    if hint == tuple[str, ...]:
        return st.lists(st.sampled_from(["x", "y"]), max_size=2).map(tuple)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        choices = [_leaf(a) for a in typing.get_args(hint) if a not in (Mark, type(None))]
        return st.none() | st.sampled_from([OFF, DEFAULT]) | st.one_of(choices)
    if typing.get_origin(hint) is tuple:  # a NumberMap inside a table
        return st.lists(_leaf(int), min_size=8, max_size=8).map(tuple)
    return _leaf(hint)


def _leaf(hint: Any) -> st.SearchStrategy[Any]:
    if typing.get_origin(hint) is typing.Literal:
        return st.just(True)
    if typing.get_origin(hint) is frozenset:
        inner = typing.get_args(hint)[0]
        return st.frozensets(ATOMS[inner], max_size=3)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return st.sampled_from(hint)
    return ATOMS[hint]


def is_facet_type(kind: type) -> bool:
    """Say whether a class is a facet, by its empty instance."""
    return dataclasses.is_dataclass(kind) and is_facet(object.__new__(kind))


ALL = (
    link.LinkSettings,
    link.Mtu,
    link.VlanSettings,
    link.Adapter,
    link.Cable,
    classification.Classification,
    pfc.Pfc,
    pfc.Watchdog,
    pfc.DcbOwnership,
    scheduling.QueueScheduling,
    scheduling.Ets,
    scheduling.QueueEcn,
    scheduling.Ecn,
    buffers.Buffers,
    buffers.BoxBuffers,
    rdma.Marking,
    rdma.CongestionControl,
    rdma.Environment,
)
port_settings = facets(settings.Settings)
systems = facets(settings.System)
