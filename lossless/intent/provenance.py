"""Where a value in force is written: in which layer, in which file.

Nothing is kept per port; the layers of a port are piled up again when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lossless.findings import Location, Target
from lossless.intent.cabling import LinkIndex
from lossless.intent.declared import LAG_IDENTITY, Declared, dotted, statements
from lossless.intent.layers import Found, Layer, Path, Sources, look_up
from lossless.intent.stack import Facts, Stack
from lossless.model.device import Device, Port
from lossless.model.values import value

#: What a port does not take from its device, though both have a key of that name.
_NOT_INHERITED = frozenset({"role", "description", "ports", "nics", "lint", "access"})


@dataclass(slots=True, eq=False)
class Written:
    """The layers of each object of a fabric, and where a field of it is written."""

    data: Mapping[str, Any]
    sources: Sources
    declared: Declared
    stack: Stack
    devices: Mapping[str, Device]
    links: LinkIndex

    def locate(self, target: Target, field: str) -> Location | None:
        """Return where a field in force on a target is written.

        The place of the leaf, else of the nearest enclosing key; the empty field asks for the
        object itself.  For the fabric (`Target()`) the field is an absolute path.
        """
        if target.device is None and target.link is None:
            return self._absolute(field)
        if not field:
            layers = self._own_layers(target)
            return layers[-1].find() if layers else None
        found = self.find(target, field)
        return None if found is None else found.location()

    def written(self, target: Target, field: str) -> Location | None:
        """Return where the leaf itself is written; `None` where only a key around it is."""
        found = self.find(target, field)
        return found.location() if found is not None and found.exact else None

    def find(self, target: Target, field: str) -> Found | None:
        """Return the layer that decides a field, and how much of the field it writes."""
        layers = self.pile(target)
        best: Found | None = None
        for path in _readings(field, layers):
            found = look_up(layers, path)
            if found is not None and (best is None or len(found.written) > len(best.written)):
                best = found
        if best is None and target.port is not None and field in ("speed", "lanes"):
            return look_up(self.declared.device_layers(target.device or ""), ("breakout",))
        return best

    def pile(self, target: Target) -> Sequence[Layer]:
        """Return the layers of a target, from low to high."""
        if target.link is not None:
            return self._link_layers(target.link)
        if target.device is None:
            return [Layer(self.data, (), self.sources, "inventory")]
        if target.device not in self.declared.owners:
            return self._external_layers(target.device)
        return self.layers(target.device, target.port)

    def layers(self, device: str, port: str | None) -> list[Layer]:
        """Return the layers of a device or of one of its ports, from low to high."""
        pile = self.declared.device_layers(device)
        facts = self._facts(device, port)
        base, own = self.stack.beneath(facts, device)
        if port is None:
            return [*base, *own, *pile]
        inherited = [_reduced(layer) for layer in pile]
        lags = self._lag_layers(device, port)
        return [*base, *own, *inherited, *lags, *self.declared.port_layers(device, port)]

    def _facts(self, device: str, port: str | None) -> Facts:
        made = self.devices[device]
        held = None if port is None else _port(made, port)
        if held is None:
            roles = () if made.role is None else (made.role,)
            return Facts(made.platform, made.model, roles, made.rail, made.fabric)
        place, nic = held.place, made.kind == "host"
        role = None if place.role is None else place.role.value
        adapter = made.configured.port(held.name).adapter
        model = value(adapter.model) if nic else made.model
        both = tuple(r for r in (made.role, role) if r is not None)
        return Facts(held.platform, model, both, place.rail, place.fabric)

    def _lag_layers(self, device: str, port: str) -> list[Layer]:
        made = self.devices[device]
        held = _port(made, port)
        if held is None or held.bond is None or made.kind == "host":
            return []
        return [
            Layer(statements(lag, LAG_IDENTITY), (*layer.path, "lags", key), self.sources, key)
            for layer in self.declared.device_layers(device)
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

    def _own_layers(self, target: Target) -> Sequence[Layer]:
        """Return the layers that are entries of the object itself."""
        if target.device is None or target.device not in self.declared.owners:
            return self.pile(target)
        if target.port is None:
            return self.declared.device_layers(target.device)
        own = self.declared.port_layers(target.device, target.port)
        return own or self.declared.device_layers(target.device)

    def _absolute(self, field: str) -> Location | None:
        path = resolve(self.data, field)
        return self.sources.find(path) if path else None


def _reduced(layer: Layer) -> Layer:
    data = {k: v for k, v in layer.data.items() if k not in _NOT_INHERITED}
    return Layer(data, layer.path, layer.sources, layer.origin)


def _port(device: Device, name: str) -> Port | None:
    return next((port for port in device.ports if port.name == name), None)


def _readings(field: str, layers: Sequence[Layer]) -> Iterable[Path]:
    """Yield how a dotted field may be taken apart: keys may hold dots, and VLANs stand by id."""
    steps = tuple(field.split("."))
    yield steps
    if steps[0] == "vlans" and len(steps) > 1 and steps[1].isdigit():
        yield ("vlans", "ids", *steps[1:])
    if len(steps) > 2:
        for layer in layers:
            path = resolve(layer.data, field)
            if path != steps and dotted(path) == field:
                yield path
                return


@lru_cache(maxsize=64)
def _steps(field: str) -> tuple[str, ...]:
    return tuple(field.split("."))


def resolve(data: Any, field: str) -> Path:
    """Take a dotted path apart along a document, whose keys may hold dots themselves.

    What the document does not hold is left out.
    """
    steps, path = list(_steps(field)), []
    while steps:
        if isinstance(data, Mapping):
            taken = next((n for n in range(len(steps), 0, -1) if ".".join(steps[:n]) in data), 0)
            key: str | int = ".".join(steps[:taken])
        elif isinstance(data, (list, tuple)) and steps[0].isdigit() and int(steps[0]) < len(data):
            taken, key = 1, int(steps[0])
        else:
            break
        if not taken:
            break
        path.append(key)
        data, steps = data[key], steps[taken:]
    return tuple(path)
