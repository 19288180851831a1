"""The lab's switch without its checks of a whole configuration: any tree that its grammar takes.

The lab imports no platform, so that it can disagree with this one: it refuses words of another
release and places that it does not know, and prints ports that say the same as ranges.
"""

from __future__ import annotations

from typing import Any

from lossless.lab.contract import Plate, Port
from lossless.lab.nvidia_cumulus import Cumulus, commands, reading
from lossless.lab.nvidia_cumulus.tree import Tree


class Switch:
    """The applied configuration of one switch."""

    def __init__(self, version: str, ports: tuple[str, ...] = ()) -> None:
        plate = Plate("leaf01", "nvidia_cumulus", version, "SN5600", tuple(map(Port, ports)))
        self._box = Cumulus(plate, lambda: 0.0)
        self.tree: Tree = self._box.applied

    def load(self, name: str, text: str) -> None:
        """Take a file: a tree to be patched in, or commands entered one after the other."""
        assert name.endswith(".yaml") or "nv " in text
        box = self._box
        assert list(reading.load(box.grammar, box.release, self.tree, text)) == []

    def enter(self, line: str) -> None:
        """Take one command."""
        self.load("typed", line)

    def show(self, style: str = "yaml") -> str:
        """Answer `nv config show -o <style>`."""
        return commands.written(self._box, self.tree, style)

    def profiles(self) -> dict[tuple[str, str], Any]:
        """The profiles by feature and name."""
        return {
            (feature, name): held
            for feature, named in self.tree.get("qos", {}).items()
            if feature not in ("roce", "pfc-watchdog")
            for name, held in named.items()
        }

    def bound(self) -> set[tuple[str, str]]:
        """The profiles that interfaces name."""
        return {
            (feature, held["profile"])
            for interface in self.tree.get("interface", {}).values()
            for feature, held in interface.get("qos", {}).items()
            if isinstance(held, dict) and "profile" in held
        }
