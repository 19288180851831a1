"""Operations in EOS's words.

The words are macros (`templates/arista_eos/macros.j2`), the layout is `frame.j2`.  Nothing reaches
a line that was not checked: names by their grammar, everything else by its type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from lossless.findings import InputError, Problem
from lossless.model.device import Device
from lossless.model.operation import Op, Verb
from lossless.model.pfc import WatchdogAction
from lossless.model.units import Cap, Quantity, Unit
from lossless.platforms.arista_eos.grammar import ACTIONS
from lossless.platforms.arista_eos.names import is_name, is_port
from lossless.platforms.arista_eos.slots import Speed
from lossless.platforms.contract import Rendered

FILE: Final = "running-config.cfg"
_G: Final = 10**9
_CONTEXT: Final = re.compile(
    r"(interface|qos profile|platform trident mmu queue profile) (\S+)"
    r"|(queue|tx-queue|uc-tx-queue|mc-tx-queue) [0-9]{1,2}"
)
#: A line that leaves as it came: printable, one line, and no EOS command separator or pipe.
_PLAIN: Final = re.compile(r"[ -~]{1,400}")
_DEVICE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,252}")

#: The queue sub-mode by model, where a source tells it.  DCS-7260CX(3) prints `tx-queue` (running
#: configurations of EOS 4.19.1F and 4.22.3M); Jericho boxes have no other; AVD's examples and the
#: public DCQCN playbooks for Tomahawk 4 and 5 boxes write `uc-tx-queue`.
KINDS: Final = (
    (re.compile(r"DCS-72(?:60CX|80|8[0-9])|DCS-7[58]\d\d|DCS-7020"), "tx-queue"),
    (re.compile(r"DCS-7060(?:DX5|PX5|X6)|DCS-7388"), "uc-tx-queue"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the file.  `opens`: the line enters a context."""

    depth: int
    text: str
    opens: bool


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
    macros = Macros("arista_eos", templates, FILTERS)
    kind, notes = queue_kind(ops, device)
    entries = tuple(_entries(ops, macros, kind))
    text = macros.render("frame.j2", device=device.name, entries=entries, notes=notes)
    return (Rendered(FILE, text),)


def queue_kind(ops: Sequence[Op], device: Device) -> tuple[str, tuple[str, ...]]:
    """Return the sub-mode for queues whose box did not show one, and what to say about it."""
    open_ = any(part.startswith("queue ") for op in ops for part in op.context)
    if not open_:
        return "tx-queue", ()
    for pattern, kind in KINDS:
        if device.model is not None and pattern.match(device.model):
            return kind, ()
    what = device.model or "a box of unknown model"
    return "uc-tx-queue", (
        f"The queue sub-mode of {what} is a guess: uc-tx-queue. If the box refuses it, it is",
        "tx-queue; a box that shows either in its running configuration is followed.",
    )


def _entries(ops: Sequence[Op], macros: Any, kind: str) -> Iterator[Entry]:
    current: tuple[str, ...] = ()
    for op in ops:
        context = tuple(_spelled(part, kind) for part in op.context)
        if current and not context and op.verb is not Verb.CREATE:
            yield Entry(0, "!", False)
        yield from _enter(current, context)
        current = context
        for line in macros.lines(f"{op.verb.value}_{op.object}", op):
            opens = op.verb is Verb.CREATE
            yield Entry(len(context), line, opens)
            if opens:
                current = (*context, line)


def _spelled(part: str, kind: str) -> str:
    return f"{kind} {part[6:]}" if part.startswith("queue ") else part


def _enter(current: tuple[str, ...], context: tuple[str, ...]) -> Iterator[Entry]:
    """Yield the lines that lead from one context to another.

    A context is left by entering another; to come back up into one, it is entered anew, since a
    line such as `shape rate` means something in the queue as well.
    """
    if context == current:
        return
    pairs = zip(current, context, strict=False)
    shared = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(current), len(context)))
    if shared == len(context):
        shared = 0
    for depth in range(shared, len(context)):
        yield Entry(depth, context[depth], True)


# --- what may be written -------------------------------------------------------------------------


def _check(ops: Sequence[Op], device: Device) -> Iterator[Problem]:
    if not _DEVICE.fullmatch(device.name):
        yield Problem(f"{device.name!r} is not a device name", hint="letters, digits, . _ : -")
    seen: set[str] = set()
    for op in ops:
        for fault in (*_context_faults(op), *_word_faults(op)):
            if fault not in seen:
                seen.add(fault)
                yield Problem(fault, hint="rename it; EOS cannot quote names")


def _context_faults(op: Op) -> Iterator[str]:
    for part in op.context:
        found = _CONTEXT.fullmatch(part)
        if found is None:
            yield f"{part!r} is not a context of EOS"
        elif found[1] == "interface" and not is_port(found[2]):
            yield f"{found[2]!r} is not a port of EOS, such as Ethernet1/1"
        elif found[1] is not None and found[1] != "interface" and not is_name(found[2]):
            yield f"{found[2]!r} is not a profile name that can be written safely"


_VERBATIM: Final = frozenset({"kept_line", "raw_line"})


def _word_faults(op: Op) -> Iterator[str]:
    words = [held for held in (op.old, op.new, *op.key) if isinstance(held, str)]
    for word in words:
        good = _PLAIN.fullmatch(word) if op.object in _VERBATIM else is_name(word)
        if not good:
            yield f"{word!r} cannot be written to a device"


# --- filters -------------------------------------------------------------------------------------


def size(held: Quantity) -> str:
    """Write a threshold with its unit; times in milliseconds where whole, else microseconds."""
    if held.unit is not Unit.NANOSECONDS:
        return f"{held.number} {held.unit.value}"
    if held.number % 10**6 == 0:
        return f"{held.number / 10**6} milliseconds"
    return f"{held.number / 10**3} microseconds"


def memory(held: Quantity) -> str:
    """Write an amount of memory: the MMU names the unit first."""
    return f"{held.unit.value} {held.number}"


def seconds(nanoseconds: int) -> str:
    """Write a time in decimal seconds, exactly."""
    whole, rest = divmod(nanoseconds, _G)
    return f"{whole}.{rest:09d}".rstrip("0").rstrip(".")


def ids(numbers: frozenset[int]) -> str:
    """Write VLANs as EOS does: `none`, or runs joined by commas."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) or "none"


def speed(held: Speed) -> str:
    """Write a speed: `400g-8`, `auto 100g-4`, `1.6t-8`."""
    words = ["auto"] if held.auto else []
    if held.rate is not None:
        terabit = held.rate >= 1000 * _G
        number = Fraction(held.rate, 1000 * _G if terabit else _G)
        lanes = f"-{held.lanes}" if held.lanes is not None else ""
        words.append(f"{float(number):g}{'t' if terabit else 'g'}{lanes}")
    return " ".join(words)


def cap(held: Cap) -> str:
    """Write a shaper: per cent of the line, or kbit/s."""
    if held.share is not None:
        return f"{held.share // 10_000} percent"
    return f"{(held.rate or 0) // 1000} kbps"


def action(held: WatchdogAction) -> str:
    """Write what the watchdog does."""
    return {action: word for word, action in ACTIONS.items()}[held]


FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "size": size,
    "memory": memory,
    "seconds": seconds,
    "ids": ids,
    "speed": speed,
    "cap": cap,
    "action": action,
}
