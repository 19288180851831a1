"""A switch and a host that state something of everything, to ask platforms what they can say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

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
from lossless.model.link import Adapter, Fec, LinkSettings, Mtu, VlanMode, VlanSettings
from lossless.model.pfc import DcbOwner, DcbOwnership, Pfc, PfcMode, Watchdog, WatchdogAction
from lossless.model.rdma import CongestionControl, Environment, Marking, RoceVersion, Variable
from lossless.model.scheduling import Algorithm, Ecn, Ets, QueueEcn, QueueScheduling, Thresholds
from lossless.model.settings import Settings, System
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Cap, Quantity, Unit, in_bytes
from lossless.model.values import OFF, number_map

_LOSSLESS: Final = frozenset({3})
_SHARE: Final = 600_000
_LINK: Final = LinkSettings(
    speed=100_000_000_000,
    lanes=4,
    fec=Fec.RS528,
    autoneg=OFF,
    link_training=True,
    admin_up=OFF,
    pause_send=True,
    pause_honour=True,
)
_CLASSIFICATION: Final = Classification(
    trust=Trust.DSCP,
    dscp_to_priority=number_map(64, {26: 3, 24: 0, 48: 5}),
    pcp_to_priority=number_map(8, {2: 3, 3: 0}),
    default_priority=3,
    default_dscp=26,
    default_pcp=3,
    priority_to_tc=number_map(8, {0: 0, 3: 4, 5: 6}),
    tc_to_queue=number_map(16, {0: 0, 3: 4, 5: 6}),
    tc_to_group=number_map(16, {0: 0, 3: 4, 5: 6}),
    priority_to_group=number_map(8, {0: 0, 3: 4}),
    pfc_priority_to_queue=number_map(8, {3: 4}),
    pfc_priority_to_group=number_map(8, {3: 4}),
    rewrite_dscp_enabled=True,
    rewrite_dscp=number_map(8, {3: 26}),
    rewrite_pcp_enabled=True,
    rewrite_pcp=number_map(8, {3: 4}),
    tunnel_dscp="pipe",
    tunnel_ecn="copy",
)
_CURVE: Final = QueueEcn(
    enabled=True,
    wred=True,
    minimum=in_bytes(320_000),
    maximum=in_bytes(1_600_000),
    probability=100_000,
    weight=4,
    non_ect_forward=True,
    count=True,
    colours=table({"yellow": Thresholds(minimum=in_bytes(320_000), maximum=in_bytes(1_600_000))}),
)
_GROUP: Final = PriorityGroup(
    lossless=True,
    reserved=in_bytes(18_000),
    headroom=in_bytes(90_000),
    xoff=in_bytes(90_000),
    xon=in_bytes(18_000),
    xon_offset=in_bytes(4_000),
    alpha=Alpha(ratio=Fraction(2)),
    limit=in_bytes(100_000),
)
_QUEUE: Final = QueueBuffer(
    reserved=in_bytes(9_000), alpha=Alpha(ratio=Fraction(1)), limit=in_bytes(100_000)
)


def _scheduling(*, strict: bool) -> QueueScheduling:
    if strict:
        return QueueScheduling(algorithm=Algorithm.STRICT, level=7)
    return QueueScheduling(
        algorithm=Algorithm.DWRR,
        bandwidth=Bandwidth(BandwidthKind.REMAINING, _SHARE),
        guaranteed=Bandwidth(BandwidthKind.GUARANTEED, _SHARE),
        cap=Cap(rate=40_000_000_000),
        group=0,
    )


#: A port that states something of everything, as far as that can stand together.
PORT: Final = Settings(
    link=_LINK,
    mtu=Mtu(l3=4200, native=4200, l2=9100, per_class=table({3: 4200})),
    vlans=VlanSettings(
        mode=VlanMode.TRUNK,
        access=10,
        native=11,
        tagged=frozenset({11, 12}),
        rdma=frozenset({12}),
        pcp_maps=table({12: number_map(8, {3: 3})}),
        mtu=table({12: 4200}),
    ),
    classification=_CLASSIFICATION,
    pfc=Pfc(mode=PfcMode.ON, send=_LOSSLESS, honour=_LOSSLESS),
    watchdog=Watchdog(
        enabled=True,
        priorities=_LOSSLESS,
        poll=200_000_000,
        detect=400_000_000,
        restore=800_000_000,
        action=WatchdogAction.DROP,
    ),
    dcb=DcbOwnership(
        owner=DcbOwner.OS,
        dcbx=True,
        dialect="ieee",
        advertise=True,
        willing=OFF,
        agents=frozenset({"lldpad"}),
        applications=table({"udp 4791": 3}),
    ),
    ets=Ets(queues=table({4: _scheduling(strict=False), 6: _scheduling(strict=True)})),
    ecn=Ecn(enabled=True, queues=table({4: _CURVE})),
    buffers=Buffers(
        groups=table({4: _GROUP}),
        queues=table({4: _QUEUE}),
        cable=40_000,
        priority_to_buffer=number_map(8, {0: 0, 3: 1}),
        sizes=table({0: 100_000, 1: 200_000}),
        manual=True,
    ),
    marking=Marking(
        global_tclass=106,
        cm_tos=106,
        cm_mode=RoceVersion.V2,
        applications=table({"storage": 104}),
    ),
    congestion=CongestionControl(
        algorithm="dcqcn",
        notification_point=_LOSSLESS,
        reaction_point=_LOSSLESS,
        cnp_dscp=48,
        cnp_priority=6,
        cnp_interval=4_000,
        parameters=table({"rpg_time_reset": 300}),
    ),
    adapter=Adapter(
        model="ConnectX-7",
        pcie_generation=5,
        pcie_width=16,
        mode="nic",
        vfs=8,
        vf_traffic_class=106,
        boot_unit=True,
    ),
)

SYSTEM: Final = System(
    buffers=BoxBuffers(
        model="dynamic",
        pools=table(
            {
                "ingress_lossless_pool": Pool(
                    size=in_bytes(32_000_000),
                    mode="dynamic",
                    direction="ingress",
                    alpha=Alpha(ratio=Fraction(2)),
                    shared_headroom=in_bytes(4_000_000),
                )
            }
        ),
        headroom_pool=HeadroomPool(size=in_bytes(4_000_000), oversubscription=2_000_000),
        shares=table({"ingress lossless": _SHARE}),
    ),
    pfc_stopped=True,
    ecn_global=Thresholds(
        minimum=in_bytes(320_000), maximum=in_bytes(1_600_000), probability=100_000
    ),
    macro="roce-lossless",
    environment=Environment(
        variables=table({"NCCL_IB_TC": Variable(value="106", origin="/etc/nccl.conf")})
    ),
    raw=("hardware counter feature ecn out",),
)


#: Lines that platforms keep as they are: NX-OS, Cumulus Linux.
_RAW: Final = (
    "platform qos ing-pg-share",
    "nv set qos pfc default-global port-buffer 25000",
)


def _ecn(unit: Unit, low: int, high: int) -> Ecn:
    bounds = {"minimum": Quantity(Fraction(low), unit), "maximum": Quantity(Fraction(high), unit)}
    colours = table({"yellow": Thresholds(**bounds, probability=100_000)})
    return Ecn(queues=table({4: replace(_CURVE, **bounds, colours=colours)}))


def _ets(kind: BandwidthKind, algorithm: Algorithm) -> Ets:
    amount = 60 if kind is BandwidthKind.WEIGHT else _SHARE
    share = QueueScheduling(algorithm=algorithm, bandwidth=Bandwidth(kind, amount))
    rest = replace(share, bandwidth=Bandwidth(kind, 40 if amount == 60 else 1_000_000 - amount))
    return Ets(queues=table({0: rest, 4: share, 6: _scheduling(strict=True)}))


def variants(port: str) -> Iterator[DeviceState]:
    """Yield states that together state each leaf in a form that some platform takes."""
    yield DeviceState(SYSTEM, {port: PORT})
    plain = System()
    yield DeviceState(plain, {port: PORT})
    yield DeviceState(replace(plain, settings=PORT), {port: PORT})
    yield DeviceState(replace(SYSTEM, macro=None, pfc_stopped=None), {port: PORT})
    for kind in BandwidthKind:
        for algorithm in (Algorithm.ETS, Algorithm.DWRR, Algorithm.WRR):
            yield DeviceState(plain, {port: Settings(ets=_ets(kind, algorithm))})
    for unit in Unit:
        yield DeviceState(plain, {port: Settings(ecn=_ecn(unit, 10, 20))})
        yield DeviceState(plain, {port: Settings(ecn=_ecn(unit, 10, 20), pfc=PORT.pfc)})
    unwatched = Settings(pfc=PORT.pfc, watchdog=Watchdog(enabled=OFF))
    yield DeviceState(plain, {port: unwatched})
    static = Buffers(
        groups=table({3: replace(_GROUP, alpha=None)}),
        queues=table({3: replace(_QUEUE, alpha=None)}),
    )
    yield DeviceState(plain, {port: Settings(buffers=static, pfc=PORT.pfc)})
    yield DeviceState(plain, {port: Settings(buffers=static)})
    indexed = Buffers(queues=table({3: QueueBuffer(alpha=Alpha(index=9))}))
    yield DeviceState(plain, {port: Settings(buffers=indexed)})
    for line in _RAW:
        yield DeviceState(replace(plain, raw=(line,)), {port: PORT})
    by_pcp = replace(PORT.classification, trust=Trust.PCP)
    yield DeviceState(plain, {port: Settings(classification=by_pcp)})
    for mode in (VlanMode.ACCESS, VlanMode.ROUTED):
        yield DeviceState(plain, {port: Settings(vlans=replace(PORT.vlans, mode=mode))})
