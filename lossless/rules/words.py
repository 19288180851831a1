"""Numbers as people read them in messages."""

from __future__ import annotations

from collections.abc import Iterable


def rate(bits: int) -> str:
    """Write a rate in bit/s as the inventory does ("400G")."""
    for size, letter in ((10**9, "G"), (10**6, "M")):
        if bits >= size:
            return f"{round(bits / size, 1):g}{letter}"
    return f"{bits} bit/s"


def time(nanoseconds: int) -> str:
    """Write a time as the inventory does ("200ms")."""
    for size, unit in ((10**9, "s"), (10**6, "ms"), (10**3, "us")):
        if nanoseconds >= size and nanoseconds % size == 0:
            return f"{nanoseconds // size}{unit}"
    return f"{nanoseconds}ns"


def length(millimetres: int) -> str:
    """Write a length in metres ("0.5m")."""
    return f"{millimetres / 1000:g}m"


def share(parts: int) -> str:
    """Write parts per million as per cent ("60%")."""
    return f"{parts / 10_000:g}%"


def priorities(numbers: Iterable[int]) -> str:
    """Write a set of priorities ("priority 3", "priorities 3 and 4", "no priority")."""
    found = sorted(numbers)
    if not found:
        return "no priority"
    if len(found) == 1:
        return f"priority {found[0]}"
    return f"priorities {', '.join(map(str, found[:-1]))} and {found[-1]}"
