"""Where leaves of the state were read: the file and line of each, so that a finding can point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from lossless.model.effective import Path
from lossless.platforms.cisco_nxos.box import (
    NETWORK,
    QOS_IN,
    QUEUING_IN,
    QUEUING_OUT,
    Box,
    Holder,
    Policy,
    Slot,
    Where,
)
from lossless.platforms.cisco_nxos.contents import GROUP, MTU, PAUSE

_PORT: Final[Mapping[str, tuple[Path, ...]]] = {
    "mtu": (("mtu", "native"),),
    "pfc": (("pfc", "mode"), ("dcb", "advertise")),
    "watchdog": (("watchdog", "enabled"),),
    "flow_send": (("link", "pause_send"),),
    "flow_receive": (("link", "pause_honour"),),
    "dcbx": (("dcb", "dialect"),),
    "shutdown": (("link", "admin_up"),),
    "speed": (("link", "speed"),),
    "negotiate": (("link", "autoneg"),),
    "switchport": (("vlans", "mode"),),
    "mode": (("vlans", "mode"),),
    "access": (("vlans", "access"),),
    "native": (("vlans", "native"),),
    "allowed": (("vlans", "tagged"),),
    "dcbxp": (("dcb", "dcbx"),),
}
_QUEUE: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "priority": (("ets", "algorithm"), ("ets", "level")),
    "bandwidth": (("ets", "bandwidth"),),
    "detect": tuple(
        ("ecn", leaf)
        for leaf in ("enabled", "wred", "minimum", "maximum", "probability", "weight", "basis")
    ),
    "limit": (("buffers", "limit"), ("buffers", "alpha")),
}
_BUFFER: Final = ("limit", "xoff", "xon")


def lines_of(box: Box) -> dict[Path, Where]:
    """Return where each leaf was read, by its path with the place in front."""
    found: dict[Path, Where] = {}
    for name, held in box.holders():
        place: Path = ("system", "settings") if name is None else ("ports", name)
        for path, where in _holder(box, held):
            found[(*place, *path)] = where
    for path, where in _network(box):
        found[("system", "settings", *path)] = where
    return found


def _holder(box: Box, held: Holder) -> Iterator[tuple[Path, Where]]:
    for slot, where in held.lines.items():
        for path in _PORT.get(str(slot[0]), ()):
            yield path, where
    for place, read in ((QUEUING_OUT, _output), (QUEUING_IN, _input), (QOS_IN, _qos)):
        policy = box.policy(place, held.attached.get(place))
        if policy is not None:
            yield from read(box, policy, held.lines.get(("attach", *place), policy.where))


def _output(box: Box, policy: Policy, attached: Where) -> Iterator[tuple[Path, Where]]:
    del attached
    for group, one in box.grouped(policy).items():
        for facet in ("ets", "ecn"):
            yield (facet, "queues", group), one.where
        for slot, where in one.lines.items():
            for facet, leaf in _QUEUE.get(str(slot[0]), ()):
                yield (facet, "queues", group, leaf), where


def _input(box: Box, policy: Policy, attached: Where) -> Iterator[tuple[Path, Where]]:
    del attached
    buffer: Slot = ("buffer",)
    for group, one in box.grouped(policy).items():
        if buffer in one.lines:
            for leaf in _BUFFER:
                yield ("buffers", "groups", group, leaf), one.lines[buffer]


def _qos(box: Box, policy: Policy, attached: Where) -> Iterator[tuple[Path, Where]]:
    yield ("classification", "trust"), attached
    seen: set[tuple[str, int]] = set()
    for one in policy.classes.values():
        where = one.lines.get(GROUP, one.where)
        held = box.class_maps.get(("qos", one.name))
        points = [("default_priority", -1)] if one.name == "class-default" else []
        if held is not None:
            points = [("dscp_to_priority", n) for n in sorted(held.dscp)]
            points += [("pcp_to_priority", n) for n in sorted(held.cos)]
        for name, point in points:
            if (name, point) not in seen:
                seen.add((name, point))
                yield ("classification", name, *(() if point < 0 else (point,))), where


def _network(box: Box) -> Iterator[tuple[Path, Where]]:
    policy = box.policy(NETWORK, box.system.attached.get(NETWORK))
    if policy is None:
        return
    for group, one in box.grouped(policy).items():
        if MTU in one.lines:
            yield ("mtu", "per_class", group), one.lines[MTU]
        if PAUSE in one.lines:
            where = one.lines[PAUSE]
            yield ("pfc", "send"), where
            yield ("pfc", "honour"), where
            yield ("buffers", "groups", group, "lossless"), where
