"""From what a SONiC box printed to a state, with what was and was not understood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.effective import Path
from lossless.model.overlay import overlay
from lossless.platforms.contract import Diagnostic, Output, Parsed, Unread
from lossless.platforms.sonic import check, scan
from lossless.platforms.sonic.db import (
    FIELDS,
    LOCALHOST,
    PER_NUMBER,
    PER_PORT,
    REFERENCES,
    SHARED,
    Native,
    Row,
    derived,
    numbers,
    plain,
)
from lossless.platforms.sonic.hear import hear
from lossless.platforms.sonic.hear_buffers import read_group
from lossless.platforms.sonic.places import places
from lossless.platforms.sonic.shows import Shown, reader

DUMP: Final = "sonic-cfggen -d --print-data"
VERSION: Final = "show version"
_WHOLE: Final = re.compile(
    r"(?:sudo )?(?:show runningconfiguration all|sonic-cfggen -d --print-data"
    r"|cat /etc/sonic/config_db\.json)\s*"
)
_OURS: Final = frozenset({*FIELDS, *SHARED})
_FACTS: Final = ("hostname", "hwsku", "platform", "type")

Where = tuple[str | None, int]


@dataclass(slots=True)
class _Reading:
    """What is gathered over all outputs."""

    native: Native = field(default_factory=Native)
    lines: dict[tuple[str, str, str], Where] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    coverage: set[str] = field(default_factory=set)
    understood: bool = False

    def note(self, kind: str, text: str, line: int | None, file: str | None) -> None:
        self.diagnostics.append(Diagnostic(kind, text, line, file))


def recognises(text: str) -> bool:
    """Say whether a text looks like CONFIG_DB or one of SONiC's own tables."""
    said, _ = scan.clean(text)
    if reader(said) is not None:
        return True
    found = scan.scan(said).root
    if found is None:
        return False
    tables = {key.split("|")[0] for key in found.members}
    return bool(tables & (set(FIELDS) | {"DEVICE_METADATA"}))


def parse(outputs: Sequence[Output]) -> Parsed:
    """Read a device.  CONFIG_DB counts before the tables that commands print of it."""
    reading = _Reading()
    texts = [(output, *scan.clean(output.text)) for output in outputs]
    dumps = [(o, said, faults, scan.scan(said)) for o, said, faults in texts]
    for output, _, faults, found in dumps:
        if found.root is not None and _holds_tables(found.root):
            _dump(output, found, found.root, faults, reading)
    for output, said, faults, found in dumps:
        if found.root is None or not _holds_tables(found.root):
            _table(output, said, faults, reading)
    return _parsed(reading)


def _holds_tables(root: scan.Table) -> bool:
    return any(key.split("|")[0] in _OURS for key in root.members) or not root.members


# --- CONFIG_DB -----------------------------------------------------------------------------------


def _dump(
    output: Output,
    found: scan.Scan,
    root: scan.Table,
    faults: list[scan.Fault],
    reading: _Reading,
) -> None:
    for fault in (*faults, *found.faults):
        reading.note(fault.kind, fault.text, fault.line, output.file)
    sound = not any(fault.kind == "damaged" for fault in (*faults, *found.faults))
    native = reading.native
    rows = list(_rows(root))
    for table, key, _, row, _ in rows:
        if (table, key) == ("DEVICE_METADATA", LOCALHOST):
            _identify(row, reading)
    for table, key, line, row, closed in rows:
        if table in _OURS:
            _row(output, (table, key, line), row, reading, whole=closed)
    tables = {key.split("|")[0] for key in root.members}
    full = {"DEVICE_METADATA", "PORT"} <= tables and len(tables) > 4
    asked = _WHOLE.fullmatch(output.command.strip()) is not None
    if sound and (asked or (full and not output.command)):
        native.whole = True
        reading.coverage |= {DUMP, output.command} - {""}
    for name, member in root.members.items():
        if sound and isinstance(member, scan.Table) and member.closed:
            native.seen.add(name.split("|")[0])
    reading.coverage |= {f"table {name}" for name in native.seen & _OURS}
    reading.understood = True


def _rows(root: scan.Table) -> Iterator[tuple[str, str, int, scan.Table, bool]]:
    """Yield rows of the nested form, and of the flat one (`TABLE|key`) of redis dumps."""
    for name, member in root.members.items():
        if not isinstance(member, scan.Table):
            continue
        if "|" in name:
            table, _, key = name.partition("|")
            yield table, key, root.lines[name], member, member.closed
            continue
        for key, row in member.members.items():
            if isinstance(row, scan.Table):
                yield name, key, member.lines[key], row, row.closed


def _row(
    output: Output,
    at: tuple[str, str, int],
    row: scan.Table,
    reading: _Reading,
    *,
    whole: bool,
) -> None:
    table, raw, line = at
    native = reading.native
    fields: Row = {}
    for name, value in row.members.items():
        if not isinstance(value, scan.Text) or (name, value.value) == ("NULL", "NULL"):
            continue
        said, bracketed = (
            plain(value.value) if (table, name) in REFERENCES else (value.value, False)
        )
        native.bracketed |= bracketed
        fields[name] = said
    for key in _keys(table, raw, reading):
        rows = native.tables.setdefault(table, {})
        if key in rows:
            message = f"{table}|{key} stands twice; the last one counts"
            reading.note("duplicate", message, line, output.file)
        rows[key] = dict(fields)
        if key != raw:
            native.keys[table, key] = raw
        if not whole:
            native.partial.add((table, key))
        reading.lines[table, key, ""] = (output.file, line)
        for name in fields:
            reading.lines[table, key, name] = (output.file, row.lines[name])


