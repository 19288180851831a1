"""Versions of an operating system, compared the way its vendor counts them.

A data file tells by one regular expression which parts of a version count and in which order;
parts of digits compare as numbers, others as text, and a part that is missing comes first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Key = tuple[tuple[int, int, str], ...]

_BOUND = re.compile(r"(>=|<)(\S+)")


class VersionError(ValueError):
    """A range in a data file that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """How one platform counts its versions."""

    pattern: str

    def key(self, version: str) -> Key | None:
        """Return what a version is compared by; `None` where it is not in the platform's form."""
        found = re.search(self.pattern, version)
        return None if found is None else tuple(_part(p) for p in found.groups())


def _part(text: str | None) -> tuple[int, int, str]:
    if not text:
        return (0, 0, "")
    return (1, int(text), "") if text.isdigit() else (2, 0, text.upper())


@dataclass(frozen=True, slots=True)
class VersionRange:
    """From one version on, up to but without another; either end may be open."""

    low: Key | None = None
    high: Key | None = None

    def holds(self, version: Key | None) -> bool:
        """Say whether a version lies in the range.  An unknown one counts as the newest."""
        if version is None:
            return self.high is None
        return (self.low is None or version >= self.low) and (
            self.high is None or version < self.high
        )


def version_range(text: str, scheme: Scheme) -> VersionRange:
    """Read `>=4.24`, `<4.24` or `>=4.24 <4.30`."""
    ends: dict[str, Key] = {}
    for word in text.split():
        found = _BOUND.fullmatch(word)
        key = scheme.key(found[2]) if found else None
        if found is None or key is None or found[1] in ends:
            raise VersionError(f"{text!r} is not a range such as '>=4.24 <4.30'")
        ends[found[1]] = key
    return VersionRange(ends.get(">="), ends.get("<"))
