"""Which objects an answer is about: kept as rectangles, folded into names at the end.

A rectangle is some devices, each with the same ports; without ports it is the devices themselves.
In a large fabric thousands of hosts share one rectangle, so nothing is written out that nobody
asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from lossless.nodeset import fold, sort_key

#: (devices, ports); no ports: the devices themselves.
Rect: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
Extent: TypeAlias = Sequence[Rect]
#: (device, port); a port of `None`: the device itself.
Pair: TypeAlias = tuple[str, str | None]
Memo: TypeAlias = dict[frozenset[str], list[str]]

#: Up to so many objects a fold is made from the objects themselves, which folds best.
EXACT: Final = 4096


def size(extent: Extent) -> int:
    """Return how many objects an extent holds."""
    return sum(len(devices) * max(1, len(ports)) for devices, ports in extent)


def from_pairs(pairs: Iterable[Pair]) -> list[Rect]:
    """Return the rectangles that hold exactly these objects, each once."""
    ports_of: dict[str, list[str]] = {}
    for device, port in pairs:
        ports = ports_of.get(device)
        if ports is None:
            ports = ports_of[device] = []
        if port is not None:
            ports.append(port)
    alike: dict[tuple[str, ...], list[str]] = {}
    for device, ports in ports_of.items():
        alike.setdefault(tuple(dict.fromkeys(ports)), []).append(device)
    return [(tuple(devices), ports) for ports, devices in alike.items()]


def names(extent: Extent, known: Memo | None = None) -> tuple[str, ...]:
    """Return folded names ("leaf[01-02]:Ethernet[1-8]/1"), in the order in which people count.

    `known` remembers what was folded, for callers that fold the same devices again and again.
    """
    memo = {} if known is None else known
    if size(extent) <= EXACT:
        extent = from_pairs(pairs(extent))
    out: set[str] = set()
    for devices, ports in _merged(extent):
        left = _folded(devices, memo)
        if ports:
            right = _folded(ports, memo)
            out.update(f"{device}:{port}" for device in left for port in right)
        else:
            out.update(left)
    return tuple(sorted(out, key=sort_key))


def _folded(together: frozenset[str], memo: Memo) -> list[str]:
    found = memo.get(together)
    if found is None:
        found = [*together] if len(together) == 1 else parts(fold(together))
        memo[together] = found
    return found


def pairs(extent: Extent) -> Iterable[Pair]:
    """Yield the objects of an extent, one by one."""
    for devices, ports in extent:
        for device in devices:
            if ports:
                yield from ((device, port) for port in ports)
            else:
                yield device, None


def _merged(extent: Extent) -> Iterable[tuple[frozenset[str], frozenset[str]]]:
    by_devices: dict[tuple[str, ...], set[str]] = {}
    for devices, ports in extent:
        by_devices.setdefault(devices, set()).update(ports)
    by_ports: dict[frozenset[str], set[str]] = {}
    for devices, together in by_devices.items():
        by_ports.setdefault(frozenset(together), set()).update(devices)
    return [(frozenset(devices), ports) for ports, devices in by_ports.items()]


def parts(folded: str) -> list[str]:
    """Split a folded text at the commas outside brackets."""
    out, depth, start = [], 0, 0
    for place, char in enumerate(folded):
        if char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
        elif char == "," and not depth:
            out.append(folded[start:place])
            start = place + 1
    return [*out, folded[start:]]


def short(folded: Sequence[str], count: int, limit: int = 3) -> str:
    """Return names for the middle of a sentence: a few, and how many objects in all."""
    if len(folded) <= limit:
        return ", ".join(folded)
    return f"{', '.join(folded[:limit])} and others ({count} in all)"
