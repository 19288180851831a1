"""From the model to the slots of the whole box and of its MMU queue profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lossless.model.buffers import PriorityGroup, QueueBuffer
from lossless.model.classification import Classification
from lossless.model.pfc import WatchdogAction
from lossless.model.profile import Profile
from lossless.model.settings import System
from lossless.model.units import Alpha, Quantity, Unit
from lossless.model.values import OFF, NumberMap, is_value, value
from lossless.platforms.arista_eos.grammar import RAW
from lossless.platforms.arista_eos.say_queue import writable
from lossless.platforms.arista_eos.slots import (
    QUEUES,
    TRAFFIC_CLASSES,
    Curve,
    DscpTarget,
    Slot,
    Slots,
)
from lossless.platforms.arista_eos.voice import Voice

#: Shared-memory thresholds that the MMU takes (pyavd 6.4 schema, platform.trident.mmu).
ALPHAS: Final = frozenset(
    {"1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"}
)
RESERVED: Final = 7  # TC 7 and queue 7 carry control traffic and keep each other


def say_box(system: System, profile: Profile | None = None) -> tuple[Voice, Slots]:
    """Return the box's slots, and those of its MMU queue profile."""
    voice = Voice(profile)
    _maps(voice, system)
    _watchdog(voice, system)
    _ecn(voice, system)
    if system.pfc_stopped is True:
        voice.put(True, "pfc_stopped")
    _size(voice, system.buffers.headroom_pool.size, ("headroom_limit",), "headroom_pool")
    _no_words(voice, system)
    pool = Voice(profile)
    _groups(pool, system)
    for number, row in system.settings.buffers.queues:
        _queue(pool, number, row)
    voice.refused += pool.refused
    return voice, pool.slots


def _maps(voice: Voice, system: System) -> None:
    held = system.settings.classification
    for dscp, tc in _told(voice, held.dscp_to_priority, "dscp_to_priority", 7):
        voice.put(DscpTarget(tc), "dscp", dscp)
    for pcp, tc in _told(voice, held.pcp_to_priority, "pcp_to_priority", 7):
        voice.put(tc, "cos", pcp)
    for priority, tc in _told(voice, held.priority_to_tc, "priority_to_tc", 7):
        if priority != tc:
            message = "a priority of EOS is its traffic class; there is no map between them"
            voice.refuse(message, "classification", "priority_to_tc", priority)
    for tc, queue in _told(voice, held.tc_to_queue, "tc_to_queue", 7):
        _tc_to_queue(voice, tc, queue)
    _rewrites(voice, held)


def _rewrites(voice: Voice, held: Classification) -> None:
    for name, slot, most in (
        ("rewrite_dscp", "rewrite_dscp_to", 63),
        ("rewrite_pcp", "rewrite_cos_to", 7),
    ):
        for priority, mark in _told(voice, getattr(held, name), name, most):
            voice.put(mark, slot, priority)
    voice.put(held.rewrite_dscp_enabled, "rewrite_dscp")
    if held.rewrite_pcp_enabled in (True, OFF):
        voice.slots[("rewrite_cos",)] = held.rewrite_pcp_enabled
    for leaf in ("tunnel_dscp", "tunnel_ecn"):
        if is_value(getattr(held, leaf)):
            voice.refuse("tunnel marking is outside what this platform writes", leaf)


def _told(voice: Voice, entries: NumberMap, name: str, most: int) -> list[tuple[int, int]]:
    """Return the entries that hold numbers in range; refuse the others that hold any."""
    told = [(index, number) for index, number in enumerate(entries) if is_value(number)]
    for index, number in told:
        if not 0 <= number <= most:
            voice.refuse(f"EOS takes 0 to {most} here, not {number}", "classification", name, index)
    return [(index, number) for index, number in told if 0 <= number <= most]


def _tc_to_queue(voice: Voice, tc: int, queue: int) -> None:
    path = ("classification", "tc_to_queue", tc)
    if tc not in TRAFFIC_CLASSES:
        voice.refuse(f"EOS has traffic classes 0 to 7, not {tc}", *path)
    elif (tc == RESERVED) != (queue == RESERVED):
        voice.refuse("traffic class 7 and queue 7 are reserved for each other on EOS", *path)
    elif tc != RESERVED:
        voice.put(queue, "tx_queue", tc)


