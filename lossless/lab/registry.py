"""Which platforms have a box, and how to make one.

To add a platform, write a package with a function `box(plate, clock)` and list it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from lossless.lab.contract import Box, Clock, Plate

#: Platform → module with `box(plate, clock) -> Box`.
BOXES: Final[Mapping[str, str]] = {
    "linux_host": "lossless.lab.linux_host",
    "arista_eos": "lossless.lab.arista_eos",
    "cisco_nxos": "lossless.lab.cisco_nxos",
    "nvidia_cumulus": "lossless.lab.nvidia_cumulus",
}


def known(platform: str) -> bool:
    """Say whether devices of a platform can be simulated."""
    return platform in BOXES


def make(plate: Plate, clock: Clock) -> Box:
    """Make a device with its configuration empty.  Raises `KeyError` for an unknown platform."""
    box: Box = import_module(BOXES[plate.platform]).box(plate, clock)
    return box
