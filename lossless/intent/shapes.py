"""The ports and the state of one device, for all devices that look like it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lossless.intent.aggregates import Child, read_aggregates, read_breakouts, read_mlag
from lossless.intent.declared import IDENTITY, LAG_IDENTITY, PORT_IDENTITY
from lossless.intent.entries import Entry, single
from lossless.intent.layers import Path, merge
from lossless.intent.lowering import Circumstances, Lowered
from lossless.intent.lowering.box import lower_system
from lossless.intent.piles import PortEntry
from lossless.intent.stack import Facts
from lossless.intent.workshop import Workshop, number_of, text_of
from lossless.model.classes import Place, PortRole
from lossless.model.device import Aggregate, DeviceState, Mlag, Port
from lossless.model.profile import Profile

TIERS = {"host": 0, "leaf": 1, "spine": 2, "super-spine": 3}


@dataclass(slots=True, eq=False)
class Shape:
    """What devices with the same statements have in common; `index` finds a port's place."""

    ports: tuple[Port, ...]
    index: dict[str, int]
    state: DeviceState
    aggregates: tuple[Aggregate, ...]
    mlag: Mlag | None


@dataclass(slots=True, eq=False)
class Identity:
    """Who one device is: its entries, and what they say of it together."""

    name: str
    section: str
    pile: tuple[Entry, ...]
    data: Mapping[str, Any]
    rail: int | None
    plane: str | None
    fabric: str | None
    platform: str | None
    profile: Profile | None

    @property
    def host(self) -> bool:
        """Whether it is a host."""
        return self.section == "hosts"

    @property
    def role(self) -> str | None:
        """The device's role."""
        return "host" if self.host else self.data.get("role")


def _says(pile: tuple[PortEntry, ...], key: str) -> bool:
    return any(key in held.port.data for held in pile)


class ShapeMaker:
    """Builds the ports and the state of one device, for all that look like it."""

    def __init__(self, shop: Workshop, who: Identity) -> None:
        self.shop = shop
        self.who = who
        self.entries = shop.declared.ports(who.name)
        self.parts = tuple(shop.part(e.data, IDENTITY) for e in who.pile)
        problems = shop.problems
        self.aggregates = read_aggregates(who.data, self.entries, self._where, problems)
        lags = who.data.get("lags") or {}
        self.lags = {m: lags[key] or {} for m, key in self.aggregates.lag_of.items()}
        self.children = read_breakouts(who.data, self.entries, self._where, problems)

    def make(self) -> Shape:
        """Return the shape."""
        shop, who = self.shop, self.who
        made = [self._port(name, pile) for name, pile in self.entries.items()]
        ports = tuple(port for port, _ in made)
        found = tuple(self.aggregates.found)
        known = {*self.entries, *(a.name for a in found)}
        mlag = read_mlag(who.data, known, self._where, shop.problems)
        settings = {port.name: lowered.settings for port, lowered in made}
        base, own = shop.beneath(self._facts(), who.name)
        layers = [layer.data for layer in (*base, *own)]
        system = lower_system(merge([*layers, *self.parts]), who.data, host=who.host)
        state = DeviceState(shop.intern(system), settings)
        index = {port.name: place for place, port in enumerate(ports)}
        return Shape(ports, index, state, found, mlag)

    def _where(self, *keys: str) -> Path:
        """Return the path of a device's key in the highest entry that writes it."""
        for entry in reversed(self.who.pile):
            held: Any = entry.data
            for key in keys:
                held = held.get(key) if isinstance(held, Mapping) else None
            if held is not None:
                return (*entry.path, *keys)
        return self.who.pile[-1].path

    def _facts(self) -> Facts:
        who = self.who
        roles = () if who.role is None else (who.role,)
        return Facts(who.platform, text_of(who.data.get("model")), roles, who.rail, who.fabric)

    @cached_property
    def _places(self) -> dict[int, int]:
        declared, name = self.shop.declared, self.who.name
        return {id(entry): declared.place(entry, name) for entry in self.who.pile}

    def _value(self, pile: tuple[PortEntry, ...], key: str) -> Any:
        for held in reversed(pile):
            if key in held.port.data:
                outer = self._places[id(held.device)]
                return single(held.port.value(key, held.index, outer))
        return None

    def _port(self, name: str, pile: tuple[PortEntry, ...]) -> tuple[Port, Lowered]:
        shop, who = self.shop, self.who
        lag = self.lags.get(name)
        written = self._value(pile, "role") or (lag or {}).get("role")
        role = PortRole.HOST if who.host and written is None else written
        rail = self._value(pile, "rail")
        platform, model, profile = self._hardware(pile)
        own_fabric = self._value(pile, "fabric")
        if own_fabric is not None:
            shop.check_fabric(own_fabric, pile[-1].path)
        facts = Facts(
            platform,
            model,
            tuple(r for r in (who.role, None if role is None else role.value) if r is not None),
            who.rail if rail is None else number_of(rail),
            own_fabric or who.fabric,
        )
        child = self.children.get(name)
        parts = tuple(shop.part(e.port.data, PORT_IDENTITY) for e in pile)
        around = Circumstances(
            who.host, role, profile, text_of(who.data.get("profile")), model if who.host else None
        )
        lowered = shop.lower(
            shop.beneath(facts, who.name),
            (*self.parts, *self._split(child), *self._lag(lag)),
            parts,
            around,
        )
        if lowered.contests or lowered.strangers:
            shop.doubtful.setdefault(id(lowered), (who.name, name, lowered))
        port = Port(
            name=name,
            place=self._place(pile, facts, role, written, lowered),
            intent=lowered.intent,
            platform=platform,
            profile=profile,
            rdma=text_of(self._value(pile, "rdma")),
            alias=text_of(self._value(pile, "alias")),
            pci=text_of(self._value(pile, "pci")),
            bond=self.aggregates.of.get(name),
            parent=None if child is None else child.parent,
            description=text_of(self._value(pile, "description")),
        )
        return port, lowered

    def _hardware(
        self, pile: tuple[PortEntry, ...]
    ) -> tuple[str | None, str | None, Profile | None]:
        """Return platform, model and profile: a NIC's own, a switch port's are its switch's."""
        who = self.who
        if not who.host:
            return who.platform, text_of(who.data.get("model")), who.profile
        platform, model = (
            text_of(self._value(pile, key) if _says(pile, key) else who.data.get(key))
            for key in ("platform", "model")
        )
        return platform, model, self.shop.profile(platform, None, model)

    def _split(self, child: Child | None) -> tuple[dict[str, Any], ...]:
        """Return what a breakout says of a part; the port itself may say otherwise."""
        if child is None:
            return ()
        return (self.shop.split(child.split),)

    def _lag(self, lag: Mapping[str, Any] | None) -> tuple[dict[str, Any], ...]:
        """Return what a LAG says of its members; a member itself may say otherwise."""
        return () if lag is None else (self.shop.part(lag, LAG_IDENTITY),)

    def _place(
        self,
        pile: tuple[PortEntry, ...],
        facts: Facts,
        role: PortRole | None,
        written: PortRole | None,
        lowered: Lowered,
    ) -> Place:
        plane = text_of(self._value(pile, "plane")) or self.who.plane
        place: Place = self.shop.intern(
            Place(
                role=role,
                role_written=written is not None,
                owner_role=self.who.role,
                fabric=facts.fabric,
                tier=TIERS.get(self.who.role or ""),
                rail=facts.rail,
                plane=plane,
                lossless=lowered.lossless,
            )
        )
        return place
