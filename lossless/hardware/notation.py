"""How facts are written in the data files: short texts that become values of the model.

Every scalar of a data file is read as text, so that `off` is never a YAML 1.1 boolean and a
version is never a number; the type of the field that it fills decides what the text means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeVar

from lossless.model.profile import Range
from lossless.model.units import (
    PPM,
    Alpha,
    Bandwidth,
    BandwidthKind,
    Cap,
    Quantity,
    Unit,
)
from lossless.model.values import OFF, Field, NumberMap

E = TypeVar("E", Unit, BandwidthKind)

_NUMBER = re.compile(r"(-?\d+)\s?([A-Za-z]*|%)")
#: Suffixes of whole numbers: nanoseconds, millimetres, bit/s, parts per million.
_SCALE = {
    "": 1,
    "ns": 1,
    "us": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "mm": 1,
    "m": 1_000,
    "M": 1_000_000,
    "G": 1_000_000_000,
    "T": 1_000_000_000_000,
    "%": PPM // 100,
}


class NotationError(ValueError):
    """A text that does not mean what its field needs."""


def number(text: str) -> int:
    """Read a whole number, with an optional suffix (`200ms`, `7m`, `400G`, `50%`)."""
    found = _NUMBER.fullmatch(text)
    if found is None or found[2] not in _SCALE:
        raise NotationError(f"{text!r} is not a number")
    return int(found[1]) * _SCALE[found[2]]


def range_of(text: str) -> Range:
    """Read an inclusive range: `68..9214`, `100ms..5s`, `..9216`, `1..`."""
    low, dots, high = text.partition("..")
    if not dots:
        raise NotationError(f"{text!r} is not a range such as 68..9214")
    return Range(number(low) if low else None, number(high) if high else None)


def numbers(text: str) -> Iterator[int]:
    """Read a set of small numbers: `3`, `0-3, 6`."""
    for part in filter(None, (p.strip() for p in text.split(","))):
        first, dash, last = part.partition("-")
        yield from range(number(first), number(last if dash else first) + 1)


def code_points(text: str, size: int) -> NumberMap:
    """Read a map of code points: `0-6, 9: 1; 7: off; rest: 2`."""
    entries: list[Field[int]] = [None] * size
    rest: Field[int] = None
    for part in text.split(";"):
        keys, colon, target = (p.strip() for p in part.partition(":"))
        if not colon:
            raise NotationError(f"{part!r} is not a mapping such as 24-31: 3")
        meant: Field[int] = OFF if target == "off" else number(target)
        if keys == "rest":
            rest = meant
            continue
        for index in numbers(keys):
            if not 0 <= index < size:
                raise NotationError(f"code point {index} is outside 0..{size - 1}")
            if entries[index] is not None:
                raise NotationError(f"code point {index} is mapped twice")
            entries[index] = meant
    return tuple(rest if entry is None else entry for entry in entries)


def quantity(text: str) -> Quantity:
    """Read a size in a vendor's unit: `150 kbytes`, `2000 segments`, `5 % of queue`."""
    count, _, unit = text.partition(" ")
    return Quantity(_fraction(count), _choice(Unit, unit or "bytes"))


def alpha(raw: str | Mapping[str, str]) -> Alpha:
    """Read a dynamic threshold: `1/8`, or `{ratio: 1/8, index: 3}`."""
    if isinstance(raw, str):
        return Alpha(ratio=_fraction(raw))
    unknown = set(raw) - {"ratio", "index"}
    if unknown:
        raise NotationError(f"an alpha has no {sorted(unknown)}")
    ratio = _fraction(raw["ratio"]) if "ratio" in raw else None
    return Alpha(ratio, number(raw["index"]) if "index" in raw else None)


def bandwidth(text: str) -> Bandwidth:
    """Read a share: `50% ets`, `50% remaining`, `25% line`, `10% guaranteed`, `weight 15`."""
    first, _, second = text.partition(" ")
    if first == "weight":
        return Bandwidth(BandwidthKind.WEIGHT, number(second))
    return Bandwidth(_choice(BandwidthKind, second), _percent(first))


def cap(text: str) -> Cap:
    """Read an upper limit: `40%` of the line, or a rate (`10G`)."""
    return Cap(share=_percent(text)) if text.endswith("%") else Cap(rate=number(text))


def _percent(text: str) -> int:
    if not text.endswith("%"):
        raise NotationError(f"{text!r} is not a percentage")
    parts = _fraction(text[:-1]) * PPM / 100
    if parts.denominator != 1:
        raise NotationError(f"{text!r} is finer than parts per million")
    return int(parts)


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise NotationError(f"{text!r} is not a number") from None


def _choice(kind: type[E], text: str) -> E:
    try:
        return kind(text)
    except ValueError:
        words = ", ".join(str(member.value) for member in kind)
        raise NotationError(f"{text!r} is not one of {words}") from None
