"""Leaving out of a state what cannot be said, so that a plan never says half of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.facet import is_facet, shape
from lossless.platforms.contract import Inexpressible

Path = tuple[str | int, ...]

#: Leaves that say one thing together: a fault in one takes the others with it.
_TOGETHER: Final[dict[Path, tuple[Path, ...]]] = {
    ("pfc", "send"): (("pfc",),),
    ("pfc", "honour"): (("pfc",),),
    ("pfc", "mode"): (("pfc",),),
    ("mtu", "native"): (("mtu",),),
    ("mtu", "l3"): (("mtu",),),
    ("classification", "trust"): (
        ("classification", "trust"),
        ("classification", "dscp_to_priority"),
    ),
    # Somebody else writes these: two owners would overwrite each other.
    ("dcb", "owner"): (("dcb",), ("classification",), ("pfc",), ("ets",), ("buffers",)),
}


def prune(state: DeviceState, gaps: Iterable[Inexpressible]) -> DeviceState:
    """Return the state without the leaves that `gaps` name."""
    ports: dict[str, Any] = dict(state.ports)
    for gap in gaps:
        name, inside = gap.path[1], gap.path[2:]
        for path in _together(inside):
            if path and str(name) in ports:
                ports[str(name)] = _without(ports[str(name)], path)
    return dataclasses.replace(state, ports=ports)


def _together(inside: Path) -> tuple[Path, ...]:
    if inside[:2] == ("ets", "queues") and inside[-1] in ("algorithm", "bandwidth"):
        return (("ets",),)  # shares mean nothing without the others
    return _TOGETHER.get(inside, (inside,))


def _without(thing: Any, path: Path) -> Any:
    leaf, rest = str(path[0]), path[1:]
    spec = next(spec for spec in dataclasses.fields(thing) if spec.name == leaf)
    held = getattr(thing, leaf)
    changes: dict[str, Any] = {leaf: _less(held, shape(spec), rest)}
    return dataclasses.replace(thing, **changes)


def _less(held: Any, how: str, rest: Path) -> Any:
    if how == "map":
        return tuple(None if i == rest[0] else e for i, e in enumerate(held)) if rest else ()
    if how == "table":
        rows = ((key, row) for key, row in held if not rest or key != rest[0] or rest[1:])
        if not rest:
            return ()
        return tuple((k, _without(r, rest[1:]) if k == rest[0] else r) for k, r in rows)
    if is_facet(held):
        return _without(held, rest) if rest else type(held)()
    return None
