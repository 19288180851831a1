"""Drift is looked for in the demo's mistakes, and in devices in memory."""

from __future__ import annotations

from tests.collect.conftest import fleet
from tests.running.conftest import mistaken, right

__all__ = ["fleet", "mistaken", "right"]
