"""The `for` of cabling and bonds: which values its variables take, and in what order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from lossless.nodeset import LIMIT

_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})(?:/([0-9]{1,9}))?)?\Z")


class LoopError(ValueError):
    """A `for` that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Variables and their values in written order; the first variable varies slowest."""

    names: tuple[str, ...]
    values: tuple[Sequence[int], ...]

    def __len__(self) -> int:
        return prod(map(len, self.values))

    def rounds(self) -> Iterator[tuple[int, ...]]:
        """Yield the values of all variables, one round after another."""
        return product(*self.values)


ONCE = Loop((), ())


def read_loop(written: Mapping[str, Any] | None) -> Loop:
    """Read a `for`.  Raises `LoopError`, also for more than a million rounds."""
    if not written:
        return ONCE
    loop = Loop(tuple(written), tuple(_values(name, held) for name, held in written.items()))
    if len(loop) > LIMIT:
        raise LoopError(f"the for has {len(loop)} rounds; the limit is {LIMIT}")
    return loop


def _values(name: str, held: Any) -> Sequence[int]:
    if isinstance(held, int):
        return (held,)
    parts = held.split(",") if isinstance(held, str) else list(held)
    ranges = [range(p, p + 1) if isinstance(p, int) else _range(name, p) for p in parts]
    if sum(map(len, ranges)) > LIMIT:
        raise LoopError(f"{name} takes too many values; the limit is {LIMIT}")
    values = [number for numbers in ranges for number in numbers]
    if not values:
        raise LoopError(f"{name} takes no value")
    if len(set(values)) != len(values):
        raise LoopError(f"{name} takes a value twice")
    return values


def _range(name: str, text: str) -> range:
    match = _RANGE.match(text.strip())
    if match is None:
        raise LoopError(f"{name}: {text!r} is not a number or a range such as 1-8 or 0-60/4")
    low, high, step = match.groups()
    first, last, by = int(low), int(high or low), int(step or 1)
    if by < 1:
        raise LoopError(f"{name}: a step must be 1 or more")
    return range(first, last + 1, by) if first <= last else range(first, last - 1, -by)
