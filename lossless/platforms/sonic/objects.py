"""What the operations of SONiC act on: order, phase, what traffic notices, and the source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lossless.model.operation import Impact, ImpactKind, Phase, Verb
from lossless.model.profile import Grade, Source

_ON: Final = "2026-11-30"
_YANG: Final = "sonic-net/sonic-buildimage, sonic-yang-models"


def _known(kind: ImpactKind, scope: str, what: str, grade: Grade = Grade.VERIFIED) -> Impact:
    return Impact(kind, scope, None, Source(what, grade, _ON))


_NONE: Final = Impact(ImpactKind.NONE)
_REMAP: Final = _known(
    ImpactKind.PACKET_LOSS, "box", "packets in flight change their class", Grade.MEMORY
)
_GROUPS: Final = _known(
    ImpactKind.PACKET_LOSS,
    "port",
    "sonic-swss cfgmgr/buffermgr.cpp: a change of pfc_enable makes the lossless groups anew",
)
_HEADROOM: Final = _known(
    ImpactKind.PACKET_LOSS,
    "port",
    "SONiC on NVIDIA, QoS and buffers: a group's profile is changed with the port shut",
    Grade.SECONDARY,
)
_POOL: Final = _known(
    ImpactKind.BOX_RECARVE, "box", "sonic-utilities GCU validators: BUFFER_POOL may not be patched"
)
_QUEUE: Final = _known(
    ImpactKind.PACKET_LOSS, "queue", "a scheduler or curve is replaced in place", Grade.MEMORY
)
_LINK: Final = _known(ImpactKind.PORT_FLAP, "port", "the link is set up anew", Grade.MEMORY)
_DOWN: Final = _known(ImpactKind.PORT_BLOCK, "port", "the port is shut", Grade.MEMORY)
_MTU: Final = _known(
    ImpactKind.PACKET_LOSS,
    "port",
    "sonic-swss cfgmgr/buffermgrdyn.cpp: a change of MTU makes the headroom anew",
)
_MODEL: Final = _known(
    ImpactKind.DAEMON_RELOAD, "box", "buffermgrd reads the model when it starts", Grade.SECONDARY
)

#: Tables in the order in which they may be made; an object before whoever names it.
_ORDER: Final = (
    "DEVICE_METADATA",
    "PORT",
    "BUFFER_POOL",
    "BUFFER_PROFILE",
    "DSCP_TO_TC_MAP",
    "DOT1P_TO_TC_MAP",
    "TC_TO_QUEUE_MAP",
    "TC_TO_PRIORITY_GROUP_MAP",
    "MAP_PFC_PRIORITY_TO_QUEUE",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "TC_TO_DSCP_MAP",
    "SCHEDULER",
    "WRED_PROFILE",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
    "LOSSLESS_TRAFFIC_PATTERN",
    "CABLE_LENGTH",
    "BUFFER_PG",
    "BUFFER_QUEUE",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "PORT_QOS_MAP",
    "QUEUE",
    "PFC_WD",
)
_RANK: Final = {table: rank for rank, table in enumerate(_ORDER)}

_PHASES: Final[Mapping[str, Phase]] = {
    "DEVICE_METADATA": Phase.PREPARE,
    "PORT": Phase.PREPARE,
    "BUFFER_POOL": Phase.BUFFERS,
    "BUFFER_PROFILE": Phase.BUFFERS,
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": Phase.BUFFERS,
    "LOSSLESS_TRAFFIC_PATTERN": Phase.BUFFERS,
    "CABLE_LENGTH": Phase.BUFFERS,
    "BUFFER_PG": Phase.BUFFERS,
    "BUFFER_QUEUE": Phase.BUFFERS,
    "TC_TO_PRIORITY_GROUP_MAP": Phase.PFC,
    "MAP_PFC_PRIORITY_TO_QUEUE": Phase.PFC,
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": Phase.PFC,
    "TC_TO_QUEUE_MAP": Phase.SCHEDULING,
    "SCHEDULER": Phase.SCHEDULING,
    "WRED_PROFILE": Phase.SCHEDULING,
    "QUEUE": Phase.SCHEDULING,
    "PFC_WD": Phase.WATCHDOG,
    "DSCP_TO_TC_MAP": Phase.CLASSIFICATION,
    "DOT1P_TO_TC_MAP": Phase.CLASSIFICATION,
    "TC_TO_DSCP_MAP": Phase.MARKING,
}
_FIELD_PHASES: Final[Mapping[str, Phase]] = {
    "dscp_to_tc_map": Phase.CLASSIFICATION,
    "dot1p_to_tc_map": Phase.CLASSIFICATION,
    "tc_to_queue_map": Phase.SCHEDULING,
    "tc_to_dscp_map": Phase.MARKING,
    "pfcwd_sw_enable": Phase.WATCHDOG,
}
_FIELD_IMPACTS: Final[Mapping[str, Impact]] = {
    "mtu": _MTU,
    "admin_status": _DOWN,
    "speed": _LINK,
    "fec": _LINK,
    "autoneg": _LINK,
    "link_training": _LINK,
    "pfc_asym": _GROUPS,
    "buffer_model": _MODEL,
    "pfcwd_sw_enable": _NONE,
}
_IMPACTS: Final[Mapping[str, Impact]] = {
    "BUFFER_POOL": _POOL,
    "BUFFER_PG": _HEADROOM,
    "BUFFER_QUEUE": _QUEUE,
    "CABLE_LENGTH": _GROUPS,
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": _POOL,
    "PORT_QOS_MAP": _GROUPS,
    "QUEUE": _QUEUE,
}
_SOURCES: Final[Mapping[str, str]] = {
    "PFC_WD": "sonic-net/sonic-utilities, pfcwd/main.py",
    "PORT": "sonic-port.yang",
}
_MAPS: Final = frozenset(
    {"SCHEDULER", "WRED_PROFILE"}
    | {table for table in _PHASES if table.endswith("_MAP") and table != "PORT_QOS_MAP"}
    | {"MAP_PFC_PRIORITY_TO_QUEUE"}
)


def rank(table: str) -> int:
    """Return a table's place in the order of making; unknown tables come last."""
    return _RANK.get(table, len(_ORDER))


def phase(table: str, name: str | None) -> Phase:
    """Return when a field (or a whole row) of a table changes."""
    if table == "PORT_QOS_MAP":
        return _FIELD_PHASES.get(name or "", Phase.PFC)
    if name == "pfc_asym":
        return Phase.PFC
    return _PHASES.get(table, Phase.PREPARE)


def impact(table: str, name: str | None, verb: Verb) -> Impact:
    """Return what a running port or box notices of one operation."""
    if name is not None and name in _FIELD_IMPACTS:
        return _FIELD_IMPACTS[name]
    if table in _MAPS:  # nobody uses a row that is just made or about to go
        edits = verb in (Verb.SET, Verb.UNSET) and name is not None
        return _REMAP if edits else _NONE
    return _IMPACTS.get(table, _NONE)


def source(table: str) -> str:
    """Return where the form of a table's rows is defined."""
    return _SOURCES.get(table, f"{_YANG}; table {table}")
