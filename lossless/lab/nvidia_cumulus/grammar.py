"""What a release of NVUE takes: places of its tree under ports and quality of service.

Written from NVIDIA's OpenAPI documents of 5.0 to 5.18 and the manual's quality-of-service chapter.
Everything else of a switch (addresses, routing, users) is taken as it comes: it is no concern of
the lab.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

#: Branches at the top, of which only `qos` and parts of `interface` have a grammar here.
TOP: Final = (
    "acl", "bridge", "evpn", "interface", "maintenance", "mlag", "nve", "platform", "qos",
    "router", "service", "system", "vrf",
)  # fmt: skip
_NEWEST: Final = 18
_ENDS: Final = re.compile(r"(\d+)\.\.(\d*)")

# since[-until], place, what it holds: words (word@since), low..high, NAME, or nothing: an item.
_QOS: Final = """
0-14  roce enable                                          on off
15    roce state                                           enabled disabled
0     roce mode                lossy lossless lossless-single-ipool@12 lossy-multi-tc@14 dci-1@18
18    roce mode                                            dci-custom
0     roce cable-length                                    1..100000 !3
3     mapping NAME trust                                   l2 l3 both port
3     mapping NAME port-default-sp                         0..7
3     mapping NAME pcp 0..7 switch-priority                0..7
3     mapping NAME dscp 0..63 switch-priority              0..7
4     remark NAME rewrite                                  l2 l3 both
4     remark NAME switch-priority 0..7 dscp                0..63
4     remark NAME switch-priority 0..7 pcp                 0..7
3     egress-queue-mapping NAME switch-priority 0..7 traffic-class  0..7
3     egress-scheduler NAME traffic-class 0..7 mode        dwrr strict
3     egress-scheduler NAME traffic-class 0..7 bw-percent  0..100
16    egress-shaper NAME mode                              kbps pps
4     egress-shaper NAME port-max-rate                     0..2147483647
4     egress-shaper NAME traffic-class 0..7 max-rate       0..2147483647
4     egress-shaper NAME traffic-class 0..7 min-rate       0..2147483647
3     congestion-control NAME traffic-class 0..7 ecn       enable disable
3     congestion-control NAME traffic-class 0..7 red       enable disable
3     congestion-control NAME traffic-class 0..7 min-threshold  1..
3     congestion-control NAME traffic-class 0..7 max-threshold  1..
3     congestion-control NAME traffic-class 0..7 probability    0..100
17    congestion-control NAME traffic-class 0..7 mode      absolute relative
17    congestion-control NAME traffic-class 0..7 min-threshold-percent  0..100
17    congestion-control NAME traffic-class 0..7 max-threshold-percent  0..100
3     pfc NAME switch-priority 0..7
3     pfc NAME rx                                          enable disable
3     pfc NAME tx                                          enable disable
3     pfc NAME cable-length                                1..100000
3     pfc NAME port-buffer                                 1..
3     pfc NAME xoff-threshold                              1..
3     pfc NAME xon-threshold                               1..
17    pfc NAME small-packet-probability                    0..100
6     pfc-watchdog polling-interval                        100..5000
6     pfc-watchdog robustness                              1..1000
4     link-pause NAME rx                                   enable disable
4     link-pause NAME tx                                   enable disable
4     link-pause NAME cable-length                         1..100000
4     link-pause NAME port-buffer                          1..
4     link-pause NAME xoff-threshold                       1..
4     link-pause NAME xon-threshold                        1..
3     traffic-pool NAME memory-percent                     1..100
3     traffic-pool NAME switch-priority 0..7
4     advance-buffer-config NAME ANY
"""
_INTERFACE: Final = """
0     type                                                 NAME
0     link mtu                                             552..9216
0     link speed               auto 10M 100M 1G 10G 25G 40G 50G 100G 200G 400G 800G@2
0     link fec                                             auto baser off rs driver-auto
0-14  link auto-negotiate                                  on off
15    link auto-negotiate                                  enabled disabled
0     link state up
0     link state down
0     link ANY
1-14  lldp dcbx-pfc-tlv                                    on off
1-14  lldp dcbx-ets-config-tlv                             on off
1-14  lldp dcbx-ets-recomm-tlv                             on off
15    lldp dcbx-pfc-tlv                                    enabled disabled
15    lldp dcbx-ets-config-tlv                             enabled disabled
15    lldp dcbx-ets-recomm-tlv                             enabled disabled
3     qos mapping profile                                  NAME
3     qos pfc profile                                      NAME
3     qos congestion-control profile                       NAME
3     qos egress-scheduler profile                         NAME
4     qos remark profile                                   NAME
4     qos egress-shaper profile                            NAME
4     qos link-pause profile                               NAME
6     qos pfc-watchdog state                               enable disable
16    qos headroom lossy extra-threshold                   192..1236480
17    qos shared-headroom-pool                             enabled disabled
"""


@dataclass(slots=True)
class Place:
    """A place of the tree: what may stand below it, or what it holds.

    `words` are by the first release that takes them; `low` and `high` a range; `named` any name;
    `free` anything at all, with anything below.
    """

    below: dict[str, Place] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    low: int | None = None
    high: int | None = None
    named: bool = False
    free: bool = False

    @property
    def holds(self) -> bool:
        """Say whether a value stands here."""
        return bool(self.words) or self.low is not None or self.named

    def step(self, word: str) -> Place | None:
        """Return the place below under a word or an id; `None` where there is none."""
        if self.free:
            return self
        for name, place in self.below.items():
            if name == word or (name == "NAME" and _name(word)) or _in(name, word):
                return place
        return self.below.get("ANY")

    def refuses(self, value: str) -> str | None:
        """Say why a value cannot stand here; `None` where it can."""
        if self.named:
            return None if _name(value) else f"'{value}' is not a valid name"
        if self.low is None:
            return None if value in self.words else f"'{value}' is not one of {list(self.words)}"
        top = "" if self.high is None else f" - {self.high}"
        if not re.fullmatch(r"[0-9]{1,12}", value):
            return f"'{value}' is not an integer: {self.low}{top}"
        fits = int(value) >= self.low and (self.high is None or int(value) <= self.high)
        return None if fits else f"{value} is out of range: {self.low}{top}"


def _name(word: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}", word) is not None


def _in(name: str, word: str) -> bool:
    ends = _ENDS.fullmatch(name)
    if ends is None or not re.fullmatch(r"[0-9]{1,4}", word):
        return False
    return int(ends[1]) <= int(word) <= int(ends[2])


@cache
def grammar(release: int) -> Place:
    """Return what a release takes (18: 5.18); one for all boxes, so nobody changes it."""
    root = Place(below={name: Place(free=True) for name in TOP})
    root.below["qos"] = _read(_QOS, release)
    port = _read(_INTERFACE, release)
    port.below["ANY"] = Place(free=True)
    root.below["interface"] = Place(below={"NAME": port})
    return root


def _read(table: str, release: int) -> Place:
    root = Place()
    for line in table.strip().split("\n"):
        span, *words = line.split()
        since, _, until = span.partition("-")
        last = int(until) if until else _NEWEST
        if words[-1].startswith("!"):
            last = int(words.pop()[1:]) - 1
        if not int(since) <= release <= last:
            continue
        path, held = _cut(line, words)
        place = root
        for step in path:
            place = place.below.setdefault(step, Place())
        _hold(place, held, release)
        if path[-1] == "ANY":
            place.free = True
    return root


def _cut(line: str, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part the words of a line where two blanks stand after its first column."""
    _, _, rest = line.partition(" ")
    columns = re.split(r" {2,}", rest.strip())
    path = columns[0].split()
    return path, list(words[len(path) :])


