"""The device entries of a declaration: who is declared, and which statements reach a port.

Nothing is stored per port.  What speaks of a port is worked out again when somebody asks, from
the few entries that name its device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lossless.intent.entries import Entry, pair, read_names, zip_entry
from lossless.intent.layers import Layer, Path, Sources, normal
from lossless.intent.piles import PortEntry, pile_devices, pile_ports
from lossless.intent.problems import Problems
from lossless.nodeset import NodeSetError, expand

#: Section of the inventory → the key that holds its ports, and the kind of device.
SECTIONS = {"switches": ("ports", "switch"), "hosts": ("nics", "host")}

#: Keys of a device entry that say who it is and how it is built; the rest are statements.
IDENTITY = frozenset(
    {
        "platform",
        "version",
        "model",
        "hwsku",
        "profile",
        "role",
        "fabric",
        "rail",
        "plane",
        "access",
        "breakout",
        "lags",
        "bonds",
        "mlag",
        "raw",
        "description",
    }
)
#: Keys of a port entry that say who it is; the rest are statements.
PORT_IDENTITY = frozenset(
    {
        "platform",
        "model",
        "role",
        "fabric",
        "rail",
        "plane",
        "rdma",
        "pci",
        "alias",
        "description",
    }
)
#: Keys of a LAG that say what it is; the rest are statements about its members.
LAG_IDENTITY = PORT_IDENTITY | {"members", "bond_mode"}
_STRUCTURE = frozenset({"ports", "nics", "lint", "maintenance"})


@dataclass(slots=True, eq=False)
class Declared:
    """Every device that an inventory declares, and the entries that name it."""

    data: Mapping[str, Any]
    sources: Sources
    problems: Problems
    owners: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    _piles: dict[tuple[Entry, ...], tuple[Entry, ...]] = field(default_factory=dict)
    _ports: dict[tuple[int, str], list[Entry]] = field(default_factory=dict)
    _port_piles: dict[tuple[int, ...], tuple[PortEntry, ...]] = field(default_factory=dict)
    _places: dict[int, dict[str, int]] = field(default_factory=dict)
    _owned: dict[tuple[str, str], tuple[Entry, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for section in SECTIONS:
            for order, (key, held) in enumerate((self.data.get(section) or {}).items()):
                self._add(section, key, held or {}, order)

    def _add(self, section: str, key: str, held: Mapping[str, Any], order: int) -> None:
        path: Path = (section, key)
        names = read_names(key, path, self.problems)
        entry = Entry(key, names, held, path, order)
        zip_entry(entry, None, self.problems)
        if section == "switches":
            self._no_environment(held, path)
        access = held.get("access")
        if isinstance(access, Mapping) and access.get("address") is not None:
            here = (*path, "access", "address")
            pair(entry, None, "address", access["address"], here, self.problems)
        alone = (entry,)
        for name in names:
            other = self.kinds.setdefault(name, section)
            if other != section:
                there: Path = self.owners[name][0].path
                related = [(there, f"declared in {other}")]
                self.problems.add(f"{name} is a switch and a host", path, None, related)
            elif name in self.owners:
                self.owners[name] = (*self.owners[name], entry)
            else:
                self.owners[name] = alone

    def pile(self, device: str) -> tuple[Entry, ...]:
        """Return the entries that name a device, from low to high."""
        entries = self.owners[device]
        if len(entries) == 1:
            return entries
        known = self._piles.get(entries)
        if known is None:
            known = self._piles[entries] = pile_devices(entries, self.problems)
        return known

    def place(self, entry: Entry, name: str) -> int:
        """Return the place of a name in an entry's set."""
        if len(entry.names) == 1:
            return 0
        places = self._places.get(id(entry))
        if places is None:
            places = self._places[id(entry)] = {n: i for i, n in enumerate(entry.names)}
        return places[name]

    def port_entries(self, entry: Entry) -> list[Entry]:
        """Return the port entries inside a device entry."""
        key = SECTIONS[str(entry.path[0])][0]
        held = entry.data.get(key)
        if not held:
            return []
        # Devices of one name with equal ports (one object) share what was read of them; in a set,
        # what zips depends on the set.
        memo = (id(held) if len(entry.names) == 1 else id(entry), key)
        known = self._ports.get(memo)
        if known is None:
            known = self._ports[memo] = []
            for order, (text, data) in enumerate(held.items()):
                path = (*entry.path, key, text)
                port = Entry(text, read_names(text, path, self.problems), data or {}, path, order)
                zip_entry(port, entry, self.problems)
                self._no_environment(port.data, path)
                known.append(port)
        return known

    def _no_environment(self, data: Mapping[str, Any], path: Path) -> None:
        """Refuse variables where no process runs: they would be read by nobody."""
        if data.get("collectives"):
            said = "collectives are the environment of a host, and this is none"
            hint = "write them under the host, a role or policy"
            self.problems.add(said, (*path, "collectives"), hint)

    def ports(self, device: str) -> dict[str, tuple[PortEntry, ...]]:
        """Return the ports of a device in written order, with their entries from low to high."""
        found: dict[str, list[PortEntry]] = {}
        for rank, entry in enumerate(self.pile(device)):
            for port in self.port_entries(entry):
                for index, name in enumerate(port.names):
                    found.setdefault(name, []).append(PortEntry(entry, rank, port, index))
        return {name: self._pile(entries) for name, entries in found.items()}

    def port(self, device: str, port: str) -> tuple[PortEntry, ...]:
        """Return the entries of one port, from low to high."""
        found = [
            PortEntry(entry, rank, held, held.names.index(port))
            for rank, entry in enumerate(self.pile(device))
            for held in self.port_entries(entry)
            if port in held.members
        ]
        return self._pile(found)

    def _pile(self, entries: Sequence[PortEntry]) -> tuple[PortEntry, ...]:
        if len(entries) == 1:
            return tuple(entries)
        order = tuple(id(e.port) for e in entries)
        if order not in self._port_piles:
            self._port_piles[order] = pile_ports(entries, self.problems)
            return self._port_piles[order]
        rank = {id(e.port): e for e in entries}
        return tuple(rank[id(e.port)] for e in self._port_piles[order])

    def device_layers(self, device: str) -> list[Layer]:
        """Return what is written about a device itself, from low to high."""
        return [
            Layer(normal(entry.data), entry.path, self.sources, dotted(entry.path))
            for entry in self.pile(device)
        ]

    def port_layers(self, device: str, port: str) -> list[Layer]:
        """Return what is written about one port, from low to high."""
        return [
            Layer(normal(e.port.data), e.path, self.sources, dotted(e.path))
            for e in self.port(device, port)
        ]

    def expanded(self, key: str) -> frozenset[str]:
        """Return the names of a key that was read before; none of one that cannot be read."""
        try:
            return frozenset(expand(key))
        except NodeSetError:
            return frozenset()

    def devices(self) -> Iterator[str]:
        """Yield the names of all devices, in written order."""
        return iter(self.owners)


def statements(data: Mapping[str, Any], identity: frozenset[str]) -> dict[str, Any]:
    """Return what an entry states beside identity and structure."""
    return {k: v for k, v in data.items() if k not in identity and k not in _STRUCTURE}


def dotted(path: Path) -> str:
    """Return a path as text."""
    return ".".join(map(str, path))
