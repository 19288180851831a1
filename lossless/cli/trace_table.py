"""The hop table of `lossless trace`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lossless.cli import EXIT_FINDINGS, output
from lossless.findings import Severity
from lossless.model.classification import Trust
from lossless.model.values import OFF, is_value
from lossless.nodeset import expand

if TYPE_CHECKING:
    from lossless.findings import Finding
    from lossless.model.scheduling import QueueEcn
    from lossless.topology.routes import Route
    from lossless.trace import Passage, Trace, Traffic

_COLUMNS = (
    "port",
    "DSCP",
    "PCP",
    "trust",
    "prio",
    "class",
    "TC",
    "queue",
    "PG",
    "PFC",
    "ECN",
    "MTU",
)
_LAST = "speed"
UNKNOWN = "?"


def show(
    walked: Trace,
    route: Route,
    findings: Sequence[Finding],
    colour: str,
    declared: Trace | None = None,
) -> int:
    """Print the table and what is wrong; return 1 where a hop is bad.

    With what is `declared`, cells that differ from it show both: running, then declared.
    """
    colourful = output.colour_wanted(colour)
    width = shutil.get_terminal_size((140, 24)).columns if sys.stdout.isatty() else 140
    console = Console(
        no_color=not colourful, force_terminal=colourful, width=width, highlight=False
    )
    console.print(_headline(walked, route), soft_wrap=True)
    blames = _blames(walked, findings)
    first_bad = next((number for number, blame in enumerate(blames) if blame), None)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", *_COLUMNS, _LAST):
        table.add_column(name, no_wrap=True)
    for number, passage in enumerate(walked.passages):
        mark = _mark(number, first_bad, bool(blames[number]))
        cells = _cells(passage)
        if declared is not None:
            cells = _beside(cells, _cells(declared.passages[number]))
        table.add_row(mark, *cells, style="red" if blames[number] else None)
    console.print(table)
    if declared is not None:
        console.print("running; where it differs: running (declared)", style="dim")
    if first_bad is None:
        untold = [p.name for p in walked.passages if _untold(p, walked)]
        if untold:
            console.print(f"no hop is known to lose it; not told of {', '.join(untold)}")
        else:
            console.print("every hop keeps it as it is meant", style="green")
        return 0
    console.print(f"first bad hop: {walked.passages[first_bad].name}", style="bold red")
    for reason in blames[first_bad]:
        console.print(Text(f"  {reason}"), soft_wrap=True)
    return EXIT_FINDINGS


def _headline(walked: Trace, route: Route) -> Text:
    traffic, first, last = walked.traffic, walked.passages[0], walked.passages[-1]
    meant = f", meant for class {traffic.name}" if traffic.name else ""
    ways = f" (one of {route.ways} equal ways)" if route.ways > 1 else ""
    return Text(
        f"{first.name} -> {last.name}: {_marked(traffic)} from {traffic.origin}{meant}{ways}"
    )


def _marked(traffic: Traffic) -> str:
    if traffic.pcp is None:
        return f"DSCP {traffic.dscp}"
    dscp = f"DSCP {traffic.dscp} and " if traffic.cls is not None and traffic.cls.dscp else ""
    return f"{dscp}PCP {traffic.pcp}"


def _mark(number: int, first_bad: int | None, bad: bool) -> str:
    if number == first_bad:
        return ">>"
    return " x" if bad else ""


def _blames(walked: Trace, findings: Sequence[Finding]) -> list[list[str]]:
    """Return what is wrong at each port.

    A finding about a link names both ends; where the facts already convict one of them, the other
    is left alone.
    """
    own = [_convicted(passage, walked) for passage in walked.passages]
    blames = [list(reasons) for reasons in own]
    for finding in (f for f in findings if f.severity is Severity.ERROR):
        named = [n for n, p in enumerate(walked.passages) if _names(finding, p.name)]
        guilty = [number for number in named if own[number]] or named
        for number in guilty:
            blames[number].append(f"{finding.rule}: {finding.message}")
    return blames


def _convicted(passage: Passage, walked: Trace) -> list[str]:
    """Return how the facts at one port differ from what the class followed is meant to be."""
    cls = walked.traffic.cls
    if cls is None or passage.priority is None or not cls.priorities:
        return []
    if passage.priority not in cls.priorities:
        wanted = ", ".join(map(str, sorted(cls.priorities)))
        by_tag = passage.settings.classification.trust is Trust.PCP and passage.pcp is not None
        mark = f"PCP {passage.pcp}" if by_tag else f"DSCP {passage.dscp}"
        lands = f"{mark} gets priority {passage.priority} here"
        return [f"{lands}; class {walked.traffic.name} is on {wanted}"]
    if cls.lossless is True and passage.lossless is False:
        verb = "send" if passage.inward else "honour"
        return [
            f"priority {passage.priority} is to be lossless; this port does not {verb} PFC on it"
        ]
    return []


def _untold(passage: Passage, walked: Trace) -> bool:
    """Say whether what the verdict rests on is not told of a port."""
    cls = walked.traffic.cls
    lossless = cls is not None and cls.lossless is True
    return passage.priority is None or (lossless and passage.lossless is None)


def _names(finding: Finding, name: str) -> bool:
    return any(name in expand(folded) for folded in finding.objects if ":" in folded)


def _beside(running: Sequence[str], declared: Sequence[str]) -> tuple[str, ...]:
    """Return cells of what runs, and what is declared in brackets where it differs."""
    pairs = zip(running, declared, strict=True)
    return tuple(now if now == meant else f"{now} ({meant})" for now, meant in pairs)


def _cells(passage: Passage) -> tuple[str, ...]:
    settings = passage.settings
    arrow = "in " if passage.inward else "out"
    trust = settings.classification.trust
    mtu, speed = settings.mtu.l3, settings.link.speed
    return (
        f"{arrow} {passage.name}",
        str(passage.dscp),
        "" if passage.pcp is None else str(passage.pcp),
        trust.value if trust is not None else UNKNOWN,
        _number(passage.priority),
        passage.class_name or UNKNOWN,
        _number(passage.traffic_class),
        _number(passage.queue),
        _number(passage.group),
        {True: "pause", False: "drop", None: UNKNOWN}[passage.lossless],
        "" if passage.inward or passage.device.kind == "host" else _ecn(passage.ecn),
        str(mtu) if is_value(mtu) else UNKNOWN,
        f"{speed / 10**9:g}G" if is_value(speed) else UNKNOWN,
    )


def _number(number: int | None) -> str:
    return UNKNOWN if number is None else str(number)


def _ecn(ecn: QueueEcn | None) -> str:
    if ecn is None or ecn.enabled is None:
        return UNKNOWN
    if ecn.enabled is OFF:
        return "off"
    low, high = ecn.minimum, ecn.maximum
    return f"{low}..{high}" if is_value(low) and is_value(high) else "on"
