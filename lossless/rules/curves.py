"""Which declared class a queue's ECN or scheduling belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.model.classes import TrafficClass
from lossless.model.facet import row
from lossless.model.scheduling import QueueEcn, QueueScheduling
from lossless.rules.chain import queues
from lossless.rules.classes import classes
from lossless.rules.views import PortView


def curves(port: PortView) -> Iterator[tuple[str, TrafficClass, QueueEcn]]:
    """Yield each declared class with the marking of its queue, where some is told.

    Needs `classification`, `ecn`, `intent` and `place`.
    """
    for name, cls in classes(port):
        for queue in sorted(queues(port, cls)):
            curve = row(port.ecn.queues, queue)
            if curve is not None:
                yield name, cls, curve


def served(port: PortView, cls: TrafficClass) -> QueueScheduling | None:
    """Return how the queue of a class is served; `None`: not told, or it has several queues.

    Needs `classification`, `ets` and `place`.
    """
    found = queues(port, cls)
    return row(port.ets.queues, next(iter(found))) if len(found) == 1 else None