def _hold(place: Place, held: Sequence[str], release: int) -> None:
    for word in held:
        ends = _ENDS.fullmatch(word)
        if ends is not None:
            place.low, place.high = int(ends[1]), int(ends[2]) if ends[2] else None
        elif word == "NAME":
            place.named = True
        else:
            name, _, since = word.partition("@")
            if int(since or 0) <= release:
                place.words[name] = release


class Refused(Exception):  # noqa: N818 - a switch says no
    """Words that NVUE does not take; the argument says why."""


def bare(path: Sequence[str], release: int) -> tuple[str, str] | None:
    """Return what setting a place bare sets below it: `nv set qos roce` turns it on."""
    if tuple(path) == ("qos", "roce"):
        return ("enable", "on") if release < 15 else ("state", "enabled")
    if path[0] == "interface" and tuple(path[2:]) == ("qos", "pfc-watchdog") and release >= 6:
        return "state", "enable"
    return None


def check(root: Place, path: Sequence[str], held: Any) -> None:
    """See that a leaf may stand in the tree: a value, or `{}` for an item.

    Raises `Refused`.
    """
    place = root
    for number, word in enumerate(path):
        below = place.step(word)
        if below is None:
            where = " ".join(path[:number]) or "the top"
            known = ", ".join(place.below)
            raise Refused(f"'{word}' is not known at {where}: {known or 'nothing stands there'}")
        if below.free:
            return
        place = below
    if isinstance(held, dict):
        if place.holds:
            raise Refused(f"a value is missing after '{' '.join(path)}'")
        return
    if not place.holds:
        raise Refused(f"'{held}' is not known at {' '.join(path)}")
    why = place.refuses(str(held))
    if why is not None:
        raise Refused(f"at '{path[-1]}': {why}")
