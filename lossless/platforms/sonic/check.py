"""What is wrong in the rows themselves: unknown fields, values out of range, loose references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from lossless.platforms.sonic import words
from lossless.platforms.sonic.db import BINDINGS, BUFFER_NONE, FIELDS, REFERENCES, Native, numbers

_ENTRIES: Final[Mapping[str, tuple[int, int]]] = {
    "DSCP_TO_TC_MAP": (63, 15),
    "DOT1P_TO_TC_MAP": (7, 15),
    "TC_TO_QUEUE_MAP": (15, 9),
    "TC_TO_PRIORITY_GROUP_MAP": (15, 7),
    "MAP_PFC_PRIORITY_TO_QUEUE": (7, 7),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": (7, 7),
    "TC_TO_DSCP_MAP": (15, 63),
}
_Good = Callable[[str], bool]


def _number(low: int, high: int | None = None) -> _Good:
    def good(text: str) -> bool:
        found = words.number(text)
        return found is not None and found >= low and (high is None or found <= high)

    return good


def _one_of(*said: str) -> _Good:
    return lambda text: text in said


_BYTES: Final = _number(0)
_GOOD: Final[Mapping[tuple[str, str], _Good]] = {
    ("PORT_QOS_MAP", "pfc_enable"): lambda text: words.priorities(text) is not None,
    ("PORT_QOS_MAP", "pfcwd_sw_enable"): lambda text: words.priorities(text) is not None,
    ("PORT", "speed"): _number(1),
    ("PORT", "mtu"): _number(68, 9216),
    ("PORT", "fec"): _one_of("rs", "fc", "none", "auto"),
    ("PORT", "pfc_asym"): _one_of("on", "off"),
    ("SCHEDULER", "type"): _one_of("DWRR", "WRR", "STRICT"),
    ("SCHEDULER", "weight"): _number(1, 100),
    ("SCHEDULER", "pir"): _BYTES,
    ("WRED_PROFILE", "ecn"): _one_of(*words.ECN),
    **{
        ("WRED_PROFILE", f"wred_{colour}_enable"): _one_of("true", "false")
        for colour in ("green", "yellow", "red")
    },
    **{
        ("WRED_PROFILE", f"{colour}_{item}"): good
        for colour in ("green", "yellow", "red")
        for item, good in (
            ("min_threshold", _BYTES),
            ("max_threshold", _BYTES),
            ("drop_probability", _number(0, 100)),
        )
    },
    ("BUFFER_POOL", "size"): _BYTES,
    ("BUFFER_POOL", "xoff"): _BYTES,
    ("BUFFER_POOL", "mode"): _one_of("static", "dynamic"),
    ("BUFFER_POOL", "percentage"): _number(0, 100),
    ("BUFFER_PROFILE", "dynamic_th"): lambda text: words.alpha(text) is not None,
    **{
        ("BUFFER_PROFILE", item): _BYTES
        for item in ("size", "xon", "xoff", "xon_offset", "static_th")
    },
    ("PFC_WD", "action"): _one_of("drop", "forward", "alert"),
    ("PFC_WD", "detection_time"): _number(0),
    ("PFC_WD", "restoration_time"): _number(0),
    ("PFC_WD", "POLL_INTERVAL"): _number(0),
}
_CABLE: Final = re.compile(r"\d{1,6}m")
_NUMBERED: Final = {"QUEUE": 19, "BUFFER_PG": 7, "BUFFER_QUEUE": 19}
_NAMED: Final = frozenset({*BINDINGS.values(), "SCHEDULER", "WRED_PROFILE"})

#: (table, key, field, value): something that was not understood; the field is "" for a key.
Odd = tuple[str, str, str, str]


def odd(native: Native) -> Iterator[Odd]:
    """Yield what these tables hold and nobody here understands."""
    for table, rows in native.tables.items():
        for key, row in rows.items():
            if not _good_key(table, key):
                yield table, key, "", ""
            for name, value in row.items():
                if not _good_field(table, name, value):
                    yield table, key, name, value


def _good_key(table: str, key: str) -> bool:
    if table not in _NUMBERED:
        return True
    found = numbers(key.rpartition("|")[2])
    return bool(found) and found[-1] <= _NUMBERED[table]


def _good_field(table: str, name: str, value: str) -> bool:
    if table in _ENTRIES:
        point, to = _ENTRIES[table]
        return _number(0, point)(name) and _number(0, to)(value)
    if table == "CABLE_LENGTH":
        return _CABLE.fullmatch(value) is not None
    known = FIELDS.get(table)
    if known is not None and name not in known:
        return False
    good = _GOOD.get((table, name))
    return good is None or good(value)


#: Table, key, field and message.
Contradiction = tuple[str, str, str, str]


def contradictions(native: Native) -> Iterator[Contradiction]:
    """Yield what is said twice in one configuration, and YANG accepts."""
    yield from _cables(native)
    yield from _overlaps(native)
    for key, row in native.tables.get("PORT_QOS_MAP", {}).items():
        for name in ("pfc_enable", "pfcwd_sw_enable"):
            parts = [part.strip() for part in row.get(name, "").split(",")]
            if len(parts) != len(set(parts)):
                yield "PORT_QOS_MAP", key, name, f"{key}: {name} names a priority twice"
    for key, row in native.tables.get("BUFFER_PROFILE", {}).items():
        if "dynamic_th" in row and "static_th" in row:
            message = f"profile {key} has a dynamic and a static threshold"
            yield "BUFFER_PROFILE", key, "static_th", message


def _cables(native: Native) -> Iterator[Contradiction]:
    seen: dict[str, str] = {}
    for name, cables in native.tables.get("CABLE_LENGTH", {}).items():
        for port, length in cables.items():
            if seen.setdefault(port, length) != length:
                message = f"{port} has a cable of {seen[port]} in one list and {length} in another"
                yield "CABLE_LENGTH", name, port, message


def _overlaps(native: Native) -> Iterator[Contradiction]:
    """Yield rows that hold one number of one port both; swss refuses ranges that overlap."""
    for table in sorted(_NUMBERED):
        taken: dict[tuple[str, int], str] = {}
        for key in native.tables.get(table, {}):
            port, _, spelled = key.rpartition("|")
            for number in numbers(spelled):
                first = taken.setdefault((port, number), key)
                if first != key:
                    yield table, key, "", f"{table}|{first} and {key} both hold {number}"


def dangling(native: Native) -> Iterator[tuple[str, str, str, str]]:
    """Yield table, key, field and name of references to rows that are known not to be there."""
    for (table, name), target in REFERENCES.items():
        if not native.saw(target):
            continue
        rows = native.tables.get(target, {})
        for key, row in native.tables.get(table, {}).items():
            for one in row.get(name, "").split(","):
                if one and one != BUFFER_NONE and one not in rows:
                    yield table, key, name, f"{target} {one}"


def unattached(native: Native) -> Iterator[tuple[str, str]]:
    """Yield table and name of objects that nobody names, where all who could were seen."""
    if not (native.saw("PORT_QOS_MAP") and native.saw("QUEUE")):
        return
    named = {
        (target, row[name])
        for (table, name), target in REFERENCES.items()
        for row in native.tables.get(table, {}).values()
        if name in row
    }
    for table in sorted(_NAMED):
        for key in native.tables.get(table, {}):
            if (table, key) not in named:
                yield table, key
