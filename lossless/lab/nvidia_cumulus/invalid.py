"""What NVUE finds wrong with a configuration as a whole when it is applied.

The quality-of-service chapter of the manual names each: profiles that are not there, settings on a
bond's members, two ways of pausing on one port, pools that are more than the memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lossless.lab.nvidia_cumulus import tree
from lossless.lab.nvidia_cumulus.tree import Tree

#: Profiles that come with a mode of the RoCE macro.
_SHIPPED = re.compile(r"default-global|lossy-multi-tc-.*|dci-.*")


def faults(held: Tree, ports: Sequence[str]) -> list[str]:
    """Return what is wrong, one text each."""
    members = _members(held)
    found = list(_pools(held))
    for name, told in (held.get("interface") or {}).items():
        qos = told.get("qos") if isinstance(told, dict) else None
        if re.fullmatch(r"swp\d+(s\d)?", name) and ports and name not in ports:
            found.append(f"interface {name}: there is no such port")
        if isinstance(qos, dict):
            found += [f"interface {name}: {why}" for why in _port(held, name, qos, members)]
    return found


def _members(held: Tree) -> set[str]:
    found: set[str] = set()
    for told in (held.get("interface") or {}).values():
        names = tree.at(told, "bond", "member")
        found.update(names if isinstance(names, dict) else ())
    return found


def _port(held: Tree, name: str, qos: dict[str, Any], members: set[str]) -> Iterator[str]:
    for feature, told in qos.items():
        profile = told.get("profile") if isinstance(told, dict) else None
        if profile is None:
            continue
        if name in members:
            yield f"qos {feature} is set on the bond and not on its members"
        there = tree.at(held, "qos", feature, profile)
        if there is None and not _SHIPPED.fullmatch(profile):
            yield f"qos {feature} profile '{profile}' does not exist"
    if "pfc" in qos and "link-pause" in qos:
        yield "pfc and link-pause exclude each other"
    if "pfc-watchdog" in qos and not name.startswith("swp"):
        yield "pfc-watchdog is on physical ports only"


def _pools(held: Tree) -> Iterator[str]:
    pools = tree.at(held, "qos", "traffic-pool") or {}
    shares = {name: int(told.get("memory-percent", 0)) for name, told in pools.items()}
    if sum(shares.values()) > 100:
        yield f"the traffic pools have {sum(shares.values())} % of the memory"
    if {"roce-lossless", "default-lossless"} <= shares.keys():
        yield "only one traffic pool is lossless"
