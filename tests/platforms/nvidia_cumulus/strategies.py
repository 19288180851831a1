"""States over everything that a release of NVUE can say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from lossless.hardware.lookup import profile_for
from lossless.model.buffers import BoxBuffers, Buffers
from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import Fec, LinkSettings, Mtu
from lossless.model.pfc import DcbOwnership, Pfc, PfcMode, Watchdog, WatchdogAction
from lossless.model.profile import Profile
from lossless.model.scheduling import Algorithm, Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.settings import Settings, System
from lossless.model.units import Bandwidth, BandwidthKind, Cap, Quantity, Unit, in_bytes
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.nvidia_cumulus.hear import rs_code

G = 10**9
MS = 10**6
PPM = 10_000
PORTS = ("swp1", "swp2s0", "swp10", "bond3")
#: Each release in which words or objects changed, and one in between.
RELEASES = (0, 1, 2, 3, 4, 6, 8, 10, 11, 12, 14, 15, 16, 17, 18)
QUEUES = range(8)
SPEEDS = (1, 10, 25, 40, 100, 200, 400)


def profile_of(release: int, model: str = "SN5600") -> Profile:
    found = profile_for("nvidia_cumulus", f"5.{release}", model)
    assert found is not None
    return found


def told(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), st.just(DEFAULT), values)


def switch() -> st.SearchStrategy[Any]:
    return st.sampled_from([None, DEFAULT, True, OFF])


def entries(size: int, top: int, most: int) -> st.SearchStrategy[Any]:
    def fill(held: dict[int, Any]) -> tuple[Any, ...]:
        return tuple(held.get(n) for n in range(size)) if held else ()

    some = st.dictionaries(st.integers(0, size - 1), told(st.integers(0, top)), max_size=most)
    return some.map(fill)


def mappings() -> st.SearchStrategy[Classification]:
    return st.builds(
        Classification,
        trust=told(st.sampled_from([Trust.PCP, Trust.DSCP, Trust.BOTH, Trust.PORT])),
        default_priority=told(st.integers(0, 7)),
        pcp_to_priority=entries(8, 7, 3),
        dscp_to_priority=entries(64, 7, 5),
    )


@st.composite
def remarks(draw: st.DrawFn) -> Classification:
    """Rewriting with at least one entry, so that there is something to bind."""
    l3 = draw(entries(8, 63, 4).filter(lambda held: any(isinstance(n, int) for n in held)))
    return Classification(
        rewrite_dscp_enabled=draw(st.sampled_from([None, DEFAULT, True])),
        rewrite_pcp_enabled=draw(st.sampled_from([None, DEFAULT, True])),
        rewrite_dscp=l3,
        rewrite_pcp=draw(entries(8, 7, 3)),
    )


@st.composite
def pfcs(draw: st.DrawFn) -> Pfc:
    both = draw(st.frozensets(st.integers(0, 7), min_size=1, max_size=3))
    how = draw(st.sampled_from(["both", "send", "honour", "off", "default", "none"]))
    if how == "none":
        return Pfc()
    if how == "default":
        return Pfc(mode=DEFAULT, send=DEFAULT, honour=DEFAULT)
    if how == "off":
        return Pfc(mode=OFF, send=frozenset(), honour=frozenset())
    return Pfc(
        mode=PfcMode.ON,
        send=frozenset() if how == "honour" else both,
        honour=frozenset() if how == "send" else both,
    )


def curves(release: int) -> st.SearchStrategy[QueueEcn]:
    """Curves that are told whole, as inventories tell them."""
    sizes = st.one_of(
        st.integers(1, 10**7).map(in_bytes),
        st.integers(1, 4000).map(lambda n: Quantity(in_bytes(n).number, Unit.KBYTES)),
    )
    shares = st.integers(0, 100).map(lambda n: Quantity(in_bytes(n).number, Unit.PERCENT_OF_QUEUE))
    absolute = st.builds(
        QueueEcn,
        enabled=st.sampled_from([True, OFF]),
        wred=st.sampled_from([True, OFF]),
        minimum=sizes,
        maximum=sizes,
        probability=st.integers(0, 100).map(lambda n: n * PPM),
    )
    if release < 17:
        return absolute
    relative = st.builds(
        QueueEcn,
        enabled=st.just(True),
        wred=st.sampled_from([True, OFF]),
        minimum=shares,
        maximum=shares,
        probability=st.integers(0, 100).map(lambda n: n * PPM),
    )
    return st.one_of(absolute, relative)


@st.composite
def schedulers(draw: st.DrawFn) -> Ets:
    """Queues that share or are strict; at least one has a share or is strict."""
    kinds = [Algorithm.ETS, Algorithm.DWRR, Algorithm.WRR, Algorithm.WFQ]
    kind = st.sampled_from([BandwidthKind.ETS, BandwidthKind.REMAINING])
    share = st.builds(Bandwidth, kind=kind, amount=st.integers(1, 12).map(lambda n: n * PPM))
    shared = st.builds(QueueScheduling, algorithm=st.sampled_from(kinds), bandwidth=share)
    strict = st.just(QueueScheduling(algorithm=Algorithm.STRICT, bandwidth=OFF))
    nothing = st.builds(
        QueueScheduling,
        algorithm=st.just(Algorithm.DWRR),
        bandwidth=st.just(Bandwidth(BandwidthKind.ETS, 0)),
    )
    first = draw(st.one_of(shared, strict))
    rest = draw(
        st.dictionaries(
            st.sampled_from(range(1, 8)), st.one_of(shared, strict, nothing), max_size=7
        )
    )
    return Ets(queues=table({0: first, **rest}))


def with_caps(ets: Ets, caps: dict[int, Any]) -> Ets:
    rows = dict(ets.queues)
    for queue, cap in caps.items():
        rows[queue] = replace(rows.get(queue, QueueScheduling()), cap=cap)
    return Ets(queues=table(rows))


def caps() -> st.SearchStrategy[dict[int, Any]]:
    rate = st.integers(1, 10**6).map(lambda n: Cap(rate=n * 1000))
    return st.dictionaries(st.sampled_from(QUEUES), rate, max_size=2)


def links(release: int) -> st.SearchStrategy[LinkSettings]:
    speeds = SPEEDS if release < 2 else (*SPEEDS, 800)
    pause = switch() if release >= 4 else st.sampled_from([None, DEFAULT, OFF])
    made = st.builds(
        LinkSettings,
        speed=told(st.sampled_from(speeds).map(lambda n: n * G)),
        fec=told(st.sampled_from([Fec.NONE, Fec.FIRECODE, Fec.RS528, Fec.RS544, Fec.AUTO])),
        autoneg=switch(),
        admin_up=switch(),
        pause_send=pause,
        pause_honour=pause,
    )
    return made.map(with_its_code)


def with_its_code(link: LinkSettings) -> LinkSettings:
    """`fec rs` is one word for two codes: the speed beside it tells which."""
    if link.fec not in (Fec.RS528, Fec.RS544):
        return link
    return replace(link, fec=rs_code(link.speed if is_value(link.speed) else None) or Fec.NONE)


@st.composite
def ports(draw: st.DrawFn, release: int) -> Settings:
    mtu = draw(told(st.integers(552, 9216)))
    made = Settings(
        link=draw(links(release)),
        mtu=Mtu(native=mtu, l3=draw(st.sampled_from([None, mtu]))),
    )
    if release >= 1:
        made = replace(made, dcb=DcbOwnership(advertise=draw(switch())))
    if release < 3:
        return made
    made = replace(made, pfc=draw(pfcs()))
    if made.pfc.mode is PfcMode.ON:
        cable = told(st.integers(1, 300_000))
        made = replace(made, buffers=Buffers(cable=draw(cable)))
    if draw(st.booleans()):
        made = replace(made, classification=draw(mappings()))
    if draw(st.booleans()):
        made = replace(made, ets=draw(schedulers()))
    if draw(st.booleans()):
        rows = draw(st.dictionaries(st.sampled_from(QUEUES), curves(release), max_size=3))
        made = replace(made, ecn=Ecn(queues=table(rows)))
    if release >= 4:
        made = _later(draw, made)
    return made


def _later(draw: st.DrawFn, made: Settings) -> Settings:
    if draw(st.booleans()):
        marks = draw(remarks())
        names = ("rewrite_dscp_enabled", "rewrite_pcp_enabled", "rewrite_dscp", "rewrite_pcp")
        told_ = {name: getattr(marks, name) for name in names}
        made = replace(made, classification=replace(made.classification, **told_))
    if draw(st.booleans()):
        made = replace(made, ets=with_caps(made.ets, draw(caps())))
    return made


def watchdogs() -> st.SearchStrategy[Watchdog]:
    """Times of the box: a poll, and a whole number of polls."""

    def build(poll: int, polls: int) -> Watchdog:
        return Watchdog(poll=poll * MS, detect=poll * polls * MS)

    times = st.builds(build, st.integers(100, 5000), st.integers(1, 1000))
    return st.one_of(st.just(Watchdog()), st.just(Watchdog(poll=DEFAULT, detect=DEFAULT)), times)


MACROS = (
    ("roce-lossless", 0),
    ("roce-lossy", 0),
    ("roce-lossless-single-ipool", 12),
    ("roce-lossy-multi-tc", 14),
    ("roce-dci-1", 18),
)
RAW = (
    "nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_2",
    "nv set qos advance-buffer-config default-global ingress-service-pool 1 memory-percent 40",
    "nv set qos advance-buffer-config default-global egress-service-pool 1 mode static",
    "nv set qos traffic-pool mc-lossy memory-percent 10",
    "nv set qos pfc default-global port-buffer 25000",
    "nv set qos traffic-pool roce-lossless switch-priority 3",
)


@st.composite
def systems(draw: st.DrawFn, release: int) -> System:
    macros = [name for name, since in MACROS if since <= release]
    macro = draw(told(st.sampled_from([OFF, *macros])))
    if release < 3:
        cable = draw(told(st.integers(1, 300).map(lambda n: n * 1000)))
        return System(macro=macro, settings=Settings(buffers=Buffers(cable=cable)))
    settings = Settings(
        classification=replace(draw(mappings()), priority_to_tc=draw(entries(8, 7, 4))),
        pfc=draw(pfcs()),
        watchdog=draw(watchdogs()) if release >= 6 else Watchdog(),
    )
    if draw(st.booleans()):
        settings = replace(settings, ets=draw(schedulers()))
    if draw(st.booleans()):
        rows = draw(st.dictionaries(st.sampled_from(QUEUES), curves(release), max_size=2))
        settings = replace(settings, ecn=Ecn(queues=table(rows)))
    share = st.integers(1, 99).map(lambda n: n * PPM)
    shares = draw(st.dictionaries(st.sampled_from(["ingress lossless", "ingress lossy"]), share))
    return System(
        settings=settings,
        buffers=BoxBuffers(shares=table(shares)),
        macro=macro,
        raw=tuple(
            sorted(
                draw(
                    st.lists(
                        st.sampled_from(RAW[3:4] if release < 4 else RAW), unique=True, max_size=3
                    )
                )
            )
        ),
    )


def releases() -> st.SearchStrategy[int]:
    return st.sampled_from(RELEASES)


@st.composite
def states(draw: st.DrawFn, release: int) -> DeviceState:
    """A whole box; ports often share their settings, as they do in life."""
    kinds = draw(st.lists(ports(release), min_size=1, max_size=3))
    chosen = draw(st.lists(st.sampled_from(PORTS), unique=True, max_size=len(PORTS)))
    system = draw(st.one_of(st.just(System()), systems(release)))
    found = {name: draw(st.sampled_from(kinds)) for name in sorted(chosen)}
    if release >= 6:
        for name, settings in list(found.items()):
            if name.startswith("swp"):
                watch = Watchdog(
                    enabled=draw(switch()),
                    action=draw(st.sampled_from([None, WatchdogAction.DROP])),
                )
                found[name] = replace(settings, watchdog=watch)
    return DeviceState(system, found)
