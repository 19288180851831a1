"""The layers of each object of a fabric, piled up when somebody asks.

Objects with the same layers get the same pile: the memory follows the number of different
statements, not the number of ports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lossless.findings import Target
from lossless.intent.cabling import LinkIndex
from lossless.intent.declared import LAG_IDENTITY, Declared, dotted, statements
from lossless.intent.layers import Layer, Sources
from lossless.intent.shapes import Shape
from lossless.intent.stack import Facts, Stack
from lossless.model.device import Device, Port
from lossless.model.values import value

#: What a port does not take from its device, though both have a key of that name.
_NOT_INHERITED = frozenset(
    {"role", "description", "ports", "nics", "lint", "maintenance", "access"}
)


@dataclass(slots=True, eq=False)
class Layering:
    """Piles up layers: policies, overrides, roles, and the entries of devices and ports."""

    data: Mapping[str, Any]
    sources: Sources
    declared: Declared
    stack: Stack
    devices: Mapping[str, Device]
    shapes: Mapping[str, Shape]
    links: LinkIndex
    _piles: dict[Any, list[Layer]] = field(default_factory=dict)

    def pile(self, target: Target) -> Sequence[Layer]:
        """Return the layers of a target, from low to high; the same list for the same layers."""
        if target.link is not None:
            return self._link_layers(target.link)
        if target.device is None:
            return [Layer(self.data, (), self.sources, "inventory")]
        if target.device not in self.devices:
            return self._external_layers(target.device)
        return self.layers(target.device, target.port)

    def layers(self, device: str, port: str | None) -> list[Layer]:
        """Return the layers of a device or of one of its ports, from low to high."""
        held = self.port(device, port)
        key = (
            self.declared.pile(device),
            id(self.shapes[device]),
            id(held) if held is not None else port,
            self.stack.selects(device),
        )
        known = self._piles.get(key)
        if known is None:
            known = self._piles[key] = self._layers(self.devices[device], port, held)
        return known

    def own(self, target: Target) -> Sequence[Layer]:
        """Return the layers that are entries of the object itself."""
        if target.device is None or target.device not in self.devices:
            return self.pile(target)
        own: list[Layer] = []
        if target.port is not None:
            own = self.declared.port_layers(target.device, target.port)
        return own or self.declared.device_layers(target.device)

    def port(self, device: str, name: str | None) -> Port | None:
        """Return a port of a device of the fabric; `None` where it has none of that name."""
        shape = self.shapes[device]
        place = None if name is None else shape.index.get(name)
        return None if place is None else shape.ports[place]

    def _layers(self, made: Device, port: str | None, held: Port | None) -> list[Layer]:
        pile = self.declared.device_layers(made.name)
        base, own = self.stack.beneath(_facts(made, held), made.name)
        if port is None:
            return [*base, *own, *pile]
        inherited = [_reduced(layer) for layer in pile]
        lags = [] if held is None else self._lag_layers(made, held)
        return [*base, *own, *inherited, *lags, *self.declared.port_layers(made.name, port)]

    def _lag_layers(self, made: Device, held: Port) -> list[Layer]:
        if held.bond is None or made.kind == "host":
            return []
        return [
            Layer(statements(lag, LAG_IDENTITY), (*layer.path, "lags", key), self.sources, key)
            for layer in self.declared.device_layers(made.name)
            for key, lag in (layer.data.get("lags") or {}).items()
            if lag and held.bond in self.declared.expanded(key)
        ]

    def _external_layers(self, device: str) -> list[Layer]:
        return [
            Layer(held or {}, ("external", key), self.sources, f"external.{key}")
            for key, held in (self.data.get("external") or {}).items()
            if device in self.declared.expanded(key)
        ]

    def _link_layers(self, link: int) -> list[Layer]:
        path = self.links.path(link)
        if path is None:
            return []
        return [Layer(self.data["links"][path[1]], path, self.sources, dotted(path))]


def _facts(made: Device, held: Port | None) -> Facts:
    if held is None:
        roles = () if made.role is None else (made.role,)
        return Facts(made.platform, made.model, roles, made.rail, made.fabric)
    place = held.place
    role = None if place.role is None else place.role.value
    adapter = made.configured.port(held.name).adapter
    model = value(adapter.model) if made.kind == "host" else made.model
    both = tuple(r for r in (made.role, role) if r is not None)
    return Facts(held.platform, model, both, place.rail, place.fabric)


def _reduced(layer: Layer) -> Layer:
    data = {k: v for k, v in layer.data.items() if k not in _NOT_INHERITED}
    return Layer(data, layer.path, layer.sources, layer.origin)
