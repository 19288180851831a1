"""Tables that SONiC's own commands print: what they tell of CONFIG_DB.

Columns are those of the line of dashes, never split at blanks ("QSFP28 or later").  Forms: the
expected outputs of sonic-utilities' tests (pfcwd, pfc, ecnconfig, mmuconfig, intfutil).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lossless.platforms.sonic.db import GLOBAL_WATCHDOG, Row, Tables

_DASHES: Final = re.compile(r"-{3,}(?: +-{1,})*\s*|-{1,}(?: +-{1,})+\s*")
_POLL: Final = re.compile(r"Changed polling interval to (\d+)ms")
_NAMESPACE: Final = re.compile(r"Namespace (\S+)\s*")
_OBJECT: Final = re.compile(r"(Pool|Profile)(?: for namespace (\S+?))?: (\S+)\s*")
_NONE: Final = re.compile(r"No buffer (pool|profile) information available")
_VERSION: Final = re.compile(
    r"(SONiC Software Version|HwSKU|Platform|ASIC|Distribution|Hostname): *(?:SONiC\.)?(\S.*?)\s*"
)
_PARAMETERS: Final = "Lossless traffic pattern:"
_SPEEDS: Final = {"M": 1, "G": 1000}
_LAST: Final = 10**6


@dataclass(slots=True)
class Shown:
    """Rows that a command told, with the line of each field; `seen` tables were wholly printed."""

    tables: Tables = field(default_factory=dict)
    lines: dict[tuple[str, str, str], int] = field(default_factory=dict)
    partial: bool = False
    seen: set[str] = field(default_factory=set)
    facts: dict[str, str] = field(default_factory=dict)
    left_out: list[tuple[int, str]] = field(default_factory=list)

    def put(self, table: str, key: str, name: str, value: str, line: int) -> None:
        """Note one field."""
        self.tables.setdefault(table, {}).setdefault(key, {})[name] = value
        self.lines[table, key, name] = line


def columns(dashes: str) -> list[tuple[int, int]]:
    """Return where the columns of a table begin and end; the last one has no end."""
    spans = [found.span() for found in re.finditer(r"-+", dashes)]
    return [*spans[:-1], (spans[-1][0], _LAST)]


def rows(lines: list[str], headed: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of tables whose first headings are these.

    A namespace's second and later blocks are left out: ports are named anew there.
    """
    spans: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        if _DASHES.fullmatch(line) and number > 1:
            spans = columns(line)
            heads = [lines[number - 2][a:b].strip() for a, b in spans]
            if tuple(heads[: len(headed)]) != headed:
                spans = []
            continue
        if not line.strip():
            spans = []
        elif spans:
            if any(line[b : spans[i + 1][0]].strip() for i, (_, b) in enumerate(spans[:-1])):
                spans = []  # a prompt, or a log line in between
                continue
            yield number, [line[a:b].strip() for a, b in spans]


def pairs(lines: list[str], start: int) -> Iterator[tuple[int, str, str]]:
    """Yield the rows of a table without headings, which begins at line `start` (from 0)."""
    spans: list[tuple[int, int]] = []
    for at in range(start, len(lines)):
        line = lines[at]
        if _DASHES.fullmatch(line):
            if spans:
                return
            spans = columns(line)
            continue
        if not spans or len(spans) != 2 or not line.strip():
            return
        (a, b), (c, _) = spans
        name, value = line[a:b].strip(), line[c:].strip()
        if not name or not value or line[b:c].strip():
            return
        yield at + 1, name, value


def first_block(lines: list[str], shown: Shown) -> list[str]:
    """Return the lines of the first namespace; the others' are noted as left out."""
    starts = [n for n, line in enumerate(lines) if _NAMESPACE.fullmatch(line)]
    if len(starts) < 2:
        return lines
    for at in starts[1:]:
        shown.left_out.append((at + 1, lines[at].strip()))
    return lines[: starts[1]]


def pfc_priority(lines: list[str]) -> Shown:
    """Read `show pfc priority`."""
    shown = Shown(partial=True)
    for number, cells in rows(first_block(lines, shown), ("Interface", "Lossless priorities")):
        if len(cells) == 2 and cells[1] != "N/A":
            shown.put("PORT_QOS_MAP", cells[0], "pfc_enable", cells[1], number)
    return shown


def pfc_asymmetric(lines: list[str]) -> Shown:
    """Read `show pfc asymmetric`."""
    shown = Shown(partial=True)
    for number, cells in rows(first_block(lines, shown), ("Interface", "Asymmetric")):
        if cells[1] in ("on", "off"):
            shown.put("PORT", cells[0], "pfc_asym", cells[1], number)
    return shown


