"""The declared fabric as it would be with a difference: what a device was found to do, declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from lossless.model.device import Device, DeviceState
from lossless.model.effective import Path, effective, effective_system
from lossless.model.fabric import Fabric
from lossless.model.facet import is_facet, shape
from lossless.model.settings import NOTHING
from lossless.running import Kind, Leaf, Part, Seen


def drifted(declared: Fabric, leaves: Iterable[Leaf], seen: Mapping[str, Seen]) -> Fabric | None:
    """Return the declared fabric with some differences in it; `None` where nothing can be said.

    A port that is not there cannot be declared otherwise, and neither can a raw line.
    """
    by_device: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        if leaf.path and leaf.path[0] != "raw":
            by_device.setdefault(leaf.device, []).append(leaf)
    changed = {
        name: made
        for name, own in by_device.items()
        if (made := _device(declared.devices[name], own, seen[name])) is not None
    }
    if not changed:
        return None
    devices = {**declared.devices, **changed}
    links = [
        replace(
            link,
            a_device=devices.get(link.a_device.name, link.a_device),
            b_device=devices.get(link.b_device.name, link.b_device),
        )
        for link in declared.links
    ]
    return replace(declared, devices=devices, links=links)


def _device(device: Device, leaves: Iterable[Leaf], seen: Seen) -> Device | None:
    state = device.configured
    system, ports = state.system, dict(state.ports)
    for leaf in leaves:
        found = _found(leaf, seen)
        if found is None:
            continue
        if leaf.port is None:
            system = put(system, found, leaf.path, leaf.found)
        else:
            told = ports.get(leaf.port, NOTHING)
            ports[leaf.port] = put(told, found, leaf.path, leaf.found)
    made = DeviceState(system, ports)
    return None if made == state else replace(device, configured=made)


def _found(leaf: Leaf, seen: Seen) -> Any:
    """Return the settings in force in which the difference was found."""
    for part in seen.parts:
        state = part.operational if leaf.kind is Kind.NOT_IN_FORCE else part.state
        if state is None:
            continue
        if leaf.port is None and _tells(part, leaf):
            return effective_system(state.system, part.profile, assume_defaults=False)
        if leaf.port is not None and leaf.port in state.ports:
            settings = state.ports[leaf.port]
            return effective(settings, part.profile, state.system, assume_defaults=False).settings
    return None


def _tells(part: Part, leaf: Leaf) -> bool:
    """Say whether this component of a device is the one that holds a box-wide leaf."""
    held: Any = effective_system(part.state.system, part.profile, assume_defaults=False)
    for step in leaf.path:
        if not is_facet(held):
            break
        held = getattr(held, str(step))
    return held not in (None, ())


def put(held: Any, found: Any, path: Path, value: Any) -> Any:
    """Return `held` with one leaf set; where it holds nothing on the way, what was found there.

    `path` is one of `lossless.model.effective.leaves`.
    """
    step, rest = path[0], path[1:]
    name = str(step)
    how = next(shape(spec) for spec in fields(held) if spec.name == name)
    own, there = getattr(held, name), getattr(found, name)
    if how == "map":
        return replace(held, **{name: _in_map(own, there, rest, value)})
    if how == "table":
        return replace(held, **{name: _in_table(own, there, rest, value)})
    if not rest:
        return replace(held, **{name: value})
    below = put(own, there, rest, value) if is_facet(own) else there
    return replace(held, **{name: below})


def _in_map(own: tuple[Any, ...], there: tuple[Any, ...], rest: Path, value: Any) -> Any:
    if not own or not rest:
        return there
    place = int(rest[0])
    return (*own[:place], value, *own[place + 1 :])


def _in_table(own: tuple[Any, ...], there: tuple[Any, ...], rest: Path, value: Any) -> Any:
    rows, key = dict(own), rest[0]
    row, other = rows.get(key), dict(there).get(key)
    if len(rest) == 1:
        rows[key] = value
    elif is_facet(row):
        rows[key] = put(row, other if is_facet(other) else row, rest[1:], value)
    else:
        rows[key] = other
    return tuple(sorted(rows.items(), key=lambda pair: pair[0]))
