"""NVUE's words as leaves of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from lossless.model.classification import Trust
from lossless.model.link import Fec
from lossless.model.pfc import PfcMode
from lossless.model.scheduling import Algorithm
from lossless.model.units import Bandwidth, BandwidthKind, Cap, Quantity, Unit, in_bytes
from lossless.model.values import OFF
from lossless.platforms.nvidia_cumulus import leafs
from lossless.platforms.nvidia_cumulus.leafs import Path
from lossless.platforms.nvidia_cumulus.say import FECS, PPM, SPEEDS, TRUSTS
from lossless.platforms.nvidia_cumulus.schema import Config, ConfigPath

_MS: Final = 10**6
_TRUSTS: Final[Mapping[str, Trust]] = {word: trust for trust, word in TRUSTS.items()}
_SPEEDS: Final = {word: speed for speed, word in SPEEDS.items()}
_G: Final = 10**9
#: Each leaf with the place that it was read at.
Heard = dict[Path, tuple[Any, ConfigPath]]
POLLS: Final = 3
POLL: Final = 100


def _switch(word: str) -> Any:
    return True if word in ("enable", "enabled") else OFF


def heard(feature: str, content: Config) -> Heard:
    """Return the leaves that a feature's profile tells, with their places beneath it."""
    return _HEAR[feature](content)


def _mapping(content: Config) -> Heard:
    found: Heard = {}
    for path, value in content.items():
        if path == ("trust",) and value in _TRUSTS:
            found[leafs.TRUST] = _TRUSTS[value], path
        elif path == ("port-default-sp",):
            found["classification", "default_priority"] = int(value), path
        elif len(path) == 3 and path[0] in ("pcp", "dscp"):
            name = f"{path[0]}_to_priority"
            found["classification", name, int(path[1])] = int(value), path
    return found


def _remark(content: Config) -> Heard:
    found: Heard = {}
    word = content.get(("rewrite",))
    for name, words in (
        ("rewrite_dscp_enabled", ("l3", "both")),
        ("rewrite_pcp_enabled", ("l2", "both")),
    ):
        if word is not None:
            found["classification", name] = True if word in words else OFF, ("rewrite",)
    for path, value in content.items():
        if len(path) == 3 and path[2] in ("dscp", "pcp"):
            found["classification", f"rewrite_{path[2]}", int(path[1])] = int(value), path
    return found


def queue_map(content: Config) -> Heard:
    """Return the map from switch priority to traffic class."""
    return {
        ("classification", "priority_to_tc", int(path[1])): (int(value), path)
        for path, value in content.items()
        if len(path) == 3
    }


def _pfc(content: Config) -> Heard:
    found: Heard = {}
    places = [path for path in content if path[0] == "switch-priority"]
    both = frozenset(int(path[1]) for path in places)
    if both:
        found["pfc", "mode"] = PfcMode.ON, places[0]
    for name, word in (("send", "tx"), ("honour", "rx")):
        held = content.get((word,))
        if held == "disable":
            found["pfc", name] = frozenset(), (word,)
        elif held is not None and both:
            found["pfc", name] = both, (word,)
    if not both and content.get(("rx",)) == content.get(("tx",)) == "disable":
        found["pfc", "mode"] = OFF, ("rx",)
    length = content.get(("cable-length",))
    if length is not None:
        found[leafs.CABLE] = int(length) * 1000, ("cable-length",)
    return found


def _pause(content: Config) -> Heard:
    names = (("pause_send", "tx"), ("pause_honour", "rx"))
    return {
        ("link", name): (_switch(content[word,]), (word,))
        for name, word in names
        if (word,) in content
    }


def _congestion(content: Config) -> Heard:
    found: Heard = {}
    queues = {int(path[1]) for path in content if len(path) == 3}
    for queue in sorted(queues):
        at: Path = ("ecn", "queues", queue)
        row = {path[2]: (value, path) for path, value in content.items() if path[1] == str(queue)}
        first = next(iter(row.values()))[1]
        # A class that is listed is marked unless it says otherwise (the manual's example).
        value, place = row.get("ecn", ("enable", first))
        found[(*at, "enabled")] = _switch(value), place
        if "red" in row:
            found[(*at, "wred")] = _switch(row["red"][0]), row["red"][1]
        found.update(_curve(at, row))
    return found


