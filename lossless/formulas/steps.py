"""A calculation that can be read: each step with its expression, unit and how far to trust it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction
from math import ceil


class Trust(enum.Enum):
    """How far a figure can be trusted."""

    EXACT = "exact"  # a device or driver computes the same from the same inputs
    ESTIMATE = "estimate"  # inputs were assumed, or the law was fitted
    FLOOR = "floor"  # physics alone: less cannot work


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it is, its value in `unit`, the expression with numbers, and the source."""

    name: str
    value: Fraction
    unit: str
    how: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Worked:
    """A result in whole bytes with the steps that led there."""

    result: int
    trust: Trust
    steps: tuple[Step, ...]
    remark: str = ""


def up(value: Fraction, unit: int = 1) -> int:
    """Round up to a whole multiple of `unit`."""
    return ceil(value / unit) * unit


def shown(value: Fraction | int) -> str:
    """Write a number as a person would: whole where it is whole, small ones with three decimals."""
    exact = Fraction(value)
    if exact.denominator == 1:
        return f"{exact.numerator:,}"
    return f"{float(exact):,.1f}" if exact >= 100 else f"{float(exact):.3f}"
