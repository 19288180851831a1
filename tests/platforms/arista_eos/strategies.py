"""States over everything that EOS can say.

`ports()` and `systems()` give leaves that are told (a value, OFF or DEFAULT) or not (`None`);
what cannot be said is left to `test_inexpressible`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lossless.model.buffers import BoxBuffers, Buffers, HeadroomPool, PriorityGroup, QueueBuffer
from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import Fec, LinkSettings, Mtu, VlanMode, VlanSettings
from lossless.model.pfc import DcbOwnership, Pfc, PfcMode, Watchdog, WatchdogAction
from lossless.model.scheduling import (
    Algorithm,
    Ecn,
    EcnBasis,
    Ets,
    QueueEcn,
    QueueScheduling,
    Thresholds,
)
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Cap, Quantity, Unit
from lossless.model.values import DEFAULT, OFF

G = 10**9
PORTS = ("Ethernet1/1", "Ethernet2/1", "Ethernet10/1", "Port-Channel3")
QUEUES = range(8)

#: Speed, lanes, and the Reed-Solomon code that the speed's lanes use (IEEE 802.3).
SPEEDS: tuple[tuple[int, int | None, Fec | None], ...] = (
    (10 * G, None, None),
    (25 * G, None, Fec.RS528),
    (40 * G, 4, None),
    (100 * G, None, None),
    (100 * G, 4, Fec.RS528),
    (100 * G, 2, Fec.RS544),
    (200 * G, 4, Fec.RS544),
    (400 * G, None, Fec.RS544),
    (400 * G, 8, Fec.RS544),
    (800 * G, 8, Fec.RS544),
    (1600 * G, 8, Fec.RS544),
)


def told(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A value, the default, or nothing."""
    return st.one_of(values, values, st.just(DEFAULT), st.none())


def switch() -> st.SearchStrategy[Any]:
    return st.sampled_from([True, OFF, DEFAULT, None])


def quantity(*units: Unit) -> st.SearchStrategy[Quantity]:
    return st.builds(
        lambda number, unit: Quantity(Fraction(number), unit),
        st.integers(1, 4_000_000),
        st.sampled_from(units),
    )


SIZES = quantity(Unit.BYTES, Unit.KBYTES, Unit.MBYTES, Unit.SEGMENTS)
DELAYS = st.integers(1, 500).map(lambda ms: Quantity(Fraction(ms * 10**6), Unit.NANOSECONDS))
MEMORY = quantity(Unit.BYTES, Unit.CELLS)
PERCENT = st.integers(1, 100).map(lambda percent: percent * 10_000)
ALPHAS = st.sampled_from(
    [Alpha(ratio=Fraction(1, 1 << -n) if n < 0 else Fraction(1 << n)) for n in range(-7, 4)]
)


@st.composite
def links(draw: st.DrawFn) -> LinkSettings:
    rate, lanes, code = draw(st.sampled_from(SPEEDS))
    speed = draw(st.sampled_from([rate, rate, DEFAULT, None]))
    codes = [Fec.NONE, Fec.FIRECODE] + ([code] if code and speed == rate else [])
    auto: list[Any] = [True, DEFAULT, None] + ([OFF] if speed == rate else [])
    return LinkSettings(
        speed=speed,
        lanes=(lanes or DEFAULT) if speed == rate else None,
        autoneg=draw(st.sampled_from(auto)),
        # which code `reed-solomon` is depends on the speed, so they are told together
        fec=draw(
            told(st.sampled_from(codes)) if speed is None else st.sampled_from([*codes, DEFAULT])
        ),
        link_training=draw(switch()),
        admin_up=draw(switch()),
        pause_send=draw(switch()),
        pause_honour=draw(switch()),
    )


def mtus() -> st.SearchStrategy[Mtu]:
    native = told(st.integers(68, 9214))
    both = native.map(lambda size: Mtu(native=size, l3=size))
    return st.one_of(both, native.map(lambda size: Mtu(l3=size)))


VLANS = st.integers(1, 4094)


def vlans() -> st.SearchStrategy[VlanSettings]:
    return st.builds(
        VlanSettings,
        mode=told(st.sampled_from(list(VlanMode))),
        access=told(VLANS),
        native=told(VLANS),
        tagged=told(st.frozensets(VLANS, max_size=6)),
    )


@st.composite
def pfcs(draw: st.DrawFn) -> Pfc:
    lossless = draw(told(st.frozensets(st.integers(0, 7), max_size=3)))
    one_end = draw(st.booleans())
    mode = draw(st.sampled_from([PfcMode.ON, PfcMode.ON, OFF, DEFAULT, None]))
    return Pfc(mode=mode, send=lossless, honour=None if one_end else lossless)


