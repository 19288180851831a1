"""States as NX-OS gives them back, and what is lost on the way."""

from __future__ import annotations

from typing import Final

from lossless.model.device import DeviceState
from lossless.model.profile import Profile
from lossless.platforms.cisco_nxos.edit import defaults, draft
from lossless.platforms.cisco_nxos.hear import hear
from lossless.platforms.contract import Inexpressible, Loss

_GX2B: Final = "sessions of a Nexus 9332D-GX2B, NX-OS 10.4(3)"
_ALL: Final = "interfaces with all defaults shown, NX-OS 6.0(2) and 7.0(3)"
_SCRIPT: Final = "P. Gupta (Cisco), nxos_config_roce.py"
_GUIDE: Final = "Cisco Nexus 9000 NX-OS QoS configuration guide 10.5"

LOSSES: Final = (
    Loss(
        "a value that repeats the default of a port (MTU 1500, PFC auto, no watchdog, no pause)",
        "the running configuration does not print it, so it reads as DEFAULT",
        _ALL,
    ),
    Loss(
        "priorities of PFC, and MTU of classes, told per port",
        "one network-qos policy for the whole box; they read back as the box's",
        _GX2B,
    ),
    Loss(
        "queues told per port",
        "the output policy that most ports want is attached under `system qos`; those ports, and "
        "ports that tell nothing, read as following the box",
        f"{_GX2B}; {_SCRIPT}",
    ),
    Loss(
        "queues, and shares of them, that are not told where a policy has to be made",
        "a new policy says of them what default-8q-out-policy does; the default queue gets what "
        "others leave",
        "`show policy-map interface` of a Nexus 9000, 9.2(2)",
    ),
    Loss(
        "kind of round robin (ETS, WRR, WFQ), and shares of the ETS classes",
        "`bandwidth remaining percent` is the only form that shares what strict queues leave",
        _GX2B,
    ),
    Loss("a curve's weight that is not told", "the line wants one: 0 is written", _SCRIPT),
    Loss(
        "ECN off where early drops are not told",
        "marking and dropping are one line, which goes as a whole",
        _GX2B,
    ),
    Loss(
        "code points that are not told where a policy has to be made",
        "class-default takes them, to qos-group 0 unless another is told",
        f"{_SCRIPT}: class class-default, set qos-group 0",
    ),
    Loss(
        "the map of the header that is not trusted, and trust without a map",
        "trust is what a policy's classes match; a header that none matches is not trusted",
        "Azure/AzureLocal-Supportability: match cos; Cisco's blueprint: match dscp",
    ),
    Loss(
        "priority to traffic class to queue",
        "qos-group n is queue c-out-8q-qn; identity reads as DEFAULT",
        _GX2B,
    ),
    Loss(
        "layer-3 MTU",
        "it is the native number, which counts the IP packet",
        "third-party table of what a vendor's MTU counts",
    ),
    Loss(
        "speed, lanes, FEC and negotiation",
        "read and never written: transceiver and breakout decide them on a Nexus, and published "
        "designs state none",
        "Azure/AzureLocal-Supportability; P. Gupta, nxos_config_roce.py",
    ),
    Loss(
        "PFC off, with no priorities told",
        "the set of priorities is the box's, whatever a port's mode is",
        _GUIDE,
    ),
    Loss(
        "watchdog: the action drop, and the set of priorities",
        "it drops, on every lossless queue",
        _GUIDE,
    ),
    Loss(
        "DCBX that a switch is not willing to follow, and DCB ownership",
        "a switch is never willing (`Willing=No`)",
        "Azure/AzureLocal-Supportability, Troubleshoot-TOR-LLDP-DCBX-PFC-RoCEv2",
    ),
    Loss(
        "what a switch has no settings for: marking, congestion control, adapter, RDMA VLANs",
        "they belong to hosts",
        _GUIDE,
    ),
)


def canonical(state: DeviceState, profile: Profile | None = None) -> DeviceState:
    """Return the state as NX-OS would give it back from a configuration that says it."""
    return hear(draft(defaults(), state, profile).new)


def inexpressible(state: DeviceState, profile: Profile | None = None) -> tuple[Inexpressible, ...]:
    """List what the state says and NX-OS has no words for."""
    return tuple(dict.fromkeys(draft(defaults(), state, profile).refused))