def _identify(row: scan.Table, reading: _Reading) -> None:
    for name in _FACTS:
        held = row.members.get(name)
        if isinstance(held, scan.Text) and held.value:
            reading.facts[name] = held.value


def _keys(table: str, raw: str, reading: _Reading) -> list[str]:
    """Return the keys, one for each port, that a key stands for.

    A VOQ chassis names host and ASIC first; rows of other hosts are not this box's, and whose rows
    they are is known only where the box tells its name.
    """
    if table not in PER_PORT:
        return [raw]
    parts = raw.split("|")
    if table in PER_NUMBER and len(parts) == 4:
        if parts[0] != reading.facts.get("hostname"):
            return []
        parts = parts[2:]
    ports = parts[0].split(",")
    spelled = [""] if len(parts) == 1 else ["|" + "|".join(parts[1:])]
    if table in PER_NUMBER and len(parts) == 2 and "," in parts[1] and numbers(parts[1]):
        spelled = [f"|{part}" for part in parts[1].split(",")]
    return [f"{port}{rest}" for port in ports for rest in spelled]


# --- commands that print tables ------------------------------------------------------------------


def _table(output: Output, said: str, faults: list[scan.Fault], reading: _Reading) -> None:
    for fault in faults:
        reading.note(fault.kind, fault.text, fault.line, output.file)
    read = reader(said)
    if read is None:
        if said.lstrip().startswith("{") or '"' in said.split("\n", maxsplit=1)[0]:
            reading.note("damaged", "this looks like JSON and holds no table", 1, output.file)
        return
    shown = read(said.split("\n"))
    native = reading.native
    for line, text in shown.left_out:
        message = f"only the first ASIC is read: {text}"
        reading.unread.append(Unread(message, line, output.file))
    reading.facts.update(shown.facts)
    reading.understood = True
    for table, rows in shown.tables.items():
        for key, row in rows.items():
            _shown_row(output, (table, key), row, shown, reading)
    if not faults:
        native.seen |= shown.seen
    if output.command:
        reading.coverage.add(output.command)


def _shown_row(
    output: Output, at: tuple[str, str], row: Row, shown: Shown, reading: _Reading
) -> None:
    table, key = at
    native = reading.native
    rows = native.tables.setdefault(table, {})
    if key in rows and at not in native.partial:
        return  # CONFIG_DB itself told it
    if shown.partial:
        native.partial.add(at)
    for name, value in row.items():
        if name not in rows.setdefault(key, {}):
            rows[key][name] = value
            reading.lines[table, key, name] = (output.file, shown.lines[table, key, name])
    rows.setdefault(key, {})


# --- the answer ----------------------------------------------------------------------------------


def _parsed(reading: _Reading) -> Parsed:
    native = reading.native
    for table, key, name, value in check.odd(native):
        file, line = _where(reading, table, key, name)
        text = f"{table}|{key}: {name} {value}".rstrip() if name else f"{table}|{key}"
        reading.unread.append(Unread(text, line or 0, file, (table, key)))
    for table, key, name, message in check.contradictions(native):
        file, line = _where(reading, table, key, name)
        reading.note("duplicate", message, line, file)
    for table, key, name, target in check.dangling(native):
        file, line = _where(reading, table, key, name)
        message = f"{table}|{key} names {target}, which is not there"
        reading.note("dangling_reference", message, line, file)
    for table, key in check.unattached(native):
        file, line = _where(reading, table, key, "")
        reading.note("unattached_object", f"nobody names {table}|{key}", line, file)
    _find_derived(native)
    state = hear(native)
    return Parsed(
        state=state,
        native=native,
        coverage=frozenset(reading.coverage),
        unread=tuple(sorted(reading.unread, key=lambda one: one.line)),
        diagnostics=tuple(sorted(reading.diagnostics, key=lambda one: one.line or 0)),
        facts=reading.facts,
        lines=_lines(reading),
        understood=reading.understood,
        operational=_running(native, state),
    )


def _where(reading: _Reading, table: str, key: str, name: str) -> tuple[str | None, int | None]:
    found = reading.lines.get((table, key, name)) or reading.lines.get((table, key, ""))
    return found or (None, None)


def _find_derived(native: Native) -> None:
    for key, row in native.tables.get("BUFFER_PG", {}).items():
        made = derived(row.get("profile", ""))
        if made is not None:
            port, _, spelled = key.rpartition("|")
            native.derived[port, spelled] = made


def _running(native: Native, state: DeviceState) -> DeviceState | None:
    """Return the state with the groups that buffermgrd made; `None` where it made none."""
    from lossless.model.buffers import Buffers, PriorityGroup
    from lossless.model.facet import table
    from lossless.model.settings import Settings

    if not native.derived:
        return None
    groups: dict[str, dict[int, PriorityGroup]] = {}
    for port, spelled in native.derived:
        name = native.tables["BUFFER_PG"][f"{port}|{spelled}"]["profile"]
        row = native.tables.get("BUFFER_PROFILE", {}).get(name)
        held = PriorityGroup(lossless=True) if row is None else read_group(row)
        groups.setdefault(port, {}).update(dict.fromkeys(numbers(spelled), held))
    ports = dict(state.ports)
    for port, rows in groups.items():
        if port in ports:
            told = Settings(buffers=Buffers(groups=table(rows)))
            ports[port] = overlay(ports[port], told)
    return DeviceState(state.system, ports)


def _lines(reading: _Reading) -> dict[Path, Where]:
    out: dict[Path, Where] = {}
    for path, at in places(reading.native):
        found: Any = reading.lines.get(at)
        if found is not None:
            out.setdefault(path, found)
    return out
