"""From the text of a scalar to a typed value: rates, sizes, times, lengths, shares, sets, words.

Every reader takes what the builder made (`str`, `Raw`, `None`, a `list` or a `dict`) and returns
the typed value, or raises `ScalarError` with what was read, what was expected and what to do.
Units: bit/s, bytes, nanoseconds, millimetres, parts per million.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from lossless.model.units import PPM, Alpha, Bandwidth, BandwidthKind, Cap, Quantity, Unit

#: The most members of a set of numbers, and the most digits of a number.
LARGEST_SET: Final = 1_000_000
LONGEST_NUMBER: Final = 18

_INT = re.compile(r"[-+]?[0-9]{1,18}|0x[0-9a-fA-F]{1,15}|0o[0-7]{1,18}")
_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18})(?:/([0-9]{1,18}))?)?")
_NUMBER = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s?(.*)", re.DOTALL)


class Raw(str):
    """A plain scalar that YAML 1.2 reads as a number or a boolean, with its text as written.

    A text field keeps the text (`version: 5.10` is not 5.1); a number field reads it.
    """

    __slots__ = ()


class ScalarError(ValueError):
    """A value that cannot be read: the message, and what to do about it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)


def show(value: object) -> str:
    """Return a value as a person wrote it, short enough for a message."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = str(value)
    short = text if len(text) <= 60 else text[:57] + "..."
    return short if isinstance(value, Raw) else repr(short)


def printable(step: object) -> str:
    """Return a key or index for a message; nothing in it can move a terminal's cursor."""
    text = str(step)
    short = text if len(text) <= 80 else text[:77] + "..."
    return short if short.isprintable() else repr(short)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that was probably meant."""
    close = difflib.get_close_matches(word.lower()[:80], list(known), n=1, cutoff=0.6)
    return close[0] if close else None


def text_of(value: Any, expected: str) -> str:
    """Return the text of a scalar; anything else is not what was expected."""
    if isinstance(value, str):
        return str(value)
    raise ScalarError(f"{show(value)} where {expected} was expected")


def whole(low: int, high: int, what: str) -> Callable[[Any], int]:
    """Make a reader of whole numbers from `low` to `high`."""

    def read(value: Any) -> int:
        expected = f"{what} ({low} to {high})"
        if isinstance(value, str) and not isinstance(value, Raw) and _INT.fullmatch(value):
            raise ScalarError(
                f"{show(value)} is text where {expected} was expected", "remove the quotes"
            )
        if not isinstance(value, Raw) or not _INT.fullmatch(value):
            raise ScalarError(
                f"{show(value)} where {expected} was expected", "write a whole number"
            )
        number = int(value, 0) if value[:2] in ("0x", "0o") else int(value)
        if not low <= number <= high:
            raise ScalarError(f"{number} is out of range: {expected} was expected")
        return number

    return read


def word(words: Mapping[str, Any], what: str) -> Callable[[Any], Any]:
    """Make a reader of words, each standing for a value."""
    known = tuple(words)

    def read(value: Any) -> Any:
        if isinstance(value, str):
            text = str(value)
            if text in words:
                return words[text]
            if text.lower() in words:
                return words[text.lower()]
        hint = nearest(str(value), known) if isinstance(value, str) else None
        raise ScalarError(
            f"{show(value)} where {what} was expected: one of {', '.join(known)}",
            f"did you mean {hint!r}?" if hint else None,
        )

    return read


def measure(
    units: Mapping[str, Fraction | int], what: str, example: str, hints: Mapping[str, str]
) -> Callable[[Any], int]:
    """Make a reader of numbers with a unit that come out as a whole number of base units."""
    expected = f"{what} such as {example}"

    @lru_cache(maxsize=1024, typed=True)  # a fabric has few lengths and rates, and many cables
    def convert(value: str) -> int:
        number, unit = _split(value, what, example)
        if unit not in units:
            hint = hints.get(unit) or f"write {example}"
            raise ScalarError(f"{show(value)} is not {what}", hint)
        amount = number * units[unit]
        if amount.denominator != 1:
            raise ScalarError(f"{show(value)} is finer than this tool measures", f"write {example}")
        return int(amount)

    def read(value: Any) -> int:
        return convert(value if isinstance(value, str) else text_of(value, expected))

    return read


def _split(value: Any, what: str, example: str) -> tuple[Fraction, str]:
    text = text_of(value, f"{what} such as {example}").strip()
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ScalarError(f"{show(value)} is not {what}", f"write {example}")
    return Fraction(match[1]), match[2].strip()


_K, _M, _G, _T = 10**3, 10**6, 10**9, 10**12
_RATES: Final = {
    prefix + suffix: factor
    for letters, factor in (("kK", _K), ("Mm", _M), ("Gg", _G), ("Tt", _T))
    for prefix in letters
    for suffix in ("", "b", "bit", "bps", "b/s", "bit/s")
}
_rate = measure(
    _RATES,
    "a rate in bits per second",
    "400G",
    {"": "a rate needs its unit: 400G, 25G, 100M", "GB": "B means bytes; write 400G"},
)


def rate(value: Any) -> int:
    """Return a rate such as `400G` in bit/s."""
    found = _rate(value)
    if found <= 0:
        raise ScalarError(f"{show(value)} is not a rate above zero", "write 400G")
    return found


time = measure(
    {"ns": 1, "us": _K, "µs": _K, "ms": _M, "s": _G},
    "a time",
    "200ms",
    {"": "a time needs its unit: 200ms, 50us, 1s"},
)
length = measure(
    {"mm": 1, "cm": 10, "m": 1000, "km": _M},
    "a length",
    "3m",
    {"": "a length needs its unit: 3m, 0.5m"},
)
_percent = measure(
    {"%": PPM // 100, "ppm": 1},
    "a share in per cent",
    "60%",
    {"": "a share needs its sign: 60%"},
)


def share(value: Any) -> int:
    """Return a share from 0 % to 100 % in parts per million."""
    found = _percent(value)
    if found > PPM:
        raise ScalarError(f"{show(value)} is more than the whole", "write at most 100%")
    return found


_BYTES: Final = {
    "B": 1, "byte": 1, "bytes": 1,
    "KB": _K, "kB": _K, "MB": _M, "GB": _G,
    "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
}  # fmt: skip
_VENDOR: Final = {
    "kbytes": Unit.KBYTES, "mbytes": Unit.MBYTES, "cells": Unit.CELLS,
    "segments": Unit.SEGMENTS, "packets": Unit.PACKETS,
    "% of queue": Unit.PERCENT_OF_QUEUE, "% of pool": Unit.PERCENT_OF_POOL,
}  # fmt: skip
_TIMES: Final = {"ns": 1, "us": _K, "µs": _K, "ms": _M}
_SIZE_HINTS: Final = {
    "": "a size needs its unit: 150000B, 150KB (1000) or 150KiB (1024)",
    "K": "write KB (1000 bytes), KiB (1024) or kbytes (as the platform counts)",
    "M": "write MB (1000000 bytes), MiB or mbytes (as the platform counts)",
    "%": "say of what: 55% of queue, 55% of pool",
}


def size(value: Any) -> Quantity:
    """Return a size, in bytes or in a vendor's own unit."""
    number, unit = _split(value, "a size", "150KB")
    unit = " ".join(unit.split())
    if unit in _BYTES:
        amount = number * _BYTES[unit]
        if amount.denominator != 1:
            raise ScalarError(f"{show(value)} is not a whole number of bytes", "write whole bytes")
        return Quantity(amount, Unit.BYTES)
    if unit not in _VENDOR:
        raise ScalarError(f"{show(value)} is not a size", _SIZE_HINTS.get(unit, "write 150KB"))
    if unit[0] == "%" and number > 100:
        raise ScalarError(f"{show(value)} is more than the whole", "write at most 100%")
    return Quantity(number, _VENDOR[unit])


