"""Checkpoints of a running configuration, and the way back to one.

The lines are those that libraries look for in the answers of boxes: NAPALM's nxos_ssh ("Rollback
Patch is Empty", "completed") and Cisco's genie (`show checkpoint summary`).
"""

from __future__ import annotations

from typing import Final

from lossless.lab.cisco_nxos import running
from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import Config, Refused

_MOST: Final = 10


def make(box: Nexus, name: str) -> list[str]:
    """Keep the running configuration under a name."""
    if name in box.checkpoints:
        raise Refused(f"Checkpoint {name} exists already")
    if len(box.checkpoints) >= _MOST:
        raise Refused(f"Checkpoints are limited to {_MOST}")
    box.checkpoints[name] = box.config()
    return ["Done"]


def forget(box: Nexus, name: str) -> list[str]:
    """Delete a checkpoint."""
    held(box, name)
    del box.checkpoints[name]
    return []


def held(box: Nexus, name: str) -> Config:
    """Return a checkpoint.  Raises `Refused` where there is none."""
    if name not in box.checkpoints:
        raise Refused(f"Checkpoint {name} does not exist")
    return box.checkpoints[name]


def rollback(box: Nexus, name: str) -> list[str]:
    """Make a checkpoint the running configuration."""
    box.restore(held(box, name))
    return [
        "Note: Applying config parallelly may fail Rollback verification",
        "Collecting Running-Config",
        "#Generating Rollback Patch",
        "Executing Rollback Patch",
        "Generating Running-config for verification",
        "Generating Patch for verification",
        "Verification is Successful.",
        "",
        "Rollback completed successfully.",
        "",
    ]


def summary(box: Nexus) -> list[str]:
    """Return `show checkpoint summary`."""
    out = ["User Checkpoint Summary", "-" * 80]
    for number, (name, config) in enumerate(box.checkpoints.items(), 1):
        size = len("\n".join(running.whole(config)))
        out += [
            f"{number}) {name}:",
            "Created by admin",
            "Created at Mon, 10:00:00 30 Nov 2026",
            f"Size is {size:,} bytes",
            "Description: None",
            "",
        ]
    return out


def patch(box: Nexus, name: str) -> list[str]:
    """Return `show diff rollback-patch checkpoint NAME running-config`."""
    before, after = _flat(running.whole(held(box, name))), _flat(running.whole(box))
    gone = [words for words in before if words not in after]
    new = [words for words in after if words not in before]
    out = ["Collecting Running-Config", "#Generating Rollback Patch"]
    if not gone and not new:
        return [*out, "Rollback Patch is Empty"]
    out += ["", "!!"]
    for words, prefix in [(w, "no ") for w in gone] + [(w, "") for w in new]:
        *above, last = words
        out += [f"{'  ' * depth}{each}" for depth, each in enumerate(above)]
        out.append(f"{'  ' * len(above)}{prefix}{last}")
    return out


def _flat(lines: list[str]) -> list[tuple[str, ...]]:
    """Return each line with those above it that it stands under."""
    out: list[tuple[str, ...]] = []
    stack: list[str] = []
    for line in lines:
        if line.strip():
            depth = (len(line) - len(line.lstrip())) // 2
            stack = [*stack[:depth], line.strip()]
            out.append(tuple(stack))
    return out