def pfcwd_config(lines: list[str]) -> Shown:
    """Read `show pfcwd config`; it prints every row, and the interval where one is set."""
    shown = Shown()
    names = ("action", "detection_time", "restoration_time", "pfc_stat_history")
    for number, line in enumerate(lines, 1):
        found = _POLL.search(line)
        if found:
            shown.put("PFC_WD", GLOBAL_WATCHDOG, "POLL_INTERVAL", found[1], number)
    for number, cells in rows(first_block(lines, shown), ("PORT", "ACTION")):
        for name, value in zip(names, cells[1:], strict=False):
            if value and value != "N/A":
                shown.put("PFC_WD", cells[0], name, value, number)
        shown.seen.add("PFC_WD")
    return shown


def ecn(lines: list[str]) -> Shown:
    """Read `show ecn` (`ecnconfig -l`)."""
    return _objects(lines, {"Profile": "WRED_PROFILE"})


def mmu(lines: list[str]) -> Shown:
    """Read `show mmu` (`mmuconfig -l`, `show buffer configuration`)."""
    shown = _objects(lines, {"Pool": "BUFFER_POOL", "Profile": "BUFFER_PROFILE"})
    for at, line in enumerate(lines):
        if line.strip() == _PARAMETERS:  # printed under the other table's name
            for number, name, value in pairs(lines, at + 1):
                shown.put("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", name, value, number)
        found = _NONE.match(line)
        if found:
            shown.seen.add("BUFFER_POOL" if found[1] == "pool" else "BUFFER_PROFILE")
    return shown


def _objects(lines: list[str], kinds: dict[str, str]) -> Shown:
    shown = Shown()
    space: str | None = None
    for at, line in enumerate(lines):
        found = _OBJECT.fullmatch(line)
        if found is None or found[1] not in kinds:
            continue
        space = space or found[2]
        if found[2] != space and found[2] is not None:
            shown.left_out.append((at + 1, line.strip()))
            continue
        table = kinds[found[1]]
        shown.seen.add(table)
        shown.tables.setdefault(table, {}).setdefault(found[3], {})
        for number, name, value in pairs(lines, at + 1):
            shown.put(table, found[3], name, value, number)
    return shown


def interfaces(lines: list[str]) -> Shown:
    """Read `show interfaces status`."""
    shown = Shown(partial=True)
    for number, cells in rows(first_block(lines, shown), ("Interface", "Lanes", "Speed")):
        if len(cells) < 9 or not cells[0].startswith("Ethernet"):
            continue
        told = {"lanes": cells[1], "mtu": cells[3], "fec": cells[4], "admin_status": cells[8]}
        speed = re.fullmatch(r"(\d+)([MG])", cells[2])
        if speed:
            told["speed"] = str(int(speed[1]) * _SPEEDS[speed[2]])
        if len(cells) > 10:
            told["pfc_asym"] = cells[10]
        for name, value in told.items():
            if value and value != "N/A":
                shown.put("PORT", cells[0], name, value, number)
    return shown


def version(lines: list[str]) -> Shown:
    """Read `show version`."""
    names = {
        "SONiC Software Version": "version",
        "HwSKU": "hwsku",
        "Platform": "platform",
        "ASIC": "asic",
    }
    shown = Shown()
    for line in lines:
        found = _VERSION.fullmatch(line)
        if found and found[1] in names:
            shown.facts[names[found[1]]] = found[2]
    return shown


def nothing(lines: list[str]) -> Shown:
    """Read a command that tells nothing of the configuration: counters and states."""
    del lines
    return Shown()


#: How each command is recognised by what it prints, and read.
READERS: Final[tuple[tuple[re.Pattern[str], Callable[[list[str]], Shown]], ...]] = (
    (re.compile(r"^Interface +Lossless priorities\s*$", re.M), pfc_priority),
    (re.compile(r"^Interface +Asymmetric\s*$", re.M), pfc_asymmetric),
    (re.compile(r"^ *PORT +ACTION +DETECTION TIME +RESTORATION TIME", re.M), pfcwd_config),
    (re.compile(r"^ *Interface +Lanes +Speed +MTU +FEC", re.M), interfaces),
    (re.compile(r"^SONiC Software Version: ", re.M), version),
    (re.compile(r"^(?:Pool(?: for namespace \S+)?: \S+|No buffer pool information)", re.M), mmu),
    (re.compile(r"^Profile: \S+\s*\n-+  -+\s*\n", re.M), ecn),
    (re.compile(r"^ *QUEUE +STATUS +STORM DETECTED/RESTORED", re.M), nothing),
    (re.compile(r"^Changed polling interval to \d+ms\s*$", re.M), pfcwd_config),
)


def reader(text: str) -> Callable[[list[str]], Shown] | None:
    """Return what reads a text; `None` where no command of ours prints such."""
    for mark, read in READERS:
        if mark.search(text):
            return read
    return None


def row_of(shown: Shown, table: str, key: str) -> Row:
    """Return one row that was told."""
    return shown.tables.get(table, {}).get(key, {})