def threshold(value: Any) -> Quantity:
    """Return a marking threshold: a size, or the time that a queue takes to drain."""
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value.strip())
        if match and match[2].strip() in _TIMES:
            return Quantity(Fraction(time(value)), Unit.NANOSECONDS)
    return size(value)


_BANDWIDTHS: Final = {
    "ets": BandwidthKind.ETS,
    "remaining": BandwidthKind.REMAINING,
    "line": BandwidthKind.LINE,
    "guaranteed": BandwidthKind.GUARANTEED,
    "weight": BandwidthKind.WEIGHT,
}
_weight = whole(1, 65535, "a weight")


def bandwidth(value: Any) -> Bandwidth:
    """Return a scheduling share: bare per cent among the ETS classes, or of what a key names."""
    if not isinstance(value, dict):
        return Bandwidth(BandwidthKind.ETS, share(value))
    known = ", ".join(_BANDWIDTHS)
    if len(value) != 1:
        raise ScalarError("a bandwidth needs exactly one key", f"one of {known}")
    key, amount = next(iter(value.items()))
    kind = _BANDWIDTHS.get(key)
    if kind is None:
        raise ScalarError(f"unknown kind of bandwidth {show(key)}", f"one of {known}")
    return Bandwidth(kind, _weight(amount) if kind is BandwidthKind.WEIGHT else share(amount))


