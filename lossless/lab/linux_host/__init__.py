"""A Linux host with NICs in the lab: their tools, the kernel's files, and a small shell."""

from __future__ import annotations

from lossless.lab.contract import Clock, Plate
from lossless.lab.linux_host.box import LinuxHost


def box(plate: Plate, clock: Clock) -> LinuxHost:
    """Return a host with its NICs as they leave the factory."""
    return LinuxHost(plate, clock)


__all__ = ["LinuxHost", "box"]
