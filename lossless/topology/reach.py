"""Whom a port or device serves: the hosts beneath it, and their rails."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from lossless.topology.quotient import End
from lossless.topology.tiers import HOST_TIER


class Served(NamedTuple):
    """Hosts by name, and the rails of the NICs concerned."""

    hosts: frozenset[str] = frozenset()
    rails: frozenset[int] = frozenset()


_NOBODY = Served()


class Reach:
    """Answers whom an object serves.  `rail` tells the rail of a host's port."""

    def __init__(
        self,
        ends: Iterable[End],
        tiers: Mapping[str, int | None],
        rail: Callable[[str, str], int | None],
    ) -> None:
        self._tiers = tiers
        self._rail = rail
        self._ends: dict[str, list[End]] = defaultdict(list)
        for end in ends:
            self._ends[end[1]].append(end)
            self._ends[end[3]].append(end)
        self.hosts = frozenset(name for name, tier in tiers.items() if tier == HOST_TIER)
        self._below: dict[str, Served] = {}
        self._by_port: dict[str, dict[str, End]] = {}

    def serves(self, device: str, port: str | None = None) -> Served:
        """Return whom a port serves; without a port, whom the whole device does.

        An uplink serves everybody beneath its device, because traffic of all of them may take it.
        """
        if self._tiers.get(device) == HOST_TIER:
            return self._host(device, port)
        if port is None:
            return self._beneath(device)
        end = self._port(device, port)
        if end is None:
            return _NOBODY
        _, lower, lower_port, upper, _ = end
        if device != upper:
            return self._beneath(device)
        if self._tiers.get(lower) == HOST_TIER:
            return self._host(lower, lower_port)
        return self._beneath(lower)

    def all_served(self, objects: Iterable[tuple[str, str | None]]) -> Served:
        """Return whom any of the objects serves."""
        hosts: set[str] = set()
        rails: set[int] = set()
        known: set[int] = set()
        for device, port in objects:
            served = self.serves(device, port)
            if id(served) in known:
                continue
            if self._below.get(device) is served:
                known.add(id(served))
            rails |= served.rails
            if len(hosts) < len(self.hosts):
                hosts |= served.hosts
        return Served(frozenset(hosts), frozenset(rails))

    def _host(self, host: str, port: str | None) -> Served:
        ports = [port] if port is not None else [end[2] for end in self._ends[host]]
        rails = {self._rail(host, name) for name in ports} - {None}
        return Served(frozenset({host}), frozenset(r for r in rails if r is not None))

    def _port(self, device: str, port: str) -> End | None:
        named = self._by_port.get(device)
        if named is None:
            named = self._by_port[device] = {
                (end[2] if end[1] == device else end[4]): end for end in self._ends[device]
            }
        return named.get(port)

    def _beneath(self, device: str) -> Served:
        found = self._below.get(device)
        if found is not None:
            return found
        self._below[device] = _NOBODY  # a link between equals must not send us round in circles
        mine = self._tiers.get(device)
        hosts: set[str] = set()
        rails: set[int] = set()
        for _, lower, lower_port, upper, _ in self._ends[device]:
            tier = self._tiers.get(lower)
            if upper != device or tier is None or mine is None or tier >= mine:
                continue
            nearer = self._host(lower, lower_port) if tier == HOST_TIER else self._beneath(lower)
            rails |= nearer.rails
            if len(hosts) < len(self.hosts):
                hosts |= nearer.hosts
        found = self._below[device] = Served(frozenset(hosts), frozenset(rails))
        return found
