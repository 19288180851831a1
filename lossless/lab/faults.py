"""What goes wrong with devices, and with which of them."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from lossless.findings import InputError, Problem


class Fault(StrEnum):
    """A way in which a device fails.

    Slow ones answer late; dropping ones cut the connection at the first command; half-closed ones
    take a login and then say no more; those with a wrong key are not who `known_hosts` says they
    are; those with a wrong password refuse every login; garbage does not speak SSH; and mid-output
    the connection dies in the middle of an answer.
    """

    SLOW = "slow"
    DROPPING = "dropping"
    HALF_CLOSED = "half-closed"
    WRONG_KEY = "wrong-key"
    WRONG_PASSWORD = "wrong-password"  # noqa: S105 - a fault's name
    GARBAGE = "garbage"
    MID_OUTPUT = "mid-output"


@dataclass(frozen=True, slots=True)
class Share:
    """A fault and how many devices have it, in per cent (more than 0, at most 100)."""

    fault: Fault
    percent: float = 100.0


_FORM = re.compile(r"(?P<kind>[a-z-]+)(?::(?P<percent>[0-9]{1,3}(?:\.[0-9]{1,6})?)%?)?")


def read(text: str) -> Share:
    """Read KIND or KIND:PERCENT.  Raises `InputError`."""
    found = _FORM.fullmatch(text.strip())
    kinds = [fault.value for fault in Fault]
    if found is None or found["kind"] not in kinds:
        raise InputError([Problem(f"{text!r} is not a fault", hint="one of " + ", ".join(kinds))])
    percent = float(found["percent"] or 100)
    if not 0 < percent <= 100:
        raise InputError([Problem(f"{text!r}: more than 0 per cent and at most 100")])
    return Share(Fault(found["kind"]), percent)


def spread(names: Iterable[str], shares: Iterable[Share], seed: int) -> Mapping[str, Fault]:
    """Choose the devices with a fault: the nearest whole number of them, at least one.

    A device has one fault at most.  The same names, shares and seed choose the same devices.
    """
    everything = list(names)
    free = list(everything)
    random.Random(seed).shuffle(free)  # noqa: S311 - reproducible, not secret
    chosen: dict[str, Fault] = {}
    for share in shares:
        count = max(1, math.floor(len(everything) * share.percent / 100 + 0.5))
        taken, free = free[:count], free[count:]
        chosen.update(dict.fromkeys(taken, share.fault))
    return {name: chosen[name] for name in everything if name in chosen}