@st.composite
def timers(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return {}
    return {
        "detect": draw(st.integers(1, 6000)) * 10**7,
        "restore": draw(st.integers(1, 6000)) * 10**7,
        "poll": draw(told(st.integers(5, 30_000).map(lambda ms: ms * 10**6))),
    }


@st.composite
def watchdogs(draw: st.DrawFn) -> Watchdog:
    action = draw(st.sampled_from([WatchdogAction.DROP, WatchdogAction.ALERT, DEFAULT, None]))
    return Watchdog(enabled=draw(switch()), action=action, **draw(timers()))


def dcbs() -> st.SearchStrategy[DcbOwnership]:
    on = st.sampled_from(["ieee", "cee"]).map(lambda word: DcbOwnership(dcbx=True, dialect=word))
    off = st.sampled_from([OFF, DEFAULT, None]).map(lambda held: DcbOwnership(dcbx=held))
    return st.one_of(on, off, st.just(DcbOwnership(advertise=True)))


def schedulings() -> st.SearchStrategy[QueueScheduling]:
    shares = st.builds(
        Bandwidth, st.sampled_from([BandwidthKind.ETS, BandwidthKind.REMAINING]), PERCENT
    )
    caps = st.one_of(
        PERCENT.map(lambda share: Cap(share=share)),
        st.integers(1, 10**8).map(lambda kbps: Cap(rate=kbps * 1000)),
    )
    algorithms = [Algorithm.STRICT, Algorithm.WRR, Algorithm.ETS, Algorithm.DWRR, Algorithm.WFQ]
    return st.builds(
        QueueScheduling,
        algorithm=told(st.sampled_from(algorithms)),
        bandwidth=told(shares),
        guaranteed=told(PERCENT.map(lambda share: Bandwidth(BandwidthKind.GUARANTEED, share))),
        cap=told(caps),
    )


@st.composite
def curves(draw: st.DrawFn) -> Thresholds:
    low, high = draw(SIZES), draw(SIZES)
    return Thresholds(minimum=low, maximum=high, probability=draw(PERCENT))


@st.composite
def marks(draw: st.DrawFn) -> dict[str, Any]:
    enabled = draw(st.sampled_from([True, True, OFF, DEFAULT, None]))
    if enabled is not True:
        return {"enabled": enabled}
    sizes = draw(st.sampled_from([SIZES, DELAYS]))
    return {
        "enabled": True,
        "minimum": draw(sizes),
        "maximum": draw(sizes),
        "probability": draw(told(PERCENT)),
        "weight": draw(told(st.integers(0, 15))),
        "basis": draw(
            st.sampled_from([None, EcnBasis.QUEUE if sizes is SIZES else EcnBasis.LATENCY])
        ),
    }


@st.composite
def ecn_rows(draw: st.DrawFn) -> QueueEcn:
    names = st.sampled_from(["all", "green", "yellow", "red"])
    colours = draw(st.dictionaries(names, curves(), max_size=2))
    wred = True if colours else draw(st.sampled_from([OFF, DEFAULT, None]))
    return QueueEcn(count=draw(switch()), wred=wred, colours=table(colours), **draw(marks()))


@st.composite
def ecns(draw: st.DrawFn) -> Ecn:
    if draw(st.integers(0, 7)) == 0:  # marking by delay is said once for all queues
        delay = draw(DELAYS)
        row = QueueEcn(enabled=True, basis=EcnBasis.LATENCY, minimum=delay)
        return Ecn(queues=table(dict.fromkeys(QUEUES, row)))
    rows = draw(st.dictionaries(st.sampled_from(QUEUES), ecn_rows(), max_size=3))
    return Ecn(queues=table(rows))


def etses() -> st.SearchStrategy[Ets]:
    rows = st.dictionaries(st.sampled_from(QUEUES), schedulings(), max_size=4)
    return rows.map(lambda held: Ets(queues=table(held)))


def trusts() -> st.SearchStrategy[Classification]:
    return st.builds(
        Classification,
        trust=told(st.sampled_from([Trust.DSCP, Trust.PCP, Trust.PORT, Trust.NONE])),
        default_dscp=told(st.integers(0, 63)),
        default_pcp=told(st.integers(0, 7)),
    )


def ports() -> st.SearchStrategy[Settings]:
    return st.one_of(
        st.just(NOTHING),
        st.builds(
            Settings,
            link=links(),
            mtu=mtus(),
            vlans=vlans(),
            classification=trusts(),
            pfc=pfcs(),
            watchdog=watchdogs(),
            dcb=dcbs(),
            ets=etses(),
            ecn=ecns(),
        ),
    )


def numbers(size: int, values: st.SearchStrategy[int], most: int = 8) -> st.SearchStrategy[Any]:
    """A map with some entries told, or nothing."""

    def fill(held: dict[int, Any]) -> tuple[Any, ...]:
        return tuple(held.get(index) for index in range(size)) if held else ()

    some = st.dictionaries(st.integers(0, min(size, 64) - 1), told(values), max_size=most)
    return some.map(fill)


def maps() -> st.SearchStrategy[Classification]:
    queue = numbers(16, st.integers(0, 6))
    # traffic class 7 keeps queue 7, and there are no classes above
    kept = queue.map(lambda held: held[:7] + (None,) * 9 if held else held)
    return st.builds(
        Classification,
        dscp_to_priority=numbers(64, st.integers(0, 7), 64),
        pcp_to_priority=numbers(8, st.integers(0, 7)),
        priority_to_tc=st.sampled_from([(), tuple(range(8)), (DEFAULT,) * 8]),
        tc_to_queue=kept.map(lambda held: held if any(e is not None for e in held) else ()),
        rewrite_dscp_enabled=switch(),
        rewrite_dscp=numbers(8, st.integers(0, 63)),
        rewrite_pcp_enabled=switch(),
        rewrite_pcp=numbers(8, st.integers(0, 7)),
    )


@st.composite
def box_ecns(draw: st.DrawFn) -> Ecn:
    forward = draw(switch())
    row = QueueEcn(non_ect_forward=forward)
    return Ecn() if forward is None else Ecn(queues=table(dict.fromkeys(QUEUES, row)))


@st.composite
def buffers(draw: st.DrawFn) -> Buffers:
    headroom, resume = draw(told(MEMORY)), draw(told(MEMORY))
    group = st.builds(
        PriorityGroup,
        reserved=told(MEMORY),
        alpha=told(ALPHAS),
        headroom=st.just(headroom),
        xon_offset=st.just(resume),
    )
    queue = st.builds(QueueBuffer, reserved=told(MEMORY), alpha=told(ALPHAS))
    # headroom and resume are one line for all groups, so they are told of all or of none
    least = 8 if headroom is not None or resume is not None else 0
    groups = st.dictionaries(st.sampled_from(QUEUES), group, min_size=least, max_size=least or 3)
    return Buffers(
        groups=table(draw(groups)),
        queues=table(draw(st.dictionaries(st.sampled_from(QUEUES), queue, max_size=3))),
    )


@st.composite
def global_marks(draw: st.DrawFn) -> Thresholds:
    if draw(st.booleans()):
        return Thresholds(minimum=draw(SIZES), maximum=draw(SIZES))
    untold = draw(st.sampled_from([None, DEFAULT, OFF]))
    return Thresholds(minimum=untold, maximum=untold)


RAW = (
    "qos tx-queue 3 scheduler profile responsive",
    "qos tx-queue shape rate percent adaptive",
    "qos map exp 0 to traffic-class 0",
    "hardware counter feature ecn out",
    "platform sand qos map traffic-class 3 to network-qos 3",
)


def systems() -> st.SearchStrategy[System]:
    watchdog = st.builds(
        Watchdog,
        detect=told(st.integers(1, 6000).map(lambda n: n * 10**7)),
        restore=told(st.integers(1, 6000).map(lambda n: n * 10**7)),
        poll=told(st.integers(5, 30_000).map(lambda n: n * 10**6)),
        action=told(
            st.sampled_from([a for a in WatchdogAction if a is not WatchdogAction.FORWARD])
        ),
    )
    settings = st.builds(
        Settings, classification=maps(), watchdog=watchdog, ecn=box_ecns(), buffers=buffers()
    )
    pool = told(MEMORY).map(lambda size: BoxBuffers(headroom_pool=HeadroomPool(size=size)))
    raw = st.lists(st.sampled_from(RAW), unique=True).map(lambda lines: tuple(sorted(lines)))
    return st.one_of(
        st.just(System()),
        st.builds(
            System,
            settings=settings,
            buffers=pool,
            pfc_stopped=switch(),
            ecn_global=global_marks(),
            raw=raw,
        ),
    )


@st.composite
def states(draw: st.DrawFn, names: tuple[str, ...] = PORTS) -> DeviceState:
    """A whole box; ports often share their settings, as they do in life."""
    kinds = draw(st.lists(ports(), min_size=1, max_size=3))
    chosen = draw(st.lists(st.sampled_from(names), unique=True, max_size=len(names)))
    return DeviceState(
        draw(systems()), {name: draw(st.sampled_from(kinds)) for name in sorted(chosen)}
    )
