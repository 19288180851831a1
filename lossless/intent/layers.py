"""Layers of statements: what lies over what, and where each statement is written.

A layer is one mapping of the inventory (or of a named policy).  Merging is always the same: maps
merge, anything else replaces, `None` (written `null`) removes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from lossless.findings import Location
from lossless.model.values import OFF

#: Keys (and list indexes) from the root of a document to a place in it.
Path: TypeAlias = tuple[str | int, ...]


class Sources(Protocol):
    """Finds where a path of a document is written; files are read again only then."""

    def find(self, path: Path) -> Location | None:
        """Return the place of a path, or of the nearest enclosing one that is written."""

    def value(self, path: Path) -> str | tuple[str, ...] | None:
        """Return the text of the scalar or flow list at a path; `None` for anything else."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One mapping that states something.  `origin` is its name for people."""

    data: Mapping[str, Any]
    path: Path
    sources: Sources
    origin: str

    def find(self, below: Path = ()) -> Location | None:
        """Return where a key of this layer is written; the nearest enclosing one of short forms."""
        return self.sources.find((*self.path, *_in_file(below)))

    def value(self, below: Path) -> str | tuple[str, ...] | None:
        """Return the text of a value of this layer, as it is written."""
        return self.sources.value((*self.path, *_in_file(below)))

    def held(self, below: Path) -> Any:
        """Return a value of this layer.  Raises `KeyError` where it has none."""
        found: Any = self.data
        for step in below:
            found = found[step]
        return found


def _in_file(below: Path) -> Path:
    """Return a path as a file has it: there a NIC's VLANs stand directly under `vlans`."""
    return tuple(step for step in below if step != "ids") if "vlans" in below else below


def normal(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say of what is described that it is there, so that it lies over "off" beneath.

    Whoever writes a watchdog's times means a watchdog that watches; the same goes for DCBX and for
    a class's marking curve.
    """
    changed: dict[str, Any] = {}
    pfc, classes = data.get("pfc"), data.get("classes")
    if isinstance(pfc, Mapping):
        changed["pfc"] = {
            key: _present(held) if key in ("watchdog", "dcbx") else held
            for key, held in pfc.items()
        }
    if isinstance(classes, Mapping):
        changed["classes"] = {
            name: {**held, "ecn": _present(held["ecn"])}
            if isinstance(held, Mapping) and "ecn" in held
            else held
            for name, held in classes.items()
        }
    return {**data, **changed} if changed else data


def _present(held: Any) -> Any:
    return {"enabled": True, **held} if isinstance(held, Mapping) else held


def merge(layers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Lay mappings over each other, the last on top."""
    out: dict[str, Any] = {}
    for layer in layers:
        _lay(out, layer)
    return out


def _lay(out: dict[str, Any], layer: Mapping[str, Any]) -> None:
    for key, value in layer.items():
        if value is None:
            out.pop(key, None)
        elif isinstance(value, Mapping):
            beneath = out.get(key)
            inner = dict(beneath) if isinstance(beneath, Mapping) else {}
            _lay(inner, value)
            out[key] = inner
        else:
            out[key] = value


@dataclass(frozen=True, slots=True)
class Found:
    """Where a path leads in a pile of layers: the layer, and how much of the path it holds."""

    layer: Layer
    written: Path
    exact: bool

    def location(self) -> Location | None:
        """Return the place in the file."""
        return self.layer.find(self.written)


def look_up(layers: Sequence[Layer], path: Path) -> Found | None:
    """Find the statement in force about a path; `layers` run from low to high.

    Where nobody states the leaf, the deepest enclosing key that somebody wrote.
    """
    best: Found | None = None
    for layer in reversed(layers):
        depth, exact = _walk(layer.data, path)
        if exact:
            return Found(layer, path[:depth], depth == len(path))
        if depth and (best is None or depth > len(best.written)):
            best = Found(layer, path[:depth], exact=False)
    return best


def _walk(data: Any, path: Path) -> tuple[int, bool]:
    """Return how many steps of a path a layer holds, and whether it decides what is there.

    A leaf above the path decides it too: `cnp: none` answers for everything below `cnp`.
    """
    for depth, step in enumerate(path):
        if not isinstance(data, Mapping):
            return depth, depth > 0
        if step not in data:
            return depth, False
        data = data[step]
    return len(path), True


def paths(data: Mapping[str, Any], above: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every leaf of a mapping with its path; an empty map is a leaf."""
    for key, value in data.items():
        if isinstance(value, Mapping) and value:
            yield from paths(value, (*above, key))
        else:
            yield (*above, key), value


def disagreements(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the paths that two mappings state differently."""
    for key, value in one.items():
        if key not in other:
            continue
        there = other[key]
        if value is there:
            continue
        if isinstance(value, Mapping) and isinstance(there, Mapping):
            yield from ((key, *rest) for rest in disagreements(value, there))
        elif value != there:
            yield (key,)


def is_off(value: Any) -> bool:
    """Say whether a value is the declared absence of something."""
    return value is OFF or value is False
