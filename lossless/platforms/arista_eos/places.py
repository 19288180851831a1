"""Which leaves of the model a slot speaks of, so that a finding can point at its line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lossless.model.effective import Path
from lossless.platforms.arista_eos.hear import COLOURS
from lossless.platforms.arista_eos.slots import QUEUES, TRAFFIC_CLASSES, Slot

_PORT: Final[Mapping[str, tuple[Path, ...]]] = {
    "mtu": (("mtu", "native"), ("mtu", "l3")),
    "l2_mtu": (("mtu", "l2"),),
    "speed": (("link", "speed"), ("link", "lanes"), ("link", "autoneg")),
    "fec": (("link", "fec"),),
    "training": (("link", "link_training"),),
    "shutdown": (("link", "admin_up"),),
    "flow_send": (("link", "pause_send"),),
    "flow_receive": (("link", "pause_honour"),),
    "switchport": (("vlans", "mode"),),
    "mode": (("vlans", "mode"),),
    "access_vlan": (("vlans", "access"),),
    "native_vlan": (("vlans", "native"),),
    "trunk_vlans": (("vlans", "tagged"),),
    "dcbx": (("dcb", "dcbx"), ("dcb", "dialect"), ("dcb", "advertise")),
    "trust": (("classification", "trust"),),
    "port_cos": (("classification", "default_pcp"),),
    "port_dscp": (("classification", "default_dscp"),),
    "pfc": (("pfc", "mode"),),
    "no_drop": (("pfc", "send"), ("pfc", "honour")),
    "watchdog": (("watchdog", "enabled"),),
    "watchdog_port_action": (("watchdog", "action"),),
    "watchdog_timer": (("watchdog", "detect"), ("watchdog", "poll"), ("watchdog", "restore")),
    "ecn_delay": tuple(
        ("ecn", "queues", queue, leaf)
        for queue in QUEUES
        for leaf in ("minimum", "enabled", "maximum", "basis")
    ),
}
_QUEUE: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "priority": (("ets", "algorithm"),),
    "bandwidth": (("ets", "bandwidth"),),
    "guaranteed": (("ets", "guaranteed"),),
    "shape": (("ets", "cap"),),
    "ecn": tuple(
        ("ecn", leaf)
        for leaf in ("enabled", "minimum", "maximum", "probability", "weight", "basis")
    ),
    "count": (("ecn", "count"),),
    "drop": (("ecn", "wred"),),
}
_MAPS: Final[Mapping[str, str]] = {
    "dscp": "dscp_to_priority",
    "cos": "pcp_to_priority",
    "tx_queue": "tc_to_queue",
    "rewrite_dscp_to": "rewrite_dscp",
    "rewrite_cos_to": "rewrite_pcp",
}
_BOX: Final[Mapping[str, tuple[Path, ...]]] = {
    "rewrite_dscp": (("settings", "classification", "rewrite_dscp_enabled"),),
    "rewrite_cos": (("settings", "classification", "rewrite_pcp_enabled"),),
    "watchdog_timeout": (("settings", "watchdog", "detect"),),
    "watchdog_recovery": (("settings", "watchdog", "restore"),),
    "watchdog_poll": (("settings", "watchdog", "poll"),),
    "watchdog_action": (("settings", "watchdog", "action"),),
    "watchdog_override": (("settings", "watchdog", "action"),),
    "pfc_stopped": (("pfc_stopped",),),
    "ecn_global": (("ecn_global", "minimum"), ("ecn_global", "maximum")),
    "non_ect": tuple(("settings", "ecn", "queues", q, "non_ect_forward") for q in QUEUES),
    "headroom_limit": (("buffers", "headroom_pool", "size"),),
}
_GROUP: Final[Mapping[str, str]] = {
    "reserved": "reserved",
    "alpha": "alpha",
    "headroom": "headroom",
    "resume": "xon_offset",
}


def port_places(slot: Slot) -> tuple[Path, ...]:
    """Return the leaves of a port's settings that a slot speaks of."""
    if slot[0] != "queue":
        return _PORT.get(str(slot[0]), ())
    places: tuple[Path, ...] = tuple(
        (facet, "queues", slot[1], leaf) for facet, leaf in _QUEUE[str(slot[2])]
    )
    if slot[2] == "drop":
        colour = COLOURS[slot[3]]
        leaves = ("minimum", "maximum", "probability")
        places += tuple(("ecn", "queues", slot[1], "colours", colour, leaf) for leaf in leaves)
    return places


def system_places(slot: Slot) -> tuple[Path, ...]:
    """Return the leaves of the box's statements that a slot speaks of."""
    word = str(slot[0])
    if word in _MAPS:
        return (("settings", "classification", _MAPS[word], slot[1]),)
    if word == "pg":
        groups = TRAFFIC_CLASSES if slot[1] == "all" else (slot[1],)
        leaf = _GROUP[str(slot[2])]
        return tuple(("settings", "buffers", "groups", group, leaf) for group in groups)
    if word == "eq":
        return (("settings", "buffers", "queues", slot[1], str(slot[2])),)
    return _BOX.get(word, ())
