"""From slots to the model.

`whole` says that the configuration was wholly seen: what no line speaks of then stands at the
platform's `DEFAULT`, and is not told (`None`) elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from lossless.model.buffers import BoxBuffers, Buffers, HeadroomPool, PriorityGroup, QueueBuffer
from lossless.model.classification import Classification
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
from lossless.model.settings import Settings, System
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Quantity, Unit
from lossless.model.values import DEFAULT, OFF, NumberMap, is_value
from lossless.platforms.arista_eos.slots import (
    QUEUES,
    TRAFFIC_CLASSES,
    Curve,
    DscpTarget,
    Slot,
    Timer,
)

COLOURS: Final[Mapping[int | str, str]] = {"all": "all", 0: "green", 1: "yellow", 2: "red"}
PERCENT: Final = 10_000  # parts per million in one per cent

Slots = Mapping[Slot, Any]


class Ears:
    """Slots, and what their silence means."""

    def __init__(self, slots: Slots, whole: bool) -> None:
        self.slots = slots
        self.silence: Any = DEFAULT if whole else None

    def __call__(self, *slot: str | int) -> Any:
        """Return a slot's value, or what silence means."""
        return self.slots.get(slot, self.silence)

    def told(self, *slot: str | int) -> Any:
        """Return a slot's value, or `None` where there is none: neither OFF nor DEFAULT."""
        held = self.slots.get(slot)
        return held if is_value(held) else None


def hear_port(slots: Slots, whole: bool) -> Settings:
    """Return a port's settings.  Everything that EOS keeps box-wide is left untold."""
    ears = Ears(slots, whole)
    return Settings(
        link=_link(ears),
        mtu=Mtu(native=ears("mtu"), l3=ears("mtu"), l2=ears("l2_mtu")),
        vlans=_vlans(ears),
        classification=Classification(
            trust=ears("trust"),
            default_dscp=ears("port_dscp"),
            default_pcp=ears("port_cos"),
        ),
        pfc=_pfc(ears),
        watchdog=_port_watchdog(ears),
        dcb=_dcb(ears),
        ets=Ets(queues=_rows(ears, _scheduling, QueueScheduling())),
        ecn=Ecn(queues=_rows(ears, _ecn, QueueEcn())),
    )


def hear_system(slots: Slots, mmu: Slots, whole: bool, raw: tuple[str, ...] = ()) -> System:
    """Return the box's statements; `mmu` are the slots of the queue profile in force."""
    ears, pool = Ears(slots, whole), Ears(mmu, whole)
    curve = ears("ecn_global")
    told = isinstance(curve, Curve)
    return System(
        settings=Settings(
            classification=_maps(ears),
            watchdog=_box_watchdog(ears),
            ecn=_non_ect(ears),
            buffers=Buffers(groups=_groups(pool), queues=_queue_buffers(pool)),
        ),
        buffers=BoxBuffers(headroom_pool=HeadroomPool(size=ears("headroom_limit"))),
        pfc_stopped=ears("pfc_stopped"),
        ecn_global=Thresholds(
            minimum=curve.minimum if told else curve, maximum=curve.maximum if told else curve
        ),
        raw=tuple(sorted(raw)),
    )


# --- a port --------------------------------------------------------------------------------------


def _link(ears: Ears) -> LinkSettings:
    speed = ears("speed")
    rate, lanes, auto = speed, speed, speed
    if is_value(speed):
        rate = speed.rate if speed.rate is not None else DEFAULT
        lanes = speed.lanes if speed.lanes is not None else DEFAULT
        auto = True if speed.auto else OFF
    return LinkSettings(
        speed=rate,
        lanes=lanes,
        autoneg=auto,
        fec=_fec(ears("fec"), rate, lanes),
        link_training=ears("training"),
        admin_up=_turned(ears("shutdown")),
        pause_send=ears("flow_send"),
        pause_honour=ears("flow_receive"),
    )


def _turned(down: Any) -> Any:
    """`shutdown` is the feature of being off."""
    return {True: OFF, OFF: True}.get(down, down)


def _fec(word: Any, rate: Any, lanes: Any) -> Any:
    words = {"none": Fec.NONE, "fire-code": Fec.FIRECODE}
    if word == "reed-solomon":
        return reed_solomon(rate, lanes)
    return words.get(word, word) if isinstance(word, str) else word


