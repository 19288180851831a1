"""What the operations of NX-OS act on: name, phase, impact on traffic, and source of the line.

Where nobody knows what a line does to running traffic, the impact is an assumption of grade "M"
with an unknown duration, so that a gate counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lossless.model.operation import Impact, ImpactKind, Phase
from lossless.model.profile import Grade, Source

_ON: Final = "2026-11-30"
_GX2B: Final = "sessions of a Nexus 9332D-GX2B, NX-OS 10.4(3) (highopes/pd-disaggregation-demo)"
_SCRIPT: Final = "P. Gupta (Cisco), nxos_config_roce.py"
_AZURE: Final = "Azure/AzureLocal-Supportability, Reference-TOR-QOS-Policy-Configuration"
_ALL: Final = "interfaces with all defaults shown, NX-OS 6.0(2) and 7.0(3) (Batfish's test data)"
_GUIDE: Final = "Cisco Nexus 9000 NX-OS QoS configuration guide 10.5"
_TERRAFORM: Final = "CiscoDevNet/terraform-provider-nxos"
_SDN: Final = "microsoft/SDN, Cisco Nexus 3132 TOR1"

NO_IMPACT: Final = Impact(ImpactKind.NONE)


def _assumed(kind: ImpactKind, scope: str, what: str) -> Impact:
    return Impact(kind, scope, None, Source(what, Grade.MEMORY, _ON))


def _told(kind: ImpactKind, scope: str, what: str) -> Impact:
    return Impact(kind, scope, None, Source(what, Grade.VERIFIED, _ON))


_CARVE: Final = _assumed(
    ImpactKind.BOX_RECARVE, "box", "attaching or editing network-qos carves the buffers anew"
)
_QUEUE: Final = _told(
    ImpactKind.PACKET_LOSS,
    "box",
    f"{_GUIDE}, queuing and scheduling: changes are disruptive, ports lose traffic for a moment",
)
_PFC: Final = _told(
    ImpactKind.NONE, "port", f"{_GUIDE}, priority flow control: the port does not flap"
)
_SORT: Final = _assumed(
    ImpactKind.PACKET_LOSS, "port", "packets in flight change their class; not documented"
)
_MTU: Final = _assumed(
    ImpactKind.PACKET_LOSS, "port", "effect of an MTU change on a running port is not documented"
)
_LINK: Final = _assumed(ImpactKind.PORT_FLAP, "port", "the port is set up anew")
_DOWN: Final = _assumed(ImpactKind.PORT_BLOCK, "port", "the port is shut")
_VLAN: Final = _assumed(ImpactKind.PACKET_LOSS, "port", "VLAN membership changes")


@dataclass(frozen=True, slots=True)
class Thing:
    """One kind of object: its name in macros, when it changes, and what that does."""

    name: str
    phase: Phase
    impact: Impact
    source: str


#: Slots of an interface, in the order in which they are written.
PORT: Final[Mapping[str, Thing]] = {
    "switchport": Thing("switchport", Phase.PREPARE, _LINK, _GX2B),
    "mode": Thing("switchport_mode", Phase.PREPARE, _LINK, _AZURE),
    "access": Thing("access_vlan", Phase.PREPARE, _VLAN, _GX2B),
    "native": Thing("native_vlan", Phase.PREPARE, _VLAN, _AZURE),
    "allowed": Thing("trunk_vlans", Phase.PREPARE, _VLAN, _AZURE),
    "mtu": Thing("mtu", Phase.PREPARE, _MTU, _GX2B),
    "flow_send": Thing("flowcontrol_send", Phase.PFC, _LINK, _ALL),
    "flow_receive": Thing("flowcontrol_receive", Phase.PFC, _LINK, _ALL),
    "dcbx": Thing(
        "dcbx_version",
        Phase.PFC,
        _assumed(ImpactKind.PACKET_LOSS, "port", "PFC in mode auto is negotiated anew"),
        _ALL,
    ),
    "pfc": Thing("pfc_mode", Phase.PFC, _PFC, f"{_SCRIPT}; {_AZURE} (send-tlv)"),
    "watchdog": Thing("watchdog", Phase.WATCHDOG, NO_IMPACT, _SCRIPT),
    "shutdown": Thing("shutdown", Phase.PREPARE, _DOWN, _GX2B),
}
#: Slots of the whole box.
BOX: Final[Mapping[str, Thing]] = {
    "lldp": Thing("feature_lldp", Phase.PREPARE, NO_IMPACT, "microsoft/SDN, Nexus 3132 TOR1"),
    "dcbxp": Thing(
        "dcbxp",
        Phase.PFC,
        _assumed(ImpactKind.PACKET_LOSS, "box", "PFC in mode auto is negotiated anew"),
        "microsoft/AzureStack_Network_Switch_Config_Generator: lldp tlv-select dcbxp",
    ),
    "watchdog": Thing("box_watchdog", Phase.WATCHDOG, NO_IMPACT, _SCRIPT),
}
#: Slots of the classes of policy maps, in the order in which NX-OS prints them.
CLASS: Final[Mapping[str, Thing]] = {
    "group": Thing("qos_group", Phase.CLASSIFICATION, _SORT, _SCRIPT),
    "mtu": Thing("class_mtu", Phase.BUFFERS, _CARVE, _GX2B),
    "pause": Thing("pause", Phase.BUFFERS, _CARVE, _SCRIPT),
    "priority": Thing("priority", Phase.SCHEDULING, _QUEUE, _SCRIPT),
    "bandwidth": Thing("bandwidth", Phase.SCHEDULING, _QUEUE, f"{_SCRIPT}; {_AZURE}"),
    "limit": Thing(
        "queue_limit",
        Phase.SCHEDULING,
        _QUEUE,
        f"{_GUIDE}, queuing and scheduling (the form was not verified)",
    ),
    "detect": Thing("random_detect", Phase.SCHEDULING, _QUEUE, f"{_SCRIPT}; {_AZURE}"),
    "buffer": Thing("pause_buffer", Phase.BUFFERS, _CARVE, f"{_SDN}; {_TERRAFORM}"),
}
POLICY: Final = Thing("policy_map", Phase.PREPARE, NO_IMPACT, _SCRIPT)
CLASS_MAP: Final = Thing("class_map", Phase.PREPARE, NO_IMPACT, _SCRIPT)
POLICY_CLASS: Final = Thing("class", Phase.PREPARE, NO_IMPACT, _SCRIPT)
MATCH: Final = Thing("match", Phase.PREPARE, NO_IMPACT, f"{_SCRIPT}; {_AZURE}")
KEPT: Final = Thing("kept_line", Phase.PREPARE, NO_IMPACT, "the device's own configuration")
RAW: Final = Thing(
    "raw_line",
    Phase.BUFFERS,
    _assumed(ImpactKind.BOX_RECARVE, "box", "lines that are written and not interpreted"),
    "the declaration",
)
#: Attachments by kind and direction.
ATTACH: Final[Mapping[tuple[str, str], Thing]] = {
    ("network-qos", ""): Thing("service_policy", Phase.BUFFERS, _CARVE, _SCRIPT),
    ("queuing", "input"): Thing("service_policy", Phase.BUFFERS, _CARVE, _SDN),
    ("queuing", "output"): Thing("service_policy", Phase.SCHEDULING, _QUEUE, _SCRIPT),
    ("qos", "input"): Thing("service_policy", Phase.CLASSIFICATION, _SORT, _SCRIPT),
}
