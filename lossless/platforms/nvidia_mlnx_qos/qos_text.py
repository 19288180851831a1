"""The grammar of what `mlnx_qos -i IF` prints, over all generations of the tool.

The text has no schema; it is what `pretty_print` of mlnx-tools' `mlnx_qos` writes.  Older tools
print the traffic classes unsorted, have a "default priority:" line, and say nothing of buffers.
Rows of "PFC configuration" are indexed by priority, "tc:" rows by traffic class; the map from
priority to class exists only as "priority:" lines below the classes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from lossless.platforms.nvidia_mlnx_qos.words import DSCPS, GBIT, PRIORITIES

_EIGHT = r"(?:\s+[0-9]){8}"
_DCBX: Final = re.compile(r"\s*DCBX mode:\s*(OS|Firmware) controlled\s*$")
_TRUST: Final = re.compile(r"\s*Priority trust state:\s*(dscp|pcp|none)\s*$")
_MAP: Final = re.compile(r"\s*prio:([0-7])\s+dscp:((?:[0-9]{1,2},)+)\s*$")
_SIZES: Final = re.compile(
    r"\s*Receive buffer size \(bytes\):\s*((?:[0-9]{1,10},){8})"
    r"(?:(?:total_size|max_buffer_size)=([0-9]{1,10}))?\s*$"
)
_CABLE: Final = re.compile(r"\s*Cable len:\s*([0-9]{1,5})\s*$")
_INDEX: Final = re.compile(r"\s*priority\s+0\s+1\s+2\s+3\s+4\s+5\s+6\s+7\s*$")
_PFC: Final = re.compile(rf"\s*enabled({_EIGHT})\s*$")
_BUFFER: Final = re.compile(rf"\s*buffer({_EIGHT})\s*$")
_TSA = r"(?:(ets),\s*bw:\s*([0-9]{1,3})%|(strict|vendor|unknown))\s*$"
_TC: Final = re.compile(
    r"\s*tc:\s*([0-7])\s+ratelimit:\s*(?:(unlimited)|([0-9]{1,7})\.([0-9]) Gbps),\s*tsa:\s*" + _TSA
)
#: Where the rate limits cannot be read, the tool loses the beginning of the line.
_BARE: Final = re.compile(r"\s*" + _TSA)
_MEMBER: Final = re.compile(r"\s*priority:\s+([0-7])\s*$")
_SILENT: Final = re.compile(
    r"\s*(?:PFC configuration:|dscp2prio mapping:|default priority:[\s0-9,]*|"
    r"Rate limit is not supported on your system!?|"
    r"Buffers commands are not supported on your system|"
    r"Priority trust state is not supported on your system)\s*$"
)
_LLDPAD: Final = re.compile(r"\*+ WARNING: lldpad service is running")
#: Several items on one line: newlines were lost on the way here.
_FLATTENED: Final = re.compile(
    r"controlled[^\S\n]*Priority trust state|[0-9][^\S\n]*PFC configuration:[^\S\n]*[^\s]"
)


@dataclass(slots=True)
class TcRow:
    """One traffic class: limit in bit/s (0: none), algorithm, share in per cent, priorities."""

    line: int
    rate: int | None = None
    algorithm: str | None = None
    share: int | None = None
    priorities: list[int] = field(default_factory=list)


@dataclass(slots=True)
class QosText:
    """What one printout says; `None` and empty: it does not say.

    `lines` tells on which line (from 1) an item was read; `faults` are sentences about damage.
    """

    owner: str | None = None
    trust: str | None = None
    dscp: dict[int, int] = field(default_factory=dict)
    sizes: tuple[int, ...] = ()
    total: int | None = None
    cable: int | None = None
    pfc: tuple[int, ...] = ()
    buffers: tuple[int, ...] = ()
    classes: dict[int, TcRow] = field(default_factory=dict)
    lldpad: bool = False
    lines: dict[str, int] = field(default_factory=dict)
    dscp_lines: dict[int, int] = field(default_factory=dict)
    unread: list[tuple[int, str]] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    mapped: bool = False
    whole: bool = False

    @property
    def understood(self) -> bool:
        """Say whether this is a printout at all."""
        return bool(self.pfc) and bool(self.classes)


def looks_like(text: str) -> bool:
    """Say whether a text is `mlnx_qos` output."""
    return "PFC configuration:" in text and ("tsa:" in text or "Cable len:" in text)


def flattened(text: str) -> bool:
    """Say whether the newlines of a printout were lost."""
    return bool(_FLATTENED.search(text))


def read(text: str) -> QosText:
    """Read one printout.  Never raises; a text whose newlines were lost gives a fault alone."""
    found = QosText()
    if flattened(text):
        found.faults.append((1, "the line breaks of this mlnx_qos output were lost"))
        return found
    bare: list[TcRow] = []
    row: TcRow | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if (opened := _class(found, bare, line, number)) is not None:
            row = opened
        elif (member := _MEMBER.match(line)) and row is not None:
            row.priorities.append(int(member[1]))
        elif not _item(found, line, number) and not _silent(found, line, number):
            found.unread.append((number, line.strip()))
    _place(found, bare)
    _judge(found)
    return found


def _class(found: QosText, bare: list[TcRow], line: str, number: int) -> TcRow | None:
    if match := _TC.match(line):
        tc, unlimited, whole, tenth, ets, share, other = match.groups()
        rate = 0 if unlimited else int(Fraction(f"{whole}.{tenth}") * GBIT)
        row = TcRow(number, rate, ets or other, int(share) if share else None)
        if int(tc) in found.classes:
            found.faults.append((number, f"traffic class {tc} is printed twice"))
        found.classes[int(tc)] = row
        return row
    if match := _BARE.match(line):
        ets, share, other = match.groups()
        row = TcRow(number, None, ets or other, int(share) if share else None)
        bare.append(row)
        return row
    return None


def _item(found: QosText, line: str, number: int) -> bool:
    for name, pattern in (
        ("owner", _DCBX),
        ("trust", _TRUST),
        ("map", _MAP),
        ("sizes", _SIZES),
        ("cable", _CABLE),
        ("pfc", _PFC),
        ("buffers", _BUFFER),
    ):
        match = pattern.match(line)
        if match is not None:
            if name != "map" and name in found.lines:
                found.faults.append((number, f"{line.strip()[:24]!r} is printed twice"))
            found.lines.setdefault(name, number)
            _store(found, name, match, number)
            return True
    return False


def _store(found: QosText, name: str, match: re.Match[str], number: int) -> None:
    if name == "owner":
        found.owner = match[1]
    elif name == "trust":
        found.trust = match[1]
    elif name == "cable":
        found.cable = int(match[1])
    elif name == "sizes":
        found.sizes = tuple(int(n) for n in match[1].rstrip(",").split(","))
        found.total = int(match[2]) if match[2] else None
    elif name == "map":
        _store_map(found, match, number)
    else:
        setattr(found, name, tuple(int(n) for n in match[1].split()))


def _store_map(found: QosText, match: re.Match[str], number: int) -> None:
    for dscp in (int(n) for n in match[2].rstrip(",").split(",")):
        if dscp >= DSCPS:
            found.faults.append((number, f"DSCP {dscp} does not exist"))
        elif dscp in found.dscp:
            found.faults.append((number, f"DSCP {dscp} is mapped twice"))
        else:
            found.dscp[dscp] = int(match[1])
            found.dscp_lines[dscp] = number


def _silent(found: QosText, line: str, number: int) -> bool:
    if _LLDPAD.match(line):
        found.lldpad = True
        found.lines["lldpad"] = number
        return True
    if line.strip() == "dscp2prio mapping:":
        found.mapped = True
        found.lines["mapping"] = number
    return bool(_SILENT.match(line) or _INDEX.match(line))


def _place(found: QosText, bare: list[TcRow]) -> None:
    """Give rows without a number their class: only sure where all eight were printed."""
    if not bare:
        return
    if len(bare) == PRIORITIES and not found.classes:
        found.classes = dict(enumerate(bare))
        return
    found.faults.append(
        (bare[0].line, "rate limits could not be read, so the traffic classes have no numbers")
    )


def _judge(found: QosText) -> None:
    members = [p for row in found.classes.values() for p in row.priorities]
    found.whole = sorted(members) == list(range(PRIORITIES))
    if found.classes and not found.whole:
        line = min(row.line for row in found.classes.values())
        found.faults.append((line, "not every priority is in exactly one traffic class"))
    if found.pfc and any(bit > 1 for bit in found.pfc):
        found.faults.append((found.lines["pfc"], "PFC is neither 0 nor 1 on some priority"))
        found.pfc = ()
    if found.buffers and max(found.buffers) >= PRIORITIES:
        found.faults.append((found.lines["buffers"], "a buffer above 7 does not exist"))
        found.buffers = ()
    for tc, row in found.classes.items():
        if row.share is not None and row.share > 100:
            found.faults.append((row.line, f"traffic class {tc} has {row.share}%"))
            row.share = None
    if not found.understood and not found.faults:
        found.faults.append((1, "this is not a whole mlnx_qos output"))
