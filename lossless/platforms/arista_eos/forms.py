"""How a line of EOS is described: its form, what it sets, and what its "no" resets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from lossless.model.units import Quantity, Unit
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.arista_eos.slots import Slot

Match = re.Match[str]
Pairs = Iterable[tuple[Slot, Any]]

_UNITS: Final[Mapping[str, tuple[Unit, int]]] = {
    "segments": (Unit.SEGMENTS, 1),
    "bytes": (Unit.BYTES, 1),
    "kbytes": (Unit.KBYTES, 1),
    "mbytes": (Unit.MBYTES, 1),
    "cells": (Unit.CELLS, 1),
    "milliseconds": (Unit.NANOSECONDS, 10**6),
    "microseconds": (Unit.NANOSECONDS, 10**3),
}
N = r"[0-9]{1,12}"  # no number of EOS is longer; Python refuses to convert thousands of digits
SIZE = rf"({N}) (segments|bytes|kbytes|mbytes|milliseconds|microseconds)"
SECONDS = rf"({N}(?:\.{N})?)"
ALPHA = rf"({N}(?:/[1-9][0-9]{{0,4}})?)"
MEMORY = rf"(?:(bytes|cells) )?({N})"


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a line.

    `yes` is the line without a prefix, `read` what it sets (a slot set to `None` says that the
    line speaks of it in words that the model has none for); `no` is what stands after `no ` or
    `default `, `slots` what that resets, and `absent` what `no` means (`default` is always
    `DEFAULT`).
    """

    yes: re.Pattern[str] | None
    read: Callable[[Match], Pairs] | None
    no: re.Pattern[str]
    slots: Callable[[Match], Iterable[Slot]]
    absent: Any = DEFAULT


def quantity(number: str, unit: str) -> Quantity:
    """Return a size or time as EOS writes it; times become nanoseconds."""
    known, factor = _UNITS[unit]
    return Quantity(Fraction(int(number) * factor), known)


def nanoseconds(seconds: str) -> int:
    """Turn EOS's decimal seconds into nanoseconds, exactly."""
    return int(Fraction(seconds) * 10**9)


def vlans(spelled: str) -> frozenset[int] | None:
    """Read a VLAN list (`10,20-29`, `all`, `none`); `None` where it is not one."""
    if spelled == "none":
        return frozenset()
    if spelled == "all":
        return frozenset(range(1, 4095))
    found: set[int] = set()
    for part in spelled.split(","):
        ends = (
            [int(end) for end in part.split("-")]
            if re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4})?", part)
            else []
        )
        if not ends or not all(1 <= end <= 4094 for end in ends):
            return None
        found.update(range(ends[0], ends[-1] + 1))
    return frozenset(found)


def form(
    yes: str,
    read: Callable[[Match], Pairs],
    no: str,
    slots: Callable[[Match], Iterable[Slot]] | Slot,
    absent: Any = DEFAULT,
) -> Form:
    """Describe a line: what it is, what it sets, its negation, what that resets and to what."""
    found = slots if callable(slots) else always(slots)
    return Form(re.compile(yes), read, re.compile(no), found, absent)


def always(slot: Slot) -> Callable[[Match], Iterable[Slot]]:
    """Reset one slot, whatever the line says."""
    return lambda _: (slot,)


def single(slot: Slot, make: Callable[[Match], Any]) -> Callable[[Match], Pairs]:
    """Set one slot from a match."""
    return lambda m: ((slot, make(m)),)


def switch(words: str, slot: Slot) -> Form:
    """Describe a feature that is there or not."""
    return form(words, single(slot, lambda _: True), words, slot, OFF)


def number(words: str, slot: Slot) -> Form:
    """Describe words that are followed by one number."""
    return form(rf"{words} ({N})", single(slot, lambda m: int(m[1])), rf"{words}(?: {N})?", slot)


def numbers(text: str) -> list[int]:
    """Read a list of numbers."""
    return [int(word) for word in text.split()]


def read_line(forms: Iterable[Form], text: str) -> list[tuple[Slot, Any]] | None:
    """Return the slots that a line sets, or `None` where no form fits."""
    prefix, _, rest = text.partition(" ")
    if prefix in ("no", "default"):
        body = " ".join(rest.split())
        for form in forms:
            if found := form.no.fullmatch(body):
                absent = form.absent if prefix == "no" else DEFAULT
                return [(slot, absent) for slot in form.slots(found)]
        return None
    body = " ".join(text.split())
    for form in forms:
        if form.yes is not None and form.read is not None and (found := form.yes.fullmatch(body)):
            return list(form.read(found))
    return None
