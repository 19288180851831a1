"""Who shares an answer: from the places of a subject back to named objects."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

from lossless.findings import Target
from lossless.nodeset import sort_key
from lossless.rules.engine.census import DeviceGroup, LinkGroup
from lossless.rules.engine.extent import Extent, Pair, Rect, from_pairs, pairs, size
from lossless.topology.quotient import Climb, Climbs

#: From the number of a port class to its ports.
PortsOf: TypeAlias = Callable[[int], Sequence[Rect]]


class Instance(NamedTuple):
    """One object that has a fault.

    `where` is what the fault's field is looked up on; `here` and `there` are what the message
    names.  With a `link` the two are its ends, and both are at fault; otherwise `there` is only
    an example of a peer.  `first` says which of the two is listed first.
    """

    where: Target
    here: Pair
    there: Pair | None = None
    link: int | None = None
    first: bool = True


class Members(Protocol):
    """All subjects for which one asking of a rule holds."""

    def extent(self, at: int | None) -> Extent:
        """Return the objects at a place of the subject (`None`: the subject itself)."""

    def paired(self, at: int | None, peer: int | None) -> bool:
        """Say whether each object comes with its own peer, across a link."""

    def instances(self, at: int | None, peer: int | None) -> Iterator[Instance]:
        """Yield every object at a place, each with the peer that the answer points at."""


def _target(pair: Pair) -> Target:
    return Target(device=pair[0], port=pair[1])


@dataclass(frozen=True, slots=True)
class Ports:
    """Ports of one appearance; the only place is the port."""

    rects: Sequence[Rect]

    def extent(self, at: int | None) -> Extent:
        """Return the ports."""
        del at
        return self.rects

    def paired(self, at: int | None, peer: int | None) -> bool:
        """Never: a peer is an example at most."""
        del at, peer
        return False

    def instances(self, at: int | None, peer: int | None) -> Iterator[Instance]:
        """Yield each port."""
        del at, peer
        for devices, ports in self.rects:
            for device in devices:
                for port in ports:
                    yield Instance(Target(device, port), (device, port))


@dataclass(frozen=True, slots=True)
class Links:
    """Links of one appearance; place 0 is the `a` end, place 1 the `b` end."""

    groups: Sequence[LinkGroup]
    ports_of: PortsOf

    def extent(self, at: int | None) -> Extent:
        """Return the ports at one end; for the link itself its `a` end."""
        by_class: dict[int, list[LinkGroup]] = {}
        for group in self.groups:
            port = group.b if at == 1 else group.a
            by_class.setdefault(-1 if port is None else port.number, []).append(group)
        rects: list[Rect] = []
        for number, groups in by_class.items():
            whole = self.ports_of(number)
            if size(whole) == sum(len(group.ends) for group in groups):
                rects.extend(whole)  # every port of the class: known without a look at the links
            else:
                rects.extend(from_pairs(_side(groups, at)))
        return rects

    def paired(self, at: int | None, peer: int | None) -> bool:
        """Always."""
        del at, peer
        return True

    def instances(self, at: int | None, peer: int | None) -> Iterator[Instance]:
        """Yield each link, or the end at fault of each, with the other end."""
        del peer  # the peer of an end can only be the other
        for group in self.groups:
            for number, a_device, a_port, b_device, b_port in group.ends:
                a, b = (a_device, a_port), (b_device, b_port)
                if at is None:
                    yield Instance(Target(link=number), a, b, number)
                elif at == 0:
                    yield Instance(_target(a), a, b, number)
                else:
                    yield Instance(_target(b), b, a, number, first=False)


@dataclass(frozen=True, slots=True)
class Devices:
    """Devices of one appearance; place n is the n-th group of equal ports.

    `ports` holds, for each group of devices, the names of the ports at each place.
    """

    groups: Sequence[DeviceGroup]
    ports: Sequence[Sequence[tuple[str, ...]]]

    def extent(self, at: int | None) -> Extent:
        """Return the devices, or their ports at one place."""
        return [
            (tuple(d.name for d in group.devices), () if at is None else named[at])
            for group, named in zip(self.groups, self.ports, strict=True)
        ]

    def paired(self, at: int | None, peer: int | None) -> bool:
        """Never: a peer is an example at most."""
        del at, peer
        return False

    def instances(self, at: int | None, peer: int | None) -> Iterator[Instance]:
        """Yield each device, or each port at one place."""
        for group, named in zip(self.groups, self.ports, strict=True):
            for device in group.devices:
                there = None if peer is None else (device.name, named[peer][0])
                if at is None:
                    yield Instance(Target(device.name), (device.name, None), there)
                    continue
                for port in named[at]:
                    yield Instance(Target(device.name, port), (device.name, port), there)


@dataclass(frozen=True, slots=True)
class Whole:
    """The fabric; each place is a set of ports."""

    name: str
    places: Sequence[Sequence[Rect]]

    def extent(self, at: int | None) -> Extent:
        """Return the fabric's name, or the ports at one place."""
        return [((self.name,), ())] if at is None else self.places[at]

    def paired(self, at: int | None, peer: int | None) -> bool:
        """Never: a peer is an example at most."""
        del at, peer
        return False

    def instances(self, at: int | None, peer: int | None) -> Iterator[Instance]:
        """Yield the fabric, or each port at one place."""
        there = None if peer is None else _example(self.places[peer])
        if at is None:
            yield Instance(Target(), (self.name, None), there)
            return
        for devices, ports in self.places[at]:
            for device in devices:
                for port in ports:
                    yield Instance(Target(device, port), (device, port), there)


