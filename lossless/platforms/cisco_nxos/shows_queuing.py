"""`show queuing interface` and `show queuing summary`: queues, pause thresholds and paused groups.

A session of a Nexus 9332D-GX2B (10.4(3)) prints, per port, an egress table (share, priority level,
limit), counters, an ingress table (buffer, pause and resume thresholds) and the statistics of PFC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.model.buffers import Buffers, PriorityGroup, QueueBuffer
from lossless.model.facet import table
from lossless.model.pfc import Pfc
from lossless.model.scheduling import Algorithm, Ets, QueueScheduling
from lossless.model.settings import Settings
from lossless.model.units import Alpha, Bandwidth, BandwidthKind
from lossless.model.values import OFF
from lossless.platforms.cisco_nxos.box import PauseBuffer
from lossless.platforms.cisco_nxos.hear_queues import pause_buffer
from lossless.platforms.cisco_nxos.names import full_name, is_port
from lossless.platforms.cisco_nxos.reader import Reading
from lossless.platforms.cisco_nxos.sessions import Answer
from lossless.platforms.cisco_nxos.shows import Shown, classes_of_pauses, lines, miss

_HEAD: Final = re.compile(r"(Egress|Ingress) Queuing for (\S+)(?: \[(?:System|Interface)\])?")
_NUMBER: Final = r"(\d{1,12}|-)"
_EGRESS: Final = re.compile(
    rf"([0-7])\s+{_NUMBER}\s+{_NUMBER}\s+(\S+)\s+(\S+)\s+(\S+)\s+(\(N/A\)|\d+\([DS]\)|\S+)"
)
_INGRESS: Final = re.compile(rf"([0-7])\s+{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}")
_PAUSED: Final = re.compile(
    r"([0-7])\s+([0-7])\s+(Active|Inactive)\s+\d+\s+(Active|Inactive)\s+\d+"
)
_ROW: Final = re.compile(r"\s{2,}[0-7]\s")


@dataclass(slots=True)
class _Port:
    egress: dict[int, tuple[QueueScheduling, QueueBuffer]] = field(default_factory=dict)
    ingress: dict[int, PriorityGroup] = field(default_factory=dict)
    paused: dict[int, int] = field(default_factory=dict)  # group by CoS
    line: int = 0


def queuing(answer: Answer, shown: Shown, out: Reading) -> bool:
    """Read the tables of one or several ports."""
    ports: dict[str, _Port] = {}
    port: _Port | None = None
    table_ = ""
    for number, line in lines(answer):
        text = line.strip()
        if found := _HEAD.fullmatch(text):
            port = ports.setdefault(full_name(found[2]), _Port())
            port.line, table_ = number, found[1]
        elif text.startswith("PFC_COS"):
            table_ = "PFC"
        elif text.startswith(("+--", "Per Port", "Per Slice", "PFC Statistics")):
            table_ = ""
        elif port is not None and table_ and _ROW.match(line) and not _row(port, table_, text):
            miss(out, answer, number, line)
    for name, held in ports.items():
        if is_port(name):
            _check(name, held, answer, out)
            shown.tell(name, settings(held.egress, held.ingress, held.paused), weak=True)
    return bool(ports)


def _row(port: _Port, table_: str, text: str) -> bool:
    pattern = {"Egress": _EGRESS, "Ingress": _INGRESS, "PFC": _PAUSED}[table_]
    found = pattern.fullmatch(text)
    if found is None:
        return False
    group = int(found[1])
    if table_ == "PFC":
        port.paused[group] = int(found[2])
    elif table_ == "Ingress":
        port.ingress[group] = ingress(found[2], found[3], found[4])
    else:
        port.egress[group] = egress(found[2], found[3], found[7])
    return True


def egress(share: str, level: str, limit: str) -> tuple[QueueScheduling, QueueBuffer]:
    """Return how a queue is served.

    The table does not say of what a share is one; every configuration whose table is public uses
    `bandwidth remaining percent`.  `9(D)` is a dynamic limit with index 9; a lossless queue has
    none.
    """
    strict = level.isdecimal()
    dynamic = re.fullmatch(r"(\d{1,4})\(D\)", limit)
    alpha: Any = Alpha(index=int(dynamic[1])) if dynamic else None
    if limit == "(N/A)":
        alpha = OFF
    return (
        QueueScheduling(
            algorithm=Algorithm.STRICT if strict else Algorithm.DWRR,
            bandwidth=Bandwidth(BandwidthKind.REMAINING, int(share) * 10_000)
            if share.isdecimal()
            else OFF,
            level=int(level) if strict else OFF,
        ),
        QueueBuffer(alpha=alpha),
    )


def ingress(size: str, pause: str, resume: str) -> PriorityGroup:
    """Return the pause thresholds of a group; one without is not lossless."""
    if not (size.isdecimal() and pause.isdecimal() and resume.isdecimal()):
        return PriorityGroup(lossless=OFF)
    told = pause_buffer(PauseBuffer(int(size), int(pause), int(resume)))
    return PriorityGroup(lossless=True, limit=told.limit, xoff=told.xoff, xon=told.xon)


def settings(
    queues: dict[int, tuple[QueueScheduling, QueueBuffer]],
    groups: dict[int, PriorityGroup],
    paused: dict[int, int],
) -> Settings:
    """Return a port's operational settings from the three tables."""
    lossless = {group for group, row in groups.items() if row.lossless is True}
    stopped = {cos: group for cos, group in paused.items() if group in lossless}
    told: Any = None
    if groups and paused:
        told = frozenset(stopped) or OFF
    return Settings(
        pfc=Pfc(send=told, honour=told),
        classification=classes_of_pauses(stopped),
        ets=Ets(queues=table({queue: row for queue, (row, _) in queues.items()})),
        buffers=Buffers(
            groups=table(groups),
            queues=table({q: row for q, (_, row) in queues.items() if row != QueueBuffer()}),
        ),
    )


def _check(name: str, held: _Port, answer: Answer, out: Reading) -> None:
    for what, rows in (("egress", held.egress), ("ingress", held.ingress)):
        if rows and len(rows) not in (4, 8):
            text = f"{name}: the {what} table has {len(rows)} rows, and a box has 4 or 8 queues"
            out.say("damaged", text, (answer.file, held.line))
