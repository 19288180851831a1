"""CONFIG_DB as this platform holds it: tables of rows of text fields, and how much was seen.

Rows are kept in one form: one port and one range of numbers per key, references by plain name.
What the device really printed (keys that list several ports, references as `[TABLE|name]`) is
remembered, because operations must name the device's own rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Row: TypeAlias = dict[str, str]
Tables: TypeAlias = dict[str, dict[str, Row]]

GLOBAL_MAP: Final = "global"  # the row of PORT_QOS_MAP that belongs to the whole switch
GLOBAL_WATCHDOG: Final = "GLOBAL"
LOCALHOST: Final = "localhost"
BUFFER_NONE: Final = "NULL"  # profile of a BUFFER_PG row whose numbers the dynamic model finds
POOL_SUFFIX: Final = "_pool"
LOSSLESS_POOL: Final = "ingress_lossless_pool"  # swss buffermgr.cpp looks for this name

#: Field of PORT_QOS_MAP → table that it names a row of (sonic-port-qos-map.yang).
BINDINGS: Final[Mapping[str, str]] = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
}

#: (table, field) → table that the field names a row of (sonic-yang-models).
REFERENCES: Final[Mapping[tuple[str, str], str]] = {
    **{("PORT_QOS_MAP", binding): table for binding, table in BINDINGS.items()},
    ("PORT_QOS_MAP", "scheduler"): "SCHEDULER",
    ("QUEUE", "scheduler"): "SCHEDULER",
    ("QUEUE", "wred_profile"): "WRED_PROFILE",
    ("BUFFER_PG", "profile"): "BUFFER_PROFILE",
    ("BUFFER_QUEUE", "profile"): "BUFFER_PROFILE",
    ("BUFFER_PROFILE", "pool"): "BUFFER_POOL",
    ("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list"): "BUFFER_PROFILE",
    ("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list"): "BUFFER_PROFILE",
}

#: Tables whose rows are kept per port, and per range of queues or groups.
PER_NUMBER: Final = frozenset({"QUEUE", "BUFFER_PG", "BUFFER_QUEUE"})
PER_PORT: Final = frozenset(
    {
        "PORT_QOS_MAP",
        "PFC_WD",
        "BUFFER_PORT_INGRESS_PROFILE_LIST",
        "BUFFER_PORT_EGRESS_PROFILE_LIST",
        *PER_NUMBER,
    }
)

#: Known fields by table; `None`: any (maps of numbers, cable lengths by port).
FIELDS: Final[Mapping[str, frozenset[str] | None]] = {
    "DSCP_TO_TC_MAP": None,
    "DOT1P_TO_TC_MAP": None,
    "TC_TO_QUEUE_MAP": None,
    "TC_TO_PRIORITY_GROUP_MAP": None,
    "MAP_PFC_PRIORITY_TO_QUEUE": None,
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": None,
    "TC_TO_DSCP_MAP": None,
    "CABLE_LENGTH": None,
    "PORT_QOS_MAP": frozenset({*BINDINGS, "scheduler", "pfc_enable", "pfcwd_sw_enable"}),
    "SCHEDULER": frozenset(
        {"type", "weight", "priority", "meter_type", "cir", "pir", "cbs", "pbs"}
    ),
    "QUEUE": frozenset({"scheduler", "wred_profile"}),
    "WRED_PROFILE": frozenset(
        {
            "ecn",
            *(f"wred_{colour}_enable" for colour in ("green", "yellow", "red")),
            *(
                f"{colour}_{item}"
                for colour in ("green", "yellow", "red")
                for item in ("min_threshold", "max_threshold", "drop_probability")
            ),
        }
    ),
    "BUFFER_POOL": frozenset({"type", "mode", "size", "xoff", "percentage"}),
    "BUFFER_PROFILE": frozenset(
        {
            "pool",
            "size",
            "dynamic_th",
            "static_th",
            "xon",
            "xoff",
            "xon_offset",
            "headroom_type",
            "packet_discard_action",
        }
    ),
    "BUFFER_PG": frozenset({"profile"}),
    "BUFFER_QUEUE": frozenset({"profile"}),
    "BUFFER_PORT_INGRESS_PROFILE_LIST": frozenset({"profile_list"}),
    "BUFFER_PORT_EGRESS_PROFILE_LIST": frozenset({"profile_list"}),
    "LOSSLESS_TRAFFIC_PATTERN": frozenset({"mtu", "small_packet_percentage"}),
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": frozenset({"default_dynamic_th", "over_subscribe_ratio"}),
    "PFC_WD": frozenset(
        {"action", "detection_time", "restoration_time", "pfc_stat_history", "POLL_INTERVAL"}
    ),
}

#: Tables that are read although they belong to others: fields there are not ours to judge.
SHARED: Final = frozenset({"PORT", "DEVICE_METADATA"})

_DERIVED: Final = re.compile(r"pg_lossless_(\d+)_(\d+m)_profile")
_BRACKETED: Final = re.compile(r"\[(\w+)\|([^\]]*)\]")
_NUMBERS: Final = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")
_PORT: Final = re.compile(r"Ethernet[-\w./]*")


@dataclass(slots=True)
class Native:
    """What a device's CONFIG_DB held, names and attachments included.

    `seen` are tables that were wholly seen (`whole`: all of them were); `partial` are rows of
    which only the fields at hand were seen.  `keys` maps a row to the device's own key where that
    differs.  `bracketed`: references are written `[TABLE|name]`, as releases before 202111 do.
    `derived` are groups that buffermgrd made: (port, range) → (speed in Mb/s, cable).
    """

    tables: Tables = field(default_factory=dict)
    whole: bool = False
    seen: set[str] = field(default_factory=set)
    partial: set[tuple[str, str]] = field(default_factory=set)
    keys: dict[tuple[str, str], str] = field(default_factory=dict)
    bracketed: bool = False
    derived: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    pfcwd_unseen: bool = False

    def saw(self, table: str) -> bool:
        """Say whether a row that is missing from a table is known to be absent."""
        return self.whole or table in self.seen


def is_port(name: str) -> bool:
    """Say whether a name is one that SONiC gives to a port."""
    return _PORT.fullmatch(name) is not None


def plain(value: str) -> tuple[str, bool]:
    """Return a reference's plain name (or list of names), and whether it was in brackets."""
    names = [found[2] for found in _BRACKETED.finditer(value)]
    return (",".join(names), True) if names else (value, False)