def reed_solomon(rate: Any, lanes: Any) -> Fec | None:
    """Say which Reed–Solomon code `reed-solomon` means at a speed; `None` where it is not known.

    IEEE 802.3 clause 91 uses RS(528,514) on NRZ lanes of 25G (25GBASE-R, 100GBASE-R4), and
    RS(544,514) on every PAM4 lane (clauses 91, 119, 134), which is all of 200G and above.
    """
    if not is_value(rate):
        return None
    if rate >= 200 * 10**9:
        return Fec.RS544
    if is_value(lanes):
        return Fec.RS544 if rate // lanes >= 50 * 10**9 else Fec.RS528
    return Fec.RS528 if rate == 25 * 10**9 else None


def _vlans(ears: Ears) -> VlanSettings:
    mode = ears("mode")
    if ears("switchport") is OFF:
        mode = VlanMode.ROUTED
    native, tagged = ears("native_vlan"), ears("trunk_vlans")
    if is_value(tagged) and is_value(native):
        tagged = tagged - {native}  # `allowed vlan` names the untagged VLAN as well
    return VlanSettings(mode=mode, access=ears("access_vlan"), native=native, tagged=tagged)


def _pfc(ears: Ears) -> Pfc:
    mode = ears("pfc")
    told = [ears.slots.get(("no_drop", priority)) for priority in range(8)]
    lossless: Any = frozenset(n for n, held in enumerate(told) if held is True)
    if not lossless:
        if any(held is None for held in told):
            lossless = ears.silence
        elif all(held is DEFAULT for held in told):
            lossless = DEFAULT
    return Pfc(mode=PfcMode.ON if mode is True else mode, send=lossless, honour=lossless)


def _port_watchdog(ears: Ears) -> Watchdog:
    """A port's own timers are one line; without it the box's hold.  `auto` is no fixed interval."""
    timer = ears("watchdog_timer")
    own = isinstance(timer, Timer)
    poll = OFF if own and timer.poll is None else timer.poll if own else timer
    return Watchdog(
        enabled=ears("watchdog"),
        detect=timer.timeout if own else timer,
        poll=poll,
        restore=timer.recovery if own else timer,
        action=ears("watchdog_port_action"),
    )


def _dcb(ears: Ears) -> DcbOwnership:
    word = ears("dcbx")
    on: Any = True if isinstance(word, str) else word
    return DcbOwnership(
        dcbx=on, dialect=word if isinstance(word, str) or word is not OFF else DEFAULT, advertise=on
    )


def _rows(ears: Ears, read: Callable[[Ears, int], Any], empty: Any) -> Any:
    rows = {queue: read(ears, queue) for queue in QUEUES}
    return table({queue: row for queue, row in rows.items() if row != empty})


def _scheduling(ears: Ears, queue: int) -> QueueScheduling:
    share, floor = ears("queue", queue, "bandwidth"), ears("queue", queue, "guaranteed")
    return QueueScheduling(
        algorithm=ears("queue", queue, "priority"),
        bandwidth=_share(share, BandwidthKind.ETS),
        guaranteed=_share(floor, BandwidthKind.GUARANTEED),
        cap=ears("queue", queue, "shape"),
    )


def _share(percent: Any, kind: BandwidthKind) -> Any:
    return Bandwidth(kind, percent * PERCENT) if is_value(percent) else percent


def _ecn(ears: Ears, queue: int) -> QueueEcn:
    held = ears("queue", queue, "ecn")
    count = ears("queue", queue, "count")
    wred, colours = _wred(ears, queue)
    delay = ears.told("ecn_delay")
    if isinstance(held, Curve):
        return QueueEcn(
            enabled=True,
            minimum=held.minimum,
            maximum=held.maximum,
            probability=DEFAULT if held.probability is None else held.probability * PERCENT,
            weight=DEFAULT if held.weight is None else held.weight,
            basis=basis_of(held.minimum),
            count=count,
            wred=wred,
            colours=colours,
        )
    if delay is not None:  # the port marks every queue by the time packets wait in it
        return QueueEcn(
            enabled=True,
            minimum=delay,
            maximum=DEFAULT,
            probability=DEFAULT,
            weight=DEFAULT,
            basis=EcnBasis.LATENCY,
            count=count,
            wred=wred,
            colours=colours,
        )
    rest = DEFAULT if held is OFF else held
    return QueueEcn(
        enabled=held,
        minimum=rest,
        maximum=rest,
        probability=rest,
        weight=rest,
        basis=rest,
        count=count,
        wred=wred,
        colours=colours,
    )


