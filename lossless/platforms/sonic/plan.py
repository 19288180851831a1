"""Typed operations from one CONFIG_DB to another, in an order that never leaves a class bare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.effective import leaves
from lossless.model.operation import Op, Phase, Verb
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.model.settings import Settings
from lossless.platforms.sonic import objects, words
from lossless.platforms.sonic.canonical import canonical, is_dynamic, spread, written
from lossless.platforms.sonic.db import (
    BUFFER_NONE,
    GLOBAL_MAP,
    GLOBAL_WATCHDOG,
    REFERENCES,
    Native,
    Row,
    Tables,
    bracket,
    copy,
    is_port,
)
from lossless.platforms.sonic.draft import Draft
from lossless.platforms.sonic.say import say_port
from lossless.platforms.sonic.say_buffers import say_system

WHOLE: Final = "whole configuration"
NEW_TABLE: Final = "new table"
LAST_ROW: Final = "last row"
RESTART: Final = "restart"

_TABLE_OF: Final = {
    "link": "PORT",
    "mtu": "PORT",
    "classification": "PORT_QOS_MAP",
    "pfc": "PORT_QOS_MAP",
    "watchdog": "PFC_WD",
    "ets": "QUEUE",
    "ecn": "QUEUE",
    "groups": "BUFFER_PG",
    "queues": "BUFFER_QUEUE",
    "cable": "CABLE_LENGTH",
}
_NEVER_SAID: Final = frozenset(
    {"lanes", "pause_send", "pause_honour", "l2", "per_class", "priority_to_tc"}
)
_FORWARD: Final = tuple(Phase)
_BACKWARD: Final = (
    Phase.PREPARE,
    Phase.MARKING,
    Phase.CLASSIFICATION,
    Phase.WATCHDOG,
    Phase.SCHEDULING,
    Phase.PFC,
    Phase.BUFFERS,
    Phase.CLEANUP,
)
#: Objects that others name: made before everything, deleted after it.  In order of reference.
_OBJECTS: Final = frozenset(REFERENCES.values())
#: Rows that are built up and taken down field by field, each in its phase.
_BY_FIELD: Final = frozenset({"PORT_QOS_MAP", "QUEUE", "PORT", "CABLE_LENGTH", "DEVICE_METADATA"})


@dataclass(frozen=True, slots=True)
class _Change:
    """One field, or (`name` is `None`) one row, and when it changes."""

    phase: Phase
    table: str
    key: str
    name: str | None
    old: Any
    new: Any
    again: bool = False


def plan(
    after: DeviceState, before: DeviceState | None, native: Any, profile: Profile | None
) -> tuple[Op, ...]:
    """Return the operations.

    Raises `ValueError` where `after` tells what `before` has not seen, or `native` is none of ours.
    """
    wanted = spread(after, profile)
    if before is None:
        return _whole(wanted, profile)
    if native is None:
        whole = canonical(before, profile)
        known = Native(tables=written(spread(whole, profile), profile), whole=True)
    elif isinstance(native, Native):
        known = native
    else:
        raise ValueError("the native record is of another platform")
    _refuse_unseen(wanted, before, known, made_up=native is None)
    target = _target(wanted, before, known, profile)
    base = _by_device(known.tables, target, known)
    target = _by_device(target, target, known)
    changes = list(_changes(base, target))
    changes += _restarts(changes, base, target)
    ordered = _ordered(changes)
    return tuple(_operations(ordered, base, known.bracketed))


def _whole(wanted: DeviceState, profile: Profile | None) -> tuple[Op, ...]:
    tables = written(wanted, profile)
    for row in tables.get("PORT", {}).values():
        row.pop("lanes", None)
    _switch_map(tables)
    bracketed = bool(profile is not None and profile.facts.get("bracketed_references"))
    ops = []
    for table in sorted(tables, key=objects.rank):
        for key, row in tables[table].items():
            if row:
                ops.append(_op(Verb.CREATE, table, (key,), None, _said(table, row, bracketed)))
    return tuple(_with(op, context=(WHOLE,)) for op in ops)


def _switch_map(tables: Tables) -> None:
    """Give the switch the ports' one DSCP map, as the shipped templates do (qos_config.j2)."""
    rows = tables.get("PORT_QOS_MAP", {})
    names = {row.get("dscp_to_tc_map") for row in rows.values()} - {None}
    if len(names) == 1:
        rows[GLOBAL_MAP] = {"dscp_to_tc_map": str(names.pop())}


def _target(
    wanted: DeviceState, before: DeviceState, known: Native, profile: Profile | None
) -> Tables:
    draft = Draft.of(known.tables)
    pools = known.tables.get("BUFFER_POOL", {})
    system = overlay(before.system, wanted.system)
    draft.system(
        say_system(before.system, profile, pools).slots, say_system(system, profile, pools).slots
    )
    remade = is_dynamic(before.system) != is_dynamic(system)
    for name in {**before.ports, **wanted.ports} if remade else wanted.ports:
        told, old = wanted.port(name), before.port(name)
        if not is_port(name) or (told == Settings() and not remade):
            continue
        was = say_port(old, profile, dynamic=is_dynamic(before.system))
        now = say_port(overlay(old, told), profile, dynamic=is_dynamic(system))
        draft.port(name, was.slots, now.slots)
    return draft.settle()


