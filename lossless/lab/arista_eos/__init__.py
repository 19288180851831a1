"""Arista EOS in the lab: modes, configuration sessions with their timer, and what it shows."""

from __future__ import annotations

from lossless.lab.arista_eos.box import Eos
from lossless.lab.contract import Clock, Plate


def box(plate: Plate, clock: Clock) -> Eos:
    """Return a switch with an empty configuration."""
    return Eos(plate, clock)


__all__ = ["Eos", "box"]