def basis_of(threshold: Quantity) -> EcnBasis:
    """A threshold in time is one on the packets' delay."""
    return EcnBasis.LATENCY if threshold.unit is Unit.NANOSECONDS else EcnBasis.QUEUE


def _wred(ears: Ears, queue: int) -> tuple[Any, Any]:
    curves = {
        name: _curve(held)
        for key, name in COLOURS.items()
        if isinstance(held := ears.slots.get(("queue", queue, "drop", key)), Curve)
    }
    if curves:
        if ears.silence is DEFAULT:  # the other curves are known not to be there
            none = Thresholds(minimum=DEFAULT, maximum=DEFAULT, probability=DEFAULT)
            curves = {name: curves.get(name, none) for name in COLOURS.values()}
        return True, table(curves)
    return ears("queue", queue, "drop", "all"), ()


def _curve(curve: Curve) -> Thresholds:
    probability = DEFAULT if curve.probability is None else curve.probability * PERCENT
    return Thresholds(minimum=curve.minimum, maximum=curve.maximum, probability=probability)


# --- the box -------------------------------------------------------------------------------------


def _entries(ears: Ears, name: str, told: int, size: int) -> NumberMap:
    entries = [ears(name, index) for index in range(told)]
    entries = [e.traffic_class if isinstance(e, DscpTarget) else e for e in entries]
    entries += [None] * (size - told)
    return tuple(entries) if any(entry is not None for entry in entries) else ()


def _maps(ears: Ears) -> Classification:
    return Classification(
        dscp_to_priority=_entries(ears, "dscp", 64, 64),
        pcp_to_priority=_entries(ears, "cos", 8, 8),
        priority_to_tc=(DEFAULT,) * 8 if ears.silence is DEFAULT else (),
        tc_to_queue=_entries(ears, "tx_queue", 8, 16),
        rewrite_dscp_enabled=ears("rewrite_dscp"),
        rewrite_dscp=_entries(ears, "rewrite_dscp_to", 8, 8),
        rewrite_pcp_enabled=ears("rewrite_cos"),
        rewrite_pcp=_entries(ears, "rewrite_cos_to", 8, 8),
    )


def _box_watchdog(ears: Ears) -> Watchdog:
    action = ears("watchdog_action")
    if ears("watchdog_override") is True:
        action = WatchdogAction.DROP
    return Watchdog(
        detect=ears("watchdog_timeout"),
        restore=ears("watchdog_recovery"),
        poll=ears("watchdog_poll"),
        action=action,
    )


def _non_ect(ears: Ears) -> Ecn:
    held = ears("non_ect")
    if held is None:
        return Ecn()
    forward: Any = True if isinstance(held, str) else held
    return Ecn(queues=table({queue: QueueEcn(non_ect_forward=forward) for queue in QUEUES}))


def _groups(ears: Ears) -> Any:
    return _buffer_rows(ears, _group, PriorityGroup())


def _group(ears: Ears, group: int) -> PriorityGroup:
    def of(item: str) -> Any:
        own = ears.slots.get(("pg", group, item))
        return own if is_value(own) else ears("pg", "all", item)

    return PriorityGroup(
        reserved=of("reserved"),
        headroom=of("headroom"),
        xon_offset=of("resume"),
        alpha=_alpha(of("alpha")),
    )


def _queue_buffers(ears: Ears) -> Any:
    def row(ears: Ears, queue: int) -> QueueBuffer:
        alpha = _alpha(ears("eq", queue, "alpha"))
        return QueueBuffer(reserved=ears("eq", queue, "reserved"), alpha=alpha)

    return _buffer_rows(ears, row, QueueBuffer())


def _buffer_rows(ears: Ears, read: Callable[[Ears, int], Any], empty: Any) -> Any:
    rows = {number: read(ears, number) for number in TRAFFIC_CLASSES}
    return table({number: row for number, row in rows.items() if row != empty})


def _alpha(ratio: Any) -> Any:
    return Alpha(ratio=ratio) if isinstance(ratio, Fraction) else ratio


#: The algorithm that `no priority` stands for.
ROUND_ROBIN: Final = Algorithm.WRR
