"""Which declared class a queue's ECN or scheduling belongs to."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lossless.model.classes import TrafficClass
from lossless.model.facet import row
from lossless.model.scheduling import Algorithm, QueueEcn, QueueScheduling
from lossless.model.units import PPM
from lossless.model.values import is_value
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


def portion(port: PortView, chosen: Collection[str]) -> int | None:
    """Return what some classes get of the link when all declared ones send, strict ones aside.

    In parts per million, to a tenth of a per cent, whatever the platform counts in; `None` where a
    class does not tell its share or its share is of another kind.  Needs `classification`, `ets`,
    `intent` and `place`.
    """
    mine = total = 0
    kinds = set()
    counted: set[frozenset[int]] = set()
    for name, cls in sorted(classes(port), key=lambda held: held[0] not in chosen):
        queue = served(port, cls)
        if queue is None or not is_value(queue.algorithm):
            return None
        if queue.algorithm is Algorithm.STRICT:
            continue
        if not is_value(queue.bandwidth):
            return None
        kinds.add(queue.bandwidth.kind)
        if queues(port, cls) in counted:
            continue  # two classes in one queue have one share
        counted.add(queues(port, cls))
        total += queue.bandwidth.amount
        mine += queue.bandwidth.amount if name in chosen else 0
    return mine * 1000 // total * (PPM // 1000) if total and len(kinds) == 1 else None