def _watchdog(voice: Voice, system: System) -> None:
    watchdog = system.settings.watchdog
    if is_value(watchdog.enabled) or watchdog.enabled is OFF:
        voice.refuse("EOS turns its watchdog on and off per port", "watchdog", "enabled")
    for leaf, slot in (
        ("detect", "watchdog_timeout"),
        ("restore", "watchdog_recovery"),
        ("poll", "watchdog_poll"),
    ):
        held = value(getattr(watchdog, leaf))
        if held is not None and voice.fits(held, leaf):
            voice.put(held, slot)
    if watchdog.action is WatchdogAction.FORWARD:
        voice.refuse("EOS drops, disables the port or notifies", "watchdog", "action")
    else:
        voice.put(watchdog.action, "watchdog_action")


def _ecn(voice: Voice, system: System) -> None:
    low, high = value(system.ecn_global.minimum), value(system.ecn_global.maximum)
    if low is not None and high is not None and all(_global_size(x) for x in (low, high)):
        voice.put(Curve(low, high), "ecn_global")
    elif low is not None or high is not None:
        voice.refuse("EOS needs both thresholds, in its own units of size", "ecn_global", "minimum")
    if is_value(system.ecn_global.probability):
        voice.refuse("the curve over the whole buffer has no probability", "ecn_global")
    forwards = {row.non_ect_forward for _, row in system.settings.ecn.queues}
    if True not in forwards:
        return
    if len(forwards) == 1:
        voice.put("plain", "non_ect")
    else:
        message = "EOS forwards packets without ECT on every queue or on none"
        voice.refuse(message, "ecn", "queues")


def _global_size(threshold: Quantity) -> bool:
    return writable(threshold) and threshold.unit is not Unit.NANOSECONDS


def _size(voice: Voice, held: Any, slot: Slot, *path: str | int) -> None:
    if not isinstance(held, Quantity):
        return
    whole = held.number.denominator == 1 and held.number >= 0
    if whole and held.unit in (Unit.BYTES, Unit.CELLS):
        voice.slots[slot] = held
    else:
        voice.refuse(f"the MMU of EOS counts whole bytes or cells, not {held}", "buffers", *path)


def _groups(pool: Voice, system: System) -> None:
    rows = dict(system.settings.buffers.groups)
    for leaf, item in (("headroom", "headroom"), ("xon_offset", "resume")):
        told = {value(getattr(row, leaf)) for row in rows.values()} - {None}
        if len(told) > 1:
            message = f"EOS has one {item} for all priority groups"
            pool.refuse(message, "buffers", "groups", leaf)
        elif told:
            _size(pool, told.pop(), ("pg", "all", item), "groups", leaf)
    for number, row in rows.items():
        if number not in TRAFFIC_CLASSES:
            pool.refuse(f"EOS has priority groups 0 to 7, not {number}", "buffers", "groups")
            continue
        _size(pool, row.reserved, ("pg", number, "reserved"), "groups", number, "reserved")
        _alpha(pool, row.alpha, ("pg", number, "alpha"), "groups", number)
        _group_without_words(pool, number, row)


def _group_without_words(pool: Voice, number: int, row: PriorityGroup) -> None:
    for leaf in ("xoff", "xon", "limit"):
        if is_value(getattr(row, leaf)):
            message = f"the MMU of EOS has no {leaf}"
            pool.refuse(message, "buffers", "groups", number, leaf)


def _queue(pool: Voice, number: int, row: QueueBuffer) -> None:
    if number not in QUEUES:
        pool.refuse(f"EOS has queues 0 to 7, not {number}", "buffers", "queues", number)
        return
    _size(pool, row.reserved, ("eq", number, "reserved"), "queues", number, "reserved")
    _alpha(pool, row.alpha, ("eq", number, "alpha"), "queues", number)
    if is_value(row.limit):
        pool.refuse("the MMU of EOS has no limit per queue", "buffers", "queues", number, "limit")


def _alpha(pool: Voice, alpha: Any, slot: Slot, *path: str | int) -> None:
    if not isinstance(alpha, Alpha):
        return
    if alpha.ratio is not None and str(alpha.ratio) in ALPHAS:
        pool.slots[slot] = alpha.ratio
    else:
        message = "EOS takes powers of two from 1/128 to 8"
        pool.refuse(message, "buffers", *path, "alpha")


def _no_words(voice: Voice, system: System) -> None:
    untold: Mapping[str, Any] = {
        "macro": system.macro,
        "model": system.buffers.model,
        "oversubscription": system.buffers.headroom_pool.oversubscription,
    }
    for leaf, held in untold.items():
        if is_value(held):
            voice.refuse(f"EOS has no {leaf}", leaf)
    for name, _ in system.buffers.pools:
        voice.refuse("EOS has one shared buffer and no named pools", "buffers", "pools", name)
    for line in system.raw:
        if not RAW.fullmatch(line):
            message = f"`{line}` would not be read back, so it is not written"
            voice.refuse(message, "raw")
