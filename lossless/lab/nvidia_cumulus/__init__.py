"""Cumulus Linux in the lab: revisions of NVUE's tree, applied with a timer, and what it shows."""

from __future__ import annotations

from lossless.lab.contract import Clock, Plate
from lossless.lab.nvidia_cumulus.box import Cumulus


def box(plate: Plate, clock: Clock) -> Cumulus:
    """Return a switch with an empty configuration."""
    return Cumulus(plate, clock)


__all__ = ["Cumulus", "box"]
