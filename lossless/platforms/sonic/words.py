"""Numbers and words of CONFIG_DB: what a field may hold, and what it means in the model."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from lossless.model.link import Fec
from lossless.model.pfc import WatchdogAction
from lossless.model.scheduling import Algorithm
from lossless.model.units import PPM, Alpha, Quantity, Unit
from lossless.model.values import DEFAULT, OFF

MEGABIT: Final = 1_000_000
MILLISECOND: Final = 1_000_000
METRE: Final = 1_000
PRIORITIES: Final = frozenset(range(8))
GBIT_50: Final = 50 * 10**9

SCHEDULERS: Final[Mapping[str, Algorithm]] = {
    "DWRR": Algorithm.DWRR,
    "WRR": Algorithm.WRR,
    "STRICT": Algorithm.STRICT,
}
ACTIONS: Final[Mapping[str, WatchdogAction]] = {
    "drop": WatchdogAction.DROP,
    "forward": WatchdogAction.FORWARD,
    "alert": WatchdogAction.ALERT,
}
#: Colours that each word of WRED_PROFILE.ecn marks (sonic-wred-profile.yang).
ECN: Final[Mapping[str, frozenset[str]]] = {
    "ecn_none": frozenset(),
    "ecn_green": frozenset({"green"}),
    "ecn_yellow": frozenset({"yellow"}),
    "ecn_red": frozenset({"red"}),
    "ecn_green_yellow": frozenset({"green", "yellow"}),
    "ecn_green_red": frozenset({"green", "red"}),
    "ecn_yellow_red": frozenset({"yellow", "red"}),
    "ecn_all": frozenset({"green", "yellow", "red"}),
}
FECS: Final[Mapping[str, Fec]] = {"none": Fec.NONE, "fc": Fec.FIRECODE, "auto": Fec.AUTO}


def number(text: str | None) -> int | None:
    """Read a whole number without a sign; `None` where it is none."""
    if text is None or not text.isdecimal() or not text.isascii():
        return None
    return int(text) if len(text) <= 20 else None


def size(text: str | None) -> Any:
    """Read a size in bytes; `DEFAULT` where the field is absent."""
    if text is None:
        return DEFAULT
    found = number(text)
    return None if found is None else Quantity(Fraction(found), Unit.BYTES)


def alpha(text: str) -> Alpha | None:
    """Read `dynamic_th`: the exponent of two, of which -8 stands for nothing (swss)."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    found = number(digits)
    if found is None or not -8 <= sign * found <= 8:
        return None
    exponent = sign * found
    return Alpha(Fraction(0) if exponent == -8 else Fraction(2) ** exponent, exponent)


def exponent(held: Alpha) -> int | None:
    """Return `dynamic_th` of an alpha; `None` where no exponent gives that ratio."""
    if held.index is not None:
        return held.index if -8 <= held.index <= 7 else None
    for candidate in range(-8, 8):
        ratio = Fraction(0) if candidate == -8 else Fraction(2) ** candidate
        if ratio == held.ratio:
            return candidate
    return None


def priorities(text: str) -> frozenset[int] | None:
    """Read a list of priorities such as "3,4"; an empty one is none of them."""
    if not text.strip():
        return frozenset()
    parts = text.split(",")
    if all(part.strip() in {"0", "1", "2", "3", "4", "5", "6", "7"} for part in parts):
        return frozenset(int(part) for part in parts)
    return None


def listed(held: frozenset[int]) -> str:
    """Write a set of priorities."""
    return ",".join(str(priority) for priority in sorted(held))


def fec(text: str, speed: Any, lanes: Any) -> Fec | None:
    """Read FEC.  `rs` is the code that the rate of a lane calls for (IEEE 802.3 clauses 91, 119).

    Where the lanes are not told, a port of 200 Gb/s or more has lanes of 50 Gb/s or more.
    """
    if text != "rs":
        return FECS.get(text)
    if isinstance(speed, int) and isinstance(lanes, int) and lanes:
        return Fec.RS544 if speed // lanes >= GBIT_50 else Fec.RS528
    fast = isinstance(speed, int) and speed >= 4 * GBIT_50
    return Fec.RS544 if fast else Fec.RS528


def switch(text: str | None, on: str = "on", off: str = "off") -> Any:
    """Read a switch; `DEFAULT` where the field is absent, `None` where it is no known word."""
    if text is None:
        return DEFAULT
    return True if text == on else OFF if text == off else None


def per_cent(text: str | None) -> Any:
    """Read per cent as parts per million."""
    if text is None:
        return DEFAULT
    found = number(text)
    return None if found is None or found > 100 else found * PPM // 100
