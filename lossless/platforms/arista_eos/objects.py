"""What the operations of EOS act on: name, phase, what traffic notices, and the source of the line.

Arista documents no impact of most of these lines on running traffic.  Where nobody knows, the
impact is an assumption of grade "M" with an unknown duration, so that a gate counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lossless.model.operation import Impact, ImpactKind, Phase
from lossless.model.profile import Grade, Source
from lossless.platforms.arista_eos.slots import Slot

_ON: Final = "2026-11-30"
_AVD: Final = "pyavd 6.4 schema and templates (Arista AVD)"
_ALL: Final = "running configuration with defaults, DCS-7260CX(3), EOS 4.19.1F and 4.22.3M"
_MANUAL: Final = "Arista EOS User Manual, Quality of Service"


def _assumed(kind: ImpactKind, scope: str, what: str) -> Impact:
    return Impact(kind, scope, None, Source(what, Grade.MEMORY, _ON))


NO_IMPACT: Final = Impact(ImpactKind.NONE)
_REMAP: Final = _assumed(
    ImpactKind.PACKET_LOSS, "box", "packets in flight change their class; not documented"
)
_PFC: Final = _assumed(
    ImpactKind.PACKET_LOSS, "port", "effect of a PFC change on a port is not documented"
)
_QUEUE: Final = _assumed(
    ImpactKind.PACKET_LOSS, "queue", "a scheduler or threshold is replaced in place; not documented"
)
_LINK: Final = _assumed(ImpactKind.PORT_FLAP, "port", "the link is set up anew")
_DOWN: Final = _assumed(ImpactKind.PORT_BLOCK, "port", "the port is shut")
_CARVE: Final = _assumed(
    ImpactKind.BOX_RECARVE, "box", "effect of an MMU change on a running box is not documented"
)
_STOP: Final = _assumed(ImpactKind.PACKET_LOSS, "box", "PFC of every port stops or starts")
_MTU: Final = _assumed(
    ImpactKind.PACKET_LOSS, "port", "effect of an MTU change on a running port is not documented"
)


@dataclass(frozen=True, slots=True)
class Thing:
    """One kind of object: its name in macros, when it changes, and what that does."""

    name: str
    phase: Phase
    impact: Impact
    source: str


def _port(name: str, impact: Impact, source: str = _ALL) -> Thing:
    return Thing(name, Phase.PREPARE, impact, source)


#: By the first word of a slot, or by the item of a queue's or a group's; in the order of output.
THINGS: Final[Mapping[str, Thing]] = {
    "shutdown": _port("shutdown", _DOWN),
    "mtu": _port("mtu", _MTU, "Arista EOS User Manual: mtu"),
    "l2_mtu": _port("l2_mtu", _MTU),
    "speed": _port("speed", _LINK, f"{_AVD}: ethernet_interfaces.speed"),
    "fec": _port("fec", _LINK, f"{_AVD}: ethernet_interfaces.error_correction_encoding"),
    "training": _port(
        "link_training", _LINK, "AMD ROCm GPU cluster networking guide, Arista 7388 sample"
    ),
    "switchport": _port("switchport", _LINK),
    "mode": _port("switchport_mode", _LINK),
    "access_vlan": _port("access_vlan", _assumed(ImpactKind.PACKET_LOSS, "port", "VLAN changes")),
    "native_vlan": _port("native_vlan", _assumed(ImpactKind.PACKET_LOSS, "port", "VLAN changes")),
    "trunk_vlans": _port("trunk_vlans", _assumed(ImpactKind.PACKET_LOSS, "port", "VLAN changes")),
    "flow_send": _port("flowcontrol_send", _LINK),
    "flow_receive": _port("flowcontrol_receive", _LINK),
    "dcbx": Thing("dcbx", Phase.PFC, _PFC, _ALL),
    "trust": Thing(
        "trust",
        Phase.CLASSIFICATION,
        _assumed(ImpactKind.PACKET_LOSS, "port", "packets in flight change their class"),
        f"{_AVD}: qos_profiles.trust; {_ALL}",
    ),
    "port_cos": Thing("port_cos", Phase.CLASSIFICATION, _QUEUE, _ALL),
    "port_dscp": Thing("port_dscp", Phase.CLASSIFICATION, _QUEUE, _ALL),
    "pfc": Thing("pfc", Phase.PFC, _PFC, f"{_AVD}: qos_profiles.priority_flow_control"),
    "no_drop": Thing("no_drop", Phase.PFC, _PFC, f"{_AVD}: priority_flow_control.priorities"),
    "watchdog": Thing("watchdog", Phase.WATCHDOG, NO_IMPACT, _ALL),
    "watchdog_timer": Thing(
        "watchdog_timer", Phase.WATCHDOG, NO_IMPACT, f"{_AVD}: priority_flow_control.watchdog.timer"
    ),
    "watchdog_port_action": Thing(
        "watchdog_port_action",
        Phase.WATCHDOG,
        NO_IMPACT,
        f"{_AVD}: priority_flow_control.watchdog.action",
    ),
    "ecn_delay": Thing(
        "ecn_delay", Phase.SCHEDULING, _QUEUE, "Arista TOI: ECN by latency (Jericho2 and later)"
    ),
    "queue.priority": Thing("queue_priority", Phase.SCHEDULING, _QUEUE, f"{_AVD}: tx_queues"),
    "queue.bandwidth": Thing("queue_bandwidth", Phase.SCHEDULING, _QUEUE, f"{_AVD}: tx_queues"),
    "queue.guaranteed": Thing("queue_guaranteed", Phase.SCHEDULING, _QUEUE, f"{_AVD}: tx_queues"),
    "queue.shape": Thing("queue_shape", Phase.SCHEDULING, _QUEUE, f"{_AVD}: tx_queues.shape"),
    "queue.ecn": Thing("queue_ecn", Phase.SCHEDULING, _QUEUE, f"{_AVD}: random_detect.ecn"),
    "queue.count": Thing(
        "queue_ecn_count", Phase.SCHEDULING, NO_IMPACT, f"{_AVD}: random_detect.ecn.count"
    ),
    "queue.drop": Thing("queue_drop", Phase.SCHEDULING, _QUEUE, f"{_AVD}: random_detect.drop"),
    "group.reserved": Thing("group_reserved", Phase.BUFFERS, _CARVE, f"{_AVD}: platform.trident"),
    "group.alpha": Thing("group_threshold", Phase.BUFFERS, _CARVE, f"{_AVD}: platform.trident"),
    "group.headroom": Thing("group_headroom", Phase.BUFFERS, _CARVE, f"{_AVD}: platform.trident"),
    "group.resume": Thing("group_resume", Phase.BUFFERS, _CARVE, f"{_AVD}: platform.trident"),
    "buffer.reserved": Thing("queue_reserved", Phase.BUFFERS, _CARVE, f"{_AVD}: platform.trident"),
    "buffer.alpha": Thing("queue_threshold", Phase.BUFFERS, _CARVE, f"{_AVD}: platform.trident"),
    "kept": Thing("kept_line", Phase.PREPARE, NO_IMPACT, "the device's own configuration"),
    "headroom_limit": Thing(
        "headroom_limit", Phase.BUFFERS, _CARVE, f"{_AVD}: platform.trident.mmu.headroom_pool"
    ),
    "ecn_global": Thing("ecn_global", Phase.SCHEDULING, _QUEUE, f"{_AVD}: qos.random_detect.ecn"),
    "non_ect": Thing("non_ect", Phase.SCHEDULING, _QUEUE, f"{_AVD}: qos.random_detect.ecn"),
    "watchdog_timeout": Thing(
        "watchdog_timeout", Phase.WATCHDOG, NO_IMPACT, f"{_AVD}: priority_flow_control.watchdog"
    ),
    "watchdog_recovery": Thing(
        "watchdog_recovery", Phase.WATCHDOG, NO_IMPACT, f"{_AVD}: priority_flow_control.watchdog"
    ),
    "watchdog_poll": Thing(
        "watchdog_poll", Phase.WATCHDOG, NO_IMPACT, f"{_AVD}: priority_flow_control.watchdog"
    ),
    "watchdog_action": Thing(
        "watchdog_action", Phase.WATCHDOG, NO_IMPACT, f"{_AVD}: priority_flow_control.watchdog"
    ),
    "watchdog_override": Thing(
        "watchdog_override", Phase.WATCHDOG, NO_IMPACT, f"{_AVD}: priority_flow_control.watchdog"
    ),
    "pfc_stopped": Thing("pfc_stop", Phase.PFC, _STOP, f"{_AVD}: priority_flow_control.all_off"),
    "tx_queue": Thing("tx_queue_map", Phase.CLASSIFICATION, _REMAP, f"{_AVD}: qos.map"),
    "cos": Thing("cos_map", Phase.CLASSIFICATION, _REMAP, f"{_AVD}: qos.map.cos"),
    "dscp": Thing("dscp_map", Phase.CLASSIFICATION, _REMAP, f"{_AVD}: qos.map.dscp"),
    "raw": Thing("raw_line", Phase.SCHEDULING, _REMAP, _AVD),
    "rewrite_dscp_to": Thing("rewrite_dscp_map", Phase.MARKING, _REMAP, f"{_AVD}: qos.map"),
    "rewrite_cos_to": Thing("rewrite_cos_map", Phase.MARKING, _REMAP, f"{_AVD}: qos.map"),
    "rewrite_dscp": Thing("rewrite_dscp", Phase.MARKING, _REMAP, f"{_AVD}: qos.rewrite_dscp"),
    "rewrite_cos": Thing("rewrite_cos", Phase.MARKING, _REMAP, f"{_MANUAL} (not verified)"),
}
RANK: Final = {word: place for place, word in enumerate(THINGS)}

PROFILE: Final = Thing("qos_profile", Phase.PREPARE, NO_IMPACT, f"{_AVD}: qos_profiles")
ATTACH: Final = Thing(
    "service_profile",
    Phase.PFC,
    _assumed(
        ImpactKind.PACKET_LOSS,
        "port",
        "the attached profile is replaced in one line, without a gap; effect not documented",
    ),
    f"{_AVD}: ethernet_interfaces.service_profile",
)
MMU_PROFILE: Final = Thing("mmu_profile", Phase.PREPARE, NO_IMPACT, f"{_AVD}: platform.trident.mmu")
MMU_APPLY: Final = Thing(
    "mmu_apply", Phase.BUFFERS, _CARVE, f"{_AVD}: platform.trident.mmu.active_profile"
)


def thing(slot: Slot) -> tuple[str, Thing]:
    """Return the word that ranks a slot, and its object."""
    word = str(slot[0])
    if word == "queue":
        word = f"queue.{slot[2]}"
    elif word in ("pg", "eq"):
        word = f"{'group' if word == 'pg' else 'buffer'}.{slot[2]}"
    return word, THINGS[word]


def numbers(slot: Slot) -> tuple[str | int, ...]:
    """Return what tells one slot of an object from another: the key of its operation."""
    if slot[0] in ("pg", "eq"):
        return (slot[1],)
    return (slot[1], *slot[3:]) if slot[0] == "queue" else slot[1:]
