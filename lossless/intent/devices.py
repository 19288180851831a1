"""From device entries to devices.

Devices whose entries state the same share one *shape*: the same tuple of ports, the same state.
Ports whose layers are the same share their settings.  So the work, and the memory, follow the
number of different statements and not the number of ports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lossless.intent.declared import IDENTITY, SECTIONS
from lossless.intent.entries import Entry, single
from lossless.intent.layers import merge
from lossless.intent.shapes import Identity, Shape, ShapeMaker
from lossless.intent.workshop import Workshop, number_of, text_of
from lossless.model.device import Access, Device

#: What a role may say of a device's identity.
KIND = ("platform", "version", "model", "hwsku", "profile")


@dataclass(slots=True, eq=False)
class DeviceBuilder:
    """Builds every device of a declaration, each different one once."""

    shop: Workshop
    shapes: dict[str, Shape] = field(default_factory=dict)
    _known: dict[Any, Shape] = field(default_factory=dict)

    def build(self, name: str) -> Device:
        """Return one device."""
        who = self._identity(name)
        shape = self._shape(who)
        self.shapes[name] = shape
        data = who.data
        return Device(
            name=name,
            kind=SECTIONS[who.section][1],
            role=who.role,
            fabric=who.fabric,
            platform=who.platform,
            version=text_of(data.get("version")),
            model=text_of(data.get("model")),
            hwsku=text_of(data.get("hwsku")),
            profile=who.profile,
            access=self._access(who),
            ports=shape.ports,
            aggregates=shape.aggregates,
            mlag=shape.mlag,
            rail=who.rail,
            plane=who.plane,
            configured=shape.state,
        )

    def _identity(self, name: str) -> Identity:
        pile = self.shop.declared.pile(name)
        if len(pile) == 1:
            data = pile[0].data
        else:
            data = merge([{k: v for k, v in e.data.items() if k in IDENTITY} for e in pile])
        section = str(pile[0].path[0])
        data = self._with_role(data, "host" if section == "hosts" else data.get("role"))
        platform, model = text_of(data.get("platform")), text_of(data.get("model"))
        profile = self.shop.profile(platform, text_of(data.get("version")), model)
        fabric = data.get("fabric") or self.shop.stack.default_fabric
        self.shop.check_fabric(fabric, pile[-1].path)
        rail, plane = self._zipped(pile, name, "rail"), self._zipped(pile, name, "plane")
        return Identity(
            name,
            section,
            pile,
            data,
            number_of(rail),
            text_of(single(plane)),
            fabric,
            platform,
            profile,
        )

    def _with_role(self, data: Mapping[str, Any], role: Any) -> Mapping[str, Any]:
        """Lay a device's identity over what its role says of it."""
        said = (self.shop.stack.data.get("roles") or {}).get(role)
        held = {k: said[k] for k in KIND if said.get(k) is not None} if said else None
        return merge([held, {k: v for k, v in data.items() if k in IDENTITY}]) if held else data

    def _zipped(self, pile: tuple[Entry, ...], name: str, key: str) -> Any:
        """Return the value of a key that may zip, from the highest entry that has it."""
        for entry in reversed(pile):
            if key in entry.data:
                if key in entry.zips:
                    return entry.zips[key][self.shop.declared.place(entry, name)]
                return entry.data[key]
        return None

    def _access(self, who: Identity) -> Access | None:
        data = who.data.get("access")
        if not isinstance(data, Mapping):
            return None
        address = data.get("address")
        for entry in reversed(who.pile):
            written = entry.data.get("access")
            if isinstance(written, Mapping) and "address" in written:
                if "address" in entry.zips:
                    address = entry.zips["address"][self.shop.declared.place(entry, who.name)]
                break
        if address is None:
            return None
        return Access(
            address=str(single(address)),
            port=data.get("port"),
            user=data.get("user"),
            jump=data.get("jump"),
            vrf=data.get("vrf"),
        )

    def _shape(self, who: Identity) -> Shape:
        key = (
            who.section,
            who.rail,
            who.plane,
            who.fabric,
            self.shop.stack.selects(who.name),
            tuple([self._shape_key(entry, who.name) for entry in who.pile]),
        )
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = ShapeMaker(self.shop, who).make()
        return known

    def _shape_key(self, entry: Entry, name: str) -> Any:
        """Return what of an entry decides a device's shape: equal subtrees are one object."""
        said = tuple(
            [
                (k, v if type(v) in (str, int) else id(v))
                for k, v in entry.data.items()
                if k not in ("access", "rail", "plane")
            ]
        )
        if (
            len(self.shop.declared.owners[name]) > 1
        ):  # how entries lie over each other depends on both
            return id(entry), self._outer_place(entry, name)
        return said, self._outer_place(entry, name)

    def _outer_place(self, entry: Entry, name: str) -> int:
        """Return the device's place in its set where a port's value depends on it."""
        if len(entry.names) == 1:
            return 0
        zips = any(port.outer_zips for port in self.shop.declared.port_entries(entry))
        return self.shop.declared.place(entry, name) if zips else 0
