"""Drift: what runs against what was declared, for a fleet, and what the rules say of it."""

from lossless.drift.applying import drifted
from lossless.drift.judging import Judge, Ruling, Verdict

__all__ = ["Judge", "Ruling", "Verdict", "drifted"]
