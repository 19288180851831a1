"""Settings of the inventory that may stand at any level: one strict TypedDict per mapping.

The module `schema` tells what the values look like; the objects that hold settings are there too.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Required, TypeAlias, TypedDict

from lossless.inventory import kinds as k
from lossless.inventory import strings as s
from lossless.inventory.kinds import Off, Shorthand
from lossless.model.pfc import PfcMode
from lossless.model.values import OFF

_ON: Final = ("on", "true", "yes")
_OFF: Final = ("off", "false", "no", "none")


def _words(on: dict[str, Any], off: dict[str, Any]) -> dict[str, Any]:
    return {**{word: on for word in _ON}, **{word: off for word in _OFF}}  # noqa: C420


_ENABLED: Final = Shorthand(_words({"enabled": True}, {"enabled": OFF}))
_PAUSE: Final = Shorthand(_words({"send": True, "honour": True}, {"send": OFF, "honour": OFF}))
_PFC: Final = Shorthand(
    {**_words({"mode": PfcMode.ON}, {"mode": OFF}), "auto": {"mode": PfcMode.AUTO}}
)
_VXLAN: Final = Shorthand({word: {"vxlan": OFF} for word in _OFF})
NONE: Final = Shorthand({"none": OFF})
_NO_REWRITE: Final = Shorthand(dict.fromkeys(_OFF, OFF))


class EcnDecl(TypedDict, total=False):
    """Congestion marking of a class (RFC 3168)."""

    enabled: Annotated[k.Yes | None, "Whether packets are marked; written or implied by the rest."]
    min: Annotated[k.Threshold | None, "Marking starts here: 150KB, 10 kbytes, 55% of queue, 10us."]
    max: Annotated[k.Threshold | None, "Marking reaches `probability` here."]
    probability: Annotated[k.Share | None, "Share of packets marked at `max` (100%)."]
    weight: Annotated[k.Exponent | None, "Exponent of the moving average; 0 is the current depth."]


class ClassDecl(TypedDict, total=False):
    """One traffic class, as one port sees it."""

    dscp: Annotated[k.Dscps | None, "DSCPs that senders mark (0-63)."]
    pcp: Annotated[k.Pcps | None, "PCPs that senders mark (0-7)."]
    also: Annotated[k.Also | None, "DSCPs accepted and never marked; `rest`: all unclaimed."]
    priority: Annotated[k.Priorities | None, "Priority (0-7); several only where not lossless."]
    traffic_class: Annotated[k.Queue | None, "Traffic class (0-15), where it is not the priority."]
    queue: Annotated[k.Queue | None, "Egress queue (0-15), where it is not the traffic class."]
    lossless: Annotated[k.LosslessValue | None, "Whether PFC protects the class."]
    mtu: Annotated[k.Bytes | None, "Largest frame of the class, native bytes."]
    scheduler: Annotated[k.Scheduler | None, "How the queue is served."]
    bandwidth: Annotated[
        k.BandwidthValue | None, "Bare: ETS share; {remaining:}, {line:}, {guaranteed:}, {weight:}."
    ]
    cap: Annotated[k.CapValue | None, "Upper limit: a share of the line (5%) or a rate (10G)."]
    ecn: Annotated[Annotated[EcnDecl, _ENABLED] | None, "Congestion marking of the queue."]


ClassOrOff: TypeAlias = Annotated[ClassDecl | Off, NONE]


class WatchdogDecl(TypedDict, total=False):
    """PFC watchdog."""

    enabled: Annotated[k.Yes | None, "Whether it watches; `watchdog: on` says the same."]
    poll: Annotated[k.Time | None, "Polling interval (100ms)."]
    detect: Annotated[k.Time | None, "Paused for so long is a storm (200ms)."]
    restore: Annotated[k.Time | None, "Quiet for so long ends the storm (400ms)."]
    action: Annotated[k.Action | None, "What happens to a stormed queue."]
    priorities: Annotated[k.PrioritySet | None, "Priorities watched; default: those of PFC."]


class DcbxDecl(TypedDict, total=False):
    """DCBX on a port."""

    enabled: Annotated[k.Yes | None, "Whether DCBX runs at all; `dcbx: off` says the same."]
    dialect: Annotated[k.Dialect | None, "Version of the protocol."]
    advertise: Annotated[k.Yes | None, "Whether settings are told to the peer."]
    willing: Annotated[k.Yes | None, "Whether the peer's settings are taken over."]
    application: Annotated[
        dict[s.ApplicationKey, k.Priority | None] | None,
        'Priority by application: {"udp 4791": 3}.',
    ]


class PfcDecl(TypedDict, total=False):
    """Priority-based flow control."""

    mode: Annotated[k.Mode | None, "`on` by order, `auto` as negotiated, `off`."]
    priorities: Annotated[
        k.PrioritySet | None, "Sent and honoured; default: those of the lossless classes."
    ]
    send: Annotated[k.PrioritySide | None, "Priorities this port pauses its peer on."]
    honour: Annotated[k.PrioritySide | None, "Priorities on which this port lets itself be paused."]
    watchdog: Annotated[Annotated[WatchdogDecl, _ENABLED] | None, "PFC watchdog."]
    dcbx: Annotated[Annotated[DcbxDecl, _ENABLED] | None, "DCBX exchange."]


class PauseDecl(TypedDict, total=False):
    """Link-wide PAUSE (IEEE 802.3 annex 31B)."""

    send: Annotated[k.Yes | None, "Whether the port sends PAUSE."]
    honour: Annotated[k.Yes | None, "Whether the port stops when it receives PAUSE."]


class MarkingDecl(TypedDict, total=False):
    """What a NIC really stamps, as the traffic class byte (DSCP x 4 + ECN)."""

    global_tclass: Annotated[k.TosByte | None, "Byte that overrides what applications ask for."]
    cm_tos: Annotated[k.TosByte | None, "Byte of RDMA-CM connections without one of their own."]
    cm_mode: Annotated[k.CmMode | None, "RoCE version of RDMA-CM connections."]
    cnp_dscp: Annotated[k.Dscp | None, "DSCP of congestion notifications."]
    applications: Annotated[
        dict[s.NameKey, k.TosByte | None] | None, "Byte by application that asks for its own."
    ]


class RewriteDecl(TypedDict, total=False):
    """Egress re-marking, by class."""

    dscp: Annotated[
        Annotated[dict[s.NameKey, k.Dscp | None] | Off, _NO_REWRITE] | None,
        "DSCP written, by class.",
    ]
    pcp: Annotated[
        Annotated[dict[s.NameKey, k.Pcp | None] | Off, _NO_REWRITE] | None, "PCP written, by class."
    ]


class MtuDecl(TypedDict, total=False):
    """MTU; all numbers are usable layer-3 bytes, the platform adds its headers."""

    min_l3: Annotated[k.Bytes | None, "Floor that every port on a RoCE path must reach."]
    switch: Annotated[k.MtuValue | None, "What switch ports are set to, or native-max."]
    nic: Annotated[k.MtuValue | None, "What NICs are set to, or native-max."]


class OverlayDecl(TypedDict, total=False):
    """Tunnels and what becomes of the marking in them (RFC 2983, RFC 6040)."""

    vxlan: Annotated[k.Yes | None, "Whether RoCE crosses VXLAN."]
    dscp: Annotated[k.TunnelDscp | None, "Whether the outer DSCP is the inner one."]
    ecn: Annotated[k.TunnelEcn | None, "Whether CE is copied inwards."]


class HeadroomPoolDecl(TypedDict, total=False):
    """Headroom shared by the lossless groups of a box: one of the three."""

    size: Annotated[k.Size | None, "Size of the pool (22MB)."]
    oversubscription: Annotated[k.Oversubscription | None, "Promised to provided headroom (4)."]
    cells: Annotated[k.Count | None, "Size of the pool in cells of the ASIC."]


class PoolDecl(TypedDict, total=False):
    """A buffer pool."""

    size: Annotated[k.Size | None, "Size of the pool."]
    mode: Annotated[k.PoolMode | None, "Static or dynamic thresholds."]
    direction: Annotated[k.Direction | None, "Ingress or egress."]
    alpha: Annotated[k.AlphaValue | None, "Dynamic threshold of the pool."]
    shared_headroom: Annotated[k.Size | None, "Part of the pool that is shared headroom."]


class ClassBuffersDecl(TypedDict, total=False):
    """Buffers of one class on a port."""

    alpha: Annotated[k.AlphaValue | None, "Dynamic threshold: a ratio (1/8) or {index: n}."]
    reserved: Annotated[k.Size | None, "Buffer kept for the class alone."]
    xoff: Annotated[k.Size | None, "Headroom after the pause is sent."]
    xon: Annotated[k.Size | None, "Level at which the pause is lifted."]
    xon_offset: Annotated[k.Size | None, "Distance below the threshold at which it is lifted."]
    limit: Annotated[k.Size | None, "Static threshold."]


class SharesDecl(TypedDict, total=False):
    """How one direction of the buffer is divided."""

    lossless: Annotated[k.Share | None, "Share for lossless classes."]
    headroom: Annotated[k.Share | None, "Share for lossless headroom."]
    lossy: Annotated[k.Share | None, "Share for lossy classes."]
    multicast: Annotated[k.Share | None, "Share for multicast."]
    dedicated: Annotated[k.Share | None, "Share divided among ports up front."]


class DirectionsDecl(TypedDict, total=False):
    """Shares by direction."""

    ingress: Annotated[SharesDecl | None, "Division of the ingress buffer."]
    egress: Annotated[SharesDecl | None, "Division of the egress buffer."]


class BuffersDecl(TypedDict, total=False):
    """Buffers of a box and of the classes on its ports."""

    model: Annotated[k.BufferModel | None, "Who computes headroom: tables or the device."]
    headroom_pool: Annotated[
        Annotated[HeadroomPoolDecl | Off, NONE] | None, "Headroom shared by the box."
    ]
    pools: Annotated[dict[s.NameKey, PoolDecl | None] | None, "Pools by name."]
    shares: Annotated[DirectionsDecl | None, "Division of the buffer, in per cent."]
    classes: Annotated[dict[s.NameKey, ClassBuffersDecl | None] | None, "Buffers by class."]


class LintDecl(TypedDict, total=False):
    """What is accepted on this object and all below it."""

    ignore: Annotated[
        dict[s.RuleKey, s.Reason | None] | None, "Reason by rule: {PFC002: until June}."
    ]


class MaintenanceDecl(TypedDict, total=False):
    """Work that is going on: findings about the object are accepted up to a day."""

    until: Required[Annotated[s.Day, "Last day of the work, in UTC (2026-12-31)."]]
    reason: Required[Annotated[s.Reason, "What is being done."]]


class Settings(TypedDict, total=False):
    """What may be stated at any level, from policy down to port."""

    trust: Annotated[k.TrustValue | None, "Header field that classifies packets."]
    classes: Annotated[dict[s.NameKey, ClassOrOff | None] | None, "Traffic classes by name."]
    pfc: Annotated[Annotated[PfcDecl, _PFC] | None, "Priority-based flow control."]
    pause: Annotated[Annotated[PauseDecl, _PAUSE] | None, "802.3x PAUSE."]
    rewrite: Annotated[RewriteDecl | None, "Egress re-marking."]
    mtu: Annotated[MtuDecl | None, "MTU in usable layer-3 bytes."]
    congestion_control: Annotated[
        k.CongestionControlValue | None, "End-to-end congestion control that rules depend on."
    ]
    collectives: Annotated[
        dict[s.VariableKey, s.EnvironmentValue | None] | None,
        "Environment of collective libraries: {NCCL_IB_TC: 106}.",
    ]
    overlay: Annotated[Annotated[OverlayDecl, _VXLAN] | None, "VXLAN and marking."]
    buffers: Annotated[BuffersDecl | None, "Headroom, pools, thresholds."]
    marking: Annotated[MarkingDecl | None, "What NICs stamp."]
    sends: Annotated[
        dict[s.NameKey, s.ClassName | None] | None,
        "Class by kind of a host's traffic: rdma, rdma_cm, cnp or an application.",
    ]
    lint: Annotated[LintDecl | None, "Accepted findings, with reasons."]