def _curve(at: Path, row: Mapping[str, tuple[str, ConfigPath]]) -> Heard:
    found: Heard = {}
    relative = row.get("mode", ("absolute",))[0] == "relative"
    for name, word in (("minimum", "min-threshold"), ("maximum", "max-threshold")):
        said = row.get(f"{word}-percent" if relative else word)
        if said is not None:
            number = int(said[0])
            share = Quantity(Fraction(number), Unit.PERCENT_OF_QUEUE)
            found[(*at, name)] = share if relative else in_bytes(number), said[1]
    if "probability" in row:
        value, place = row["probability"]
        found[(*at, "probability")] = int(value) * PPM, place
    return found


def _scheduler(content: Config) -> Heard:
    found: Heard = {}
    for path, value in content.items():
        at: Path = ("ets", "queues", int(path[1]))
        if path[2] == "mode":
            strict = value == "strict"
            found[(*at, "algorithm")] = Algorithm.STRICT if strict else Algorithm.DWRR, path
            if strict:
                found[(*at, "bandwidth")] = OFF, path
        elif path[2] == "bw-percent" and content.get((*path[:2], "mode")) != "strict":
            share = Bandwidth(BandwidthKind.ETS, int(value) * PPM)
            found[(*at, "bandwidth")] = share, path
            found.setdefault((*at, "algorithm"), (Algorithm.DWRR, path))
    return found


def _shaper(content: Config) -> Heard:
    if content.get(("mode",)) == "pps":
        return {}
    return {
        ("ets", "queues", int(path[1]), "cap"): (Cap(rate=int(value) * 1000), path)
        for path, value in content.items()
        if path[-1] == "max-rate"
    }


_HEAR: Final[Mapping[str, Callable[[Config], Heard]]] = {
    leafs.MAPPING: _mapping,
    leafs.REMARK: _remark,
    leafs.PFC: _pfc,
    leafs.CONGESTION: _congestion,
    leafs.SCHEDULER: _scheduler,
    leafs.SHAPER: _shaper,
    leafs.PAUSE: _pause,
}


# --- interfaces ----------------------------------------------------------------------------------


def own(content: Config) -> Heard:
    """Return what an interface tells of itself."""
    found: Heard = {}
    for path, value in content.items():
        if path == ("link", "mtu"):
            found["mtu", "native"] = found["mtu", "l3"] = int(value), path
        elif path == ("link", "speed") and value in _SPEEDS:
            found["link", "speed"] = _SPEEDS[value], path
        elif path == ("link", "auto-negotiate"):
            found["link", "autoneg"] = _switch(value), path
        elif path[:2] == ("link", "state") and len(path) == 3:
            found["link", "admin_up"] = True if path[2] == "up" else OFF, path
        elif path == ("qos", "pfc-watchdog", "state"):
            found["watchdog", "enabled"] = _switch(value), path
    found.update(_fec(content))
    found.update(_advertise(content))
    return found


def _advertise(content: Config) -> Heard:
    tlvs = {path: value for path, value in content.items() if path[0] == "lldp"}
    for word, held in (("enabled", True), ("disabled", OFF)):
        for path, value in tlvs.items():
            if value == word:
                return {leafs.ADVERTISE: (held, path)}
    return {}


def _fec(content: Config) -> Heard:
    """Read the code.  `rs` is the one that the lanes' rate has, and not told where no speed is."""
    place = ("link", "fec")
    word = content.get(place)
    if word == "rs":
        code = rs_code(_SPEEDS.get(content.get(("link", "speed"), "")))
        return {("link", "fec"): (code, place)}
    code = next((fec for fec, said in FECS.items() if said == word), None)
    return {} if code is None else {("link", "fec"): (code, place)}


def rs_code(speed: int | None) -> Fec | None:
    """Return the Reed-Solomon code of a speed (IEEE 802.3 clauses 91, 119), where it has one."""
    if speed is None:
        return None
    if speed in (200 * _G, 400 * _G, 800 * _G):
        return Fec.RS544
    return Fec.RS528 if speed == 25 * _G else None


def watchdog(content: Config) -> Heard:
    """Return the box's polling interval and the time after which a pause is a storm."""
    found: Heard = {}
    interval, polls = content.get(("polling-interval",)), content.get(("robustness",))
    place = ("polling-interval",) if interval is not None else ("robustness",)
    if interval is not None:
        found[leafs.POLL] = int(interval) * _MS, place
    if interval is not None or polls is not None:
        time = int(interval or POLL) * int(polls or POLLS) * _MS
        found[leafs.DETECT] = time, ("robustness",) if polls is not None else place
    return found
