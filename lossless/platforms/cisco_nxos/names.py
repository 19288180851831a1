"""Names on NX-OS: interfaces and ranges of them, objects, and the classes that the system defines.

Interfaces are named in full (`Ethernet1/1`), as the running configuration does; tables shorten them
(`Eth1/1`).  On a Nexus 9000 the classes of queuing and network-qos policies cannot be made: their
names are given, and each stands for the qos-group of its number (`show running-config all` and
`show policy-map system` of Nexus 9000: `c-out-8q-q3` and `c-8q-nq3` match qos-group 3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

#: Ports that carry traffic and hence settings of ours.
PORT: Final = re.compile(r"Ethernet\d{1,3}(?:/\d{1,3}){1,2}|port-channel\d{1,4}")
#: Names of objects that we write.
NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/@+-]{0,62}")

GROUPS: Final = range(8)

_SHORT: Final = {
    "e": "Ethernet",
    "eth": "Ethernet",
    "ethernet": "Ethernet",
    "po": "port-channel",
    "port-channel": "port-channel",
}
_SPELLED: Final = re.compile(r"(?i)(ethernet|eth|e|port-channel|po)\s*(\d[\d/,\-\s]*)")
_PART: Final = re.compile(r"((?:\d{1,4}/){0,2})(\d{1,4})(?:-((?:\d{1,4}/){0,2})(\d{1,4}))?")
_MOST: Final = 4096  # no box has as many ports; a range beyond it is damage

_SYSTEM_CLASS: Final = re.compile(
    r"c-(?:(?P<eight>8q-)?nq|out-(?P<eight_out>8q-)?q|in-(?P<eight_in>8q-)?q)(?P<n>[0-7]|-default)"
)
#: Policies that the system defines; they stand for its defaults and are never shown.
DEFAULT_POLICY: Final = re.compile(r"default-(?:[48]q-(?:\d+q-)?)?(?:in|out|nq)-policy")


@dataclass(frozen=True, slots=True)
class SystemClass:
    """A class that the system defines: its qos-group, and of how many queues a set."""

    group: int
    queues: int  # 4 or 8


def is_port(name: str) -> bool:
    """Say whether a name is one port in NX-OS's own spelling."""
    return PORT.fullmatch(name) is not None


def is_name(name: str) -> bool:
    """Say whether a name of an object may be written to a device."""
    return NAME.fullmatch(name) is not None


def full_name(name: str) -> str:
    """Return a port's full name (`Eth1/1` → `Ethernet1/1`); anything else as it is."""
    found = _SPELLED.fullmatch(name.strip())
    if found is None:
        return name.strip()
    return _SHORT[found[1].lower()] + re.sub(r"\s", "", found[2])


def expand(spelled: str) -> tuple[str, ...]:
    """Return the ports that an `interface` line names, in order; `()` where it names none of ours.

    Accepts one port, comma lists and ranges whose ends share all but the last number
    (`Ethernet1/1-4`, `Ethernet 1/3/1-2,Ethernet1/7`).
    """
    found = _SPELLED.fullmatch(re.sub(r"(?i),\s*(?:ethernet|eth|e)\s*", ",", spelled.strip()))
    if found is None:
        return ()
    kind = _SHORT[found[1].lower()]
    names: list[str] = []
    for part in re.sub(r"\s", "", found[2]).split(","):
        numbers = _expand_part(part)
        if not numbers:
            return ()
        names += [kind + number for number in numbers]
        if len(names) > _MOST:
            return ()
    return tuple(names) if all(is_port(name) for name in names) else ()


def _expand_part(part: str) -> list[str]:
    found = _PART.fullmatch(part)
    if found is None:
        return []
    prefix, low, other, high = found[1], int(found[2]), found[3], found[4]
    if high is None:
        return [f"{prefix}{low}"]
    if other and other != prefix:
        return []  # which of several numbers runs is not told by the text
    if not 0 <= int(high) - low < _MOST:
        return []
    return [f"{prefix}{number}" for number in range(low, int(high) + 1)]


def system_class(name: str) -> SystemClass | None:
    """Return what a system-defined class stands for; `None` where the name is somebody's own."""
    found = _SYSTEM_CLASS.fullmatch(name)
    if found is None:
        return None
    eight = found["eight"] or found["eight_out"] or found["eight_in"]
    group = 0 if found["n"] == "-default" else int(found["n"])
    # Input classes are the same names for either set: c-in-q1 to q7 and c-in-q-default.
    queues = 8 if eight or name.startswith("c-in-") else 4
    return SystemClass(group, queues)


def class_name(kind: str, group: int) -> str:
    """Return the system's name of a group's class: `kind` is "network-qos", "output" or "input"."""
    number = "-default" if group == 0 else str(group)
    return {"network-qos": "c-8q-nq", "output": "c-out-8q-q", "input": "c-in-q"}[kind] + number


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key by which Ethernet1/2 stands before Ethernet1/10."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part)
        for part in re.split(r"(\d+)", name)
        if part
    )
