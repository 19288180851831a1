"""The words of inventories and the leaves of the model, each found from the other.

A finding names a field as a person writes it ("classes.roce.ecn.min"), a parser the leaf that it
read (("ecn", "queues", 3, "minimum")).  One table relates the two; a number in a leaf (a DSCP, a
priority, a queue) belongs to a class by what the class is meant to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from lossless.findings import Location
from lossless.model.classes import TrafficClass
from lossless.model.device import Device
from lossless.model.effective import Path, effective
from lossless.model.settings import NOTHING
from lossless.model.values import entry, is_value, value

#: (field, leaf).  "*" in a field is the name of a class; a capital in a leaf a number of the class:
#: Q its queue, T traffic class, P priority, D DSCP, G the priority or the group that it is.
_TABLE: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("speed", ("link", "speed")),
    ("lanes", ("link", "lanes")),
    ("fec", ("link", "fec")),
    ("autoneg", ("link", "autoneg")),
    ("pause.send", ("link", "pause_send")),
    ("pause.honour", ("link", "pause_honour")),
    ("mtu.switch", ("mtu", "native")),
    ("mtu.switch", ("mtu", "l3")),
    ("mtu.nic", ("mtu", "native")),
    ("mtu.nic", ("mtu", "l3")),
    ("mtu.min_l3", ("mtu", "l3")),
    ("mtu", ("mtu",)),
    ("vlan_mode", ("vlans", "mode")),
    ("vlans", ("vlans",)),
    ("trust", ("classification", "trust")),
    ("pfc.mode", ("pfc", "mode")),
    ("pfc.priorities", ("pfc", "send")),
    ("pfc.priorities", ("pfc", "honour")),
    ("pfc.send", ("pfc", "send")),
    ("pfc.honour", ("pfc", "honour")),
    ("pfc.watchdog.poll", ("watchdog", "poll")),
    ("pfc.watchdog.detect", ("watchdog", "detect")),
    ("pfc.watchdog.restore", ("watchdog", "restore")),
    ("pfc.watchdog.action", ("watchdog", "action")),
    ("pfc.watchdog.priorities", ("watchdog", "priorities")),
    ("pfc.watchdog", ("watchdog",)),
    ("pfc.dcbx.advertise", ("dcb", "advertise")),
    ("pfc.dcbx.willing", ("dcb", "willing")),
    ("pfc.dcbx.dialect", ("dcb", "dialect")),
    ("pfc.dcbx.application", ("dcb", "applications")),
    ("dcb_owner", ("dcb", "owner")),
    ("pfc.dcbx", ("dcb",)),
    ("pfc", ("pfc",)),
    ("classes.*.priority", ("classification", "dscp_to_priority", "D")),
    ("classes.*.dscp", ("classification", "dscp_to_priority", "D")),
    ("classes.*.also", ("classification", "dscp_to_priority", "D")),
    ("classes.*.pcp", ("classification", "pcp_to_priority", "P")),
    ("classes.*.traffic_class", ("classification", "priority_to_tc", "P")),
    ("classes.*.queue", ("classification", "tc_to_queue", "T")),
    ("rewrite.dscp.*", ("classification", "rewrite_dscp", "P")),
    ("rewrite.dscp", ("classification", "rewrite_dscp")),
    ("rewrite.dscp", ("classification", "rewrite_dscp_enabled")),
    ("rewrite.pcp.*", ("classification", "rewrite_pcp", "P")),
    ("rewrite.pcp", ("classification", "rewrite_pcp")),
    ("rewrite.pcp", ("classification", "rewrite_pcp_enabled")),
    ("overlay.dscp", ("classification", "tunnel_dscp")),
    ("overlay.ecn", ("classification", "tunnel_ecn")),
    ("classes.*.scheduler", ("ets", "queues", "Q", "algorithm")),
    ("classes.*.bandwidth", ("ets", "queues", "Q", "bandwidth")),
    ("classes.*.bandwidth", ("ets", "queues", "Q", "guaranteed")),
    ("classes.*.cap", ("ets", "queues", "Q", "cap")),
    ("classes.*.ecn.min", ("ecn", "queues", "Q", "minimum")),
    ("classes.*.ecn.max", ("ecn", "queues", "Q", "maximum")),
    ("classes.*.ecn.probability", ("ecn", "queues", "Q", "probability")),
    ("classes.*.ecn.weight", ("ecn", "queues", "Q", "weight")),
    ("classes.*.ecn", ("ecn", "queues", "Q")),
    ("classes.*.mtu", ("mtu", "per_class", "P")),
    ("buffers.classes.*.alpha", ("buffers", "groups", "G", "alpha")),
    ("buffers.classes.*.xoff", ("buffers", "groups", "G", "xoff")),
    ("buffers.classes.*.xon", ("buffers", "groups", "G", "xon")),
    ("buffers.classes.*.xon_offset", ("buffers", "groups", "G", "xon_offset")),
    ("buffers.classes.*.limit", ("buffers", "groups", "G", "limit")),
    ("buffers.classes.*", ("buffers", "groups", "G")),
    ("cable", ("buffers", "cable")),
    ("buffers", ("buffers",)),
    ("marking.global_tclass", ("marking", "global_tclass")),
    ("marking.cm_tos", ("marking", "cm_tos")),
    ("marking.cm_mode", ("marking", "cm_mode")),
    ("marking.cnp_dscp", ("congestion", "cnp_dscp")),
    ("marking", ("marking",)),
    ("congestion_control", ("congestion",)),
    ("classes", ("classification",)),
    ("classes", ("ets",)),
    ("classes", ("ecn",)),
    ("mode", ("adapter", "mode")),
    ("vfs.traffic_class", ("adapter", "vf_traffic_class")),
)
_SYSTEM: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("profile", ("macro",)),
    ("raw", ("raw",)),
    ("buffers.model", ("buffers", "model")),
    ("buffers.pools", ("buffers", "pools")),
    ("buffers.headroom_pool", ("buffers", "headroom_pool")),
    ("buffers.shares", ("buffers", "shares")),
    ("collectives", ("environment",)),
)


def fields_of(path: Path, device: Device, port: str | None) -> Iterator[str]:
    """Yield how an inventory may spell a leaf of a port (`None`: of the box), the best first."""
    if port is None:
        if path[:2] == ("environment", "variables") and len(path) > 2:
            yield f"collectives.{path[2]}"
        yield from (field for field, leaf in _SYSTEM if path[: len(leaf)] == leaf)
        return
    numbers = _numbers(device, port)
    other = "mtu.switch" if device.kind == "host" else "mtu.nic"
    for field, leaf in _TABLE:
        if field == other:
            continue
        if "*" not in field:
            if path[: len(leaf)] == leaf:
                yield field
            continue
        for name, own in numbers.items():
            if any(path[: len(spelt)] == spelt for spelt in _spell(leaf, own)):
                yield field.replace("*", name)


def paths_of(field: str, device: Device, port: str) -> Iterator[Path]:
    """Yield the leaves, or groups of leaves, for which a field stands, the nearest first."""
    if field.startswith("collectives."):
        yield ("environment", "variables", field.partition(".")[2])
        return
    numbers = _numbers(device, port)
    for pattern, leaf in (*_TABLE, *_SYSTEM):
        if "*" not in pattern:
            if _within(field, pattern):
                yield leaf
            continue
        for name, own in numbers.items():
            if _within(field, pattern.replace("*", name)):
                yield from _spell(leaf, own)


def placed(
    lines: Mapping[Path, Location], port: str | None, paths: Iterable[Path]
) -> Location | None:
    """Return where the first of some leaves was read: on the port itself, else for the whole box.

    For a group of leaves it is the first line of them.
    """
    for path in paths:
        roots: tuple[Path, ...] = (("system", *path), ("system", "settings", *path))
        if port is not None:
            roots = (("ports", port, *path), *roots)
        for root in roots:
            if root in lines:
                return lines[root]
            below = [place for at, place in lines.items() if at[: len(root)] == root]
            if below:
                return min(below, key=lambda place: (place.file, place.line))
    return None


def _within(field: str, pattern: str) -> bool:
    return field == pattern or field.startswith(f"{pattern}.") or pattern.startswith(f"{field}.")


def _spell(leaf: tuple[str, ...], numbers: Mapping[str, frozenset[int]]) -> list[Path]:
    for place, step in enumerate(leaf):
        if step in numbers:
            return [(*leaf[:place], n, *leaf[place + 1 :]) for n in sorted(numbers[step])]
    return [leaf]


def _numbers(device: Device, port_name: str) -> dict[str, dict[str, frozenset[int]]]:
    """Return the numbers of each class that is meant on a port."""
    port = next((port for port in device.ports if port.name == port_name), None)
    if port is None:
        return {}
    stated = device.configured.ports.get(port_name, NOTHING)
    profile = port.profile or device.profile
    force = effective(stated, profile, device.configured.system, assume_defaults=True).settings
    maps = force.classification
    found = {}
    for name, cls in port.intent.classes:
        if is_value(cls):
            tcs = _through(maps.priority_to_tc, cls.priorities, value(cls.traffic_class))
            found[name] = {
                "D": cls.dscp | cls.accepts,
                "P": cls.priorities,
                "T": tcs,
                "Q": _queues(maps.tc_to_queue, tcs, cls, host=device.kind == "host"),
                "G": _through(maps.priority_to_group, cls.priorities, None),
            }
    return found


def _queues(
    mapping: tuple[object, ...], tcs: frozenset[int], cls: TrafficClass, *, host: bool
) -> frozenset[int]:
    if host:
        return tcs
    told = value(cls.queue)
    return frozenset((told,)) if told is not None else _through(mapping, tcs, None)


def _through(
    mapping: tuple[object, ...], numbers: frozenset[int], told: int | None
) -> frozenset[int]:
    if told is not None:
        return frozenset((told,))
    led = {number: value(entry(mapping, number)) for number in numbers}  # type: ignore[arg-type]
    return frozenset(number if to is None else to for number, to in led.items())
