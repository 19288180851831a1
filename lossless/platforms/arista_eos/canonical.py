"""States as EOS gives them back, and what is lost on the way."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lossless.model.buffers import Buffers, PriorityGroup
from lossless.model.classification import Classification
from lossless.model.device import DeviceState
from lossless.model.facet import is_facet, shape, table
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.model.scheduling import Ecn, QueueEcn
from lossless.model.settings import Settings, System
from lossless.model.values import DEFAULT, is_value
from lossless.platforms.arista_eos.grammar import RAW
from lossless.platforms.arista_eos.hear import hear_port, hear_system
from lossless.platforms.arista_eos.names import is_port
from lossless.platforms.arista_eos.say import say_port
from lossless.platforms.arista_eos.say_box import say_box
from lossless.platforms.arista_eos.slots import TRAFFIC_CLASSES
from lossless.platforms.arista_eos.voice import Voice
from lossless.platforms.contract import Inexpressible, Loss

_MANUAL: Final = "Arista EOS User Manual, Quality of Service"
_AVD: Final = "schema of pyavd 6.4 (Arista AVD)"
_PRINTED: Final = "running configurations with defaults of DCS-7260CX(3), EOS 4.19.1F and 4.22.3M"

LOSSES: Final = (
    Loss(
        "a value that repeats the default of a port (up, no PFC, no pause, access mode, VLAN 1)",
        "EOS does not print it, so it reads as DEFAULT",
        _PRINTED,
    ),
    Loss(
        "maps and buffers told per port",
        "EOS keeps one set per box; they read back as the box's",
        f"{_AVD}: qos.map and platform.trident.mmu stand outside interfaces",
    ),
    Loss(
        "kind of round robin (ETS, DWRR, WFQ; shares of what strict queues leave)",
        "`no priority` with `bandwidth percent` is the only form",
        f"{_AVD}: qos_profiles.tx_queues",
    ),
    Loss(
        "priority to traffic class",
        "a priority of EOS is its traffic class; identity reads as DEFAULT",
        _MANUAL,
    ),
    Loss(
        "trust in nothing", "without trust the port's own default classifies: `no qos trust`", _AVD
    ),
    Loss(
        "priority groups' headroom and resume offset",
        "one line for all groups, so every group reads the same",
        f"{_AVD}: platform.trident.mmu.queue_profiles.ingress",
    ),
    Loss("weight of a WRED curve", "the model's curves per colour have none", _AVD),
    Loss(
        "drop precedence of a DSCP map",
        "the model has no drop precedence in maps; an entry that is changed loses it",
        f"{_AVD}: qos.map.dscp",
    ),
    Loss(
        "what a switch has no settings for: marking, congestion control, adapter, DCB agents",
        "they belong to hosts",
        _MANUAL,
    ),
)

_MAPS: Final = (
    "dscp_to_priority",
    "pcp_to_priority",
    "priority_to_tc",
    "tc_to_queue",
    "rewrite_dscp_enabled",
    "rewrite_dscp",
    "rewrite_pcp_enabled",
    "rewrite_pcp",
)


@dataclasses.dataclass(slots=True)
class Lifted:
    """A state with what EOS keeps box-wide moved to the box, and what then contradicts itself."""

    state: DeviceState
    conflicts: list[Inexpressible]


def lift(state: DeviceState) -> Lifted:
    """Move box-wide statements of ports to the box.

    The box's own statement wins, then the first port's (by name); another that differs is a
    conflict.
    """
    conflicts: list[Inexpressible] = []
    state = DeviceState(state.system, {p: _whole_speed(s) for p, s in state.ports.items()})
    box = _box_wide(state.system.settings)
    seen: set[tuple[int, int, int]] = set()  # ports share facets; each combination is asked once
    for name in sorted(state.ports):
        settings = state.ports[name]
        parts = (id(settings.classification), id(settings.buffers), id(settings.ecn))
        if parts in seen:
            continue
        seen.add(parts)
        wanted = _box_wide(settings)
        for path in _clashes(box, wanted):
            message = "EOS keeps this once for the whole box, and another statement differs"
            conflicts.append(Inexpressible(("ports", name, *path), message))
        box = overlay(wanted, box)
    system = dataclasses.replace(
        state.system,
        settings=dataclasses.replace(
            state.system.settings,
            classification=box.classification,
            ecn=box.ecn,
            buffers=_spread(box.buffers),
        ),
    )
    return Lifted(DeviceState(system, state.ports), conflicts)


def _whole_speed(settings: Settings) -> Settings:
    """A speed without lanes is one on the lanes that EOS takes for it, not on those before."""
    link = settings.link
    if not is_value(link.speed) or link.lanes is not None:
        return settings
    return dataclasses.replace(settings, link=dataclasses.replace(link, lanes=DEFAULT))


def _spread(buffers: Buffers) -> Buffers:
    """Give every priority group what EOS says once for all of them."""
    rows = dict(buffers.groups)
    for leaf in ("headroom", "xon_offset"):
        told = {getattr(row, leaf) for row in rows.values()} - {None}
        values = {held for held in told if is_value(held)} or told
        if len(values) == 1:
            (held,) = values
            for group in TRAFFIC_CLASSES:
                row = rows.get(group, PriorityGroup())
                rows[group] = dataclasses.replace(row, **{leaf: held})
    return dataclasses.replace(buffers, groups=table(rows))


def _box_wide(settings: Settings) -> Settings:
    held = settings.classification
    told = {name: getattr(held, name) for name in _MAPS}
    rows = {
        queue: QueueEcn(non_ect_forward=row.non_ect_forward)
        for queue, row in settings.ecn.queues
        if row.non_ect_forward is not None
    }
    return Settings(
        classification=Classification(**told),
        ecn=Ecn(queues=table(rows)),
        buffers=Buffers(groups=settings.buffers.groups, queues=settings.buffers.queues),
    )


def _clashes(high: Any, low: Any, path: tuple[str | int, ...] = ()) -> Iterator[Any]:
    """Yield the paths at which two facets tell different things."""
    for spec in dataclasses.fields(high):
        above, below, here = getattr(high, spec.name), getattr(low, spec.name), (*path, spec.name)
        how = shape(spec)
        if how == "map":
            pairs = enumerate(zip(above, below, strict=False))
            yield from ((*here, i) for i, (a, b) in pairs if _differ(a, b))
        elif how == "table":
            yield from _row_clashes(dict(above), dict(below), here)
        elif is_facet(above):
            yield from _clashes(above, below, here)
        elif _differ(above, below):
            yield here


def _row_clashes(
    above: Mapping[Any, Any], below: Mapping[Any, Any], here: tuple[str | int, ...]
) -> Iterator[Any]:
    for key in above.keys() & below.keys():
        if is_facet(above[key]) and is_facet(below[key]):
            yield from _clashes(above[key], below[key], (*here, key))
        elif _differ(above[key], below[key]):
            yield (*here, key)


def _differ(one: Any, other: Any) -> bool:
    return one is not None and other is not None and one != other


def canonical(state: DeviceState, profile: Profile | None = None) -> DeviceState:
    """Return the state as EOS would give it back from a configuration that says it."""
    lifted = lift(state).state
    voice, pool = say_box(lifted.system, profile)
    raw = tuple(line for line in lifted.system.raw if RAW.fullmatch(line))
    ports = {
        name: hear_port(say_port(settings, profile).slots, whole=True)
        for name, settings in lifted.ports.items()
        if is_port(name)
    }
    return DeviceState(hear_system(voice.slots, pool, whole=True, raw=raw), ports)


def inexpressible(state: DeviceState, profile: Profile | None = None) -> tuple[Inexpressible, ...]:
    """List what the state says and EOS has no words for."""
    lifted = lift(state)
    found = list(lifted.conflicts)
    found += _at(("system",), say_box(lifted.state.system, profile)[0])
    for name, settings in lifted.state.ports.items():
        if is_port(name):
            found += _at(("ports", name), say_port(settings, profile))
        else:
            message = f"{name!r} is not the name of a port of EOS, such as Ethernet1/1"
            found.append(Inexpressible(("ports", name), message))
    return tuple(found)


def _at(place: tuple[str | int, ...], voice: Voice) -> list[Inexpressible]:
    return [Inexpressible((*place, *fault.path), fault.message) for fault in voice.refused]


def uncovered(system: System) -> tuple[str, ...]:
    """Return the raw lines that this platform would not read back."""
    return tuple(line for line in system.raw if not RAW.fullmatch(line))