def bracket(table: str, value: str) -> str:
    """Write a reference as releases before 202111 do."""
    if value == BUFFER_NONE:
        return value
    return ",".join(f"[{table}|{name}]" for name in value.split(","))


def derived(profile: str) -> tuple[int, str] | None:
    """Return speed (Mb/s) and cable of a profile that buffermgrd generates; else `None`."""
    found = _DERIVED.fullmatch(profile)
    return (int(found[1]), found[2]) if found else None


def numbers(text: str) -> tuple[int, ...]:
    """Read the numbers of a key: "3", "3-4", or a list of such; `()` where it is none."""
    out: list[int] = []
    for part in text.split(","):
        found = _NUMBERS.fullmatch(part.strip())
        if found is None:
            return ()
        low, high = int(found[1]), int(found[2] or found[1])
        if high < low:
            return ()
        out += range(low, high + 1)
    return tuple(out)


def by_number(rows: Mapping[str, Row], port: str) -> Iterator[tuple[int, str, Row]]:
    """Yield number, key and row of one port's rows in a table keyed `port|numbers`."""
    for key, row in rows.items():
        name, _, spelled = key.rpartition("|")
        if name == port:
            yield from ((number, key, row) for number in numbers(spelled))


def copy(tables: Mapping[str, Mapping[str, Row]]) -> Tables:
    """Return tables that may be changed without touching the given ones."""
    return {table: {key: dict(row) for key, row in rows.items()} for table, rows in tables.items()}
