"""What a device does, from what it was told and what its platform does by itself.

`effective` overlays a platform's defaults and expands its macro beneath the stated settings and
remembers where each leaf came from.  It is a pure function; rules see its result, round-trip tests
see the explicit state.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lossless.model.facet import is_facet, shape
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.values import DEFAULT, is_value

Path = tuple[str | int, ...]


class Origin(enum.Enum):
    """Why a leaf has its value."""

    STATED = "stated"
    SYSTEM = "stated for the whole box"
    EXPANDED = "expanded from the platform's macro"
    PLATFORM = "platform default"
    DERIVED = "derived by the device"


@dataclass(frozen=True, slots=True)
class Effective:
    """Settings in force, and the layers they came from."""

    settings: Settings
    layers: tuple[tuple[Origin, Settings], ...]

    def origins(self) -> Mapping[Path, Origin]:
        """Return where each told leaf came from."""
        told = [(origin, dict(leaves(layer))) for origin, layer in self.layers]
        return {
            path: next(
                (o for o, values in told if values.get(path) not in (None, DEFAULT)),
                Origin.PLATFORM,
            )
            for path, held in leaves(self.settings)
            if held is not None
        }


def effective(
    stated: Settings,
    profile: Profile | None,
    system: System | None = None,
    *,
    assume_defaults: bool,
) -> Effective:
    """Return the settings in force on a port.

    With `assume_defaults` (a declared state, rendered onto a box that is at its defaults) a leaf
    that nobody told stands at the platform's default.  Without it (a state read from a device)
    only leaves known to stand at `DEFAULT` do, and the rest stays not told.

    A port's leaf at `DEFAULT` is one that nobody set on the port: what the box states for all its
    ports, or its macro expands to, then holds.
    """
    box = system or System()
    macro = _macro(profile, box)
    defaults = _defaults(profile, stated, box)
    layers = (
        (Origin.STATED, stated),
        (Origin.SYSTEM, box.settings),
        (Origin.EXPANDED, macro),
    )
    told = NOTHING
    for _, layer in reversed(layers):
        told = overlay(told, _yielding(layer, told))
    settings = _settle(told, defaults, assume_defaults)
    return Effective(settings, layers)


def effective_system(stated: System, profile: Profile | None, *, assume_defaults: bool) -> System:
    """Return the box-wide statements in force; see `effective` for `assume_defaults`."""
    if profile is None:
        return stated
    macro = profile.macros.get(stated.macro) if is_value(stated.macro) else None
    told = stated if macro is None else overlay(macro, stated)
    settled: System = _settle(told, profile.system_defaults, assume_defaults)
    return settled


def _macro(profile: Profile | None, box: System) -> Settings:
    if profile is None or not is_value(box.macro):
        return NOTHING
    found = profile.macros.get(box.macro)
    return NOTHING if found is None else found.settings


def _defaults(profile: Profile | None, stated: Settings, box: System) -> Settings:
    if profile is None:
        return NOTHING
    defaults = overlay(profile.defaults, profile.system_defaults.settings)
    mode = overlay(box.settings.vlans, stated.vlans).mode
    trust = profile.trust_by_vlan_mode.get(mode.value) if is_value(mode) else None
    if trust is None:
        return defaults
    classification = dataclasses.replace(defaults.classification, trust=trust)
    return dataclasses.replace(defaults, classification=classification)


def _yielding(high: Any, low: Any) -> Any:
    """Return `high` without the defaults for which a lower layer tells a value."""
    if low == type(low)():
        return high
    changed: dict[str, Any] = {}
    for spec in dataclasses.fields(high):
        name, how = spec.name, shape(spec)
        above, below = getattr(high, name), getattr(low, name)
        if how == "map" and above and below:
            pairs = zip(above, below, strict=True)
            changed[name] = tuple(_yielding_leaf(a, b) for a, b in pairs)
        elif how == "table":
            beneath = dict(below)
            changed[name] = tuple((k, _yielding_leaf(v, beneath.get(k))) for k, v in above)
        elif how == "leaf":
            changed[name] = _yielding_leaf(above, below)
    return dataclasses.replace(high, **changed)


def _yielding_leaf(high: Any, low: Any) -> Any:
    if is_facet(high) and type(low) is type(high):
        return _yielding(high, low)
    return None if high is DEFAULT and low not in (None, DEFAULT) else high


def _settle(told: Any, defaults: Any, assume: bool) -> Any:
    """Replace `DEFAULT` by the platform's value, and `None` too where defaults are assumed."""
    changed: dict[str, Any] = {}
    for spec in dataclasses.fields(told):
        name, how = spec.name, shape(spec)
        high, low = getattr(told, name), getattr(defaults, name)
        if how == "map":
            changed[name] = _settle_map(high, low, assume)
        elif how == "table":
            changed[name] = _settle_table(high, low, assume)
        else:
            changed[name] = _settle_leaf(high, low, assume)
    return type(told)(**changed)


def _settle_leaf(high: Any, low: Any, assume: bool) -> Any:
    if is_facet(high):
        return _settle(high, low if type(low) is type(high) else type(high)(), assume)
    if high is DEFAULT:
        return DEFAULT if low is None else low
    if high is None and assume:
        return low
    return high


def _settle_map(high: tuple[Any, ...], low: tuple[Any, ...], assume: bool) -> tuple[Any, ...]:
    if not high:
        return low if assume else ()
    beneath = low or (None,) * len(high)
    return tuple(_settle_leaf(h, d, assume) for h, d in zip(high, beneath, strict=True))


def _settle_table(high: tuple[Any, ...], low: tuple[Any, ...], assume: bool) -> tuple[Any, ...]:
    beneath = dict(low)
    rows = {key: _settle_leaf(row, beneath.get(key), assume) for key, row in high}
    if assume:
        for key, row in low:
            rows.setdefault(key, row)
    return tuple(sorted(rows.items(), key=lambda pair: pair[0]))


def leaves(thing: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each leaf of a facet with its path: field names, map indexes and table keys."""
    for spec in dataclasses.fields(thing):
        held, here, how = getattr(thing, spec.name), (*path, spec.name), shape(spec)
        if how == "map":
            yield from (((*here, i), v) for i, v in enumerate(held))
        elif how == "table":
            for key, row in held:
                if is_facet(row):
                    yield from leaves(row, (*here, key))
                else:
                    yield (*here, key), row
        elif is_facet(held):
            yield from leaves(held, here)
        else:
            yield here, held
