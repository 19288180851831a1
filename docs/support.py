"""What each platform does with each statement of the model, asked of the platforms themselves."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_type_hints

from docs.support_samples import variants
from lossless.hardware import profile_for
from lossless.model.device import DeviceState
from lossless.model.facet import is_facet, shape
from lossless.model.profile import Profile
from lossless.model.settings import FACETS, Settings, System
from lossless.model.values import DEFAULT
from lossless.platforms import registry
from lossless.platforms.contract import Platform

#: What a table's cell says, best first.
FULL: Final = "full"
READ: Final = "read only"
WARNED: Final = "warned"
IGNORED: Final = "ignored"

#: A release whose words are known, and a port's name in the platform's own words.
_ASKED: Final[Mapping[str, tuple[str | None, str | None, str]]] = {
    "arista_eos": ("4.33.1F", "DCS-7060X6-64PE", "Ethernet1/1"),
    "cisco_nxos": ("10.4(3)", "N9K-C9332D-GX2B", "Ethernet1/1"),
    "sonic": ("202505", None, "Ethernet0"),
    "nvidia_cumulus": ("5.14.0", "SN5600", "swp1"),
    "nvidia_mlnx_qos": (None, None, "ens1np0"),
    "collective_env": (None, None, "ens1np0"),
}

Name = tuple[str, ...]


def statements() -> Iterator[Name]:
    """Yield the name of each statement: facet and field, through tables to the rows' fields."""
    for facet in FACETS:
        kind = type(getattr(Settings(), facet))
        yield from ((facet, *rest) for rest in _fields(kind))
    yield from ((f"device {name}", *rest) for name, rest in _box())


def _box() -> Iterator[tuple[str, Name]]:
    for field in dataclasses.fields(System):
        if field.name == "settings":
            continue
        held = getattr(System(), field.name)
        if is_facet(held):
            yield from ((field.name, rest) for rest in _fields(type(held)))
        else:
            yield field.name, ()


def _fields(kind: type) -> Iterator[Name]:
    hints = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        row = _row(hints[field.name]) if shape(field) == "table" else None
        inner = row or (hints[field.name] if is_facet_type(hints[field.name]) else None)
        if inner is None:
            yield (field.name,)
        else:
            yield from ((field.name, *rest) for rest in _fields(inner))


def is_facet_type(kind: Any) -> bool:
    """Say whether a type is a facet's class."""
    return isinstance(kind, type) and dataclasses.is_dataclass(kind) and is_facet(kind())


def _row(hint: Any) -> type | None:
    """Return the class of a table's rows, where they are facets."""
    (pair, _) = hint.__args__
    row = pair.__args__[1]
    return row if is_facet_type(row) else None


def table_of(name: str) -> dict[Name, str]:
    """Return what a platform does with each statement."""
    platform = registry.load(name)
    if platform is None:
        raise LookupError(name)
    version, model, port = _ASKED[name]
    profile = profile_for(name, version, model)
    kept: set[Name] = set()
    told: set[Name] = set()
    for state in variants(port):
        kept |= _kept(platform, state, profile)
        told |= _told(platform, state, profile)
    read = frozenset(getattr(platform, "reads_only", ()))
    return {each: _cell(each, kept, told, read) for each in statements()}


def _cell(each: Name, kept: set[Name], told: set[Name], read: frozenset[str]) -> str:
    if each in kept:
        return FULL
    if ".".join(each) in read:
        return READ
    return WARNED if any(_speaks_of(gap, each) for gap in told) else IGNORED


def said(state: DeviceState) -> set[Name]:
    """Return which statements a state makes."""
    found = set(_box_said(state.system))
    for settings in (state.system.settings, *state.ports.values()):
        found |= set(_said(settings, ()))
    return found


def _kept(platform: Platform, state: DeviceState, profile: Profile | None) -> set[Name]:
    return said(platform.canonical(state, profile))


def _box_said(system: System) -> Iterator[Name]:
    for field in dataclasses.fields(System):
        held = getattr(system, field.name)
        if field.name != "settings":
            yield from _said(held, (f"device {field.name}",))


def _said(held: Any, name: Name) -> Iterator[Name]:
    if held is None or held is DEFAULT or held == ():
        return
    if not is_facet(held):
        yield name
        return
    for field in dataclasses.fields(held):
        value = getattr(held, field.name)
        rows = [row for _, row in value] if shape(field) == "table" else [value]
        for row in rows:
            yield from _said(row, (*name, field.name))


def _told(platform: Platform, state: DeviceState, profile: Profile | None) -> set[Name]:
    return {_words(gap.path) for gap in platform.inexpressible(state, profile)} - {()}


def _words(path: Iterable[str | int]) -> Name:
    head, *rest = path
    words = tuple(word for word in rest if isinstance(word, str) and word != "settings")
    return words[1:] if head == "ports" else words


def _speaks_of(gap: Name, statement: Name) -> bool:
    """Say whether a gap is about a statement, or about something that holds it."""
    own = (statement[0].removeprefix("device "), *statement[1:])
    return gap in (own[: len(gap)], own[-1:])
