"""From the scheduling, marking and limits of queues to what a queuing policy says of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lossless.model.buffers import PriorityGroup, QueueBuffer
from lossless.model.profile import Profile
from lossless.model.scheduling import (
    Algorithm,
    EcnBasis,
    QueueEcn,
    QueueScheduling,
)
from lossless.model.units import NO_CONTEXT, Alpha, Bandwidth, BandwidthKind, Quantity
from lossless.model.values import DEFAULT, OFF, is_value, value
from lossless.platforms.cisco_nxos.box import Detect, PauseBuffer, Slot, Slots
from lossless.platforms.cisco_nxos.contents import (
    BANDWIDTH,
    BUFFER,
    DEFAULT_OUTPUT,
    DETECT,
    LIMIT,
    PRIORITY,
)
from lossless.platforms.cisco_nxos.draft import Refuse, refuse_fields, tells
from lossless.platforms.cisco_nxos.grammar import PERCENT, UNITS

#: Algorithms that share by `bandwidth`; a Nexus has one such scheduler.
TURNS: Final = frozenset({Algorithm.DWRR, Algorithm.ETS, Algorithm.WRR, Algorithm.WFQ})
_KINDS: Final = {
    BandwidthKind.REMAINING: BandwidthKind.REMAINING,
    BandwidthKind.ETS: BandwidthKind.REMAINING,
    BandwidthKind.LINE: BandwidthKind.LINE,
}
_UNITS: Final = frozenset(UNITS.values())
#: Ranges of Cisco's Terraform provider (ipqosPriority, ipqosPause).
LEVELS: Final = range(1, 9)
BUFFERS: Final = range(5000, 268_435_457)


def say_output(
    before: Mapping[Slot, Any],
    group: int,
    ets: QueueScheduling,
    ecn: QueueEcn,
    buffer: QueueBuffer,
    refuse: Refuse,
) -> Slots:
    """Return what a class of an output policy is to say, from what it says now."""
    slots = dict(before)
    _scheduling(slots, group, ets, refuse)
    if tells(ecn):
        _put(slots, DETECT, _marking(before.get(DETECT), group, ecn, refuse))
    _limit(slots, group, buffer, refuse)
    return slots


def _put(slots: Slots, slot: Slot, held: Any) -> None:
    if held is None:
        slots.pop(slot, None)
    else:
        slots[slot] = held


# --- scheduling ----------------------------------------------------------------------------------


def _scheduling(slots: Slots, group: int, ets: QueueScheduling, refuse: Refuse) -> None:
    where = ("ets", "queues", group)

    def no(message: str, leaf: str) -> None:
        refuse(message, *where, leaf)

    _algorithm(slots, group, ets.algorithm, no)
    strict = PRIORITY in slots
    if is_value(ets.level):
        if not strict:
            no("only strict queues have a level", "level")
        elif ets.level not in LEVELS:
            no(f"NX-OS has levels 1 to 8, not {ets.level}", "level")
        else:
            slots[PRIORITY] = ets.level
    elif ets.level is DEFAULT and strict:
        slots[PRIORITY] = DEFAULT_OUTPUT[group].get(PRIORITY, 1)
    _bandwidth(slots, group, ets.bandwidth, strict, no)
    for leaf in ("guaranteed", "cap", "group"):
        if is_value(getattr(ets, leaf)):
            no("NX-OS has no words for it that were verified", leaf)


def _algorithm(slots: Slots, group: int, algorithm: Any, no: Any) -> None:
    if algorithm is None:
        return
    default = DEFAULT_OUTPUT[group]
    if algorithm is DEFAULT:
        algorithm = Algorithm.STRICT if PRIORITY in default else Algorithm.DWRR
    if algorithm is Algorithm.STRICT:
        slots.setdefault(PRIORITY, 1)
        slots.pop(BANDWIDTH, None)
    elif algorithm is OFF or algorithm in TURNS:
        slots.pop(PRIORITY, None)
    else:
        no(f"NX-OS has no scheduler {algorithm.value}", "algorithm")


def _bandwidth(slots: Slots, group: int, told: Any, strict: bool, no: Any) -> None:
    if told is None:
        return
    if told is DEFAULT:
        _put(slots, BANDWIDTH, None if strict else DEFAULT_OUTPUT[group].get(BANDWIDTH))
    elif told is OFF:
        slots.pop(BANDWIDTH, None)
    elif strict:
        no("a strict queue has no share of the bandwidth", "bandwidth")
    else:
        held = _share(told)
        if held is None:
            no(f"NX-OS takes whole per cent from 0 to 100, not {told}", "bandwidth")
        else:
            slots[BANDWIDTH] = held


def _share(told: Bandwidth) -> Bandwidth | None:
    kind = _KINDS.get(told.kind)
    if kind is None or told.amount % PERCENT or not 0 <= told.amount <= 100 * PERCENT:
        return None
    return Bandwidth(kind, told.amount)


def fill_default_queue(content: dict[int, Slots]) -> None:
    """Give the default queue what others leave, where nobody tells its share.

    NX-OS refuses shares that add up to more than 100, and a new policy starts with those of the
    system's default, in which that queue has all.
    """
    if BANDWIDTH not in content.get(0, {}):
        return
    others = sum(
        slots[BANDWIDTH].amount
        for group, slots in content.items()
        if group != 0 and BANDWIDTH in slots
    )
    own = content[0][BANDWIDTH].amount
    if own + others > 100 * PERCENT:
        left = max(0, 100 * PERCENT - others)
        content[0][BANDWIDTH] = Bandwidth(content[0][BANDWIDTH].kind, left)


# --- marking -------------------------------------------------------------------------------------


def _marking(before: Any, group: int, ecn: QueueEcn, refuse: Refuse) -> Detect | None:
    where = ("ecn", "queues", group)

    def no(message: str, leaf: str) -> None:
        refuse(message, *where, leaf)

    _marking_refused(ecn, no)
    old = before if isinstance(before, Detect) else None
    marks = old is not None and old.ecn if ecn.enabled is None else ecn.enabled is True
    if ecn.wred is not None:
        drops = ecn.wred is True
    else:  # turning the marks off must not leave the drops of the same line
        drops = old is not None and not (old.ecn and not marks)
    if marks and ecn.wred is OFF:
        no("what cannot be marked is dropped by the same line", "wred")
    if not marks and not drops:
        return None
    return _curve(old, ecn, marks, no)


def _marking_refused(ecn: QueueEcn, no: Any) -> None:
    if is_value(ecn.basis) and ecn.basis is not EcnBasis.QUEUE:
        no("NX-OS marks by the occupancy of the queue", "basis")
    for leaf in ("non_ect_forward", "count"):
        if getattr(ecn, leaf) is True:
            no("NX-OS has no words for it", leaf)
    if ecn.colours:
        no("NX-OS has one curve per queue", "colours")


def _curve(old: Detect | None, ecn: QueueEcn, marks: bool, no: Any) -> Detect | None:
    if old is not None and old.preset and ecn.minimum is None and ecn.maximum is None:
        return Detect(preset=old.preset, ecn=marks)
    low = _threshold(None if old is None else old.minimum, ecn.minimum, "minimum", no)
    high = _threshold(None if old is None else old.maximum, ecn.maximum, "maximum", no)
    probability = _probability(old, ecn.probability, no)
    weight = _weight(old, ecn.weight, no)
    if low is None or high is None or probability is None or weight is None:
        return old if old is None or old.ecn == marks else None
    return Detect(low, high, probability, weight, ecn=marks)


def _threshold(old: Quantity | None, told: Any, leaf: str, no: Any) -> Quantity | None:
    if told is None and old is not None:
        return old
    held = value(told)
    if held is None:
        no("a curve needs both thresholds, and this one is not told", leaf)
        return None
    if held.unit not in _UNITS or held.number.denominator != 1 or not 0 <= held.number < 10**12:
        no(f"NX-OS takes whole bytes, kbytes, mbytes or packets, not {held}", leaf)
        return None
    return Quantity(held.number, held.unit)


def _probability(old: Detect | None, told: Any, no: Any) -> int | None:
    if told is None and old is not None and old.probability is not None:
        return old.probability
    held = value(told)
    if held is None:
        no("a curve needs a probability, and none is told", "probability")
        return None
    if held % PERCENT or not 1 <= held // PERCENT <= 100:
        no("NX-OS takes whole per cent from 1 to 100", "probability")
        return None
    return int(held // PERCENT)


def _weight(old: Detect | None, told: Any, no: Any) -> int | None:
    if told is None and old is not None and old.weight is not None:
        return old.weight
    held = value(told)
    if held is None:
        return 0  # as every published configuration has it: the queue as it is, not its average
    if not 0 <= held <= 15:
        no("NX-OS takes weights from 0 to 15", "weight")
        return None
    return int(held)


# --- limits --------------------------------------------------------------------------------------


def _limit(slots: Slots, group: int, buffer: QueueBuffer, refuse: Refuse) -> None:
    where = ("buffers", "queues", group)
    if is_value(buffer.reserved):
        refuse("NX-OS has no words for it", *where, "reserved")
    limit, alpha = buffer.limit, buffer.alpha
    if is_value(limit) and is_value(alpha):
        refuse("a queue's limit is a size or dynamic, not both", *where, "alpha")
        alpha = None
    if is_value(limit):
        if limit.unit in _UNITS and limit.number.denominator == 1:
            slots[LIMIT] = Quantity(limit.number, limit.unit)
        else:
            refuse(
                f"NX-OS takes whole bytes, kbytes, mbytes or packets, not {limit}", *where, "limit"
            )
    elif is_value(alpha):
        if alpha.index is None:
            refuse("NX-OS counts dynamic limits by index", *where, "alpha")
        else:
            slots[LIMIT] = Alpha(index=alpha.index)
    elif (limit is not None and isinstance(slots.get(LIMIT), Quantity)) or (
        alpha is not None and isinstance(slots.get(LIMIT), Alpha)
    ):
        slots.pop(LIMIT, None)


def say_input(
    before: Mapping[Slot, Any],
    group: int,
    row: PriorityGroup,
    profile: Profile | None,
    refuse: Refuse,
) -> Slots:
    """Return what a class of an input policy is to say, from what it says now."""
    slots = dict(before)
    where = ("buffers", "groups", group)
    refuse_fields(
        lambda message, _, leaf: refuse(message, *where, leaf),
        row,
        "",
        "NX-OS states the whole buffer, a pause and a resume threshold",
        "reserved",
        "headroom",
        "xon_offset",
        "alpha",
    )
    if row.limit is None and row.xoff is None and row.xon is None:
        return slots
    if not any(is_value(held) for held in (row.limit, row.xoff, row.xon)):
        slots.pop(BUFFER, None)
        return slots
    old = before.get(BUFFER)
    sizes = _sizes(old if isinstance(old, PauseBuffer) else None, row, profile)
    if sizes is None:
        refuse("limit, xoff and xon go together, in bytes", *where, "xoff")
        return slots
    pause, xoff, resume = sizes
    if resume > pause or pause + xoff not in BUFFERS:
        refuse(
            "NX-OS takes buffers of 5000 to 268435456 bytes, xon at most the limit", *where, "limit"
        )
        return slots
    slots[BUFFER] = PauseBuffer(pause + xoff, pause, resume)
    return slots


def _sizes(
    old: PauseBuffer | None, row: PriorityGroup, profile: Profile | None
) -> tuple[int, int, int] | None:
    known = (None,) * 3 if old is None else (old.pause, old.size - old.pause, old.resume)
    context = NO_CONTEXT if profile is None else profile.units
    found: list[int] = []
    for told, before in zip((row.limit, row.xoff, row.xon), known, strict=True):
        held = value(told)
        size = before if told is None else None if held is None else held.to_bytes(context)
        if size is None or size < 0:
            return None
        found.append(size)
    return found[0], found[1], found[2]