def _example(extent: Extent) -> Pair | None:
    """Return the first object as people count."""
    return min(pairs(extent), key=_counted, default=None)


@dataclass(slots=True, eq=False)
class Paths:
    """Paths that look alike; place n is the n-th port that a packet passes."""

    climbs: Climbs
    ports_of: PortsOf
    ways: list[tuple[Climb, Climb]] = field(default_factory=list)

    @property
    def likeness(self) -> Hashable:
        """What paths must share so that a place means the same in all of them."""
        return id(self.climbs), sum(map(len, self.ways[0]))

    def joined(self, others: Sequence[Paths]) -> Paths:
        """Return these and other paths of the same lens and length as one."""
        ways = dict.fromkeys(way for paths in (self, *others) for way in paths.ways)
        return Paths(self.climbs, self.ports_of, list(ways))

    def _passed(self, place: int) -> dict[tuple[Climb, int], list[Climb]]:
        """Return the climbs on which a place lies, where on them, and what they meet."""
        passed: dict[tuple[Climb, int], list[Climb]] = {}
        for up, down in self.ways:
            if place < len(up):
                passed.setdefault((up, place), []).append(down)
            else:
                passed.setdefault((down, len(up) + len(down) - 1 - place), []).append(up)
        return passed

    def _ends(self, place: int) -> Iterator[tuple[int, Pair, Pair]]:
        """Yield each link that a place lies on: its number, the port there, the other port."""
        for (climb, at), others in self._passed(place).items():
            for end in self.climbs.ends(climb, others, at // 2):
                low, high = (end[1], end[2]), (end[3], end[4])
                yield (end[0], low, high) if at % 2 == 0 else (end[0], high, low)

    def paired(self, at: int | None, peer: int | None) -> bool:
        """Say whether two places are the two ends of one link, on every way."""
        if peer is None or at == peer:
            return False
        place = at or 0
        return all(
            (place < len(up)) == (peer < len(up))
            and _level(place, up, down) == _level(peer, up, down)
            for up, down in self.ways
        )

    def extent(self, at: int | None) -> Extent:
        """Return the ports at a place of all these paths; for the path itself its senders.

        All ports that look alike are returned, whether or not there is somebody to send to.
        """
        colours = {
            colour
            for climb, place in self._passed(at or 0)
            for colour in self.climbs.colours(climb, place)
        }
        return [rect for colour in sorted(colours) for rect in self.ports_of(colour)]

    def instances(self, at: int | None, peer: int | None) -> Iterator[Instance]:
        """Yield each port at a place, with its peer at the other end of the link.

        A peer elsewhere on the way is an example, the first as people count, since many share it.
        """
        place = at or 0
        if self.paired(at, peer):
            for number, here, there in dict.fromkeys(self._ends(place)):
                yield Instance(Target(*here), here, there, number)
            return
        example = None
        if peer is not None:
            example = min((port for _, port, _ in self._ends(peer)), key=_counted, default=None)
        for here in dict.fromkeys(port for _, port, _ in self._ends(place)):
            yield Instance(Target(*here), here, example)


def _level(place: int, up: Climb, down: Climb) -> int:
    """Return which link of its climb a place lies on."""
    return place // 2 if place < len(up) else (len(up) + len(down) - 1 - place) // 2


def _counted(pair: Pair) -> tuple[object, object]:
    return sort_key(pair[0]), sort_key(pair[1] or "")


def _side(groups: Sequence[LinkGroup], at: int | None) -> Iterator[Pair]:
    """Yield the ports at the `a` end of links, or at the `b` end (1)."""
    for group in groups:
        for end in group.ends:
            yield (end[3], end[4]) if at == 1 else (end[1], end[2])


def joined(many: Sequence[Members]) -> Iterator[Members]:
    """Yield members, paths that can be walked together as one."""
    together: dict[Hashable, list[Paths]] = {}
    for members in many:
        if isinstance(members, Paths):
            together.setdefault(members.likeness, []).append(members)
        else:
            yield members
    for paths in together.values():
        yield paths[0].joined(paths[1:])