def _refuse_unseen(
    wanted: DeviceState, before: DeviceState, known: Native, *, made_up: bool
) -> None:
    unseen = []
    for name, told in wanted.ports.items():
        held = dict(leaves(before.port(name)))
        for path, value in leaves(told):
            table = _TABLE_OF.get(str(path[1 if path[0] == "buffers" else 0]))
            if value is None or table is None or _NEVER_SAID & {*path}:
                continue
            if held.get(path) is None and not _counts_as_seen(path, table, known, made_up):
                unseen.append(f"{name}: {'.'.join(str(step) for step in path)}")
    if wanted.system.settings.watchdog.poll is not None and not known.saw("PFC_WD"):
        unseen.append("the box: watchdog.poll")
    if unseen:
        raise ValueError("not seen, so it could not be put back: " + "; ".join(unseen))


def _counts_as_seen(path: tuple[Any, ...], table: str, known: Native, made_up: bool) -> bool:
    """Say whether nothing told there means that nothing stands there."""
    if not made_up:
        return known.saw(table)
    return "queues" in path or "groups" in path or path[0] not in ("link", "mtu", "pfc")


# --- keys as the device writes them --------------------------------------------------------------


def _by_device(tables: Tables, target: Tables, known: Native) -> Tables:
    """Return tables with the device's own keys.

    A row of the device that stood for several of ours stays while all of them stay equal;
    otherwise it goes, and ours take its place.
    """
    if not known.keys:
        return copy(tables)
    groups: dict[tuple[str, str], list[str]] = {}
    for (table, key), raw in known.keys.items():
        groups.setdefault((table, raw), []).append(key)
    out = copy(tables)
    for (table, raw), keys in groups.items():
        was = known.tables.get(table, {})
        kept = all(target.get(table, {}).get(key) == was.get(key) for key in keys)
        rows = out.setdefault(table, {})
        if kept or (tables is known.tables) or len(keys) == 1:
            held = [rows.pop(key, None) for key in keys]
            if held[0] is not None:
                rows[raw] = held[0]
    return {table: rows for table, rows in out.items() if rows}


# --- changes -------------------------------------------------------------------------------------


def _changes(base: Tables, target: Tables) -> Iterator[_Change]:
    for table in sorted({*base, *target}, key=objects.rank):
        old, new = base.get(table, {}), target.get(table, {})
        for key in {**old, **new}:
            was, now = old.get(key), new.get(key)
            if was == now:
                continue
            if table not in _BY_FIELD and (was is None or now is None or table == "PFC_WD"):
                yield _row_change(table, key, was, now)
            else:
                yield from _field_changes(table, key, was or {}, now or {})


def _row_change(table: str, key: str, was: Row | None, now: Row | None) -> _Change:
    phase = objects.phase(table, None)
    if table in _OBJECTS:
        phase = Phase.PREPARE if was is None else Phase.CLEANUP
    return _Change(phase, table, key, None, was, now)


def _field_changes(table: str, key: str, was: Row, now: Row) -> Iterator[_Change]:
    for name in {**was, **now}:
        old, new = was.get(name), now.get(name)
        if old == new:
            continue
        if name == "pfc_enable":
            yield from _pfc_changes(table, key, old, new)
        else:
            yield _Change(objects.phase(table, name), table, key, name, old, new)


def _pfc_changes(table: str, key: str, old: str | None, new: str | None) -> Iterator[_Change]:
    """Add first, take away last: in between both sets of classes are lossless."""
    was = words.priorities(old or "") or frozenset()
    now = words.priorities(new or "") or frozenset()
    both = words.listed(was | now) if was - now and now - was else None
    if both is not None:
        yield _Change(Phase.PFC, table, key, "pfc_enable", old, both)
        yield _Change(Phase.CLEANUP, table, key, "pfc_enable", both, new)
    elif was - now:
        yield _Change(Phase.CLEANUP, table, key, "pfc_enable", old, new)
    else:
        yield _Change(Phase.PFC, table, key, "pfc_enable", old, new)


def _restarts(changes: list[_Change], base: Tables, target: Tables) -> Iterator[_Change]:
    """Restart a watchdog whose priorities change: it goes on guarding the old queues (swss#876)."""
    rows = {change.key for change in changes if change.table == "PFC_WD"}
    touched = {
        change.key
        for change in changes
        if change.name in ("pfc_enable", "pfcwd_sw_enable") and change.key not in rows
    }
    old, new = base.get("PFC_WD", {}), target.get("PFC_WD", {})
    for port in sorted(touched & old.keys() & new.keys()):
        yield _Change(Phase.WATCHDOG, "PFC_WD", port, None, old[port], new[port], again=True)


