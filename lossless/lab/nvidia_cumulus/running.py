"""What runs on a port: the RoCE macro or the shipped defaults, what `default-global` says over
them, and the profiles of the port in their place.

Values of the macro and of the shipped files are those of the manual's chapters on RoCE and on
quality of service (5.14 and 5.16).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.lab.nvidia_cumulus import tree
from lossless.lab.nvidia_cumulus.tree import Tree

GLOBAL: Final = "default-global"
_ON: Final = ("enable", "enabled", "on")


@dataclass(slots=True)
class Curve:
    """When a traffic class is marked or dropped early: bytes, per cent where `relative`."""

    ecn: bool = True
    red: bool = False
    low: int = 150_000
    high: int = 1_500_000
    probability: int = 100
    relative: bool = False


@dataclass(slots=True)
class Running:
    """What holds on one port (or, without one, on the box).

    `maps` are by "pcp", "dscp" and "switch-priority" (to the traffic class); `served` gives a
    traffic class its mode and its share in per cent; `cable` is in metres.
    """

    trust: str = "l2"
    default: int = 0
    maps: dict[str, dict[int, int]] = field(default_factory=dict)
    served: dict[int, tuple[str, int]] = field(default_factory=dict)
    curves: dict[int, Curve] = field(default_factory=dict)
    paused: frozenset[int] = frozenset()
    honours: bool = False
    sends: bool = False
    cable: int = 100
    pause: tuple[bool, bool] = (False, False)
    remark: dict[int, dict[str, int]] = field(default_factory=dict)
    rewrite: str = ""


def mode(held: Tree) -> str | None:
    """Return the RoCE macro's mode; `None`: it is off."""
    roce = tree.at(held, "qos", "roce")
    if not isinstance(roce, dict):
        return None
    if roce.get("enable") == "off" or roce.get("state") == "disabled":
        return None
    return str(roce.get("mode", "lossless"))


def running(held: Tree, port: str | None = None) -> Running:
    """Return what runs on a port; without one, on those that have nothing of their own."""
    found = _base(mode(held))
    box = {feature: tree.at(held, "qos", feature, GLOBAL) or {} for feature in _TAKERS}
    plain = _base(None)
    for feature, taker in _TAKERS.items():
        own = _profile(held, port, feature)
        if own is None:
            if box[feature]:
                taker(found, box[feature], mode(held) is not None)
        else:
            _reset(found, plain, feature)
            taker(found, own, False)
    _queues(found, tree.at(held, "qos", "egress-queue-mapping", GLOBAL) or {})
    return found


def watched(held: Tree, port: str) -> bool:
    """Say whether the watchdog looks at a port."""
    told = tree.at(held, "interface", port, "qos", "pfc-watchdog")
    return isinstance(told, dict) and told.get("state", "enable") == "enable"


def _profile(held: Tree, port: str | None, feature: str) -> Tree | None:
    name = tree.at(held, "interface", port or "", "qos", feature, "profile")
    found = tree.at(held, "qos", feature, str(name)) if name not in (None, GLOBAL) else None
    return found if isinstance(found, dict) and found else None


# --- what lies beneath ---------------------------------------------------------------------------


