"""Scheduling and marking of a port's queues, as rows of SCHEDULER and WRED_PROFILE."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lossless.model.scheduling import (
    Algorithm,
    Ecn,
    EcnBasis,
    Ets,
    QueueEcn,
    QueueScheduling,
    Thresholds,
)
from lossless.model.units import PPM, Bandwidth, BandwidthKind, Cap
from lossless.model.values import OFF, is_value
from lossless.platforms.sonic.voice import Voice

QUEUES: Final = 10  # TC_TO_QUEUE_MAP reaches queue 9 (sonic-tc-queue-map.yang)
_TYPES: Final[Mapping[Algorithm, str]] = {
    Algorithm.STRICT: "STRICT",
    Algorithm.WRR: "WRR",
    Algorithm.DWRR: "DWRR",
    Algorithm.ETS: "DWRR",
    Algorithm.WFQ: "DWRR",
}


def say_ets(told: Ets, voice: Voice) -> None:
    """Say the scheduler of each queue told of."""
    for queue, row in told.queues:
        if row == QueueScheduling():
            continue
        if not 0 <= queue < QUEUES:
            voice.refuse(f"there are queues 0 to {QUEUES - 1}", "ets", "queues", queue)
            continue
        voice.slots["scheduler", queue] = _scheduler(row, queue, voice)


def _scheduler(row: QueueScheduling, queue: int, voice: Voice) -> dict[str, str] | None:
    at = ("ets", "queues", queue)
    message = "a scheduler guarantees no share of the line"
    voice.refuse_told(message, row.guaranteed, *at, "guaranteed")
    voice.refuse_told("strict queues rank by their number", row.level, *at, "level")
    voice.refuse_told("queues are not grouped", row.group, *at, "group")
    weight = _weight(row.bandwidth, at, voice)
    peak = _peak(row.cap, at, voice)
    word = _type(row.algorithm, at, voice)
    if word is None and weight is None and peak is None:
        return None
    out = {"type": word or "DWRR"}
    if word == "STRICT":
        if weight is not None:
            voice.refuse("a strict queue has no share", *at, "bandwidth")
    else:
        out["weight"] = weight or "1"
    if peak is not None:  # a peak needs a committed rate above 0 (sonic-scheduler.yang)
        out |= {"cir": "1", "pir": peak}
    return out


def _type(held: Any, at: tuple[Any, ...], voice: Voice) -> str | None:
    if not is_value(held):
        return None
    word = _TYPES.get(held)
    if word is None:
        voice.refuse(f"{held.value} is none of STRICT, WRR and DWRR", *at, "algorithm")
    return word


def _weight(held: Any, at: tuple[Any, ...], voice: Voice) -> str | None:
    if not isinstance(held, Bandwidth):
        return None
    weight, rest = held.amount, 0
    if held.kind is not BandwidthKind.WEIGHT:
        weight, rest = divmod(held.amount, PPM // 100)
    relative = held.kind in (BandwidthKind.WEIGHT, BandwidthKind.ETS, BandwidthKind.REMAINING)
    if not relative or rest or not 1 <= weight <= 100:
        voice.refuse(f"{held} is no weight from 1 to 100", *at, "bandwidth")
        return None
    return str(weight)


def _peak(held: Any, at: tuple[Any, ...], voice: Voice) -> str | None:
    if not isinstance(held, Cap):
        return None
    if held.rate is None or held.rate < 8 or held.rate % 8:
        voice.refuse("a limit is whole bytes per second", *at, "cap")
        return None
    return str(held.rate // 8)


def say_ecn(told: Ecn, voice: Voice) -> None:
    """Say the WRED profile of each queue told of."""
    if told.enabled is OFF:
        voice.refuse("a port has no switch for ECN: say it of the queues", "ecn", "enabled")
    for queue, row in told.queues:
        if row == QueueEcn():
            continue
        if not 0 <= queue < QUEUES:
            voice.refuse(f"there are queues 0 to {QUEUES - 1}", "ecn", "queues", queue)
            continue
        voice.slots["wred", queue] = _curve(row, queue, voice)


def _curve(row: QueueEcn, queue: int, voice: Voice) -> dict[str, str] | None:
    at = ("ecn", "queues", queue)
    _unsayable(row, at, voice)
    if row.enabled is not True and row.wred is not True and not _shaped(row):
        return None
    if row.enabled is OFF and row.wred is not True:
        return None
    marks = row.enabled is not OFF
    out = {
        "ecn": "ecn_all" if marks else "ecn_none",
        "wred_green_enable": "false" if row.wred is OFF else "true",
    }
    green = Thresholds(minimum=row.minimum, maximum=row.maximum, probability=row.probability)
    out |= _thresholds("green", green, at, voice)
    for colour, curve in row.colours:
        if colour not in ("yellow", "red"):
            voice.refuse("further colours are yellow and red", *at, "colours", colour)
            continue
        numbers = _thresholds(colour, curve, (*at, "colours", colour), voice)
        if numbers:
            out |= {f"wred_{colour}_enable": "true", **numbers}
    return out


def _shaped(row: QueueEcn) -> bool:
    return any(is_value(held) for held in (row.minimum, row.maximum, row.probability))


def _thresholds(
    colour: str, curve: Thresholds, at: tuple[Any, ...], voice: Voice
) -> dict[str, str]:
    out: dict[str, str] = {}
    low = voice.size(curve.minimum, *at, "minimum")
    high = voice.size(curve.maximum, *at, "maximum")
    if high is not None and low is None:
        voice.refuse("a maximum needs its minimum (sonic-wred-profile.yang)", *at, "maximum")
        high = None
    if low is not None:
        out[f"{colour}_min_threshold"] = low
    if low is not None and high is not None:
        out[f"{colour}_max_threshold"] = high
        if int(low) > int(high):
            voice.refuse("the minimum is above the maximum", *at, "minimum")
    if is_value(curve.probability):
        whole, rest = divmod(curve.probability, PPM // 100)
        if rest or not 0 <= whole <= 100:
            voice.refuse("a probability is whole per cent", *at, "probability")
        else:
            out[f"{colour}_drop_probability"] = str(whole)
    return out


def _unsayable(row: QueueEcn, at: tuple[Any, ...], voice: Voice) -> None:
    voice.refuse_told("the averaging cannot be set", row.weight, *at, "weight")
    if is_value(row.basis) and row.basis is not EcnBasis.QUEUE:
        voice.refuse("a curve measures its queue", *at, "basis")
    if row.non_ect_forward is True:
        message = "packets without ECT are dropped by the same curve"
        voice.refuse(message, *at, "non_ect_forward")
    if row.count is True:
        voice.refuse("counters are switched on apart (counterpoll)", *at, "count")
