"""The way between two NICs: shortest, up and down without valleys, and how many equal ones."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from lossless.model.device import Device, Port
from lossless.model.fabric import Fabric, Link
from lossless.topology.tiers import tiers

#: (device, port, whether the packet comes in there)
Passing = tuple[Device, Port, bool]


@dataclass(frozen=True, slots=True)
class Route:
    """One of the shortest ways, port by port, and how many ways are equally short.

    `ways` counts links apart: two cables between the same two switches are two ways.
    """

    ports: tuple[Passing, ...]
    ways: int


@dataclass(slots=True)
class _Reached:
    """A device that a climb arrives at: by how many hops, how many ways, and over which links."""

    hops: int
    ways: int
    via: list[_Rung] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Rung:
    """A link that climbs, with its lower end first."""

    low: Device
    exit: Port
    high: Device
    entry: Port
    number: int


def route(fabric: Fabric, source: tuple[str, str], destination: tuple[str, str]) -> Route | None:
    """Return a shortest way from one NIC to another, each given as (device, port).

    `None` where no declared way without valleys joins them.  Of equal ways the one over the
    links that were declared first is returned.
    """
    direct = _direct(fabric, source, destination)
    if direct is not None:
        return Route(direct, 1)
    rungs = _rungs(fabric)
    ups, downs = _climb(rungs, *source), _climb(rungs, *destination)
    turns = [(ups[at].hops + downs[at].hops, at) for at in ups if at in downs]
    if not turns or source == destination:
        return None
    best = min(hops for hops, _ in turns)
    nearest = [at for hops, at in turns if hops == best]
    ways = sum(ups[at].ways * downs[at].ways for at in nearest)
    chosen = min(nearest, key=lambda at: (ups[at].via[0].number, downs[at].via[0].number))
    return Route((*_ascent(ups, chosen), *_descent(downs, chosen)), ways)


def _direct(
    fabric: Fabric, source: tuple[str, str], destination: tuple[str, str]
) -> tuple[Passing, ...] | None:
    for link in fabric.links:
        ends = (link.a_device.name, link.a.name), (link.b_device.name, link.b.name)
        if ends == (source, destination):
            return (link.a_device, link.a, False), (link.b_device, link.b, True)
        if ends == (destination, source):
            return (link.b_device, link.b, False), (link.a_device, link.a, True)
    return None


def _rungs(fabric: Fabric) -> dict[str, list[_Rung]]:
    """Return the climbing links by their lower device, in the order declared."""
    heights = tiers(fabric)
    out: dict[str, list[_Rung]] = defaultdict(list)
    for link in fabric.links:
        a, b = heights.get(link.a_device.name), heights.get(link.b_device.name)
        if a is None or b is None or a == b:
            continue
        rung = _rung(link, climbs=a < b)
        out[rung.low.name].append(rung)
    return out


def _rung(link: Link, *, climbs: bool) -> _Rung:
    if climbs:
        return _Rung(link.a_device, link.a, link.b_device, link.b, link.number)
    return _Rung(link.b_device, link.b, link.a_device, link.a, link.number)


def _climb(rungs: dict[str, list[_Rung]], device: str, port: str) -> dict[str, _Reached]:
    """Return every device above a NIC's port, with the shortest climbs to it."""
    reached: dict[str, _Reached] = {}
    level = [(rung, 1) for rung in rungs.get(device, ()) if rung.exit.name == port]
    hops = 1
    while level:
        arrived: dict[str, None] = {}
        for rung, ways in level:
            at = reached.setdefault(rung.high.name, _Reached(hops, 0))
            if at.hops == hops:
                at.ways += ways
                at.via.append(rung)
                arrived[rung.high.name] = None
        level = [(rung, reached[name].ways) for name in arrived for rung in rungs.get(name, ())]
        hops += 1
    return reached


def _ascent(reached: dict[str, _Reached], top: str) -> list[Passing]:
    """Return the ports passed on the way up to a device, from the NIC on."""
    ports: list[Passing] = []
    at: str | None = top
    while at is not None:
        rung = reached[at].via[0]
        ports += [(rung.high, rung.entry, True), (rung.low, rung.exit, False)]
        at = rung.low.name if rung.low.name in reached else None
    return ports[::-1]


def _descent(reached: dict[str, _Reached], top: str) -> list[Passing]:
    """Return the ports passed on the way down from a device, to the NIC."""
    return [(device, port, not inward) for device, port, inward in reversed(_ascent(reached, top))]
