"""The ports of one device: who each is, and what it is told.

Ports that state the same on devices that state the same are *cast* alike: settings, intent and
place are worked out once, and only the names are each port's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lossless.intent.aggregates import Aggregates, Child
from lossless.intent.declared import LAG_IDENTITY, PORT_IDENTITY
from lossless.intent.entries import Entry, single
from lossless.intent.lowering import Circumstances, Lowered
from lossless.intent.piles import PortEntry
from lossless.intent.stack import Facts
from lossless.intent.workshop import Workshop, number_of, text_of
from lossless.model.classes import Place, PortRole
from lossless.model.device import Port
from lossless.model.profile import Profile

TIERS = {"host": 0, "leaf": 1, "spine": 2, "super-spine": 3}

#: Keys of a port that decide nothing but its names (rail and plane are asked for apart).
_NAMES = frozenset({"rdma", "pci", "alias", "description", "rail", "plane", "lint", "maintenance"})


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


@dataclass(frozen=True, slots=True)
class Cast:
    """What ports that are alike have in common."""

    place: Place
    lowered: Lowered
    platform: str | None
    profile: Profile | None


class PortMaker:
    """Builds the ports of one device."""

    def __init__(
        self,
        shop: Workshop,
        who: Identity,
        parts: tuple[dict[str, Any], ...],
        aggregates: Aggregates,
        children: Mapping[str, Child],
    ) -> None:
        self._shop = shop
        self._who = who
        self._parts = parts
        self._bonds = aggregates.of
        lags = who.data.get("lags") or {}
        self._lags = {
            member: (lags[key] or {}, shop.part(lags[key] or {}, LAG_IDENTITY))
            for member, key in aggregates.lag_of.items()
        }
        self._children = children
        self._places = {id(e): shop.declared.place(e, who.name) for e in who.pile}
        self._model = text_of(who.data.get("model"))
        self._macro = text_of(who.data.get("profile"))
        self._around = (
            tuple(map(id, parts)),
            who.section,
            who.role,
            who.rail,
            who.plane,
            who.fabric,
            who.platform,
            id(who.profile),
            self._model,
            self._macro,
            shop.stack.selects(who.name),
        )

    def make(self, name: str, pile: tuple[PortEntry, ...]) -> tuple[Port, Lowered]:
        """Return a port, and what its statements were lowered to."""
        child, lag = self._children.get(name), self._lags.get(name)
        rail, plane = self._zipped(pile, "rail"), self._zipped(pile, "plane")
        key = (
            self._around,
            rail,
            plane,
            None if child is None else child.split,
            None if lag is None else (id(lag[1]), lag[0].get("role")),
            tuple([_said(held.port) for held in pile]),
        )
        cast: Cast | None = self._shop.casts.get(key)
        if cast is None:
            cast = self._shop.casts[key] = self._cast(name, pile, rail, plane)
        port = Port(
            name=name,
            place=cast.place,
            intent=cast.lowered.intent,
            platform=cast.platform,
            profile=cast.profile,
            rdma=text_of(self._zipped(pile, "rdma")),
            alias=text_of(self._zipped(pile, "alias")),
            pci=text_of(self._zipped(pile, "pci")),
            bond=self._bonds.get(name),
            parent=None if child is None else child.parent,
            description=text_of(_stated(pile, "description")),
        )
        return port, cast.lowered

    def _zipped(self, pile: tuple[PortEntry, ...], key: str) -> Any:
        """Return the value of a key that may zip, from the highest entry that has it."""
        for held in reversed(pile):
            entry = held.port
            if key in entry.data:
                if not entry.zips and not entry.outer_zips:
                    return single(entry.data[key])
                return single(entry.value(key, held.index, self._places[id(held.device)]))
        return None

    def _cast(self, name: str, pile: tuple[PortEntry, ...], rail: Any, plane: Any) -> Cast:
        shop, who = self._shop, self._who
        child, lag = self._children.get(name), self._lags.get(name)
        written = _stated(pile, "role") or (lag[0].get("role") if lag else None)
        role: PortRole | None = PortRole.HOST if who.host and written is None else written
        platform, model, profile = self._hardware(pile)
        fabric = _stated(pile, "fabric")
        if fabric is not None:
            shop.check_fabric(fabric, pile[-1].path)
        facts = Facts(
            platform,
            model,
            tuple(r for r in (who.role, None if role is None else role.value) if r is not None),
            who.rail if rail is None else number_of(rail),
            fabric or who.fabric,
        )
        inherited = [*self._parts]
        if child is not None:
            inherited.append(shop.split(child.split))
        if lag is not None:
            inherited.append(lag[1])
        lowered = shop.lower(
            shop.beneath(facts, who.name),
            tuple(inherited),
            tuple(shop.part(e.port.data, PORT_IDENTITY) for e in pile),
            Circumstances(who.host, role, profile, self._macro, model if who.host else None),
        )
        if lowered.contests or lowered.strangers:
            shop.doubtful.setdefault(id(lowered), (who.name, name, lowered))
        place: Place = shop.intern(
            Place(
                role=role,
                role_written=written is not None,
                owner_role=who.role,
                fabric=facts.fabric,
                tier=TIERS.get(who.role or ""),
                rail=facts.rail,
                plane=text_of(plane) or who.plane,
                lossless=lowered.lossless,
            )
        )
        return Cast(place, lowered, platform, profile)

    def _hardware(
        self, pile: tuple[PortEntry, ...]
    ) -> tuple[str | None, str | None, Profile | None]:
        """Return platform, model and profile: a NIC's own, a switch port's are its switch's."""
        who = self._who
        if not who.host:
            return who.platform, self._model, who.profile
        platform, model = (
            text_of(_stated(pile, key, who.data.get(key))) for key in ("platform", "model")
        )
        return platform, model, self._shop.profile(platform, None, model)


def _stated(pile: tuple[PortEntry, ...], key: str, otherwise: Any = None) -> Any:
    """Return what the highest entry that has a key says of it."""
    for held in reversed(pile):
        if key in held.port.data:
            return held.port.data[key]
    return otherwise


def _said(entry: Entry) -> tuple[Any, ...]:
    """Return what an entry states beside names: equal subtrees are one object."""
    if entry.said is None:
        entry.said = tuple(
            [
                (k, v if type(v) in (str, int) else id(v))
                for k, v in entry.data.items()
                if k not in _NAMES
            ]
        )
    return entry.said
