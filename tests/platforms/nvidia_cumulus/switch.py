"""A switch that takes NVUE's trees and commands: written apart from the platform, so that it can
disagree with it.

It knows nothing of what a leaf means: it keeps a tree of maps, as `nv config patch`, `nv set` and
`nv unset` change it, and shows it as `nv config show` does.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import yaml

Tree = dict[str, Any]
#: Objects that go as a whole when their last leaf goes are left empty by NVUE and not shown.


class _Plain(yaml.SafeLoader):
    """A loader that leaves scalars as they are written, as NVUE does."""


_Plain.yaml_implicit_resolvers = {}


class Switch:
    """The applied configuration of one switch."""

    def __init__(self, version: str, ports: tuple[str, ...] = ()) -> None:
        self.version = version
        self.tree: Tree = {"interface": {name: {"type": "swp"} for name in ports}}

    # --- changes -----------------------------------------------------------------------------

    def load(self, name: str, text: str) -> None:
        """Take a file: a tree to be patched in, or commands entered one after the other."""
        if name.endswith(".yaml"):
            for part in yaml.load(text, Loader=_Plain):
                assert list(part) == ["set"], "a patch of ours only sets"
                _merge(self.tree, part["set"])
            return
        for line in text.splitlines():
            self.enter(line)

    def enter(self, line: str) -> None:
        words = line.split()
        if not words or words[0] == "#":
            return
        assert words[0] == "nv"
        if words[1] == "set":
            self._set(words[2:])
        else:
            assert words[1] == "unset"
            self._unset(words[2:])

    def _set(self, words: list[str]) -> None:
        *path, last = words
        if is_collection(path) or path[-2:] == ["link", "state"]:
            if path[-1] == "state":
                self._at(path[:-1])["state"] = {last: {}}
            else:
                self._at(path)[last] = {}
        else:
            self._at(path[:-1])[path[-1]] = last

    def _at(self, path: list[str]) -> Tree:
        node = self.tree
        for step in path:
            node = node.setdefault(step, {})
        return node

    def _unset(self, words: list[str]) -> None:
        nodes = [self.tree]
        for step in words:
            if step not in nodes[-1]:
                return
            held = nodes[-1][step]
            if not isinstance(held, dict):
                break
            nodes.append(held)
        else:
            step = words[-1]
            nodes.pop()
        del nodes[-1][step]
        for parent, child in zip(
            reversed(nodes[:-1]), reversed(words[: len(nodes) - 1]), strict=True
        ):
            if not parent[child] and not is_collection(words[: words.index(child)]):
                del parent[child]

    # --- what it shows -------------------------------------------------------------------------

    def show(self, style: str = "yaml") -> str:
        """Answer `nv config show -o <style>`."""
        if style == "commands":
            return "\n".join(["nv set " + " ".join(words) for words in _flat(self.tree)]) + "\n"
        header = {
            "model": "SN5600",
            "nvue-api-version": "nvue_v1",
            "rev-id": "1.0",
            "version": f"Cumulus Linux {self.version}.0",
        }
        whole = [{"header": header}, {"set": self.tree}]
        if style == "json":
            return json.dumps(whole, indent=2)
        return yaml.safe_dump(whole, sort_keys=True).replace("'on'", "on").replace("'off'", "off")

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

    def copy(self) -> Switch:
        other = Switch(self.version)
        other.tree = copy.deepcopy(self.tree)
        return other


def is_collection(path: list[str]) -> bool:
    """Say whether the items of a place hold nothing: sets of switch priorities."""
    if path[-1:] != ["switch-priority"]:
        return False
    return path[:2] in (["qos", "pfc"], ["qos", "traffic-pool"]) or "priority-group" in path


def _merge(into: Tree, new: Tree) -> None:
    for key, value in new.items():
        if key == "state" and isinstance(value, dict):
            into[key] = value  # a link is up or down
        elif isinstance(value, dict):
            _merge(into.setdefault(key, {}), value)
        else:
            into[key] = str(value)


def _flat(tree: Tree, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for key, value in tree.items():
        if isinstance(value, dict):
            found += _flat(value, (*above, key)) or [(*above, key)]
        else:
            found.append((*above, key, str(value)))
    return found