def cap(value: Any) -> Cap:
    """Return an upper limit: a share of the line or a rate."""
    if isinstance(value, str) and value.rstrip().endswith("%"):
        return Cap(share=share(value))
    return Cap(rate=rate(value))


_index = whole(0, 255, "a vendor's index")


def alpha(value: Any) -> Alpha:
    """Return a dynamic threshold: a ratio (`1`, `0.125`, `1/8`) or `{index: n}`."""
    if isinstance(value, dict):
        if set(value) != {"index"}:
            raise ScalarError("an alpha as a mapping has the one key 'index'", "write {index: 10}")
        return Alpha(index=_index(value["index"]))
    return Alpha(ratio=ratio(value))


def ratio(value: Any) -> Fraction:
    """Return a positive ratio written as a number or a fraction."""
    text = text_of(value, "a ratio such as 4 or 1/8")
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(?:/([0-9]{1,9}))?", text)
    if match is None or (match[2] and not int(match[2])) or not Fraction(match[1]):
        raise ScalarError(f"{show(value)} is not a ratio above zero", "write 4, 0.5 or 1/8")
    return Fraction(match[1]) / int(match[2] or 1)


def oversubscription(value: Any) -> int:
    """Return a ratio of promised to provided in parts per million."""
    found = ratio(value) * PPM
    if found.denominator != 1:
        raise ScalarError(f"{show(value)} is finer than this tool measures", "write 4 or 1.5")
    return int(found)


def ordered(low: int, high: int, what: str) -> Callable[[Any], tuple[int, ...]]:
    """Make a reader of numbers in written order: `3`, `1-8`, `0-60/4`, or a list of these."""

    def read(value: Any) -> tuple[int, ...]:
        out: list[int] = []
        for item in value if isinstance(value, list) else [value]:
            for part in text_of(item, what).split(","):
                numbers = _run(part.strip(), value, what)
                if len(numbers) + len(out) > LARGEST_SET:
                    raise ScalarError(f"{show(value)} names more than {LARGEST_SET} numbers")
                out.extend(numbers)
        for number in out:
            if not low <= number <= high:
                raise ScalarError(f"{number} is out of range: {what} from {low} to {high}")
        if len(set(out)) != len(out):
            raise ScalarError(f"{_repeated(out)} is listed twice")
        return tuple(out)

    return read


def _run(part: str, value: Any, what: str) -> range:
    match = _RANGE.fullmatch(part)
    if match is None:
        raise ScalarError(
            f"{show(part)} where {what} was expected", "write 3, 24-31, 0-60/4 or a list"
        )
    first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
    if step < 1:
        raise ScalarError(f"a step of {show(value)} must be 1 or more")
    return range(first, last + 1, step) if first <= last else range(first, last - 1, -step)


def _repeated(numbers: list[int]) -> int:
    seen: set[int] = set()
    for number in numbers:
        if number in seen:
            break
        seen.add(number)
    return number


def numbers(low: int, high: int, what: str) -> Callable[[Any], frozenset[int]]:
    """Make a reader of sets of numbers."""
    read = ordered(low, high, what)
    return lambda value: frozenset(read(value))


def either(words: Mapping[str, Any], read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make a reader that knows some words and leaves all else to another reader."""

    def choose(value: Any) -> Any:
        if isinstance(value, str) and value in words:
            return words[value]
        return read(value)

    return choose


def zipped(read: Callable[[Any], Any], within: str) -> Callable[[Any], Any]:
    """Make a reader of one value, a list of values, or a node set that is expanded later."""

    def choose(value: Any) -> Any:
        if isinstance(value, list):
            if not value:
                raise ScalarError("an empty list names nothing", "leave the key out")
            return [read(item) for item in value]
        if isinstance(value, str) and "[" in value:
            text = str(value)
            if not re.fullmatch(within, text):
                hint = "brackets hold numbers and ranges: [1-8]; IPv6 is written without brackets"
                raise ScalarError(f"{show(text)} is neither a value nor a set of values", hint)
            return text
        return read(value)

    return choose
