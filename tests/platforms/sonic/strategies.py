"""States that SONiC can hold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lossless.model.buffers import (
    BoxBuffers,
    Buffers,
    HeadroomPool,
    Pool,
    PriorityGroup,
    QueueBuffer,
)
from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import Fec, LinkSettings, Mtu
from lossless.model.pfc import Pfc, PfcMode, Watchdog, WatchdogAction
from lossless.model.scheduling import (
    Algorithm,
    Ecn,
    Ets,
    QueueEcn,
    QueueScheduling,
    Thresholds,
)
from lossless.model.settings import Settings, System
from lossless.model.units import (
    Alpha,
    Bandwidth,
    BandwidthKind,
    Cap,
    Quantity,
    Unit,
    in_bytes,
)
from lossless.model.values import DEFAULT, OFF, Switch, number_map

PORTS = ("Ethernet0", "Ethernet4", "Ethernet8")
MS = 1_000_000
ALL = frozenset(range(8))


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), values)


SWITCH = maybe(st.sampled_from([True, OFF, DEFAULT]))
SIZES = st.integers(0, 2**32).map(in_bytes)


def maps(size: int, highest: int) -> st.SearchStrategy[Any]:
    entries = st.dictionaries(st.integers(0, size - 1), st.integers(0, highest), max_size=4)
    partial = entries.map(lambda told: number_map(size, told))
    unset = st.just((DEFAULT,) * size)
    return st.one_of(st.just(()), partial, partial, unset)


@st.composite
def links(draw: st.DrawFn) -> LinkSettings:
    return LinkSettings(
        speed=draw(maybe(st.sampled_from([25, 100, 400, 800]).map(lambda g: g * 10**9))),
        lanes=draw(maybe(st.sampled_from([1, 2, 4, 8]))),
        fec=draw(
            maybe(
                st.sampled_from([Fec.NONE, Fec.FIRECODE, Fec.RS528, Fec.RS544, Fec.AUTO, DEFAULT])
            )
        ),
        autoneg=draw(SWITCH),
        link_training=draw(SWITCH),
        admin_up=draw(SWITCH),
        pause_send=draw(st.sampled_from([None, OFF])),
    )


@st.composite
def mtus(draw: st.DrawFn) -> Mtu:
    size = draw(maybe(st.one_of(st.integers(68, 9216), st.just(DEFAULT))))
    return draw(st.sampled_from([Mtu(), Mtu(native=size), Mtu(l3=size), Mtu(l3=size, native=size)]))


@st.composite
def classifications(draw: st.DrawFn) -> Classification:
    dscp, pcp = draw(maps(64, 7)), draw(maps(8, 7))
    rewrite = draw(maps(8, 63))
    trusts: list[Any] = [None, DEFAULT, OFF, Trust.NONE]
    if any(isinstance(entry, int) for entry in dscp):
        trusts += [Trust.DSCP, Trust.DSCP]
        if any(isinstance(entry, int) for entry in pcp):
            trusts.append(Trust.BOTH)
    if any(isinstance(entry, int) for entry in pcp):
        trusts.append(Trust.PCP)
    return Classification(
        trust=draw(st.sampled_from(trusts)),
        dscp_to_priority=dscp,
        pcp_to_priority=pcp,
        priority_to_tc=draw(st.sampled_from([(), number_map(8, {3: 3})])),
        tc_to_queue=draw(maps(16, 9)),
        tc_to_group=draw(maps(16, 7)),
        pfc_priority_to_queue=draw(maps(8, 7)),
        pfc_priority_to_group=draw(maps(8, 7)),
        rewrite_dscp_enabled=draw(st.sampled_from([None, OFF, DEFAULT])) if not rewrite else True,
        rewrite_dscp=rewrite,
    )


@st.composite
def pfcs(draw: st.DrawFn) -> Pfc:
    if draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from([Pfc(), Pfc(mode=OFF), Pfc(send=OFF, honour=OFF)]))
    send = draw(st.frozensets(st.integers(0, 7), min_size=1, max_size=3))
    honour = draw(st.sampled_from([None, send, ALL]))
    return Pfc(mode=draw(st.sampled_from([None, PfcMode.ON])), send=send, honour=honour)


@st.composite
def watchdogs(draw: st.DrawFn, poll: Any, pfc: Pfc) -> Watchdog:
    enabled: Switch = draw(st.sampled_from([None, True, True, OFF, DEFAULT]))
    if enabled is True and not isinstance(pfc.send, frozenset):
        enabled = None
    if enabled is not True:
        return Watchdog(enabled=enabled)
    own = st.frozensets(st.integers(0, 7), min_size=1, max_size=3)
    return Watchdog(
        enabled=True,
        priorities=draw(maybe(own)),
        poll=poll,
        detect=draw(maybe(st.sampled_from([200, 300, 5000]).map(lambda t: t * MS))),
        restore=draw(maybe(st.sampled_from([200, 400, 60000]).map(lambda t: t * MS))),
        action=draw(
            st.sampled_from(
                [None, WatchdogAction.DROP, WatchdogAction.FORWARD, WatchdogAction.ALERT]
            )
        ),
    )


@st.composite
def schedulings(draw: st.DrawFn) -> QueueScheduling:
    algorithm = draw(
        st.sampled_from(
            [None, DEFAULT, Algorithm.STRICT, Algorithm.WRR, Algorithm.DWRR, Algorithm.ETS]
        )
    )
    weight = st.integers(1, 100)
    share = draw(
        st.one_of(
            st.none(),
            weight.map(lambda n: Bandwidth(BandwidthKind.WEIGHT, n)),
            weight.map(lambda n: Bandwidth(BandwidthKind.ETS, n * 10_000)),
        )
    )
    cap = draw(st.sampled_from([None, None, DEFAULT, Cap(rate=10**10)]))
    return QueueScheduling(
        algorithm=algorithm, bandwidth=None if algorithm is Algorithm.STRICT else share, cap=cap
    )


@st.composite
def curves(draw: st.DrawFn) -> QueueEcn:
    enabled = draw(st.sampled_from([True, True, OFF, None]))
    if enabled is None:
        return QueueEcn()
    if enabled is OFF:
        return QueueEcn(enabled=OFF, wred=draw(st.sampled_from([None, OFF])))
    low = draw(st.integers(0, 2**24))
    colour = Thresholds(minimum=in_bytes(low), maximum=in_bytes(low + 5), probability=50_000)
    return QueueEcn(
        enabled=True,
        wred=draw(st.sampled_from([None, True, OFF])),
        minimum=in_bytes(low),
        maximum=in_bytes(low + draw(st.integers(0, 2**24))),
        probability=draw(maybe(st.integers(0, 100).map(lambda n: n * 10_000))),
        colours=draw(st.sampled_from([(), table({"yellow": colour}), table({"red": colour})])),
    )


ALPHAS = st.sampled_from(
    [
        Alpha(Fraction(1)),
        Alpha(Fraction(1, 8), -3),
        Alpha(None, 7),
        Alpha(Fraction(0)),
        Alpha(Fraction(1, 128)),
    ]
)


@st.composite
def thresholds(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"alpha": draw(maybe(ALPHAS))}
    return {"limit": draw(SIZES)}


@st.composite
def groups(draw: st.DrawFn, dynamic: bool) -> PriorityGroup:
    if draw(st.booleans()):
        return PriorityGroup(lossless=OFF, reserved=draw(SIZES), **draw(thresholds()))
    if draw(st.booleans()):
        return PriorityGroup(lossless=True) if dynamic else PriorityGroup(lossless=OFF)
    return PriorityGroup(
        lossless=True,
        reserved=draw(maybe(SIZES)),
        xoff=draw(SIZES),
        xon=draw(SIZES),
        xon_offset=draw(maybe(SIZES)),
        **draw(thresholds()),
    )


@st.composite
def buffers(draw: st.DrawFn, dynamic: bool) -> Buffers:
    queue = st.builds(
        lambda size, rest: QueueBuffer(reserved=size, **rest), maybe(SIZES), thresholds()
    )
    return Buffers(
        groups=table(draw(st.dictionaries(st.integers(0, 7), groups(dynamic), max_size=3))),
        queues=table(draw(st.dictionaries(st.integers(0, 9), queue, max_size=3))),
        cable=draw(maybe(st.sampled_from([5_000, 40_000, 1_500, DEFAULT]))),
    )


@st.composite
def settings(draw: st.DrawFn, poll: Any, dynamic: bool) -> Settings:
    pfc = draw(pfcs())
    queues = st.integers(0, 7)
    return Settings(
        link=draw(links()),
        mtu=draw(mtus()),
        classification=draw(classifications()),
        pfc=pfc,
        watchdog=draw(watchdogs(poll, pfc)),
        ets=Ets(queues=table(draw(st.dictionaries(queues, schedulings(), max_size=3)))),
        ecn=Ecn(queues=table(draw(st.dictionaries(queues, curves(), max_size=3)))),
        buffers=draw(buffers(dynamic)),
    )


#: The pools that every box has; profiles draw on them.
POOLS = {
    "ingress_lossless": Pool(size=in_bytes(10**8), mode="dynamic", direction="ingress"),
    "egress_lossless": Pool(size=in_bytes(10**8), mode="static", direction="egress"),
}


@st.composite
def states(draw: st.DrawFn, ports: tuple[str, ...] = PORTS) -> DeviceState:
    """States whose every statement has words; three ports, of which some may be left out."""
    poll = draw(st.sampled_from([None, 100 * MS, 200 * MS]))
    dynamic = draw(st.booleans())
    pools = dict(POOLS)
    if draw(st.booleans()):
        size = Quantity(Fraction(draw(st.integers(1, 10**9))), Unit.BYTES)
        pools["egress_lossless"] = Pool(size=size, mode="dynamic")
    box = BoxBuffers(
        model="dynamic" if dynamic else "traditional",
        pools=table(pools),
        headroom_pool=HeadroomPool(
            size=draw(maybe(SIZES)),
            oversubscription=draw(st.sampled_from([None, 2_000_000, DEFAULT])),
        ),
    )
    named = draw(st.sets(st.sampled_from(ports), min_size=1))
    return DeviceState(
        System(buffers=box),
        {name: draw(settings(poll, dynamic)) for name in ports if name in named},
    )
