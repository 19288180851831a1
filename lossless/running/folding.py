"""Differences folded: the same difference of many ports, or of many code points, is told once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from lossless.findings import Location
from lossless.model.effective import Path
from lossless.nodeset import fold, sort_key
from lossless.rules.engine.extent import from_pairs, names
from lossless.running.differences import Kind, Leaf
from lossless.running.gather import Seen
from lossless.running.words import placed

#: A device, and a port of it or `None` for the whole box.
Object = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference of all objects that share it.

    `leaves` are folded dotted paths of the model ("classification.dscp_to_priority.[24-31]"), and
    `port` where the port itself is concerned; `field` is the inventory's word where it has one.
    `place` is where the wanted value is written (or was captured first), `captured` where the found
    one stands, both for the first object.  `parts` are all leaves that are told here.
    """

    kind: Kind
    field: str
    leaves: str
    wanted: Any
    found: Any
    objects: tuple[str, ...]
    count: int
    devices: tuple[str, ...]
    place: Location | None = None
    captured: Location | None = None
    parts: tuple[Leaf, ...] = ()


#: Returns the inventory's word for a leaf, and where that is written.
Locate = Callable[[Object, Path], tuple[str | None, Location | None]]


def folded(
    found: Iterable[Leaf], seen: Mapping[str, Seen], locate: Locate, *, apart: bool = True
) -> tuple[Difference, ...]:
    """Return differences in a stable order, each with all objects and code points that share it.

    `apart`: what is written at different places is told apart.
    """
    objects: dict[tuple[Any, ...], list[Object]] = {}
    samples: dict[tuple[Any, ...], Leaf] = {}
    places: dict[tuple[Any, ...], Location | None] = {}
    members: dict[tuple[Any, ...], list[Leaf]] = {}
    for leaf in found:
        word, place = locate((leaf.device, leaf.port), leaf.path)
        where = place if apart else None
        key = (leaf.kind, leaf.path, _key(leaf.wanted), _key(leaf.found), word, where)
        objects.setdefault(key, []).append((leaf.device, leaf.port))
        samples.setdefault(key, leaf)
        places.setdefault(key, place)
        members.setdefault(key, []).append(leaf)
    merged: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for key, who in objects.items():
        kind, _, wanted, was, word, place = key
        merged.setdefault((kind, wanted, was, word, place, tuple(who)), []).append(key)
    made = [
        replace(
            _difference(keys, samples, objects[keys[0]], seen),
            place=places[keys[0]],
            parts=tuple(leaf for key in keys for leaf in members[key]),
        )
        for keys in merged.values()
    ]
    return tuple(sorted(made, key=_order))


def _key(value: Any) -> Any:
    return type(value).__name__, value


def _difference(
    keys: list[tuple[Any, ...]],
    samples: Mapping[tuple[Any, ...], Leaf],
    who: list[Object],
    seen: Mapping[str, Seen],
) -> Difference:
    kind, _, _, _, word, _ = keys[0]
    leaf = samples[keys[0]]
    spelt = fold(dict.fromkeys(_dotted(key[1]) for key in keys))
    there = seen.get(leaf.device)
    captured = None if there is None else placed(there.lines, leaf.port, [key[1] for key in keys])
    return Difference(
        kind=kind,
        field=word or spelt,
        leaves=spelt,
        wanted=leaf.wanted,
        found=leaf.found,
        objects=names(from_pairs(who)),
        count=len(who),
        devices=tuple(dict.fromkeys(device for device, _ in who)),
        captured=captured,
    )


def _dotted(path: Path) -> str:
    return ".".join(map(str, path)) or "port"


def _order(difference: Difference) -> tuple[Any, ...]:
    return (
        [kind.value for kind in Kind].index(difference.kind.value),
        sort_key(difference.objects[0]),
        difference.leaves,
        str(difference.wanted),
        str(difference.found),
    )
