"""Comparing sizes and thresholds that stand in vendors' own units."""

from __future__ import annotations

from lossless.model.profile import Profile
from lossless.model.units import NO_CONTEXT, Quantity


def above(left: Quantity, right: Quantity, profile: Profile | None) -> bool | None:
    """Say whether one size is larger than another; `None` where their units have no measure."""
    if left.unit is right.unit:
        return left.number > right.number
    units = NO_CONTEXT if profile is None else profile.units
    first, second = left.to_bytes(units), right.to_bytes(units)
    return None if first is None or second is None else first > second