def _ordered(changes: list[_Change]) -> list[_Change]:
    loses = any(c.name == "pfc_enable" and c.phase is Phase.CLEANUP for c in changes)
    gains = any(c.name == "pfc_enable" and c.phase is Phase.PFC for c in changes)
    order = _BACKWARD if loses and not gains else _FORWARD

    def place(change: _Change) -> tuple[int, int, int]:
        rank = objects.rank(change.table)
        deletes = change.phase is Phase.CLEANUP and change.name is None
        return order.index(change.phase), _late(change), (100 - rank) if deletes else rank

    return sorted(changes, key=place)


def _late(change: _Change) -> int:
    """Put deletions last, and a poll interval that grows after the times that must hold it."""
    if change.phase is Phase.CLEANUP:
        return 1 if change.name is None else 0
    if change.table == "PFC_WD" and change.key == GLOBAL_WATCHDOG:
        old, new = (
            words.number((row or {}).get("POLL_INTERVAL")) or 0 for row in (change.old, change.new)
        )
        return 0 if new <= old or not old else 2
    return 1 if change.table == "PFC_WD" else 0


# --- operations ----------------------------------------------------------------------------------


def _operations(changes: list[_Change], base: Tables, bracketed: bool) -> Iterator[Op]:
    tables = copy(base)
    index = 0
    while index < len(changes):
        first = changes[index]
        run = [first]
        if first.name is not None and first.key not in tables.get(first.table, {}):
            run = [
                c
                for c in changes[index:]
                if (c.phase, c.table, c.key) == (first.phase, first.table, first.key)
                and c.name is not None
            ]
            changes[index:] = [*run, *(c for c in changes[index:] if c not in run)]
        index += len(run)
        yield _apply(run, tables, bracketed)


def _apply(run: list[_Change], tables: Tables, bracketed: bool) -> Op:
    """Write changes of one row as one operation, and keep the tables up with it."""
    first = run[0]
    rows = tables.setdefault(first.table, {})
    fresh = not rows
    row = rows.get(first.key)
    if first.name is None:
        op = _row_op(first, bracketed)
        if first.new is None:
            rows.pop(first.key, None)
        else:
            rows[first.key] = dict(first.new)
    elif row is None:
        made = {str(c.name): str(c.new) for c in run if c.new is not None}
        rows[first.key] = made
        said = _said(first.table, made, bracketed)
        op = _op(Verb.CREATE, first.table, (first.key,), None, said, first)
    else:
        op = _field_op(first, rows, bracketed)
    if op.verb is Verb.CREATE and fresh:
        op = _with(op, context=(NEW_TABLE,))
    if op.verb is Verb.DELETE and not rows:
        op = _with(op, context=(LAST_ROW,))
        del tables[first.table]
    return op


def _row_op(change: _Change, bracketed: bool) -> Op:
    old = None if change.old is None else _said(change.table, change.old, bracketed)
    new = None if change.new is None else _said(change.table, change.new, bracketed)
    verb = Verb.CREATE if old is None else Verb.DELETE if new is None else Verb.SET
    op = _op(verb, change.table, (change.key,), old, new, change)
    return _with(op, context=(RESTART,)) if change.again else op


def _field_op(change: _Change, rows: dict[str, Row], bracketed: bool) -> Op:
    row, name = rows[change.key], str(change.name)
    held = _said(change.table, row, bracketed)
    if change.new is None:
        row.pop(name, None)
        if not row and change.table != "PORT":
            del rows[change.key]
            return _op(Verb.DELETE, change.table, (change.key,), held, None, change)
    else:
        row[name] = change.new
    said = _said(change.table, {n: v for n, v in ((name, change.new),) if v is not None}, bracketed)
    reference = (change.table, name) in REFERENCES
    if change.new is None:
        verb = Verb.DETACH if reference else Verb.UNSET
    else:
        verb = Verb.ATTACH if reference and name not in held else Verb.SET
    key = (change.key, name)
    return _op(verb, change.table, key, held.get(name), said.get(name), change)


def _said(table: str, row: Mapping[str, str], bracketed: bool) -> Row:
    """Return a row as this release writes its references."""
    if not bracketed:
        return dict(row)
    return {
        name: bracket(REFERENCES[table, name], value)
        if (table, name) in REFERENCES and value != BUFFER_NONE
        else value
        for name, value in row.items()
    }


def _op(
    verb: Verb, table: str, key: tuple[str, ...], old: Any, new: Any, change: _Change | None = None
) -> Op:
    phase = objects.phase(table, None) if change is None else change.phase
    name = key[1] if len(key) > 1 else None
    impact = objects.impact(table, name, verb)
    return Op(
        verb=verb,
        object=table,
        key=key,
        old=old,
        new=new,
        phase=phase,
        impact=impact,
        source=objects.source(table),
    )


def _with(op: Op, context: tuple[str, ...]) -> Op:
    import dataclasses

    return dataclasses.replace(op, context=context)
