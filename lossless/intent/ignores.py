"""Which findings the inventory accepts: by comments, and by `lint: {ignore: …}` on objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lossless.findings import InlineIgnore, KeyedIgnore, Target
from lossless.intent.declared import SECTIONS, dotted
from lossless.intent.layers import Path
from lossless.intent.lowering.values import section
from lossless.intent.provenance import Written


@dataclass(slots=True, eq=False)
class Ignores:
    """The suppressions of one inventory."""

    written: Written
    comments: Callable[[], Sequence[InlineIgnore]]

    def inline(self) -> Sequence[InlineIgnore]:
        """Return the comments that suppress, over all files."""
        return self.comments()

    def all_keyed(self) -> Sequence[KeyedIgnore]:
        """Return every keyed entry that is written anywhere."""
        return [one for path, held in _holders(self.written.data) for one in _entries(held, path)]

    def keyed(self, target: Target) -> Sequence[KeyedIgnore]:
        """Return the keyed entries in force on a target: its own, and those of what holds it."""
        data = self.written.data
        out = list(_entries(data, ()))
        if target.link is not None:
            for layer in self.written.pile(target):
                out.extend(_entries(layer.data, layer.path))
            return out
        if target.device is None:
            return [*out, *_entries(section(data, "policy"), ("policy",))]
        for path in self._paths(target):
            held = _at(data, path)
            if held is not None:
                out.extend(_entries(held, path))
        return out

    def _paths(self, target: Target) -> Iterator[Path]:
        """Yield the paths of everything that holds a target, from the widest to the narrowest."""
        device = target.device or ""
        layers = self.written.pile(Target(device))
        if target.port is not None:
            layers = [*layers, *self.written.pile(target)]
        seen: dict[Path, None] = {}
        for layer in layers:
            if layer.sources is self.written.sources:
                if layer.path[:1] == ("fabrics",):
                    seen.setdefault(layer.path[:2])
                seen.setdefault(layer.path)
        yield from (path for path in seen if path)


def _at(data: Any, path: Path) -> Mapping[str, Any] | None:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data if isinstance(data, Mapping) else None


def _entries(held: Mapping[str, Any], path: Path) -> Iterator[KeyedIgnore]:
    for rule, reason in section(section(held, "lint"), "ignore").items():
        if reason is not None:
            here = (*path, "lint", "ignore", rule)
            yield KeyedIgnore(rule, str(reason), dotted(here))


def _holders(data: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield every object of an inventory that may accept findings."""
    yield (), data
    yield from _policy(data, ())
    for name, fabric in section(data, "fabrics").items():
        if isinstance(fabric, Mapping):
            yield ("fabrics", name), fabric
            yield from _policy(fabric, ("fabrics", name))
    for key in ("roles", "external"):
        yield from _children(data, (), key)
    for key, (ports, _) in SECTIONS.items():
        for path, device in _children(data, (), key):
            yield path, device
            for inner in (ports, "lags", "bonds"):
                yield from _children(device, path, inner)
    for number, link in enumerate(data.get("links") or ()):
        yield ("links", number), link


def _policy(data: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    policy = section(data, "policy")
    if policy:
        here = (*path, "policy")
        yield here, policy
        for number, override in enumerate(policy.get("overrides") or ()):
            yield (*here, "overrides", number), override


def _children(
    data: Mapping[str, Any], path: Path, key: str
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for name, held in section(data, key).items():
        if isinstance(held, Mapping):
            yield (*path, key, name), held
