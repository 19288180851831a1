"""A CONFIG_DB that is being changed: slots in, rows out.

A port names its maps, schedulers, curves and buffer profiles.  An object is edited in place where
everyone who names it wants the same change; else those who want another one get an object with
that content, an existing one where there is one.  Rows of BUFFER_PROFILE are never edited: SONiC
refuses that for a profile in use, so that a new one takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.platforms.sonic.db import (
    BINDINGS,
    BUFFER_NONE,
    GLOBAL_MAP,
    GLOBAL_WATCHDOG,
    LOCALHOST,
    REFERENCES,
    Row,
    Tables,
    by_number,
    copy,
)
from lossless.platforms.sonic.voice import Fields, Slot

_CABLES: Final = "AZURE"  # the one list of CABLE_LENGTH that the templates write
_PARAMETERS: Final = "AZURE"
#: First choice of a name for a new object (ecnconfig switches AZURE_LOSSLESS, by that name alone).
_BASE: Final = {"WRED_PROFILE": "AZURE_LOSSLESS"}
#: Names that SONiC's own programs look for, never deleted here.
_KEPT: Final = frozenset({"AZURE_LOSSLESS"})
_OURS: Final = ("roce_pg", "roce_queue")

#: Fields that the model knows, by table; the others of a row are left alone.
MODELLED: Final[Mapping[str, frozenset[str]]] = {
    "SCHEDULER": frozenset({"type", "weight", "pir", "cir"}),
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
    "BUFFER_PROFILE": frozenset({"size", "xon", "xoff", "xon_offset", "dynamic_th", "static_th"}),
    "BUFFER_POOL": frozenset({"type", "mode", "size", "xoff"}),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """A field that shall name an object of this content (`None`: no object).

    `was` are the fields that it said before, `now` those it shall say; fields that agree are left
    as they stand.  `base` is the name for a new object.
    """

    table: str
    row: tuple[str, str]
    field: str
    was: Fields | None
    now: Fields | None
    base: str


@dataclass(slots=True)
class Draft:
    """Tables under change."""

    tables: Tables
    wishes: list[Wish] = field(default_factory=list)

    @classmethod
    def of(cls, tables: Mapping[str, Mapping[str, Row]]) -> Draft:
        """Start from tables, which are not changed."""
        return cls(copy(tables))

    # --- single fields ---------------------------------------------------------------------------

    def put(self, table: str, key: str, name: str, value: str | None) -> None:
        """Set or remove one field; a row without fields goes, except a port's."""
        rows = self.tables.setdefault(table, {})
        if value is not None:
            rows.setdefault(key, {})[name] = value
        elif key in rows:
            rows[key].pop(name, None)
            if not rows[key] and table != "PORT":
                del rows[key]

    def port(self, name: str, was: Mapping[Slot, Any], now: Mapping[Slot, Any]) -> None:
        """Apply what a port shall say where that differs from what it said."""
        groups: dict[int, Any] = {}
        queues: dict[int, Any] = {}
        for slot, value in now.items():
            if slot in was and _same(was[slot], value):
                continue
            if slot not in was and value in (None, ()):
                continue
            kind = slot[0]
            if kind == "group":
                groups[slot[1]] = value
            elif kind == "queue_buffer":
                queues[slot[1]] = value
            else:
                self._say(name, slot, was.get(slot), value)
        for table, slot_kind, changed in (
            ("BUFFER_PG", "group", groups),
            ("BUFFER_QUEUE", "queue_buffer", queues),
        ):
            said = {slot[1]: value for slot, value in was.items() if slot[0] == slot_kind}
            self._numbered(table, name, changed, said)

    def _say(self, port: str, slot: Slot, was: Any, value: Any) -> None:
        match slot:
            case ("PORT", name):
                self._port_field(port, name, value)
            case ("QOS", name):
                self.put("PORT_QOS_MAP", port, name, value)
            case ("map", binding):
                self._map(port, binding, was, value)
            case ("scheduler", queue):
                at = ("SCHEDULER", "scheduler")
                self._queue_wish(port, queue, at, (was, value), "scheduler.q")
            case ("wred", queue):
                at = ("WRED_PROFILE", "wred_profile")
                self._queue_wish(port, queue, at, (was, value), "ROCE_Q")
            case ("cable",):
                self._cable(port, value)
            case ("watchdog",):
                self._watchdog(port, value)
            case _:  # lanes come with the port and are not changed
                pass

    def _port_field(self, port: str, name: str, value: str | None) -> None:
        if name == "pfc_asym" and value is None:
            if "pfc_asym" not in self.tables.get("PORT", {}).get(port, {}):
                return
            value = "off"
        self.put("PORT", port, name, value)

    def _map(self, port: str, binding: str, was: Any, value: Any) -> None:
        now = {str(point): str(to) for point, to in value} if value else None
        before = {str(point): str(to) for point, to in was} if was else None
        row = ("PORT_QOS_MAP", port)
        self.wishes.append(Wish(BINDINGS[binding], row, binding, before, now, "ROCE"))

    def _queue_wish(
        self, port: str, queue: int, at: tuple[str, str], change: tuple[Any, Any], base: str
    ) -> None:
        table, name = at
        key = self._split("QUEUE", port, queue)
        first = _BASE.get(table, f"{base}{queue}")
        self.wishes.append(Wish(table, ("QUEUE", key), name, *change, first))

    def _split(self, table: str, port: str, number: int) -> str:
        """Return the key of one number's own row; a row for several is divided."""
        rows = self.tables.setdefault(table, {})
        for other, key, row in list(by_number(rows, port)):
            if other != number or key == f"{port}|{number}":
                continue
            members = [n for n, k, _ in by_number(rows, port) if k == key]
            del rows[key]
            for member in members:
                rows.setdefault(f"{port}|{member}", dict(row))
        return f"{port}|{number}"

    def _numbered(
        self, table: str, port: str, changed: Mapping[int, Any], was: Mapping[int, Any]
    ) -> None:
        base = "roce_pg" if table == "BUFFER_PG" else "roce_queue"
        for number, value in sorted(changed.items()):
            key = self._split(table, port, number)
            if value == BUFFER_NONE:
                self.tables[table][key] = {"profile": BUFFER_NONE}
                continue
            old = was.get(number)
            before = None if old == BUFFER_NONE else old
            self.wishes.append(Wish("BUFFER_PROFILE", (table, key), "profile", before, value, base))

    def _cable(self, port: str, value: str | None) -> None:
        lists = self.tables.get("CABLE_LENGTH", {})
        home = next((name for name, row in lists.items() if port in row), None)
        self.put("CABLE_LENGTH", home or next(iter(lists), _CABLES), port, value)

    def _watchdog(self, port: str, value: Fields | None) -> None:
        rows = self.tables.setdefault("PFC_WD", {})
        if value is None:
            rows.pop(port, None)
        else:
            rows[port] = {**rows.get(port, {}), **value}

    # --- the box ---------------------------------------------------------------------------------

    def system(self, was: Mapping[Slot, Any], now: Mapping[Slot, Any]) -> None:
        """Apply what the box shall say where that differs from what it said."""
        for slot, value in now.items():
            if was.get(slot) == value:
                continue
            if slot[0] == "pool":
                rows = self.tables.setdefault("BUFFER_POOL", {})
                rows[slot[1]] = _edited(rows.get(slot[1], {}), was.get(slot), value, "BUFFER_POOL")
            elif slot[0] == "model":
                self.put("DEVICE_METADATA", LOCALHOST, "buffer_model", value)
            elif slot[0] == "poll":
                self.put("PFC_WD", GLOBAL_WATCHDOG, "POLL_INTERVAL", value)
            else:
                self._ratio(value)

    def _ratio(self, value: str | None) -> None:
        rows = self.tables.setdefault("DEFAULT_LOSSLESS_BUFFER_PARAMETER", {})
        key = next(iter(rows), _PARAMETERS)
        self.put("DEFAULT_LOSSLESS_BUFFER_PARAMETER", key, "over_subscribe_ratio", value)
        if value is not None:  # mandatory (sonic-default-lossless-buffer-parameter.yang)
            rows[key].setdefault("default_dynamic_th", "0")

    # --- objects ---------------------------------------------------------------------------------

    def settle(self) -> Tables:
        """Grant the wishes and return the tables, those without rows left out."""
        before = self._users()
        for table in dict.fromkeys(wish.table for wish in self.wishes):
            self._grant(table, [wish for wish in self.wishes if wish.table == table])
        self._sweep(before)
        return {table: rows for table, rows in self.tables.items() if rows}

    def _grant(self, table: str, wishes: list[Wish]) -> None:
        named: list[tuple[Wish, str | None, Row | None]] = []
        for wish in wishes:
            old = self.tables.get(wish.row[0], {}).get(wish.row[1], {}).get(wish.field)
            held = self.tables.get(table, {}).get(old or "", {})
            row = None if wish.now is None else _edited(held, wish.was, wish.now, table)
            named.append((wish, old, self._pooled(row)))
        rest = self._in_place(table, named)
        for wish, _, row in rest:
            name = None if row is None else self._named(table, row, wish.base)
            self.put(wish.row[0], wish.row[1], wish.field, name)

    def _pooled(self, row: Row | None) -> Row | None:
        """Let a lossy profile draw on the pool there is: many boxes have one pool for all."""
        if row is None or "pool" not in row or row["pool"] in self.tables.get("BUFFER_POOL", {}):
            return row
        other = row["pool"].replace("lossy", "lossless")
        pools = self.tables.get("BUFFER_POOL", {})
        return {**row, "pool": other} if other in pools else row

    def _in_place(
        self, table: str, named: list[tuple[Wish, str | None, Row | None]]
    ) -> list[tuple[Wish, str | None, Row | None]]:
        if table == "BUFFER_PROFILE":
            return named
        users = self._users()
        wanted: dict[str, list[Row | None]] = {}
        for _, old, row in named:
            if old is not None:
                wanted.setdefault(old, []).append(row)
        edited = set()
        for old, rows in wanted.items():
            first = rows[0]
            alone = users.get((table, old), 0) == len(rows) and all(row == first for row in rows)
            if first is not None and alone and old in self.tables.get(table, {}):
                self.tables[table][old] = first
                edited.add(old)
        return [item for item in named if item[1] not in edited]

    def _named(self, table: str, row: Row, base: str) -> str:
        rows = self.tables.setdefault(table, {})
        for name, held in rows.items():
            if held == row:
                return name
        name, number = base, 1
        while name in rows:
            number += 1
            name = f"{base}_{number}"
        rows[name] = row
        return name

    def _users(self) -> dict[tuple[str, str], int]:
        """Count who names each object; the switch's own map follows the ports'."""
        out: dict[tuple[str, str], int] = {}
        for (table, name), target in REFERENCES.items():
            for key, row in self.tables.get(table, {}).items():
                if name in row and (table, key) != ("PORT_QOS_MAP", GLOBAL_MAP):
                    for one in row[name].split(","):
                        out[target, one] = out.get((target, one), 0) + 1
        return out

    def _sweep(self, before: Iterable[tuple[str, str]]) -> None:
        """Delete what nobody names any more because of this change."""
        after = self._users()
        switch = self.tables.get("PORT_QOS_MAP", {}).get(GLOBAL_MAP, {})
        held = {(BINDINGS[name], one) for name, one in switch.items() if name in BINDINGS}
        for table, name in before:
            if (table, name) in after or (table, name) in held or name in _KEPT:
                continue
            if table == "BUFFER_POOL" or (table == "BUFFER_PROFILE" and not name.startswith(_OURS)):
                continue
            self.tables.get(table, {}).pop(name, None)


def _same(was: Any, now: Any) -> bool:
    """Compare what two slots say; a pool is only where a new profile would draw from."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        return {**was, "pool": ""} == {**now, "pool": ""}
    return bool(was == now)


def _edited(held: Row, was: Fields | None, now: Fields, table: str) -> Row:
    """Return a row that says `now`; what it does not concern stays."""
    old = was or {}
    known = MODELLED.get(table)
    if known is None:  # a map of numbers: entries that are no numbers are nobody's
        return dict(now)
    row = dict(held)
    for name in known:
        if old.get(name) == now.get(name) and held:
            continue
        if name in now:
            row[name] = now[name]
        else:
            row.pop(name, None)
    if "pool" in now:
        row.setdefault("pool", now["pool"])
    return row
