"""Which findings the inventory accepts: by comments, by `lint: {ignore: …}` and by maintenance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lossless.findings import InlineIgnore, KeyedIgnore, Maintenance, Target
from lossless.intent.declared import SECTIONS, dotted
from lossless.intent.layering import Layering
from lossless.intent.layers import Path
from lossless.intent.lowering.values import section

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Ignores:
    """The suppressions of one inventory.

    Every keyed entry and mark is found once; what is in force on a target is picked from those.
    """

    layering: Layering
    comments: Callable[[], Sequence[InlineIgnore]]
    _at: dict[Path, tuple[KeyedIgnore, ...]] | None = None
    _marked: dict[Path, tuple[Maintenance, ...]] | None = None
    _picked: dict[tuple[int, int], tuple[Any, ...]] = field(default_factory=dict)

    def inline(self) -> Sequence[InlineIgnore]:
        """Return the comments that suppress, over all files."""
        return self.comments()

    def all_keyed(self) -> Sequence[KeyedIgnore]:
        """Return every keyed entry that is written anywhere."""
        return [entry for entries in self._written().values() for entry in entries]

    def keyed(self, target: Target) -> Sequence[KeyedIgnore]:
        """Return the keyed entries in force on a target: its own, and those of what holds it."""
        return self._in_force(self._written(), target)

    def all_maintenance(self) -> Sequence[Maintenance]:
        """Return every mark of maintenance that is written anywhere."""
        return [mark for marks in self._marks().values() for mark in marks]

    def maintenance(self, target: Target) -> Sequence[Maintenance]:
        """Return the marks in force on a target: its own, and those of what holds it."""
        return self._in_force(self._marks(), target)

    def _in_force(self, written: Mapping[Path, tuple[T, ...]], target: Target) -> Sequence[T]:
        if not written:
            return ()
        if target.link is not None:
            path = self.layering.links.path(target.link)
            return [*written.get((), ()), *written.get(path or ("links", -1), ())]
        if target.device is None:
            return [*written.get((), ()), *written.get(("policy",), ())]
        if target.device not in self.layering.devices:  # piles of outsiders are not kept
            return self._pick(written, target)
        key = id(written), id(self.layering.pile(target))
        if key not in self._picked:
            self._picked[key] = self._pick(written, target)
        return self._picked[key]

    def _pick(self, written: Mapping[Path, tuple[T, ...]], target: Target) -> tuple[T, ...]:
        return tuple(e for path in self._paths(target) for e in written.get(path, ()))

    def _marks(self) -> dict[Path, tuple[Maintenance, ...]]:
        if self._marked is None:
            found = ((path, tuple(_mark(o, path))) for path, o in _holders(self.layering.data))
            self._marked = {path: marks for path, marks in found if marks}
        return self._marked

    def _written(self) -> dict[Path, tuple[KeyedIgnore, ...]]:
        if self._at is None:
            found = ((path, tuple(_entries(o, path))) for path, o in _holders(self.layering.data))
            self._at = {path: entries for path, entries in found if entries}
        return self._at

    def _paths(self, target: Target) -> Iterator[Path]:
        """Yield the paths of everything that holds a target, from the widest to the narrowest."""
        layers = list(self.layering.pile(Target(target.device)))
        if target.port is not None:
            layers.extend(self.layering.pile(target))
        seen: dict[Path, None] = {(): None}
        for layer in layers:
            if layer.sources is self.layering.sources:
                if layer.path[:1] == ("fabrics",):
                    seen.setdefault(layer.path[:2])
                seen.setdefault(layer.path)
        seen.update(dict.fromkeys(self._bonds(target)))
        yield from seen

    def _bonds(self, target: Target) -> Iterator[Path]:
        if target.device not in self.layering.devices or target.device is None:
            return
        port = self.layering.port(target.device, target.port)
        if port is None or port.bond is None:
            return
        declared = self.layering.declared
        for layer in declared.device_layers(target.device):
            for key in section(layer.data, "bonds"):
                if port.bond in declared.expanded(key):
                    yield (*layer.path, "bonds", key)


def _entries(held: Mapping[str, Any], path: Path) -> Iterator[KeyedIgnore]:
    for rule, reason in section(section(held, "lint"), "ignore").items():
        if reason is not None:
            here = (*path, "lint", "ignore", rule)
            yield KeyedIgnore(rule, str(reason), dotted(here))


def _mark(held: Mapping[str, Any], path: Path) -> Iterator[Maintenance]:
    said = section(held, "maintenance")
    if said:
        yield Maintenance(said["until"], said["reason"], dotted((*path, "maintenance")))


def _accepts(held: Mapping[str, Any]) -> bool:
    return "lint" in held or "maintenance" in held


def _holders(data: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield every object of an inventory that accepts findings."""
    if "lint" in data:
        yield (), data
    yield from _policy(data, ())
    for path, fabric in _children(data, (), "fabrics"):
        if "lint" in fabric:
            yield path, fabric
        yield from _policy(fabric, path)
    for key in ("roles", "external"):
        yield from _accepting(_children(data, (), key))
    silent: set[int] = set()  # equal subtrees are one object: those without entries
    for key, (ports, _) in SECTIONS.items():
        for path, device in _children(data, (), key):
            if _accepts(device):
                yield path, device
            for inner in (ports, "lags", "bonds"):
                yield from _inside(device, path, inner, silent)
    links = enumerate(data.get("links") or ())
    yield from ((("links", number), link) for number, link in links if _accepts(link))


def _policy(data: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    policy = section(data, "policy")
    here = (*path, "policy")
    if "lint" in policy:
        yield here, policy
    for number, override in enumerate(policy.get("overrides") or ()):
        if "lint" in override:
            yield (*here, "overrides", number), override


def _inside(
    device: Mapping[str, Any], path: Path, key: str, silent: set[int]
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    held = device.get(key)
    if not held or id(held) in silent:
        return
    found = list(_accepting(_children(device, path, key)))
    if not found:
        silent.add(id(held))
    yield from found


def _accepting(
    objects: Iterator[tuple[Path, Mapping[str, Any]]],
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    return ((path, held) for path, held in objects if _accepts(held))


def _children(
    data: Mapping[str, Any], path: Path, key: str
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for name, held in section(data, key).items():
        if isinstance(held, Mapping):
            yield (*path, key, name), held
