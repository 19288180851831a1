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
from lossless.intent.ports import Identity
from lossless.intent.shapes import Shape, ShapeMaker
from lossless.intent.workshop import Workshop, number_of, text_of
from lossless.model.device import Access, Device
from lossless.model.profile import Profile
from lossless.model.values import OFF, Switch

#: What a role may say of a device's identity.
KIND = ("platform", "version", "model", "hwsku", "profile")


@dataclass(slots=True, eq=False)
class _Kin:
    """What all devices named by the same entries have in common.

    `said` is what of the entries decides a device's shape; `zipped` says whether anything in them
    differs from device to device.
    """

    section: str
    pile: tuple[Entry, ...]
    data: Mapping[str, Any]
    fabric: str | None
    platform: str | None
    version: str | None
    model: str | None
    hwsku: str | None
    profile: Profile | None
    said: tuple[Any, ...]
    zipped: bool


@dataclass(slots=True, eq=False)
class DeviceBuilder:
    """Builds every device of a declaration, each different one once."""

    shop: Workshop
    shapes: dict[str, Shape] = field(default_factory=dict)
    _known: dict[Any, Shape] = field(default_factory=dict)
    _kin: dict[tuple[Entry, ...], _Kin] = field(default_factory=dict)

    def build(self, name: str) -> Device:
        """Return one device."""
        pile = self.shop.declared.pile(name)
        kin = self._kin.get(pile)
        if kin is None:
            kin = self._kin[pile] = self._meet(pile)
        who = self._identity(name, kin)
        shape = self._shape(who, kin)
        self.shapes[name] = shape
        return Device(
            name=name,
            kind=SECTIONS[kin.section][1],
            role=who.role,
            fabric=kin.fabric,
            platform=kin.platform,
            version=kin.version,
            model=kin.model,
            hwsku=kin.hwsku,
            profile=kin.profile,
            access=self._access(who),
            ports=shape.ports,
            aggregates=shape.aggregates,
            mlag=shape.mlag,
            rail=who.rail,
            plane=who.plane,
            configured=shape.state,
            model_known=_known(kin),
        )

    def _meet(self, pile: tuple[Entry, ...]) -> _Kin:
        if len(pile) == 1:
            data = pile[0].data
        else:
            data = merge([{k: v for k, v in e.data.items() if k in IDENTITY} for e in pile])
        section = str(pile[0].path[0])
        data = self._with_role(data, "host" if section == "hosts" else data.get("role"))
        platform, version, model, hwsku = (
            text_of(data.get(key)) for key in ("platform", "version", "model", "hwsku")
        )
        fabric = data.get("fabric") or self.shop.stack.default_fabric
        self.shop.check_fabric(fabric, pile[-1].path)
        zipped = any(key in entry.zips for entry in pile for key in ("rail", "plane"))
        inner = [port for entry in pile for port in self.shop.declared.port_entries(entry)]
        return _Kin(
            section=section,
            pile=pile,
            data=data,
            fabric=fabric,
            platform=platform,
            version=version,
            model=model,
            hwsku=hwsku,
            profile=self.shop.profile(platform, version, model),
            said=self._said(pile),
            zipped=zipped or any(port.outer_zips for port in inner),
        )

    @staticmethod
    def _said(pile: tuple[Entry, ...]) -> tuple[Any, ...]:
        """Return what decides a shape: equal subtrees are one object, words are compared.

        How several entries lie over each other depends on which sets they are.
        """
        if len(pile) > 1:
            return tuple([id(entry) for entry in pile])
        return tuple(
            [
                (k, v if type(v) in (str, int) else id(v))
                for k, v in pile[0].data.items()
                if k not in ("access", "rail", "plane")
            ]
        )

    def _identity(self, name: str, kin: _Kin) -> Identity:
        return Identity(
            name,
            kin.section,
            kin.pile,
            kin.data,
            number_of(self._zipped(kin.pile, name, "rail")),
            text_of(single(self._zipped(kin.pile, name, "plane"))),
            kin.fabric,
            kin.platform,
            kin.profile,
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

    def _shape(self, who: Identity, kin: _Kin) -> Shape:
        key = (
            kin.section,
            who.rail,
            who.plane,
            kin.fabric,
            kin.said,
            self.shop.stack.selects(who.name),
            tuple([self._outer_place(e, who.name) for e in kin.pile]) if kin.zipped else (),
        )
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = ShapeMaker(self.shop, who).make()
        return known

    def _outer_place(self, entry: Entry, name: str) -> int:
        """Return the device's place in its set where a port's value depends on it."""
        if len(entry.names) == 1:
            return 0
        zips = any(port.outer_zips for port in self.shop.declared.port_entries(entry))
        return self.shop.declared.place(entry, name) if zips else 0


def _known(kin: _Kin) -> Switch:
    """Say whether anything is known of a switch's model; `None` where there is none to know."""
    if kin.section != "switches" or kin.model is None or kin.profile is None:
        return None
    from lossless.hardware import model_known

    return True if model_known(kin.model) else OFF