def _base(macro: str | None) -> Running:
    same = {n: n for n in range(8)}
    maps = {"pcp": dict(same), "dscp": {n: n // 8 for n in range(64)}, "switch-priority": same}
    found = Running(maps=maps)
    if macro is None:
        found.served = {n: ("dwrr", 12 + n % 2) for n in range(8)}
        found.curves = {0: Curve()}
        found.cable = 10
        return found
    found.trust = "both"
    if macro == "lossy-multi-tc":
        return _multi(found)
    maps["switch-priority"] = {n: n if n in (3, 6) else 0 for n in range(8)}
    found.served = {0: ("dwrr", 50), 3: ("dwrr", 50), 6: ("strict", 0)}
    found.curves = {0: Curve(), 3: Curve()}
    if "lossless" in macro:
        found.paused, found.honours, found.sends = frozenset({3}), True, True
    return found


def _multi(found: Running) -> Running:
    """A traffic class for each kind of traffic, for packet trimming (5.14)."""
    points = {1: (1, 2), 2: (3, 4), 3: (5, 6), 4: range(11, 41)}
    found.maps["dscp"] = {
        n: next((p for p, held in points.items() if n in held), 0) for n in range(64)
    }
    shares = (4, 8, 18, 22, 22, 22, 4, 0)
    found.served = {n: ("dwrr", share) for n, share in enumerate(shares) if share}
    found.curves = {n: Curve(low=166_912, high=239_616, probability=5) for n in (1, 2, 3)}
    return found


def _reset(found: Running, plain: Running, feature: str) -> None:
    """A port's own profile replaces what the box says of its feature."""
    if feature == "mapping":
        found.trust, found.default = plain.trust, plain.default
        found.maps["pcp"], found.maps["dscp"] = (dict(plain.maps[n]) for n in ("pcp", "dscp"))
    elif feature == "pfc":
        found.paused, found.honours, found.sends = frozenset(), True, True
        found.cable = plain.cable
    elif feature == "remark":
        found.remark, found.rewrite = {}, ""


# --- what profiles say ---------------------------------------------------------------------------


def _mapping(found: Running, told: Mapping[str, Any], over: bool) -> None:
    found.trust = str(told.get("trust", found.trust))
    found.default = int(told.get("port-default-sp", found.default))
    for name in ("pcp", "dscp"):
        for point, held in (told.get(name) or {}).items():
            if "switch-priority" in held:
                found.maps[name][int(point)] = int(held["switch-priority"])


def _pfc(found: Running, told: Mapping[str, Any], over: bool) -> None:
    named = frozenset(int(n) for n in told.get("switch-priority") or {})
    if named or not over:
        found.paused = named
    for word, name in (("rx", "honours"), ("tx", "sends")):
        if word in told:
            setattr(found, name, told[word] == "enable")
        elif not over:
            setattr(found, name, True)
    found.cable = int(told.get("cable-length", found.cable))


def _curves(found: Running, told: Mapping[str, Any], over: bool) -> None:
    rows = {} if not over else copy.deepcopy(found.curves)
    for number, held in (told.get("traffic-class") or {}).items():
        row = rows.setdefault(int(number), Curve())
        row.ecn = held.get("ecn", "enable") == "enable"
        row.red = held.get("red", "disable") == "enable"
        row.relative = held.get("mode") == "relative"
        tail = "-threshold-percent" if row.relative else "-threshold"
        row.low = int(held.get(f"min{tail}", row.low))
        row.high = int(held.get(f"max{tail}", row.high))
        row.probability = int(held.get("probability", row.probability))
    found.curves = {n: row for n, row in rows.items() if row.ecn or row.red}


def _scheduler(found: Running, told: Mapping[str, Any], over: bool) -> None:
    rows = dict(found.served) if over else {}
    for number, held in (told.get("traffic-class") or {}).items():
        kind = str(held.get("mode", "dwrr"))
        rows[int(number)] = (kind, 0 if kind == "strict" else int(held.get("bw-percent", 0)))
    found.served = {n: row for n, row in rows.items() if row != ("dwrr", 0)}


def _pause(found: Running, told: Mapping[str, Any], over: bool) -> None:
    found.pause = told.get("rx") == "enable", told.get("tx") == "enable"


def _remark(found: Running, told: Mapping[str, Any], over: bool) -> None:
    found.rewrite = str(told.get("rewrite", found.rewrite))
    for number, held in (told.get("switch-priority") or {}).items():
        row = found.remark.setdefault(int(number), {})
        row.update({name: int(held[name]) for name in ("pcp", "dscp") if name in held})


def _queues(found: Running, told: Mapping[str, Any]) -> None:
    for number, held in (told.get("switch-priority") or {}).items():
        found.maps["switch-priority"][int(number)] = int(held.get("traffic-class", number))


_TAKERS: Final = {
    "mapping": _mapping,
    "pfc": _pfc,
    "congestion-control": _curves,
    "egress-scheduler": _scheduler,
    "link-pause": _pause,
    "remark": _remark,
}

# --- hardware ------------------------------------------------------------------------------------

#: Bytes of a cell by the model's first two digits (sonic-net/sonic-buildimage, asic_table.j2).
_CELLS: Final = {"2": 96, "3": 144, "4": 144, "5": 192, "6": 256}


def rounded(size: int, model: str | None) -> int:
    """Return a threshold as hardware has it: rounded up to 64 cells."""
    digit = next((c for c in model or "" if c.isdigit()), "5")
    quantum = 64 * _CELLS.get(digit, 192)
    return -(-size // quantum) * quantum
