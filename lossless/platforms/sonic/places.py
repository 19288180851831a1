"""Which field of which row tells a leaf of the state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from lossless.model.effective import Path
from lossless.platforms.sonic import words
from lossless.platforms.sonic.db import (
    BINDINGS,
    BUFFER_NONE,
    GLOBAL_WATCHDOG,
    LOCALHOST,
    Native,
    is_port,
    numbers,
)
from lossless.platforms.sonic.hear import MAPS
from lossless.platforms.sonic.hear_buffers import pool_name

#: Table, key, field.
At = tuple[str, str, str]

_PORT: Final[Mapping[str, tuple[Path, ...]]] = {
    "speed": (("link", "speed"),),
    "lanes": (("link", "lanes"),),
    "fec": (("link", "fec"),),
    "autoneg": (("link", "autoneg"),),
    "link_training": (("link", "link_training"),),
    "admin_status": (("link", "admin_up"),),
    "mtu": (("mtu", "native"), ("mtu", "l3")),
}
_QOS: Final[Mapping[str, tuple[Path, ...]]] = {
    "pfc_enable": (("pfc", "send"), ("pfc", "honour"), ("pfc", "mode")),
    "pfcwd_sw_enable": (("watchdog", "priorities"),),
    "dscp_to_tc_map": (("classification", "trust"),),
    "dot1p_to_tc_map": (("classification", "trust"),),
    "tc_to_dscp_map": (("classification", "rewrite_dscp_enabled"),),
}
_WATCHDOG: Final[Mapping[str, tuple[Path, ...]]] = {
    "action": (("watchdog", "action"), ("watchdog", "enabled")),
    "detection_time": (("watchdog", "detect"), ("watchdog", "enabled")),
    "restoration_time": (("watchdog", "restore"),),
}
_SCHEDULER: Final = {"type": "algorithm", "weight": "bandwidth", "pir": "cap"}
_CURVE: Final = {
    "ecn": "enabled",
    "wred_green_enable": "wred",
    "green_min_threshold": "minimum",
    "green_max_threshold": "maximum",
    "green_drop_probability": "probability",
}
_PROFILE: Final = {
    "size": "reserved",
    "xoff": "xoff",
    "xon": "xon",
    "xon_offset": "xon_offset",
    "dynamic_th": "alpha",
    "static_th": "limit",
}
_POOL: Final = {"size": "size", "mode": "mode", "type": "direction", "xoff": "shared_headroom"}


def places(native: Native) -> Iterator[tuple[Path, At]]:
    """Yield each leaf's path with the field that tells it; the first one of a path counts."""
    for table, leaves in (("PORT", _PORT), ("PORT_QOS_MAP", _QOS), ("PFC_WD", _WATCHDOG)):
        for key in native.tables.get(table, {}):
            if is_port(key):
                for name, paths in leaves.items():
                    yield from ((("ports", key, *path), (table, key, name)) for path in paths)
    yield from _maps(native)
    yield from _queues(native)
    yield from _buffers(native)
    yield from _box(native)


def _maps(native: Native) -> Iterator[tuple[Path, At]]:
    for port, row in native.tables.get("PORT_QOS_MAP", {}).items():
        for binding, (leaf, size, _) in MAPS.items():
            table, name = BINDINGS[binding], row.get(binding, "")
            for point in native.tables.get(table, {}).get(name, {}) if is_port(port) else ():
                at = words.number(point)
                if at is not None and at < size:
                    yield ("ports", port, "classification", leaf, at), (table, name, point)


def _queues(native: Native) -> Iterator[tuple[Path, At]]:
    for key, row in native.tables.get("QUEUE", {}).items():
        port, _, spelled = key.rpartition("|")
        for queue in numbers(spelled):
            for facet, table, field, leaves in (
                ("ets", "SCHEDULER", "scheduler", _SCHEDULER),
                ("ecn", "WRED_PROFILE", "wred_profile", _CURVE),
            ):
                for name, leaf in leaves.items():
                    path: Path = ("ports", port, facet, "queues", queue, leaf)
                    yield path, (table, row.get(field, ""), name)


def _buffers(native: Native) -> Iterator[tuple[Path, At]]:
    for table, part in (("BUFFER_PG", "groups"), ("BUFFER_QUEUE", "queues")):
        for key, row in native.tables.get(table, {}).items():
            port, _, spelled = key.rpartition("|")
            profile = row.get("profile", "")
            for number in numbers(spelled):
                path: Path = ("ports", port, "buffers", part, number)
                if table == "BUFFER_PG":
                    at = (table, key, "profile")
                    yield (
                        (*path, "lossless"),
                        at
                        if profile == BUFFER_NONE
                        else (
                            "BUFFER_PROFILE",
                            profile,
                            "xoff",
                        ),
                    )
                for name, leaf in _PROFILE.items():
                    yield (*path, leaf), ("BUFFER_PROFILE", profile, name)
    for name, cables in native.tables.get("CABLE_LENGTH", {}).items():
        for port in cables:
            yield ("ports", port, "buffers", "cable"), ("CABLE_LENGTH", name, port)


def _box(native: Native) -> Iterator[tuple[Path, At]]:
    poll: Path = ("system", "settings", "watchdog", "poll")
    yield poll, ("PFC_WD", GLOBAL_WATCHDOG, "POLL_INTERVAL")
    model: Path = ("system", "buffers", "model")
    yield model, ("DEVICE_METADATA", LOCALHOST, "buffer_model")
    headroom: Path = ("system", "buffers", "headroom_pool")
    for key in native.tables.get("DEFAULT_LOSSLESS_BUFFER_PARAMETER", {}):
        at = ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", key, "over_subscribe_ratio")
        yield (*headroom, "oversubscription"), at
    for key in native.tables.get("BUFFER_POOL", {}):
        for name, leaf in _POOL.items():
            path: Path = ("system", "buffers", "pools", pool_name(key), leaf)
            yield path, ("BUFFER_POOL", key, name)
