"""From the model to the slots of a port's queues: scheduling, ECN and WRED."""

from __future__ import annotations

from typing import Any, Final

from lossless.model.scheduling import Algorithm, EcnBasis, QueueEcn, QueueScheduling, Thresholds
from lossless.model.settings import Settings
from lossless.model.units import Bandwidth, BandwidthKind, Cap, Quantity, Unit
from lossless.model.values import is_value, value
from lossless.platforms.arista_eos.hear import COLOURS, PERCENT, ROUND_ROBIN, basis_of
from lossless.platforms.arista_eos.slots import QUEUES, Curve, Slot
from lossless.platforms.arista_eos.voice import MILLISECOND, Voice

_ECN_UNITS: Final = {Unit.SEGMENTS, Unit.BYTES, Unit.KBYTES, Unit.MBYTES, Unit.NANOSECONDS}
_TURNS: Final = {Algorithm.WRR, Algorithm.ETS, Algorithm.DWRR, Algorithm.WFQ}
_SHARES: Final = {BandwidthKind.ETS, BandwidthKind.REMAINING}


def say_queues(voice: Voice, settings: Settings) -> None:
    """Say how a port's queues are served and where they mark."""
    for queue, row in settings.ets.queues:
        if _queue_exists(voice, queue, "ets"):
            _scheduling(voice, queue, row)
    _ecn(voice, settings)


def _queue_exists(voice: Voice, queue: int, facet: str) -> bool:
    if queue in QUEUES:
        return True
    voice.refuse(f"EOS has queues 0 to 7, not {queue}", facet, "queues", queue)
    return False


def _scheduling(voice: Voice, queue: int, row: QueueScheduling) -> None:
    path = ("ets", "queues", queue)
    if row.algorithm in _TURNS:
        voice.put(ROUND_ROBIN, "queue", queue, "priority")
    elif row.algorithm is Algorithm.STRICT:
        voice.put(Algorithm.STRICT, "queue", queue, "priority")
    elif is_value(row.algorithm):
        voice.refuse("a queue of EOS is strict or takes its turn", *path, "algorithm")
    _share(voice, row.bandwidth, _SHARES, ("queue", queue, "bandwidth"), (*path, "bandwidth"))
    floor = {BandwidthKind.GUARANTEED}
    _share(voice, row.guaranteed, floor, ("queue", queue, "guaranteed"), (*path, "guaranteed"))
    _cap(voice, row.cap, queue)
    if is_value(row.level) or is_value(row.group):
        leaf = "level" if is_value(row.level) else "group"
        voice.refuse("strict queues of EOS are served in the order of their numbers", *path, leaf)


def _share(
    voice: Voice, held: Any, kinds: set[BandwidthKind], slot: Slot, path: tuple[str | int, ...]
) -> None:
    if not isinstance(held, Bandwidth):
        return
    percent, rest = divmod(held.amount, PERCENT)
    if held.kind not in kinds or rest or not 1 <= percent <= 100:
        voice.refuse(f"EOS takes a whole per cent from 1 to 100 here, not {held}", *path)
    else:
        voice.slots[slot] = percent


def _cap(voice: Voice, cap: Any, queue: int) -> None:
    if not isinstance(cap, Cap):
        return
    whole = cap.share is not None and cap.share % PERCENT == 0 and 0 < cap.share <= 100 * PERCENT
    if whole or (cap.rate is not None and cap.rate % 1000 == 0 and cap.rate > 0):
        voice.put(cap, "queue", queue, "shape")
    else:
        message = "EOS shapes to whole kbit/s or whole per cent"
        voice.refuse(message, "ets", "queues", queue, "cap")


def _ecn(voice: Voice, settings: Settings) -> None:
    if is_value(settings.ecn.enabled):
        voice.refuse("a port of EOS has no master switch for ECN", "ecn", "enabled")
    delays = {q: row.minimum for q, row in settings.ecn.queues if _is_delay(row)}
    whole = len(delays) == len(QUEUES) and len(set(delays.values())) == 1
    if whole:
        voice.put(delays[0], "ecn_delay")
    for queue, row in settings.ecn.queues:
        if not _queue_exists(voice, queue, "ecn"):
            continue
        voice.put(row.count, "queue", queue, "count")
        _wred(voice, queue, row)
        if not (whole and _is_delay(row)):
            _thresholds(voice, queue, row)


def _is_delay(row: QueueEcn) -> bool:
    """A threshold on delay without an upper end is a statement about the whole port."""
    return (
        row.enabled is True
        and row.basis is EcnBasis.LATENCY
        and isinstance(row.minimum, Quantity)
        and row.minimum.unit is Unit.NANOSECONDS
        and not is_value(row.maximum)
    )


def _thresholds(voice: Voice, queue: int, row: QueueEcn) -> None:
    path = ("ecn", "queues", queue)
    if row.enabled is not True:
        return
    low, high = value(row.minimum), value(row.maximum)
    if low is None or high is None:
        message = "EOS turns ECN on with both thresholds, or (on every queue alike) with one delay"
        voice.refuse(message, *path, "maximum" if high is None else "minimum")
        return
    if is_value(row.basis) and row.basis is not basis_of(low):
        voice.refuse(f"thresholds in {low.unit.value} are not {row.basis.value}", *path, "basis")
    curve = _curve(voice, row, path)
    if curve is not None:
        voice.put(curve, "queue", queue, "ecn")


def _curve(voice: Voice, row: QueueEcn | Thresholds, path: tuple[str | int, ...]) -> Curve | None:
    low, high = value(row.minimum), value(row.maximum)
    held = value(row.probability)
    probability, rest = divmod(PERCENT if held is None else held, PERCENT)
    weight = value(row.weight) if isinstance(row, QueueEcn) else None
    faults = [
        ("minimum", low is None or not writable(low)),
        ("maximum", high is None or not writable(high)),
        ("probability", bool(rest) or not 1 <= probability <= 100),
        ("weight", weight is not None and not 0 <= weight <= 15),
    ]
    for leaf, wrong in faults:
        if wrong:
            voice.refuse(f"EOS cannot write this {leaf}", *path, leaf)
    if low is None or high is None or any(wrong for _, wrong in faults):
        return None
    return Curve(low, high, None if held is None else probability, weight)


def writable(threshold: Quantity) -> bool:
    """Say whether EOS can write a threshold: a whole number of one of its units, at least 1."""
    number = threshold.number
    if threshold.unit is Unit.NANOSECONDS:
        number = number / MILLISECOND
    return threshold.unit in _ECN_UNITS and number.denominator == 1 and number >= 1


def _wred(voice: Voice, queue: int, row: QueueEcn) -> None:
    path = ("ecn", "queues", queue)
    names = {name: key for key, name in COLOURS.items()}
    if row.wred is True and not row.colours:
        voice.refuse("EOS drops at random only with a curve (`colours`)", *path, "wred")
    for name, curve in row.colours:
        if not any(is_value(x) for x in (curve.minimum, curve.maximum, curve.probability)):
            continue
        said = _curve(voice, curve, (*path, "colours", name)) if name in names else None
        if said is None or row.wred is not True or said.probability is None:
            voice.refuse("a WRED curve needs thresholds and a probability", *path, "colours", name)
        else:
            voice.put(said, "queue", queue, "drop", names[name])
