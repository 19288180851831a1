"""Which entries speak of a device and of a port, and in what order they lie over each other.

A narrower set refines a wider one.  The device's selector is compared first, then the port's:
an entry lies above another where both its selectors are inside the other's.  Two entries of which
neither is inside the other must not state one field differently; that is a problem which names
both, unless a third entry inside both decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from lossless.intent.entries import Entry, order_entries
from lossless.intent.layers import Path, disagreements
from lossless.intent.problems import Problems

#: Keys of an entry that are not one field each: ports have their own order, remarks pile up.
_NOT_FIELDS = frozenset({"ports", "nics", "lint", "maintenance"})


@dataclass(frozen=True, slots=True)
class PortEntry:
    """An entry for ports, inside an entry for devices; `index` is the port's place in its set."""

    device: Entry
    rank: int
    port: Entry
    index: int

    @property
    def path(self) -> Path:
        """Where the entry is written: devices with equal ports share the port's part of it."""
        return (*self.device.path, *self.port.path[-2:])

    def within(self, other: PortEntry) -> bool:
        """Say whether both selectors lie inside the other's, and one is narrower."""
        if not (self.device is other.device or self.device.within(other.device)):
            return False
        if not self.port.within(other.port):
            return False
        narrower_device = len(self.device.names) < len(other.device.names)
        return narrower_device or len(self.port.names) < len(other.port.names)


def pile_devices(entries: Sequence[Entry], problems: Problems) -> tuple[Entry, ...]:
    """Order the entries of one device from low to high."""
    pile = tuple(order_entries(entries))
    for low, high in combinations(pile, 2):
        if not (high.within(low) and len(high.names) < len(low.names)):
            above = [e for e in pile if _inside(e, low) and _inside(e, high)]
            said = (low.data, low.path), (high.data, high.path)
            _report(*said, [e.data for e in above], problems)
    return pile


def _inside(one: Entry, other: Entry) -> bool:
    return one is not other and len(one.names) < len(other.names) and one.within(other)


def pile_ports(entries: Sequence[PortEntry], problems: Problems) -> tuple[PortEntry, ...]:
    """Order the entries of one port from low to high."""
    if len(entries) == 1:
        return tuple(entries)
    pile = tuple(sorted(entries, key=lambda e: (e.rank, -len(e.port.names), e.port.order)))
    for low, high in combinations(pile, 2):
        if not high.within(low):
            above = [e.port.data for e in pile if e.within(low) and e.within(high)]
            said = (low.port.data, low.path), (high.port.data, high.path)
            _report(*said, above, problems)
    return pile


def _report(
    one: tuple[Mapping[str, Any], Path],
    other: tuple[Mapping[str, Any], Path],
    above: Sequence[Mapping[str, Any]],
    problems: Problems,
) -> None:
    """Note every field that two entries state differently and nobody above decides."""
    (left, here), (right, there) = one, other
    left = {k: v for k, v in left.items() if k not in _NOT_FIELDS}
    for path in disagreements(left, right):
        if any(_states(data, path) for data in above):
            continue
        shown = ".".join(map(str, path))
        problems.add(
            f"{shown} is stated differently by {_name(here)} and by {_name(there)}, "
            "and neither is inside the other",
            (*there, *path),
            "write the members that both name as an entry of their own",
            [((*here, *path), f"also stated by {_name(here)}")],
        )


def _states(data: Mapping[str, Any], path: Path) -> bool:
    held: Any = data
    for step in path:
        if not isinstance(held, Mapping):
            return True
        if step not in held:
            return False
        held = held[step]
    return True


def _name(path: Path) -> str:
    keys = [str(step) for step in path if step not in ("switches", "hosts", "ports", "nics")]
    return ":".join(keys)
