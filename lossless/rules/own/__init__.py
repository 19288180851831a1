"""Findings of the engine about itself, about what it was told to accept, and about what it saw.

They are declared like rules, so that they have ids, pages and a place in every report; the engine
asks them itself, with its own record as the subject.
"""

from __future__ import annotations

from lossless.rules.own.device_not_read import device_not_read
from lossless.rules.own.internal_error import internal_error
from lossless.rules.own.invalid_answer import invalid_answer
from lossless.rules.own.maintenance_expired import maintenance_expired
from lossless.rules.own.not_in_force import not_in_force
from lossless.rules.own.unknown_suppression import unknown_suppression
from lossless.rules.own.unmet_baseline import unmet_baseline
from lossless.rules.own.unused_suppression import unused_suppression

__all__ = [
    "RULES",
    "device_not_read",
    "internal_error",
    "invalid_answer",
    "maintenance_expired",
    "not_in_force",
    "unknown_suppression",
    "unmet_baseline",
    "unused_suppression",
]

RULES = (
    internal_error,
    invalid_answer,
    unused_suppression,
    unknown_suppression,
    unmet_baseline,
    maintenance_expired,
    device_not_read,
    not_in_force,
)
