"""Counting the fabric once: which ports look alike, and which links join which of them.

Everything that a rule can see of a port is made canonical (equal things become one object), so
that a *port class* is a tuple of identities.  Devices that share their ports and state are counted
as one group, and links are grouped by the classes of their two ends: no rule ever walks over all
links of a large fabric.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lossless.model.compare import Verdict, compare_states
from lossless.model.device import Device, Port
from lossless.model.effective import effective, effective_system
from lossless.model.fabric import Fabric, Link
from lossless.model.settings import FACETS, NOTHING, Interner
from lossless.model.values import OFF, Switch
from lossless.rules.views import PortView
from lossless.topology.tiers import HOST_TIER, tiers

#: The names of everything a port view can hold, in a fixed order.
SLOTS: Final = tuple(PortView.__slots__)

#: A device of unknown tier comes second on a link, after all others.
_UNKNOWN_HEIGHT: Final = 1000


class PortClass:
    """Ports that no rule can tell apart.  `values` holds what a view may show, by slot."""

    __slots__ = ("number", "values")

    def __init__(self, number: int, values: Mapping[str, Any]) -> None:
        self.number = number
        self.values = values


@dataclass(frozen=True, slots=True, eq=False)
class DeviceGroup:
    """Devices that no rule can tell apart, port by port."""

    devices: tuple[Device, ...]
    ports: tuple[tuple[str, PortClass], ...]
    system: Any
    bundles: Mapping[str, str]  # port → the aggregate that it is a member of
    unsaved: Switch
    uplinks: tuple[int, ...]  # lossless links to each switch of a higher tier, fewest first


@dataclass(frozen=True, slots=True, eq=False)
class LinkGroup:
    """Links whose ends are of the same two classes and whose cables are equal.

    `ends` holds (link number, device, port, device, port) with the host's or lower tier's end
    first; `b` is `None` where the second end is outside the fabric.
    """

    number: int
    a: PortClass
    b: PortClass | None
    cable: Any
    ends: list[tuple[int, str, str, str, str]]


class _Kind:
    """What devices that share ports and state have in common.

    `linked` holds the classes of ports with a link; ports without one are of other classes.
    """

    __slots__ = ("device", "linked", "system")

    def __init__(self, device: Device, linked: Mapping[str, PortClass], system: Any) -> None:
        self.device = device
        self.linked = linked
        self.system = system


class _Entry:
    """One device while links are counted: its kind, height, and ports that have a link."""

    __slots__ = ("height", "kind", "ports", "wired")

    def __init__(self, kind: _Kind, tier: int | None) -> None:
        self.kind = kind
        self.ports = kind.linked
        self.height = _UNKNOWN_HEIGHT if tier is None else tier
        self.wired: list[str] = []


class _Canon:
    """Equal things become one object; a thing seen before is recognised by its identity."""

    def __init__(self) -> None:
        self.interner = Interner()
        self._known: dict[int, Any] = {}
        self._held: list[Any] = []  # keeps identities from being used again

    def __call__(self, thing: Any) -> Any:
        found = self._known.get(id(thing))
        if found is None:
            found = self._known[id(thing)] = self.interner(thing)
            self._held.append(thing)
        return found


class Census:
    """The port classes, device groups and link groups of one fabric."""

    def __init__(self, fabric: Fabric) -> None:
        self.fabric = fabric
        self.tiers = tiers(fabric)
        self.classes: list[PortClass] = []
        self._canon = _Canon()
        self._by_objects: dict[tuple[int, ...], PortClass] = {}
        self._by_ids: dict[tuple[int, ...], PortClass] = {}
        self._effective: dict[tuple[int, int, int], Mapping[str, Any]] = {}
        self._in_force: dict[int, Mapping[str, Any]] = {}
        self._systems: dict[tuple[int, int], Any] = {}
        self._kinds: dict[tuple[int, int, int], _Kind] = {}
        self._entries = {
            name: _Entry(self._kind(device), self.tiers[name])
            for name, device in fabric.devices.items()
        }
        self.links = self._group_links(fabric.links)
        self.devices = self._group_devices()

    def class_of(self, device: str, port: str) -> PortClass | None:
        """Return the class of one port that has a link."""
        entry = self._entries.get(device)
        return None if entry is None else entry.ports.get(port)

    def _kind(self, device: Device) -> _Kind:
        key = id(device.ports), id(device.configured), id(device.profile)
        kind = self._kinds.get(key)
        if kind is None:
            system = self._system(device)
            linked = {p.name: self._class(device, p, system, linked=True) for p in device.ports}
            kind = self._kinds[key] = _Kind(device, linked, system)
        return kind

    def _system(self, device: Device) -> Any:
        stated = self._canon(device.configured.system)
        key = id(stated), id(device.profile)
        found = self._systems.get(key)
        if found is None:
            whole = effective_system(stated, device.profile, assume_defaults=self.fabric.declared)
            found = self._systems[key] = self._canon(whole)
        return found

    def _class(self, device: Device, port: Port, system: Any, *, linked: bool) -> PortClass:
        configured = device.configured
        stated = configured.ports.get(port.name, NOTHING)
        # Devices of one set share these very objects, so most ports end here.
        key = id(port), id(stated), id(configured.system), id(device.profile), int(linked)
        found = self._by_objects.get(key)
        if found is None:
            found = self._by_objects[key] = self._find_class(device, port, system, linked)
        return found

    def _find_class(self, device: Device, port: Port, system: Any, linked: bool) -> PortClass:
        profile = port.profile or device.profile
        facets = self._facets(device, port, profile)
        place, intent = self._canon(port.place), self._canon(port.intent)
        key = id(facets), id(place), id(intent), id(profile), id(system), int(linked)
        found = self._by_ids.get(key)
        if found is None:
            values = {
                **facets,
                "place": place,
                "intent": intent,
                "profile": profile,
                "system": system,
                "linked": linked,
            }
            found = self._by_ids[key] = PortClass(len(self.classes), values)
            self.classes.append(found)
        return found

    def _facets(self, device: Device, port: Port, profile: Any) -> Mapping[str, Any]:
        stated = self._canon(device.configured.port(port.name))
        box = self._canon(device.configured.system)
        key = id(stated), id(profile), id(box)
        found = self._effective.get(key)
        if found is None:
            force = effective(stated, profile, box, assume_defaults=self.fabric.declared)
            whole = self._canon.interner.settings(force.settings)
            named = {name: getattr(whole, name) for name in FACETS}
            # Settings stated differently may come into force alike: those are one mapping too.
            found = self._effective[key] = self._in_force.setdefault(id(whole), named)
        return found

    def _group_links(self, links: Iterable[Link]) -> list[LinkGroup]:
        groups: dict[tuple[int, int, int], LinkGroup] = {}
        entries, canon = self._entries, self._canon
        outside = _Entry(_Kind(Device(name="", kind="external"), {}, None), None)
        for link in links:
            a_name, a_port = link.a_device.name, link.a.name
            b_name, b_port = link.b_device.name, link.b.name
            a_entry, b_entry = entries.get(a_name, outside), entries.get(b_name, outside)
            a, b = a_entry.ports.get(a_port), b_entry.ports.get(b_port)
            a_entry.wired.append(a_port)
            b_entry.wired.append(b_port)
            if a is None or (b is not None and b_entry.height < a_entry.height):
                a, b = b, a
                a_name, b_name, a_port, b_port = b_name, a_name, b_port, a_port
            if a is None:
                continue  # both ends are outside
            cable = canon(link.cable)
            key = a.number, -1 if b is None else b.number, id(cable)
            group = groups.get(key)
            if group is None:
                group = groups[key] = LinkGroup(len(groups), a, b, cable, [])
            group.ends.append((link.number, a_name, a_port, b_name, b_port))
        return list(groups.values())

    def _group_devices(self) -> list[DeviceGroup]:
        members: dict[Any, list[Device]] = {}
        uplinks = self._uplinks()
        for name, device in self.fabric.devices.items():
            entry = self._entries[name]
            wired = entry.ports.keys() & entry.wired
            key = (
                id(entry.kind),
                device.mlag is None,
                (device.kind, device.role, device.platform, device.version),
                (device.model, device.model_known, device.hwsku, _unsaved(device)),
                uplinks.get(name, ()),
                None if len(wired) == len(entry.ports) else frozenset(wired),
            )
            members.setdefault(key, []).append(device)
        return [self._device_group(group, *key[-2:]) for key, group in members.items()]

    def _uplinks(self) -> dict[str, tuple[int, ...]]:
        """Return how many lossless links each switch has to each one of a higher tier."""
        counted: dict[str, dict[str, int]] = {}
        for group in self.links:
            ends = (group.a, group.b)
            if any(end is None or end.values["place"].lossless is OFF for end in ends):
                continue
            for _, low, _, high, _ in group.ends:
                if HOST_TIER < self._entries[low].height < self._entries[high].height:
                    above = counted.setdefault(low, {})
                    above[high] = above.get(high, 0) + 1
        return {name: tuple(sorted(above.values())) for name, above in counted.items()}

    def _device_group(
        self, devices: list[Device], uplinks: tuple[int, ...], wired: frozenset[str] | None
    ) -> DeviceGroup:
        kind = self._entries[devices[0].name].kind
        bundles = {port.name: port.bond for port in kind.device.ports if port.bond is not None}
        unsaved = _unsaved(devices[0])
        if wired is None:
            linked = tuple(kind.linked.items())
            return DeviceGroup(tuple(devices), linked, kind.system, bundles, unsaved, uplinks)
        ports = tuple(
            (port.name, self._class(kind.device, port, kind.system, linked=port.name in wired))
            for port in kind.device.ports
        )
        return DeviceGroup(tuple(devices), ports, kind.system, bundles, unsaved, uplinks)


def _unsaved(device: Device) -> Switch:
    """Say whether a device would start with something else than is configured."""
    if device.startup is None:
        return None
    now, then = device.configured, device.startup
    both = (*compare_states(now, then), *compare_states(then, now))
    return True if any(d.verdict is Verdict.DIFFERENT for d in both) else OFF


def is_nic(found: PortClass, tier: int | None) -> bool:
    """Say whether ports of a class may send or receive RoCE for a host."""
    place = found.values["place"]
    return tier == HOST_TIER and place.lossless in (None, True)
