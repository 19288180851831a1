"""Leaves of the model in NVUE's words.

A profile's content is a map from the path beneath the profile to its value.  What cannot be said
is refused, with the leaf that says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.model.classification import Trust
from lossless.model.link import Fec
from lossless.model.pfc import PfcMode
from lossless.model.scheduling import Algorithm
from lossless.model.units import (
    NO_CONTEXT,
    Bandwidth,
    BandwidthKind,
    Cap,
    Quantity,
    Unit,
    UnitContext,
)
from lossless.model.values import OFF, is_value
from lossless.platforms.nvidia_cumulus import leafs
from lossless.platforms.nvidia_cumulus.leafs import Leaves, Path
from lossless.platforms.nvidia_cumulus.schema import HERE, Config

PPM: Final = 10_000  # parts per million of one per cent
_MS: Final = 10**6
_RELATIVE: Final = 17

TRUSTS: Final = {Trust.PCP: "l2", Trust.DSCP: "l3", Trust.BOTH: "both", Trust.PORT: "port"}
FECS: Final = {
    Fec.NONE: "off",
    Fec.FIRECODE: "baser",
    Fec.RS528: "rs",
    Fec.RS544: "rs",
    Fec.RS272: "rs",
    Fec.AUTO: "auto",
}
SPEEDS: Final = {
    10**7: "10M",
    10**8: "100M",
    **{n * 10**9: f"{n}G" for n in (1, 10, 25, 40, 50, 100, 200, 400, 800)},
}
_SHARED: Final = (Algorithm.ETS, Algorithm.WRR, Algorithm.DWRR, Algorithm.WFQ)
_KINDS: Final = (BandwidthKind.ETS, BandwidthKind.REMAINING)


@dataclass(slots=True)
class Voice:
    """Units and release, and what was refused on the way."""

    release: int
    units: UnitContext = NO_CONTEXT
    refused: list[tuple[Path, str]] = field(default_factory=list)

    def refuse(self, path: Path, message: str) -> None:
        """Note a leaf that NVUE cannot say."""
        self.refused.append((path, message))


def _switch(held: Any) -> str:
    return "enable" if held is True else "disable"


def content(feature: str, told: Leaves, voice: Voice) -> Config:
    """Return the content of a feature's profile."""
    return _SAY[feature](told, voice)


# --- maps ----------------------------------------------------------------------------------------


def _mapping(told: Leaves, voice: Voice) -> Config:
    said: Config = {}
    trust = told.get(leafs.TRUST)
    if is_value(trust):
        if trust in TRUSTS:
            said["trust",] = TRUSTS[trust]
        else:
            voice.refuse(leafs.TRUST, "a port of NVUE trusts l2, l3, both, or port")
    default = told.get(("classification", "default_priority"))
    if is_value(default):
        said["port-default-sp",] = str(default)
    for name, word in (("pcp_to_priority", "pcp"), ("dscp_to_priority", "dscp")):
        said.update(_entries(told, voice, name, (word, "*", "switch-priority"), 7))
    return said


def _entries(told: Leaves, voice: Voice, name: str, place: tuple[str, ...], top: int) -> Config:
    said: Config = {}
    for path, held in told.items():
        if path[:2] != ("classification", name) or not is_value(held):
            continue
        if 0 <= held <= top:
            said[tuple(str(path[2]) if step == "*" else step for step in place)] = str(held)
        else:
            voice.refuse(path, f"{held} is above {top}, the last here")
    return said


def _remark(told: Leaves, voice: Voice) -> Config:
    said: Config = {}
    for name, word, top in (("rewrite_dscp", "dscp", 63), ("rewrite_pcp", "pcp", 7)):
        said.update(_entries(told, voice, name, ("switch-priority", "*", word), top))
    l3 = told.get(("classification", "rewrite_dscp_enabled")) is True
    l2 = told.get(("classification", "rewrite_pcp_enabled")) is True
    if l2 or l3:
        said["rewrite",] = "both" if l2 and l3 else "l3" if l3 else "l2"
    return said


def queue_map(told: Leaves, voice: Voice) -> Config:
    """Return the entries of the map from switch priority to traffic class."""
    return _entries(told, voice, "priority_to_tc", ("switch-priority", "*", "traffic-class"), 7)


# --- flow control --------------------------------------------------------------------------------


