"""Operations in NX-OS's words.

The words are macros (`templates/cisco_nxos/macros.j2`), the layout is `frame.j2`.  Nothing
reaches a line that was not checked: names by their grammar, everything else by its type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lossless.findings import InputError, Problem
from lossless.model.device import Device
from lossless.model.operation import Op, Verb
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Quantity
from lossless.platforms.cisco_nxos.box import Detect, PfcLine
from lossless.platforms.cisco_nxos.grammar import KEPT, RAW
from lossless.platforms.cisco_nxos.names import is_name, is_port
from lossless.platforms.contract import Rendered

FILE: Final = "running-config.cfg"
_CONTEXT: Final = re.compile(
    r"system qos|interface (?P<port>\S+)"
    r"|(?:policy|class)-map type (?:qos|queuing|network-qos)(?: match-(?:any|all))? (?P<name>\S+)"
    r"|class(?: type (?:queuing|network-qos))? (?P<class>\S+)"
)
_DEVICE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,252}")
_WORDS: Final = frozenset({"qos", "queuing", "network-qos", "input", "output", ""})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the file."""

    depth: int
    text: str
    opens: bool = False


def render(
    ops: Sequence[Op], device: Device, templates: Path | None = None
) -> tuple[Rendered, ...]:
    """Write operations as one file.

    Raises `InputError` for names that may not reach a device, and for faulty templates.
    """
    from lossless.platforms.macros import Macros

    problems = list(_check(ops, device))
    if problems:
        raise InputError(problems)
    macros = Macros("cisco_nxos", templates, FILTERS)
    entries = tuple(_entries(ops, macros))
    text = macros.render("frame.j2", device=device.name, entries=entries)
    return (Rendered(FILE, text),)


def _entries(ops: Sequence[Op], macros: Any) -> Iterator[Entry]:
    current: tuple[str, ...] = ()
    for op in ops:
        yield from _move(current, op.context)
        current = op.context
        for line in macros.lines(f"{op.verb.value}_{op.object}", op):
            opens = op.verb is Verb.CREATE
            yield Entry(len(op.context), line, opens)
            if opens:
                current = (*op.context, line)


def _move(current: tuple[str, ...], context: tuple[str, ...]) -> Iterator[Entry]:
    """Yield the lines that lead from one context to another.

    A line of the mode above would leave a mode by itself, but some lines mean something in both:
    `class` and `class-map` begin alike, and `priority-flow-control watch-dog-interval` is one of an
    interface as well as of the box.
    """
    pairs = zip(current, context, strict=False)
    shared = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(current), len(context)))
    if current and shared == 0 and (not context or current[0].startswith("policy-map")):
        for depth in range(len(current), 0, -1):
            yield Entry(depth, "exit")
    for depth in range(shared, len(context)):
        yield Entry(depth, context[depth], opens=True)


# --- what may be written -------------------------------------------------------------------------


def _check(ops: Sequence[Op], device: Device) -> Iterator[Problem]:
    if not _DEVICE.fullmatch(device.name):
        yield Problem(f"{device.name!r} is not a device name", hint="letters, digits, . _ : -")
    seen: set[str] = set()
    for op in ops:
        for fault in (*_context_faults(op), *_word_faults(op)):
            if fault not in seen:
                seen.add(fault)
                yield Problem(fault, hint="rename it; NX-OS cannot quote names")


def _context_faults(op: Op) -> Iterator[str]:
    for part in op.context:
        found = _CONTEXT.fullmatch(part)
        if found is None:
            yield f"{part!r} is not a context of NX-OS"
            continue
        name = found["name"] or found["class"]
        if found["port"] is not None and not is_port(found["port"]):
            yield f"{found['port']!r} is not a port of NX-OS, such as Ethernet1/1"
        elif name is not None and not is_name(name):
            yield f"{name!r} is not a name that can be written safely"


def _word_faults(op: Op) -> Iterator[str]:
    words = [held for held in (op.old, op.new, *op.key) if isinstance(held, str)]
    for word in words:
        if op.object == "raw_line":
            good = RAW.fullmatch(word) is not None
        elif op.object == "kept_line":
            good = any(pattern.fullmatch(word) for pattern in KEPT.values()) and word.isprintable()
        else:
            good = word in _WORDS or is_name(word)
        if not good:
            yield f"{word!r} cannot be written to a device"


# --- filters -------------------------------------------------------------------------------------


def numbers(held: Iterable[int]) -> str:
    """Write code points or VLANs: runs joined by commas, `none` where there is none."""
    runs: list[list[int]] = []
    for number in sorted(held):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) or "none"


def share(held: Bandwidth) -> str:
    """Write a share: `remaining percent 50` or `percent 1`."""
    word = "remaining percent" if held.kind is BandwidthKind.REMAINING else "percent"
    return f"{word} {held.amount // 10_000}"


def size(held: Quantity) -> str:
    """Write a size with the unit it was stated in."""
    return f"{held.number} {held.unit.value}"


def detect(held: Detect) -> str:
    """Write a curve."""
    ecn = " ecn" if held.ecn else ""
    if held.minimum is None or held.maximum is None:
        return f"threshold {held.preset}{ecn}"
    return (
        f"minimum-threshold {size(held.minimum)} maximum-threshold {size(held.maximum)} "
        f"drop-probability {held.probability} weight {held.weight}{ecn}"
    )


def limit(held: Quantity | Alpha) -> str:
    """Write a queue's limit."""
    return f"dynamic {held.index}" if isinstance(held, Alpha) else size(held)


def pfc(held: PfcLine) -> str:
    """Write a mode of PFC."""
    return f"{held.mode} send-tlv" if held.advertise else held.mode


FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "numbers": numbers,
    "share": share,
    "detect": detect,
    "limit": limit,
    "pfc": pfc,
}
