"""States that the platform can express, whole and in part."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import strategies as st

from lossless.model.buffers import Buffers
from lossless.model.classification import Classification, Trust
from lossless.model.link import LinkSettings, Mtu
from lossless.model.pfc import DcbOwner, DcbOwnership, Pfc, PfcMode
from lossless.model.rdma import CongestionControl, Marking, RoceVersion
from lossless.model.scheduling import Algorithm, Ets, QueueScheduling
from lossless.model.settings import FACETS, Settings
from lossless.model.units import Bandwidth, BandwidthKind, Cap
from lossless.model.values import OFF
from tests.platforms.nvidia_mlnx_qos.fake_host import RP

CELL = 128
priorities = st.integers(0, 7)
switches = st.sampled_from([True, OFF])
sets = st.frozensets(priorities)
eight = st.lists(priorities, min_size=8, max_size=8).map(tuple)


@st.composite
def classifications(draw: st.DrawFn) -> Classification:
    trust = draw(st.sampled_from([Trust.DSCP, Trust.DSCP, Trust.PCP]))
    entries: list[Any] = draw(st.lists(priorities, min_size=64, max_size=64))
    for gone in draw(st.lists(st.integers(0, 62), max_size=3)):
        entries[gone] = OFF
    shown = tuple(entries) if trust is Trust.DSCP else ()
    return Classification(trust=trust, dscp_to_priority=shown, priority_to_tc=draw(eight))


@st.composite
def schedules(draw: st.DrawFn) -> Ets:
    algorithms = draw(st.lists(st.sampled_from(list("esvse")), min_size=8, max_size=8))
    sharing = [tc for tc, letter in enumerate(algorithms) if letter == "e"]
    shares = _shares(draw, len(sharing))
    rows = []
    for tc, letter in enumerate(algorithms):
        share: Any = OFF
        if letter == "e":
            share = Bandwidth(BandwidthKind.ETS, shares[sharing.index(tc)] * 10_000)
        rate = draw(st.sampled_from([None, None, 1, 10, 25, 26, 100, 255]))
        word = {"e": Algorithm.ETS, "s": Algorithm.STRICT, "v": Algorithm.VENDOR}[letter]
        cap = OFF if rate is None else Cap(rate=rate * 10**9)
        rows.append((tc, QueueScheduling(algorithm=word, bandwidth=share, cap=cap)))
    return Ets(queues=tuple(rows))


def _shares(draw: st.DrawFn, count: int) -> list[int]:
    """Whole per cents that sum to 100, zeros only where nobody has all of it."""
    if count <= 1:
        return [100] * count
    cuts = sorted(draw(st.lists(st.integers(1, 99), min_size=count - 1, max_size=count - 1)))
    return [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]


@st.composite
def buffers(draw: st.DrawFn, lossless: frozenset[int], mtu: int) -> Buffers:
    cable = draw(st.integers(1, 999))
    if draw(st.booleans()):
        return Buffers(cable=cable * 1000)
    mapped = draw(eight)
    least = (301 + 216 * cable // 100) * 400 + 272 * mtu // 100 + 9978 + 2 * CELL
    sizes = []
    for number in range(8):
        needed = number in {mapped[p] for p in lossless}
        cells = draw(st.integers(0, 4000)) + (-(-least // CELL) if needed else 0)
        sizes.append((number, cells * CELL))
    return Buffers(cable=cable * 1000, priority_to_buffer=mapped, sizes=tuple(sizes))


congestion = st.builds(
    CongestionControl,
    notification_point=sets,
    reaction_point=sets,
    cnp_dscp=st.integers(0, 63),
    cnp_priority=priorities,
    cnp_interval=st.integers(0, 4096).map(lambda us: us * 1000),
    parameters=st.fixed_dictionaries({name: st.integers(0, 2**20) for name in RP}).map(
        lambda rows: tuple(sorted(rows.items()))
    ),
)
marking = st.builds(
    Marking,
    global_tclass=st.one_of(st.just(OFF), st.integers(0, 255)),
    cm_tos=st.integers(0, 255),
    cm_mode=st.sampled_from(RoceVersion),
)


@st.composite
def whole(draw: st.DrawFn) -> Settings:
    """Everything that a NIC can be told, in its canonical form."""
    lossless = draw(sets)
    mtu = draw(st.sampled_from([1500, 4200, 9000, 9978]))
    return Settings(
        link=LinkSettings(pause_send=OFF, pause_honour=OFF),
        mtu=Mtu(l3=mtu, native=mtu),
        classification=draw(classifications()),
        pfc=Pfc(mode=PfcMode.ON if lossless else OFF, send=lossless, honour=lossless),
        dcb=DcbOwnership(owner=DcbOwner.OS),
        ets=draw(schedules()),
        buffers=draw(buffers(lossless, mtu)),
        marking=draw(marking),
        congestion=draw(congestion),
    )


@st.composite
def partial(draw: st.DrawFn) -> Settings:
    """A whole statement with some facets, and some leaves of others, left out."""
    full = draw(whole())
    kept = draw(st.sets(st.sampled_from(FACETS), min_size=1))
    blank = Settings()
    told = {name: getattr(full if name in kept else blank, name) for name in FACETS}
    if "buffers" in kept and not {"pfc", "mtu"} <= kept:
        told["buffers"] = Buffers()
    if told["classification"].trust is Trust.DSCP and draw(st.booleans()):
        some = draw(st.sets(st.integers(0, 63), max_size=6))
        entries = told["classification"].dscp_to_priority
        thin = tuple(e if d in some else None for d, e in enumerate(entries))
        changed: Any = {"dscp_to_priority": thin if any(e is not None for e in thin) else ()}
        told["classification"] = dataclasses.replace(told["classification"], **changed)
    return Settings(**told)
