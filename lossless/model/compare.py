"""Semantic comparison of two states.

`None` on the wanted side means *leave alone*; `None` on the found side means that nobody looked,
which is its own answer and never an agreement.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lossless.model.device import DeviceState
from lossless.model.effective import Path, leaves
from lossless.model.settings import Settings
from lossless.model.units import NO_CONTEXT, Alpha, Quantity, UnitContext
from lossless.model.values import DEFAULT


class Verdict(enum.Enum):
    """What the comparison of one leaf found."""

    DIFFERENT = "different"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Difference:
    """One leaf that differs, or could not be compared."""

    path: Path
    wanted: Any
    found: Any
    verdict: Verdict


def same(wanted: Any, found: Any, context: UnitContext = NO_CONTEXT) -> bool | None:
    """Compare two told leaves; `None` where units make it undecidable."""
    if wanted == found:
        return True
    if isinstance(wanted, Quantity) and isinstance(found, Quantity):
        if wanted.unit is found.unit:
            return False
        left, right = wanted.to_bytes(context), found.to_bytes(context)
        return None if left is None or right is None else left == right
    if isinstance(wanted, Alpha) and isinstance(found, Alpha):
        if wanted.ratio is not None and found.ratio is not None:
            return wanted.ratio == found.ratio
        if wanted.index is not None and found.index is not None:
            return wanted.index == found.index
        return None
    if wanted is DEFAULT or found is DEFAULT:
        return None  # one side names a default that nobody could resolve
    return False


def compare(
    wanted: Settings, found: Settings, context: UnitContext = NO_CONTEXT
) -> Iterator[Difference]:
    """Yield the differences between two ports' settings, leaf by leaf."""
    if wanted is found:
        return
    yield from _compare(dict(leaves(wanted)), dict(leaves(found)), context)


def compare_states(
    wanted: DeviceState, found: DeviceState, context: UnitContext = NO_CONTEXT
) -> Iterator[Difference]:
    """Yield the differences between two states of a device; paths begin with "system" or a port."""
    for name, settings in wanted.ports.items():
        for difference in compare(settings, found.port(name), context):
            yield Difference(
                ("ports", name, *difference.path),
                difference.wanted,
                difference.found,
                difference.verdict,
            )
    box = dict(leaves(wanted.system)), dict(leaves(found.system))
    for difference in _compare(*box, context):
        yield Difference(
            ("system", *difference.path), difference.wanted, difference.found, difference.verdict
        )


def _compare(
    wanted: dict[Path, Any], found: dict[Path, Any], context: UnitContext
) -> Iterator[Difference]:
    for path, want in wanted.items():
        if want is None or want == ():
            continue
        have = found.get(path)
        if have is None:
            yield Difference(path, want, None, Verdict.NOT_CHECKED)
            continue
        verdict = same(want, have, context)
        if verdict is None:
            yield Difference(path, want, have, Verdict.NOT_CHECKED)
        elif not verdict:
            yield Difference(path, want, have, Verdict.DIFFERENT)
