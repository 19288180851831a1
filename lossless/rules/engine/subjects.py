"""What each scope asks about: every distinct appearance once, and who shares it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from lossless.rules.declare import Rule, Scope
from lossless.rules.engine.census import Census, DeviceGroup, LinkGroup
from lossless.rules.engine.extent import Rect
from lossless.rules.engine.lens import Lens
from lossless.rules.engine.members import Devices, Links, Members, Ports, Whole
from lossless.rules.engine.paths import PathAsker
from lossless.rules.views import DeviceView, FabricView, PortGroup, PortView


class Subject(NamedTuple):
    """Something to ask a rule about, the ports an answer may point at, and who shares it."""

    view: Any
    places: Sequence[PortView]
    members: Members


class Subjects:
    """The subjects of one fabric.  What several rules need is made once."""

    def __init__(self, census: Census) -> None:
        self.census = census
        self._lenses: dict[tuple[str, ...], Lens] = {}
        self._paths: PathAsker | None = None
        self._rects = _rects(census.devices)
        self._pairs: dict[tuple[int, int], list[LinkGroup]] = {}
        for group in census.links:
            key = group.a.number, -1 if group.b is None else group.b.number
            self._pairs.setdefault(key, []).append(group)

    @property
    def paths(self) -> PathAsker:
        """What path rules ask about; made when the first of them asks."""
        if self._paths is None:
            self._paths = PathAsker(self.census, self.ports_of)
        return self._paths

    def of(self, rule: Rule) -> Iterator[Subject]:
        """Yield what a rule is to be asked."""
        lens = self._lens(rule)
        ask = {
            Scope.PORT: self._ports,
            Scope.LINK: self._links,
            Scope.DEVICE: self._devices,
            Scope.FABRIC: self._fabrics,
            Scope.PATH: self._ways,
        }[rule.scope]
        return ask(lens)

    def ports_of(self, number: int) -> list[Rect]:
        """Return the ports of one class."""
        return self._rects.get(number, [])

    def _lens(self, rule: Rule) -> Lens:
        needs = tuple(sorted(set(rule.needs)))
        lens = self._lenses.get(needs)
        if lens is None:
            lens = self._lenses[needs] = Lens(needs)
        return lens

    def _ports(self, lens: Lens) -> Iterator[Subject]:
        alike: dict[int, list[Rect]] = {}
        for number, rects in self._rects.items():
            alike.setdefault(lens.key(self.census.classes[number]), []).extend(rects)
        for key, rects in alike.items():
            view = lens.view(key)
            yield Subject(view, (view,), Ports(rects))

    def _links(self, lens: Lens) -> Iterator[Subject]:
        alike: dict[tuple[int, int | None, int], list[LinkGroup]] = {}
        for groups in self._pairs.values():
            first = groups[0]
            a, b = lens.key(first.a), None if first.b is None else lens.key(first.b)
            if not lens.cable:
                alike.setdefault((a, b, 0), []).extend(groups)
                continue
            for group in groups:
                alike.setdefault((a, b, id(group.cable)), []).append(group)
        for (a, b, _), groups in alike.items():
            left = lens.view(a)
            right = None if b is None else lens.view(b)
            link = lens.link(left, right, groups[0].cable)
            yield Subject(
                link, (left,) if right is None else (left, right), Links(groups, self.ports_of)
            )

    def _devices(self, lens: Lens) -> Iterator[Subject]:
        alike: dict[Any, list[tuple[DeviceGroup, _Named]]] = {}
        for group in self.census.devices:
            named = _named(group, lens)
            device = group.devices[0]
            key = (
                *(device.kind, device.role, device.platform, device.version),
                *(device.model, device.model_known, device.hwsku, group.unsaved, group.uplinks),
                *(id(device.profile), id(group.system), device.mlag is None),
                tuple((seen, len(names)) for seen, names in named.items()),
            )
            alike.setdefault(key, []).append((group, named))
        for members in alike.values():
            group, named = members[0]
            ports = [
                PortGroup(lens.view(key), len(names), None if bundle < 0 else bundle)
                for (key, bundle), names in named.items()
            ]
            yield Subject(
                _device_view(group, ports),
                [port.view for port in ports],
                Devices(
                    [group for group, _ in members],
                    [[tuple(names) for names in named.values()] for _, named in members],
                ),
            )

    def _fabrics(self, lens: Lens) -> Iterator[Subject]:
        fabric = self.census.fabric
        several = len(fabric.intents) > 1
        for place, name in enumerate(fabric.intents or (fabric.name,)):
            # What is odd about the declaration as a whole is told once.
            yield self._fabric(lens, name, only=several, remarks=place == 0)

    def _fabric(self, lens: Lens, name: str, *, only: bool, remarks: bool) -> Subject:
        classes, fabric = self.census.classes, self.census.fabric
        rects: dict[int, list[Rect]] = {}
        for number, held in self._rects.items():
            if not only or classes[number].values["place"].fabric == name:
                rects.setdefault(lens.key(classes[number]), []).extend(held)
        ports = [
            PortGroup(lens.view(key), sum(len(d) * len(p) for d, p in held))
            for key, held in rects.items()
        ]
        places, extents = [group.view for group in ports], list[Sequence[Rect]](rects.values())
        links = []
        for subject in self._links(lens):
            groups = _within(subject.members, name if only else None)
            if groups:
                links.append((subject.view, sum(len(g.ends) for g in groups)))
                ends = Links(groups, self.ports_of)
                places.extend(subject.places)
                extents.extend(_LazyEnd(ends, end) for end in range(len(subject.places)))
        view = FabricView(
            name=name,
            ports=tuple(ports),
            links=tuple(links),
            remarks=fabric.remarks if remarks else (),
            declared=fabric.declared,
        )
        return Subject(view, places, Whole(name, extents))

    def _ways(self, lens: Lens) -> Iterator[Subject]:
        for view, places, members in self.paths.subjects(lens):
            yield Subject(view, places, members)


class _LazyEnd(Sequence[Rect]):
    """The ports at one end of links, written out only when an answer points at them."""

    def __init__(self, links: Links, end: int) -> None:
        self._links, self._end = links, end
        self._made: Sequence[Rect] | None = None

    def _rects(self) -> Sequence[Rect]:
        if self._made is None:
            self._made = self._links.extent(self._end)
        return self._made

    def __len__(self) -> int:
        return len(self._rects())

    def __getitem__(self, index: Any) -> Any:
        return self._rects()[index]


def _within(members: Members, fabric: str | None) -> list[LinkGroup]:
    if not isinstance(members, Links):
        return []
    if fabric is None:
        return list(members.groups)
    return [g for g in members.groups if g.a.values["place"].fabric == fabric]


def _device_view(group: DeviceGroup, ports: Sequence[PortGroup]) -> DeviceView:
    device = group.devices[0]
    return DeviceView(
        kind=device.kind,
        role=device.role,
        platform=device.platform,
        version=device.version,
        profile=device.profile,
        system=group.system,
        mlag=device.mlag is not None,
        ports=tuple(ports),
        model=device.model,
        model_known=device.model_known,
        unsaved=group.unsaved,
        uplinks=group.uplinks,
        hwsku=device.hwsku,
    )


#: What a rule sees of a port, and the number of its aggregate or -1 → the ports.
_Named: TypeAlias = dict[tuple[int, int], list[str]]


def _named(group: DeviceGroup, lens: Lens) -> _Named:
    """Return the ports of a device that look alike and are members of one aggregate or of none."""
    numbers: dict[str, int] = {}
    named: _Named = {}
    for name, port in group.ports:
        bundle = group.bundles.get(name)
        number = -1 if bundle is None else numbers.setdefault(bundle, len(numbers))
        named.setdefault((lens.key(port), number), []).append(name)
    return dict(sorted(named.items()))


def _rects(groups: Sequence[DeviceGroup]) -> dict[int, list[Rect]]:
    """Return the ports of each class, as rectangles of devices and ports."""
    out: dict[int, list[Rect]] = {}
    for group in groups:
        devices = tuple(device.name for device in group.devices)
        named: dict[int, list[str]] = {}
        for name, port in group.ports:
            named.setdefault(port.number, []).append(name)
        for number, ports in named.items():
            out.setdefault(number, []).append((devices, tuple(ports)))
    return out