def _pfc(told: Leaves, voice: Voice) -> Config:
    mode = told.get(("pfc", "mode"))
    send, honour = _set(told, "send"), _set(told, "honour")
    if mode is PfcMode.AUTO:
        voice.refuse(("pfc", "mode"), "PFC is not negotiated here; it is on or off")
        mode = PfcMode.ON if send or honour else OFF
    if send and honour and send != honour:
        text = "one set of priorities; it is sent, honoured, or both"
        voice.refuse(("pfc", "honour"), text)
    both = (send or honour) if mode is not OFF else frozenset()
    if not both or not both <= set(range(8)):
        return {("rx",): "disable", ("tx",): "disable"}
    said: Config = {("switch-priority", str(n)): HERE for n in sorted(both)}
    said["rx",] = _switch(bool(honour))
    said["tx",] = _switch(bool(send))
    said.update(cable(told, voice))
    return said


def _set(told: Leaves, name: str) -> frozenset[int]:
    held = told.get(("pfc", name))
    return held if isinstance(held, frozenset) else frozenset()


def cable(told: Leaves, voice: Voice) -> Config:
    """Return the length of the cable, in whole metres."""
    held = told.get(leafs.CABLE)
    if not is_value(held):
        return {}
    metres = max(1, -(-held // 1000))
    if metres > 100_000:
        voice.refuse(leafs.CABLE, "a cable is 1 m to 100000 m long here")
        return {}
    return {("cable-length",): str(metres)}


def _pause(told: Leaves, voice: Voice) -> Config:
    del voice
    return {
        ("rx",): _switch(told.get(("link", "pause_honour"))),
        ("tx",): _switch(told.get(("link", "pause_send"))),
    }


# --- queues --------------------------------------------------------------------------------------


def _congestion(told: Leaves, voice: Voice) -> Config:
    said: Config = {}
    for queue in leafs.QUEUES:
        row = {name: told.get(("ecn", "queues", queue, name)) for name in leafs.ECN}
        if row["enabled"] is OFF and row["wred"] is not True:
            continue
        place = ("traffic-class", str(queue))
        curve = _curve(queue, row, voice)
        said.update({(*place, name): value for name, value in curve.items()})
    return said


def off_curve(queue: int) -> Config:
    """Return what turns the curve of a traffic class off outright."""
    place = ("traffic-class", str(queue))
    return {(*place, "ecn"): "disable", (*place, "red"): "disable"}


def _curve(queue: int, row: Mapping[str, Any], voice: Voice) -> dict[str, str]:
    said: dict[str, str] = {}
    at: Path = ("ecn", "queues", queue)
    for name, word in (("enabled", "ecn"), ("wred", "red")):
        if row[name] in (True, OFF):
            said[word] = _switch(row[name])
    for name, word in (("minimum", "min-threshold"), ("maximum", "max-threshold")):
        if isinstance(row[name], Quantity):
            said.update(_threshold(row[name], word, (*at, name), voice))
    if "mode" in said and not _whole_relative(said):
        voice.refuse(at, "both thresholds of a curve are bytes, or both per cent")
        said = {word: held for word, held in said.items() if "percent" not in word}
        del said["mode"]
    if is_value(row["probability"]):
        if row["probability"] % PPM or not 0 <= row["probability"] <= 100 * PPM:
            voice.refuse((*at, "probability"), "a probability is whole per cent")
        said["probability"] = str(min(100, max(0, round(row["probability"] / PPM))))
    return said


def _whole_relative(said: Mapping[str, str]) -> bool:
    return "min-threshold" not in said and "max-threshold" not in said


def _threshold(held: Quantity, word: str, path: Path, voice: Voice) -> dict[str, str]:
    if held.unit is Unit.PERCENT_OF_QUEUE:
        if voice.release < _RELATIVE or held.number.denominator != 1 or not 0 <= held.number <= 100:
            voice.refuse(path, "a share of the queue is whole per cent, from 5.17 on")
            return {}
        return {f"{word}-percent": str(int(held.number)), "mode": "relative"}
    size = held.to_bytes(voice.units)
    if size is None or size < 1:
        voice.refuse(path, f"{held} is not known in bytes")
        return {}
    return {word: str(size)}


def _scheduler(told: Leaves, voice: Voice) -> Config:
    said: Config = {}
    for queue in leafs.QUEUES:
        at: Path = ("ets", "queues", queue)
        algorithm = told.get((*at, "algorithm"))
        share = told.get((*at, "bandwidth"))
        place = ("traffic-class", str(queue))
        if algorithm is Algorithm.STRICT:
            said[(*place, "mode")] = "strict"
            continue
        if is_value(algorithm) and algorithm not in _SHARED:
            voice.refuse((*at, "algorithm"), "a traffic class is strict or shares (dwrr)")
            continue
        percent = _percent(share, (*at, "bandwidth"), voice)
        if percent:
            said[(*place, "mode")] = "dwrr"
            said[(*place, "bw-percent")] = str(percent)
    return said


def no_shares(told: Leaves) -> Config:
    """Return what gives traffic classes a share of 0 where something else lies beneath."""
    said: Config = {}
    for queue in leafs.QUEUES:
        share = told.get(("ets", "queues", queue, "bandwidth"))
        if isinstance(share, Bandwidth) and share.amount == 0:
            place = ("traffic-class", str(queue))
            said |= {(*place, "mode"): "dwrr", (*place, "bw-percent"): "0"}
    return said


def _percent(share: Any, path: Path, voice: Voice) -> int:
    """Return whole per cent; a share of 0 is what a class that is not listed has."""
    if not isinstance(share, Bandwidth):
        return 0
    if share.kind not in _KINDS or share.amount % PPM or not 0 <= share.amount <= 100 * PPM:
        voice.refuse(path, f"a share is whole per cent of what strict classes leave, not {share}")
        return 0
    return share.amount // PPM


def _shaper(told: Leaves, voice: Voice) -> Config:
    said: Config = {}
    for queue in leafs.QUEUES:
        path: Path = ("ets", "queues", queue, "cap")
        cap = told.get(path)
        if not isinstance(cap, Cap):
            continue
        if cap.rate is None or cap.rate % 1000 or cap.rate // 1000 > 2147483647:
            voice.refuse(path, "a traffic class is capped at whole kbit/s")
        else:
            said["traffic-class", str(queue), "max-rate"] = str(cap.rate // 1000)
    return said


_SAY: Final[Mapping[str, Callable[[Leaves, Voice], Config]]] = {
    leafs.MAPPING: _mapping,
    leafs.REMARK: _remark,
    leafs.PFC: _pfc,
    leafs.CONGESTION: _congestion,
    leafs.SCHEDULER: _scheduler,
    leafs.SHAPER: _shaper,
    leafs.PAUSE: _pause,
}


# --- interfaces ----------------------------------------------------------------------------------


def own(told: Leaves, voice: Voice) -> Config:
    """Return what an interface says of itself, beneath `interface X`."""
    said: Config = {}
    native, l3 = told.get(("mtu", "native")), told.get(("mtu", "l3"))
    mtu = native if is_value(native) else l3
    if is_value(mtu):
        if 552 <= mtu <= 9216:
            said["link", "mtu"] = str(mtu)
        else:
            voice.refuse(("mtu", "native"), "an MTU is 552 to 9216 here")
    said.update(_link(told, voice))
    watchdog = told.get(("watchdog", "enabled"))
    if watchdog in (True, OFF):
        said["qos", "pfc-watchdog", "state"] = _switch(watchdog)
    advertise = told.get(leafs.ADVERTISE)
    if advertise in (True, OFF):
        for name in ("pfc", "ets-config", "ets-recomm"):
            said["lldp", f"dcbx-{name}-tlv"] = "enabled" if advertise is True else "disabled"
    return said


def _link(told: Leaves, voice: Voice) -> Config:
    said: Config = {}
    speed, fec = told.get(("link", "speed")), told.get(("link", "fec"))
    if is_value(speed):
        if speed in SPEEDS:
            said["link", "speed"] = SPEEDS[speed]
        else:
            voice.refuse(("link", "speed"), f"{speed / 10**9:g} Gbit/s is no speed of NVUE")
    if fec is OFF:
        fec = Fec.NONE
    if is_value(fec):
        said["link", "fec"] = FECS[fec]
    autoneg, up = told.get(("link", "autoneg")), told.get(("link", "admin_up"))
    if autoneg in (True, OFF):
        said["link", "auto-negotiate"] = "enabled" if autoneg is True else "disabled"
    if up in (True, OFF):
        said["link", "state", "up" if up is True else "down"] = HERE
    return said


def watchdog(told: Leaves, voice: Voice) -> Config:
    """Return the box's polling interval (ms) and the number of polls that make a storm."""
    said: Config = {}
    poll, detect = told.get(leafs.POLL), told.get(leafs.DETECT)
    interval = 100
    if is_value(poll):
        interval = min(5000, max(100, round(poll / _MS)))
        if interval * _MS != poll:
            voice.refuse(leafs.POLL, "polls are 100 ms to 5 s apart, in whole milliseconds")
        said["polling-interval",] = str(interval)
    if is_value(detect):
        polls = min(1000, max(1, -(-detect // (interval * _MS))))
        if polls * interval * _MS != detect:
            voice.refuse(leafs.DETECT, f"the time is 1 to 1000 polls of {interval} ms")
        said["robustness",] = str(polls)
    return said
