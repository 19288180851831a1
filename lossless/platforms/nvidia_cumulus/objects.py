"""What the operations of NVUE act on: phase, what traffic notices, and the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lossless.model.operation import Impact, ImpactKind, Op, Phase, Verb
from lossless.model.profile import Grade, Source
from lossless.platforms.nvidia_cumulus.schema import ConfigPath

_ON: Final = "2026-11-30"
_MANUAL: Final = "CumulusNetworks/docs, Quality of Service, 5.14"
_SCHEMA: Final = "NVIDIA's OpenAPI document of NVUE"


def _known(kind: ImpactKind, scope: str, what: str, grade: Grade = Grade.VERIFIED) -> Impact:
    return Impact(kind, scope, None, Source(what, grade, _ON))


_NONE: Final = Impact(ImpactKind.NONE)
_BUFFER: Final = _known(
    ImpactKind.PACKET_LOSS,
    "box",
    f"{_MANUAL}: pools, pause and PFC change the buffer, which may drop packets for a moment",
)
_REMAP: Final = _known(
    ImpactKind.PACKET_LOSS, "port", "packets in flight change their class", Grade.MEMORY
)
_LINK: Final = _known(ImpactKind.PORT_FLAP, "port", "the link is set up anew", Grade.MEMORY)
_DOWN: Final = _known(ImpactKind.PORT_BLOCK, "port", "the port is shut", Grade.MEMORY)


@dataclass(frozen=True, slots=True)
class Thing:
    """One object of NVUE: its name in operations, when it changes, and what traffic notices."""

    name: str
    phase: Phase
    impact: Impact
    source: str


_QOS: Final[Mapping[str, Thing]] = {
    "advance-buffer-config": Thing("advance-buffer-config", Phase.BUFFERS, _BUFFER, _MANUAL),
    "traffic-pool": Thing("traffic-pool", Phase.BUFFERS, _BUFFER, _MANUAL),
    "roce": Thing("roce", Phase.PFC, _BUFFER, "CumulusNetworks/docs, RoCE, 5.14"),
    "pfc": Thing("pfc", Phase.PFC, _BUFFER, _MANUAL),
    "link-pause": Thing("link-pause", Phase.PFC, _BUFFER, _MANUAL),
    "headroom": Thing("headroom", Phase.BUFFERS, _BUFFER, _SCHEMA),
    "shared-headroom-pool": Thing("shared-headroom-pool", Phase.BUFFERS, _BUFFER, _SCHEMA),
    "egress-queue-mapping": Thing("egress-queue-mapping", Phase.SCHEDULING, _REMAP, _MANUAL),
    "egress-scheduler": Thing("egress-scheduler", Phase.SCHEDULING, _NONE, _MANUAL),
    "egress-shaper": Thing("egress-shaper", Phase.SCHEDULING, _NONE, _MANUAL),
    "congestion-control": Thing("congestion-control", Phase.SCHEDULING, _NONE, _MANUAL),
    "pfc-watchdog": Thing("pfc-watchdog", Phase.WATCHDOG, _NONE, _MANUAL),
    "mapping": Thing("mapping", Phase.CLASSIFICATION, _REMAP, _MANUAL),
    "remark": Thing("remark", Phase.MARKING, _REMAP, _MANUAL),
}
_RANK: Final = {name: rank for rank, name in enumerate(_QOS)}
_MTU: Final = Thing("mtu", Phase.PREPARE, _LINK, _SCHEMA)
_STATE: Final = Thing("state", Phase.PREPARE, _DOWN, _SCHEMA)
_WIRE: Final = Thing("link", Phase.PREPARE, _LINK, _SCHEMA)
_LLDP: Final = Thing("lldp", Phase.MARKING, _NONE, _SCHEMA)


def thing(path: ConfigPath) -> Thing:
    """Return the object that a leaf (or a profile) belongs to."""
    if path[0] == "qos":
        return _QOS[path[1]]
    if path[2] == "qos":
        return _QOS[path[3]]
    if path[2] == "lldp":
        return _LLDP
    return {"mtu": _MTU, "state": _STATE}.get(path[3], _WIRE)


def rank(path: ConfigPath) -> int:
    """Return an object's place among those of its phase."""
    return _RANK.get(thing(path).name, -1)


def op(verb: Verb, path: ConfigPath, old: Any, new: Any, release: int | None = None) -> Op:
    """Return the operation on a leaf or a profile; the box's own release goes along."""
    held = thing(path)
    quiet = verb in (Verb.CREATE, Verb.DELETE)
    phase = Phase.PREPARE if verb is Verb.CREATE else Phase.CLEANUP if quiet else held.phase
    return Op(
        verb=verb,
        object=held.name,
        key=path,
        old=old,
        new=new,
        context=() if release is None else (f"5.{release}",),
        phase=phase,
        impact=_NONE if quiet else held.impact,
        source=held.source,
    )
