"""What happens to a packet at each port it passes: DSCP, priority, queue, pause, marking.

The walk states facts; whether they are right is for the rules to say, which are asked about the
path alone and whose findings are bound to its ports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lossless.model.classes import TrafficClass
from lossless.model.classification import Classification, Trust
from lossless.model.device import Device, Port
from lossless.model.effective import effective
from lossless.model.facet import row
from lossless.model.scheduling import QueueEcn
from lossless.model.settings import Settings
from lossless.model.values import OFF, Field, entry, is_value, value


@dataclass(frozen=True, slots=True)
class Traffic:
    """What is followed: a DSCP, and the class it is meant to be in where there is one.

    `origin` says what stamped the DSCP ("--dscp", "NCCL_IB_TC", "class roce", …).  `pcp` is that of
    a tagged packet, which keeps its tag on the way; of traffic that marks PCP alone the DSCP is 0.
    """

    dscp: int
    origin: str
    name: str | None = None
    cls: TrafficClass | None = None
    pcp: int | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """One port on the way.  `inward`: the packet comes in here; otherwise it leaves.

    Fields are `None` where nobody told.  `lossless` says whether the packet's priority is paused
    instead of dropped on this port: sent for on the way in, honoured on the way out.
    """

    device: Device
    port: Port
    inward: bool
    settings: Settings
    dscp: int
    priority: int | None
    traffic_class: int | None
    queue: int | None
    group: int | None
    class_name: str | None
    lossless: bool | None
    ecn: QueueEcn | None
    pcp: int | None = None

    @property
    def name(self) -> str:
        """The port's name with its device's."""
        return f"{self.device.name}:{self.port.name}"


@dataclass(frozen=True, slots=True)
class Trace:
    """A walk, and what was followed on it."""

    traffic: Traffic
    passages: tuple[Passage, ...]


def trace(
    ports: Sequence[tuple[Device, Port, bool]], traffic: Traffic, *, declared: bool = True
) -> Trace:
    """Follow `traffic` through ports in order: (device, port, whether it comes in there)."""
    dscp, pcp, priority = traffic.dscp, traffic.pcp, None
    passages = []
    for device, port, inward in ports:
        settings = effective(
            device.configured.port(port.name),
            port.profile,
            device.configured.system,
            assume_defaults=declared,
        ).settings
        if inward or priority is None:
            priority = _priority(settings.classification, dscp, pcp)
        passage = _pass(device, port, inward, settings, dscp, priority)
        passages.append(replace(passage, pcp=pcp))
        if not inward:
            dscp, pcp = _rewritten(settings.classification, dscp, pcp, priority)
    return Trace(traffic, tuple(passages))


def _pass(
    device: Device,
    port: Port,
    inward: bool,
    settings: Settings,
    dscp: int,
    priority: int | None,
) -> Passage:
    maps = settings.classification
    tc = _through(maps.priority_to_tc, priority)
    queue = _through(maps.tc_to_queue, tc)
    group = _through(maps.priority_to_group, priority)
    return Passage(
        device=device,
        port=port,
        inward=inward,
        settings=settings,
        dscp=dscp,
        priority=priority,
        traffic_class=tc,
        queue=queue,
        group=group,
        class_name=_class_at(port, priority),
        lossless=_paused(settings, priority, inward),
        ecn=None if queue is None else row(settings.ecn.queues, queue),
    )


def _priority(maps: Classification, dscp: int, pcp: int | None) -> int | None:
    """Return the priority that an IP packet of this DSCP gets, and of this PCP where it is tagged.

    Where both are trusted, the DSCP counts for IP.
    """
    if maps.trust in (Trust.DSCP, Trust.BOTH):
        return value(entry(maps.dscp_to_priority, dscp))
    if maps.trust is None or not is_value(maps.trust):
        return None
    if maps.trust is Trust.PCP and pcp is not None:
        return value(entry(maps.pcp_to_priority, pcp))
    return value(maps.default_priority)


def _through(mapping: tuple[Field[int], ...], index: int | None) -> int | None:
    return None if index is None else value(entry(mapping, index))


def _class_at(port: Port, priority: int | None) -> str | None:
    if priority is None:
        return None
    for name, cls in port.intent.classes:
        if is_value(cls) and priority in cls.priorities:
            return name
    return None


def _paused(settings: Settings, priority: int | None, inward: bool) -> bool | None:
    if settings.pfc.mode is OFF:
        return False
    chosen = settings.pfc.send if inward else settings.pfc.honour
    if chosen is OFF:
        return False
    if priority is None or not is_value(chosen) or not is_value(settings.pfc.mode):
        return None
    return priority in chosen


def _rewritten(
    maps: Classification, dscp: int, pcp: int | None, priority: int | None
) -> tuple[int, int | None]:
    """Return the DSCP and PCP with which a packet leaves; an untagged one stays untagged."""
    if maps.rewrite_dscp_enabled is True:
        written = _through(maps.rewrite_dscp, priority)
        dscp = dscp if written is None else written
    if maps.rewrite_pcp_enabled is True and pcp is not None:
        written = _through(maps.rewrite_pcp, priority)
        pcp = pcp if written is None else written
    return dscp, pcp
