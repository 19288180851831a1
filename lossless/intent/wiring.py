"""From the expanded cabling to links between the devices that were built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lossless.intent.cabling import UNKNOWN_PORT, End, LinkIndex, Plan, Planner
from lossless.intent.declared import Declared
from lossless.intent.entries import read_names
from lossless.intent.expressions import ExpressionError
from lossless.intent.lowering.values import switch
from lossless.intent.ports import TIERS
from lossless.intent.problems import Chorus, Problems
from lossless.intent.shapes import Shape
from lossless.inventory.kinds import UNKNOWN
from lossless.inventory.scalars import nearest
from lossless.model.classes import Place
from lossless.model.device import Device, Port
from lossless.model.fabric import Link
from lossless.model.link import Cable


class _Known(NamedTuple):
    """A device that links may end at, and where its ports' slots begin."""

    device: Device
    shape: Shape | None  # `None`: an outside device, whose ports nobody declares
    base: int


@dataclass(slots=True, eq=False)
class Externals:
    """Devices outside the fabric, and their ports as links name them."""

    data: Mapping[str, Any]
    declared: Declared
    problems: Problems
    devices: dict[str, Device] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    _ports: dict[tuple[str, str], Port] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key, held in (self.data.get("external") or {}).items():
            for name in read_names(key, ("external", key), self.problems):
                self._add(name, key, held or {})

    def _add(self, name: str, key: str, held: Mapping[str, Any]) -> None:
        path = ("external", key)
        if name in self.devices:
            there = self.paths[name]
            self.problems.add(f"{name} is declared by {there!r} and by {key!r}", path)
        elif name in self.declared.owners:
            other = self.declared.owners[name][0].path
            self.problems.add(
                f"{name} is a device of the fabric and outside it",
                path,
                None,
                [(other, "declared")],
            )
        role, fabric = held.get("role"), held.get("fabric")
        self.paths[name] = key
        place = Place(
            owner_role=role,
            fabric=fabric,
            tier=TIERS.get(role or ""),
            lossless=None if held.get("lossless") is UNKNOWN else switch(held.get("lossless")),
        )
        self.devices[name] = Device(name=name, kind="external", role=role, fabric=fabric)
        self._ports[name, UNKNOWN_PORT] = Port(name=UNKNOWN_PORT, place=place)

    def port(self, device: str, port: str) -> Port:
        """Return a port of an outside device; links may name any."""
        known = self._ports.get((device, port))
        if known is None:
            place = self._ports[device, UNKNOWN_PORT].place
            known = self._ports[device, port] = Port(name=port, place=place)
        return known


@dataclass(slots=True, eq=False)
class Wiring:
    """Builds every link; what is wrong with one is told at its entry."""

    devices: Mapping[str, Device]
    shapes: Mapping[str, Shape]
    externals: Externals
    problems: Problems
    links: list[Link] = field(default_factory=list)
    index: LinkIndex = field(default_factory=LinkIndex)
    _known: dict[str, _Known] = field(default_factory=dict)
    _used: list[int] = field(default_factory=list)  # by slot: the entry that ends there, or -1
    _entry: int = 0
    _outside: dict[tuple[str, str], int] = field(default_factory=dict)
    _strange: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        base = 0
        for name, device in self.devices.items():
            shape = self.shapes[name]
            self._known[name] = _Known(device, shape, base)
            base += len(shape.ports)
        for name, device in self.externals.devices.items():
            self._known.setdefault(name, _Known(device, None, 0))
        self._used = [-1] * base

    def build(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Build the links of all entries."""
        planner = Planner(self.problems)
        for number, entry in enumerate(entries):
            self._entry = number
            plain = planner.plain(number, entry)
            if plain is not None:
                self.index.add(len(self.links), number)
                a, b, cable = plain
                chorus = Chorus(self.problems, ("links", number))
                self._join(self._end(a, "a", chorus), self._end(b, "b", chorus), cable, chorus)
                continue
            plan = planner.plan(number, entry)
            if plan is not None:
                self.index.add(len(self.links), number)
                self._build(plan)

    def _build(self, plan: Plan) -> None:
        chorus = Chorus(self.problems, plan.path)
        cables, one_cable = plan.cables, plan.cables[0] if len(plan.cables) == 1 else None
        for place, values in enumerate(plan.rounds):
            a = self._written_end(plan.a, values, "a", chorus)
            b = self._written_end(plan.b, values, "b", chorus)
            self._join(a, b, cables[place] if one_cable is None else one_cable, chorus)
        chorus.close()

    def _written_end(
        self, end: End, values: tuple[int, ...], side: str, chorus: Chorus
    ) -> tuple[Device, Port] | None:
        try:
            names = end.device(values), end.port(values)
        except ExpressionError as error:
            chorus.add(str(error), side)
            return None
        return self._end(names, side, chorus)

    def _join(
        self,
        a: tuple[Device, Port] | None,
        b: tuple[Device, Port] | None,
        cable: Cable,
        chorus: Chorus,
    ) -> None:
        if a is None or b is None:
            return
        if a[0] is b[0]:
            chorus.add(f"a cable leads from {a[0].name} to itself ({a[1].name}, {b[1].name})")
            return
        links = self.links
        links.append(Link(a[0], a[1], b[0], b[1], cable, len(links)))

    def _end(self, names: tuple[str, str], side: str, chorus: Chorus) -> tuple[Device, Port] | None:
        name, port_name = names
        known = self._known.get(name)
        if known is None:
            self._stranger(name, side, chorus)
            return None
        device, shape, base = known
        if shape is None:
            return self._outside_end(device, port_name, side, chorus)
        place = shape.index.get(port_name)
        if place is None:
            self._no_port(name, port_name, shape, side, chorus)
            return None
        slot = base + place
        if self._used[slot] >= 0:
            self._used_twice(f"{name}:{port_name}", self._used[slot], side, chorus)
            return None
        self._used[slot] = self._entry
        return device, shape.ports[place]

    def _outside_end(
        self, device: Device, port: str, side: str, chorus: Chorus
    ) -> tuple[Device, Port] | None:
        if port != UNKNOWN_PORT:
            before = self._outside.get((device.name, port))
            if before is not None:
                self._used_twice(f"{device.name}:{port}", before, side, chorus)
                return None
            self._outside[device.name, port] = self._entry
        return device, self.externals.port(device.name, port)

    def _stranger(self, name: str, side: str, chorus: Chorus) -> None:
        self._strange[name] = self._strange.get(name, 0) + 1
        if self._strange[name] > 1:  # one word about a device that many links name
            return
        close = nearest(name, list(self._known)[:10_000])
        hint = f"did you mean {close!r}? " if close else ""
        chorus.add(
            f"there is no device {name!r}", side, f"{hint}a peer outside is declared under external"
        )

    def _no_port(self, device: str, port: str, shape: Shape, side: str, chorus: Chorus) -> None:
        if port == UNKNOWN_PORT:
            message = f"{device}:? is a device of the fabric, whose port must be named"
            chorus.add(message, side)
            return
        close = nearest(port, shape.index)
        chorus.add(
            f"{device} has no port {port!r}", side, f"did you mean {close!r}?" if close else None
        )

    def _used_twice(self, name: str, before: int, side: str, chorus: Chorus) -> None:
        if before == self._entry:  # its own place would say nothing
            said = f"{name} is the end of two links, both of this entry"
            chorus.add(said, side, "give each round, and each end, a port of its own")
            return
        related = [(("links", before), "the other link")]
        chorus.add(f"{name} is the end of two links", side, None, related)
