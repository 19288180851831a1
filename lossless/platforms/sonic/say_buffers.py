"""Buffers of a port and of the box, as rows of the BUFFER_ tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lossless.model.buffers import BoxBuffers, Buffers, Pool, PriorityGroup, QueueBuffer
from lossless.model.profile import Profile
from lossless.model.settings import System
from lossless.model.units import PPM, Alpha
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.sonic import words
from lossless.platforms.sonic.db import BUFFER_NONE, LOSSLESS_POOL
from lossless.platforms.sonic.voice import Voice

GROUPS: Final = 8
QUEUES: Final = 16
MODELS: Final = ("traditional", "dynamic")
_MODES: Final = ("static", "dynamic")
_DIRECTIONS: Final = ("ingress", "egress", "both")


def say_buffers(told: Buffers, send: frozenset[int], voice: Voice, *, dynamic: bool) -> None:
    """Say groups, queues and cable of one port."""
    for group, row in told.groups:
        if row == PriorityGroup():
            continue
        if not 0 <= group < GROUPS:
            voice.refuse("there are groups 0 to 7", "buffers", "groups", group)
            continue
        _group(group, row, voice, dynamic)
    for queue, held in told.queues:
        if held == QueueBuffer():
            continue
        if not 0 <= queue < QUEUES:
            voice.refuse("there are queues 0 to 15", "buffers", "queues", queue)
            continue
        voice.slots["queue_buffer", queue] = _queue(queue, held, queue in send, voice)
    _cable(told.cable, voice)
    for leaf in ("priority_to_buffer", "sizes", "manual"):
        held_ = getattr(told, leaf)
        if held_ not in (None, (), OFF, DEFAULT) and any(_told(held_)):
            voice.refuse("buffers of a NIC", "buffers", leaf)


def _told(held: Any) -> list[bool]:
    if held is True:
        return [True]
    return [is_value(one[1] if isinstance(one, tuple) else one) for one in held]


def _cable(held: Any, voice: Voice) -> None:
    if is_value(held):
        metres = -(-held // words.METRE)  # up, so that headroom is never short
        voice.slots["cable",] = f"{metres}m"
    elif held is not None:
        voice.slots["cable",] = None


def _group(group: int, row: PriorityGroup, voice: Voice, dynamic: bool) -> None:
    at = ("buffers", "groups", group)
    voice.refuse_told("headroom is told as xoff", row.headroom, *at, "headroom")
    out = _threshold(row.alpha, row.limit, at, voice)
    for leaf, name in (
        ("xoff", "xoff"),
        ("xon", "xon"),
        ("xon_offset", "xon_offset"),
        ("reserved", "size"),
    ):
        said = voice.size(getattr(row, leaf), *at, leaf)
        if said is not None:
            out[name] = said
    if row.lossless is True and "xoff" not in out:
        if out:
            message = "a lossless group of one's own needs its xoff; the rest is the box's to find"
            voice.refuse(message, *at)
        voice.slots["group", group] = BUFFER_NONE if dynamic else None  # buffermgrd makes the row
        return
    if not out:
        voice.slots["group", group] = None
        return
    if "xoff" not in out and out.keys() & {"xon", "xon_offset"}:
        voice.refuse("a lossy group is never resumed", *at, "xon")
    lossless = "xoff" in out
    out.setdefault("size", "0")
    out["pool"] = LOSSLESS_POOL if lossless else "ingress_lossy_pool"
    voice.slots["group", group] = out


def _queue(queue: int, row: QueueBuffer, lossless: bool, voice: Voice) -> dict[str, str] | None:
    at = ("buffers", "queues", queue)
    out = _threshold(row.alpha, row.limit, at, voice)
    size = voice.size(row.reserved, *at, "reserved")
    if size is not None:
        out["size"] = size
    if not out:
        return None
    out.setdefault("size", "0")
    out["pool"] = "egress_lossless_pool" if lossless else "egress_lossy_pool"
    return out


def _threshold(alpha: Any, limit: Any, at: tuple[Any, ...], voice: Voice) -> dict[str, str]:
    if isinstance(alpha, Alpha):
        exponent = words.exponent(alpha)
        if exponent is None:
            voice.refuse("alpha is a power of two from 0 (-8) to 128 (7)", *at, "alpha")
        else:
            voice.refuse_told("one threshold, dynamic or static", limit, *at, "limit")
            return {"dynamic_th": str(exponent)}
    static = voice.size(limit, *at, "limit")
    return {} if static is None else {"static_th": static}


# --- the box -------------------------------------------------------------------------------------


def say_system(told: System, profile: Profile | None, names: Mapping[str, Any]) -> Voice:
    """Say what is told once.  `names` are the pools that the box has, by their own names."""
    voice = Voice(profile)
    _model(told.buffers, voice)
    for name, pool in told.buffers.pools:
        key = _pool_key(name, names)
        if key not in names and pool == Pool(shared_headroom=pool.shared_headroom):
            message = f"shared headroom is a part of a pool: declare {name} with its size"
            voice.refuse_told(message, pool.shared_headroom, "buffers", "pools", name)
        elif pool != Pool():
            voice.slots["pool", key] = _pool(key, pool, ("buffers", "pools", name), voice)
    _ratio(told.buffers, voice)
    _poll(told.settings.watchdog.poll, voice)
    _unsayable(told, voice)
    return voice


def _model(told: BoxBuffers, voice: Voice) -> None:
    if is_value(told.model) and told.model not in MODELS:
        voice.refuse("the buffer model is traditional or dynamic", "buffers", "model")
    elif told.model is not None:
        voice.slots["model",] = told.model if is_value(told.model) else None


def _pool_key(name: str, names: Mapping[str, Any]) -> str:
    if name in names or name.endswith("_pool"):
        return name
    return f"{name}_pool"


def _pool(key: str, pool: Pool, at: tuple[Any, ...], voice: Voice) -> dict[str, str]:
    voice.refuse_told("a pool has no alpha of its own", pool.alpha, *at, "alpha")
    direction = pool.direction if is_value(pool.direction) else key.partition("_")[0]
    mode = pool.mode if is_value(pool.mode) else "dynamic"
    if direction not in _DIRECTIONS:
        voice.refuse("say whether the pool is ingress or egress", *at, "direction")
        direction = "ingress"
    if mode not in _MODES:
        voice.refuse("a pool is static or dynamic", *at, "mode")
        mode = "dynamic"
    out = {"type": direction, "mode": mode}
    size = voice.size(pool.size, *at, "size")
    shared = voice.size(pool.shared_headroom, *at, "shared_headroom")
    if size is not None:
        out["size"] = size
    if shared is not None:
        out["xoff"] = shared
    return out


def _ratio(told: BoxBuffers, voice: Voice) -> None:
    ratio = told.headroom_pool.oversubscription
    if is_value(ratio):
        whole, rest = divmod(ratio, PPM)
        if rest or not 0 < whole <= 65535:
            message = "over_subscribe_ratio is a whole number"
            voice.refuse(message, "buffers", "headroom_pool", "oversubscription")
        else:
            voice.slots["ratio",] = str(whole)
    elif ratio is not None:
        voice.slots["ratio",] = None


def _poll(held: Any, voice: Voice) -> None:
    if is_value(held):
        whole, rest = divmod(held, words.MILLISECOND)
        if rest or not 100 <= whole <= 3000:
            voice.refuse("a whole number of ms from 100", "settings", "watchdog", "poll")
        else:
            voice.slots["poll",] = str(whole)
    elif held is not None:
        voice.slots["poll",] = None


def _unsayable(told: System, voice: Voice) -> None:
    for name, share in told.buffers.shares:
        voice.refuse_told("buffers are not divided by share", share, "buffers", "shares", name)
    if told.pfc_stopped is True:
        voice.refuse("PFC has no switch for the whole box", "pfc_stopped")
    for leaf in ("minimum", "maximum", "probability"):
        held = getattr(told.ecn_global, leaf)
        voice.refuse_told("no curve measures the whole buffer", held, "ecn_global", leaf)
    if told.raw:
        voice.refuse("CONFIG_DB has rows, not lines", "raw")
    if is_value(told.macro):
        voice.refuse(f"nothing is known of a profile {told.macro!r}", "macro")
