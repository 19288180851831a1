"""What a box says once: the RoCE macro, the memory of its pools, and lines beside the model."""

from __future__ import annotations

from typing import Any

from lossless.model.settings import System
from lossless.model.values import OFF, is_value
from lossless.platforms.nvidia_cumulus.box import MACRO, POOLS, PPM, is_raw, of_line
from lossless.platforms.nvidia_cumulus.leafs import Path
from lossless.platforms.nvidia_cumulus.say import Voice
from lossless.platforms.nvidia_cumulus.schema import Config, takes


def macro(mode: Any) -> Config:
    """Return the macro's switch and its mode."""
    state, place = ("qos", "roce", "state"), ("qos", "roce", "mode")
    if mode is OFF:
        return {state: "disabled"}
    if not is_value(mode):
        return {}
    return {state: "enabled", place: str(mode).removeprefix(MACRO)}


def shares(system: System, voice: Voice) -> Config:
    """Return the memory of the pools; what NVUE cannot share out is refused."""
    said: Config = {}
    place = bool(is_value(system.macro))
    told = {use: held for use, held in system.buffers.shares if is_value(held)}
    lossless = told.get("ingress lossless")
    if lossless is not None and not place:  # the pools may not exceed 100 % (the manual)
        told.setdefault("ingress lossy", 100 * PPM - lossless)
    for use, held in told.items():
        path: Path = ("buffers", "shares", use)
        if use not in POOLS:
            voice.refuse(path, "NVUE shares memory between lossless and lossy traffic only")
        elif held % PPM or not 1 <= held // PPM <= 100:
            voice.refuse(path, "a share of memory is 1 to 100 whole per cent")
        else:
            said["qos", "traffic-pool", POOLS[use][place], "memory-percent"] = str(held // PPM)
    return said


def raw(system: System, voice: Voice) -> Config:
    """Return the lines that are kept beside the model; others are refused."""
    said: Config = {}
    for text in system.raw:
        found = of_line(text)
        if found is None or not is_raw(found[0], system.macro) or not takes(*found, voice.release):
            voice.refuse(("raw",), f"{text!r} is no line that this release keeps beside the model")
        else:
            said[found[0]] = found[1]
    return said
