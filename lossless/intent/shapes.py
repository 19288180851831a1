"""What devices with the same statements have in common: ports, state, aggregates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lossless.intent.aggregates import read_aggregates, read_breakouts, read_mlag
from lossless.intent.declared import IDENTITY
from lossless.intent.layers import Path, merge
from lossless.intent.lowering.box import lower_system
from lossless.intent.ports import Identity, PortMaker
from lossless.intent.stack import Facts
from lossless.intent.workshop import Workshop, text_of
from lossless.model.device import Aggregate, DeviceState, Mlag, Port


@dataclass(slots=True, eq=False)
class Shape:
    """What devices with the same statements have in common; `index` finds a port's place."""

    ports: tuple[Port, ...]
    index: dict[str, int]
    state: DeviceState
    aggregates: tuple[Aggregate, ...]
    mlag: Mlag | None


class ShapeMaker:
    """Builds the ports and the state of one device, for all that look like it."""

    def __init__(self, shop: Workshop, who: Identity) -> None:
        self.shop = shop
        self.who = who
        self.entries = shop.declared.ports(who.name)
        self.parts = tuple(shop.part(e.data, IDENTITY) for e in who.pile)
        problems = shop.problems
        self.aggregates = read_aggregates(who.data, self.entries, self._where, problems)
        children = read_breakouts(who.data, self.entries, self._where, problems)
        self.maker = PortMaker(shop, who, self.parts, self.aggregates, children)

    def make(self) -> Shape:
        """Return the shape."""
        shop, who = self.shop, self.who
        made = [self.maker.make(name, pile) for name, pile in self.entries.items()]
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
