"""The ingress groups in which the classes of a port are counted."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.model.buffers import PriorityGroup
from lossless.model.classes import TrafficClass
from lossless.model.facet import row
from lossless.rules.chain import mapped, traffic_classes
from lossless.rules.classes import classes
from lossless.rules.views import PortView


def told_groups(port: PortView, cls: TrafficClass) -> frozenset[int] | None:
    """Return the groups to which a port's maps lead a class; `None` where they do not tell.

    Needs `classification`.
    """
    maps = port.classification
    found = mapped(maps.priority_to_group, cls.priorities)
    return mapped(maps.tc_to_group, traffic_classes(port, cls)) if found is None else found


def rooms(port: PortView) -> Iterator[tuple[str, TrafficClass, PriorityGroup]]:
    """Yield each declared class with its group, where something is told of it.

    Where no map tells, a group has the number of its priority.  Needs `buffers`,
    `classification` and `intent`.
    """
    for name, cls in classes(port):
        found = told_groups(port, cls)
        for number in sorted(cls.priorities if found is None else found):
            group = row(port.buffers.groups, number)
            if group is not None:
                yield name, cls, group
