"""States over everything that this platform can express."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lossless.model.buffers import Buffers, PriorityGroup, QueueBuffer
from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import LinkSettings, Mtu, VlanMode, VlanSettings
from lossless.model.pfc import DcbOwnership, Pfc, PfcMode, Watchdog
from lossless.model.scheduling import Algorithm, Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.settings import Settings, System
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Quantity, Unit, in_bytes
from lossless.model.values import DEFAULT, OFF

PORTS = ("Ethernet1/1", "Ethernet1/2", "Ethernet1/10/1", "port-channel7")
PERCENT = 10_000


def leaf(values: st.SearchStrategy[Any], *marks: Any) -> st.SearchStrategy[Any]:
    """A leaf that is often not told."""
    return st.one_of(st.none(), st.none(), values, *(st.just(mark) for mark in marks))


def switch(*marks: Any) -> st.SearchStrategy[Any]:
    return leaf(st.just(True), OFF, DEFAULT, *marks)


groups = st.integers(0, 7)
cos_sets = st.frozensets(groups, max_size=3)
sizes = st.builds(
    Quantity,
    st.integers(1, 10**6).map(Fraction),
    st.sampled_from([Unit.KBYTES, Unit.KBYTES, Unit.BYTES, Unit.MBYTES, Unit.PACKETS]),
)


def rows(row: st.SearchStrategy[Any], size: int = 4) -> st.SearchStrategy[Any]:
    return st.dictionaries(groups, row, max_size=size).map(table)


@st.composite
def schedulings(draw: st.DrawFn) -> QueueScheduling:
    """One queue.  Shares are small, so that any eight of them fit into a whole."""
    if draw(st.integers(0, 3)) == 0:
        return QueueScheduling(algorithm=Algorithm.STRICT, level=draw(leaf(st.integers(1, 8))))
    kinds = [BandwidthKind.REMAINING, BandwidthKind.ETS, BandwidthKind.LINE]
    share = st.builds(
        Bandwidth, st.sampled_from(kinds), st.integers(0, 12).map(lambda n: n * PERCENT)
    )
    algorithm = st.sampled_from([Algorithm.DWRR, Algorithm.ETS, Algorithm.WRR, Algorithm.WFQ])
    return QueueScheduling(algorithm=draw(algorithm), bandwidth=draw(leaf(share, OFF)))


@st.composite
def markings(draw: st.DrawFn) -> QueueEcn:
    """One queue that marks, drops early, or does neither."""
    how = draw(st.integers(0, 3))
    if how == 0:
        off = draw(st.sampled_from([OFF, DEFAULT]))
        return QueueEcn(enabled=off, wred=draw(st.sampled_from([None, OFF, DEFAULT])))
    return QueueEcn(
        enabled=True if how < 3 else draw(st.sampled_from([OFF, DEFAULT])),
        wred=True if how > 1 else None,
        minimum=draw(sizes),
        maximum=draw(sizes),
        probability=draw(st.integers(1, 100)) * PERCENT,
        weight=draw(leaf(st.integers(0, 15))),
    )


limits = st.one_of(
    st.builds(QueueBuffer, limit=sizes),
    st.builds(QueueBuffer, alpha=st.integers(0, 10).map(lambda n: Alpha(index=n))),
    st.just(QueueBuffer(limit=DEFAULT, alpha=DEFAULT)),
)


@st.composite
def thresholds(draw: st.DrawFn) -> PriorityGroup:
    """Pause thresholds of one group."""
    if draw(st.integers(0, 3)) == 0:
        return PriorityGroup(limit=DEFAULT, xoff=DEFAULT, xon=DEFAULT)
    limit = draw(st.integers(4000, 10**7))
    return PriorityGroup(
        limit=in_bytes(limit),
        xoff=in_bytes(draw(st.integers(1000, 10**7))),
        xon=in_bytes(draw(st.integers(0, limit))),
    )


@st.composite
def maps(draw: st.DrawFn) -> Classification:
    """How packets are sorted: only maps of headers that are trusted are told."""
    trust = draw(leaf(st.sampled_from(list(Trust)), DEFAULT))
    dscp: tuple[Any, ...] = ()
    cos: tuple[Any, ...] = ()
    if trust in (None, Trust.DSCP, Trust.BOTH):
        told = draw(st.dictionaries(st.integers(0, 63), groups, max_size=6))
        rest = draw(st.sampled_from([None, None, 0]))
        dscp = tuple(told.get(n, rest) for n in range(64)) if told else ()
    if trust in (Trust.PCP, Trust.BOTH):
        told = draw(st.dictionaries(groups, groups, max_size=4))
        cos = tuple(told.get(n) for n in range(8)) if told else ()
    return Classification(
        trust=trust,
        dscp_to_priority=dscp,
        pcp_to_priority=cos,
        default_priority=draw(leaf(st.just(0), DEFAULT)),
    )


@st.composite
def vlans(draw: st.DrawFn) -> VlanSettings:
    ids = st.integers(1, 4094)
    return VlanSettings(
        mode=draw(leaf(st.sampled_from(list(VlanMode)))),
        access=draw(leaf(ids, DEFAULT)),
        native=draw(leaf(ids, DEFAULT)),
        tagged=draw(leaf(st.frozensets(ids, min_size=1, max_size=6), OFF, DEFAULT)),
    )


@st.composite
def queues(draw: st.DrawFn) -> dict[str, Any]:
    """The facets of queues, told or not."""
    return {
        "ets": Ets(queues=draw(rows(schedulings()))),
        "ecn": Ecn(queues=draw(rows(markings(), 2))),
        "buffers": Buffers(queues=draw(rows(limits, 2)), groups=draw(rows(thresholds(), 2))),
    }


@st.composite
def ports(draw: st.DrawFn, paused: frozenset[int] | None, mtus: Any, told: Any) -> Settings:
    """One port.  What the box keeps once (`paused`, `mtus`) is the same on every port."""
    mode = draw(leaf(st.sampled_from(list(PfcMode)), OFF, DEFAULT))
    tells = paused is not None and mode is PfcMode.ON
    cos: Any = (paused or OFF) if tells else None
    facets = draw(st.sampled_from([{}, told, told, draw(queues())]))
    return Settings(
        link=LinkSettings(
            admin_up=draw(leaf(st.just(True), OFF)),
            pause_send=draw(switch()),
            pause_honour=draw(switch()),
        ),
        mtu=Mtu(native=draw(leaf(st.integers(1500, 9216), DEFAULT)), per_class=mtus),
        vlans=draw(vlans()),
        classification=draw(st.one_of(st.just(Classification()), maps())),
        pfc=Pfc(mode=mode, send=cos, honour=cos),
        watchdog=Watchdog(enabled=draw(switch())),
        dcb=DcbOwnership(
            advertise=draw(leaf(st.just(True), OFF)) if mode is PfcMode.ON else None,
            dialect=draw(leaf(st.sampled_from(["ieee", "cee"]), DEFAULT)),
        ),
        **facets,
    )


RAW = (
    "hardware profile pfc mmu buffer-reservation 40",
    "platform qos ing-pg-share",
    "priority-flow-control auto-restore multiplier 10",
)


@st.composite
def states(draw: st.DrawFn, raw: bool = True) -> DeviceState:
    """A state of some ports, and sometimes of the box."""
    paused = draw(leaf(cos_sets))
    mtus = draw(rows(st.integers(576, 9216), 3))
    told = draw(queues())
    names = draw(st.lists(st.sampled_from(PORTS), unique=True, max_size=4))
    held = {name: draw(ports(paused, mtus, told)) for name in names}
    box = draw(queues()) if draw(st.integers(0, 4)) == 0 else {}
    cos: Any = None if paused is None else paused or OFF
    settings = Settings(
        watchdog=Watchdog(enabled=draw(switch())),
        dcb=DcbOwnership(dcbx=draw(switch())),
        pfc=Pfc(send=cos, honour=cos) if draw(st.booleans()) else Pfc(),
        mtu=Mtu(per_class=mtus if draw(st.booleans()) else ()),
        classification=draw(maps()) if draw(st.integers(0, 5)) == 0 else Classification(),
        **box,
    )
    lines = draw(st.lists(st.sampled_from(RAW), unique=True, max_size=2)) if raw else []
    return DeviceState(System(settings=settings, raw=tuple(sorted(lines))), held)
