"""Following a class from its header to the queue in which it waits.

Where a platform's maps are not told, a declared traffic class or queue counts, and where nothing
is declared either, traffic class and queue have the number of the priority: the same order in
which a declaration is turned into settings.
"""

from __future__ import annotations

from collections.abc import Iterable

from lossless.model.classes import TrafficClass
from lossless.model.classification import Classification, Trust
from lossless.model.link import VlanMode, VlanSettings
from lossless.model.values import Field, NumberMap, entry, is_value, value
from lossless.rules.classes import is_nic
from lossless.rules.views import PortView

#: Trust modes under which an IP packet is classified by its DSCP.
BY_DSCP = frozenset({Trust.DSCP, Trust.BOTH})


def mapped(through: NumberMap, numbers: Iterable[int]) -> frozenset[int] | None:
    """Return where a map leads some numbers; `None` where it does not tell of one of them."""
    found = [value(entry(through, number)) for number in numbers]
    if not found or None in found:
        return None
    return frozenset(number for number in found if number is not None)


def traffic_classes(port: PortView, cls: TrafficClass) -> frozenset[int]:
    """Return the traffic classes of a class on a port.  Needs `classification`."""
    found = mapped(port.classification.priority_to_tc, cls.priorities)
    if found is not None:
        return found
    if is_value(cls.traffic_class):
        return frozenset((cls.traffic_class,))
    return cls.priorities


def queues(port: PortView, cls: TrafficClass) -> frozenset[int]:
    """Return the queues in which a class waits; on a NIC its traffic classes.

    Needs `classification` and `place`.
    """
    if is_nic(port):
        return traffic_classes(port, cls)
    if is_value(cls.queue) and not _maps_told(port.classification, cls):
        return frozenset((cls.queue,))
    classes = traffic_classes(port, cls)
    found = mapped(port.classification.tc_to_queue, classes)
    return classes if found is None else found


def _maps_told(maps: Classification, cls: TrafficClass) -> bool:
    first = mapped(maps.priority_to_tc, cls.priorities)
    return first is not None and mapped(maps.tc_to_queue, first) is not None


def arrives_at(classification: Classification, dscp: int) -> Field[int]:
    """Return the priority that a port gives an IP packet, which it classifies by DSCP."""
    return entry(classification.dscp_to_priority, dscp)


def tagged(vlans: VlanSettings) -> bool | None:
    """Say whether RoCE carries a VLAN tag, and so a priority, on a port; `None`: not told."""
    if is_value(vlans.rdma):
        native = value(vlans.native)
        return bool(vlans.rdma - {native})
    if vlans.pcp_maps:
        return True
    if vlans.mode in (VlanMode.ROUTED, VlanMode.ACCESS):
        return False
    return None
