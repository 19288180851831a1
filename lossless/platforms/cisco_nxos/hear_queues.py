"""From the lines of queuing policies to scheduling, marking, limits and pause thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from lossless.model.buffers import PriorityGroup, QueueBuffer
from lossless.model.facet import table
from lossless.model.scheduling import Algorithm, Ecn, EcnBasis, Ets, QueueEcn, QueueScheduling
from lossless.model.units import Alpha, Quantity, in_bytes
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.cisco_nxos.box import Box, Detect, PauseBuffer, Policy, Slot, queue_count
from lossless.platforms.cisco_nxos.contents import (
    BANDWIDTH,
    BUFFER,
    DETECT,
    LIMIT,
    PRIORITY,
    content,
)
from lossless.platforms.cisco_nxos.grammar import PERCENT
from lossless.platforms.cisco_nxos.names import GROUPS

#: What stands for the scheduling that `bandwidth` lines ask for.
ROUND_ROBIN: Final = Algorithm.DWRR
#: What an output policy comes to: scheduling, marking, and the limits of queues.
Rows: TypeAlias = tuple[Ets, Ecn, dict[int, QueueBuffer]]


def queue_rows(box: Box, policy: Policy) -> Rows:
    """Return what an attached output policy says of each queue."""
    held, known = content(box, policy), box.grouped(policy)
    count = queue_count(policy)
    groups = sorted(known) if count == 0 else range(count)
    ets = {group: scheduling(held.get(group, {})) for group in groups}
    ecn = {group: marking(held.get(group, {}).get(DETECT)) for group in groups}
    buffers = {
        group: queue_buffer(
            held.get(group, {}).get(LIMIT),
            unread=group in known
            and any(k.text.startswith("queue-limit") for k in known[group].kept),
        )
        for group in groups
    }
    return Ets(queues=table(ets)), Ecn(queues=table(ecn)), buffers


def scheduling(slots: Mapping[Slot, Any]) -> QueueScheduling:
    """Return how one queue is served."""
    level = slots.get(PRIORITY)
    return QueueScheduling(
        algorithm=ROUND_ROBIN if level is None else Algorithm.STRICT,
        bandwidth=slots.get(BANDWIDTH, OFF),
        level=OFF if level is None else level,
    )


def marking(line: Any) -> QueueEcn:
    """Return what a `random-detect` line says; without one nothing is marked or dropped early."""
    if not isinstance(line, Detect):
        rest: Any = OFF
        return QueueEcn(
            enabled=OFF, wred=OFF, minimum=rest, maximum=rest, probability=rest, weight=rest
        )
    return QueueEcn(
        enabled=True if line.ecn else OFF,
        wred=True,
        minimum=line.minimum,
        maximum=line.maximum,
        probability=None if line.probability is None else line.probability * PERCENT,
        weight=line.weight,
        basis=EcnBasis.QUEUE,
    )


def queue_buffer(limit: Any, unread: bool = False) -> QueueBuffer:
    """Return the limit of a queue: a size, or an index of a dynamic threshold."""
    silence: Any = None if unread else DEFAULT
    return QueueBuffer(
        limit=limit if isinstance(limit, Quantity) else silence,
        alpha=limit if isinstance(limit, Alpha) else silence,
    )


def input_groups(box: Box, policy: Policy) -> dict[int, PriorityGroup]:
    """Return the pause thresholds of an attached input policy."""
    held = content(box, policy)
    return {group: pause_buffer(held.get(group, {}).get(BUFFER)) for group in GROUPS}


def pause_buffer(line: Any) -> PriorityGroup:
    """Return the thresholds of a lossless group.

    What the model calls the limit is the pause threshold; the headroom above it is the rest of the
    buffer.
    """
    if not isinstance(line, PauseBuffer):
        return PriorityGroup(limit=DEFAULT, xoff=DEFAULT, xon=DEFAULT)
    return PriorityGroup(
        limit=in_bytes(line.pause),
        xoff=in_bytes(line.size - line.pause),
        xon=in_bytes(line.resume),
    )


def default_rows() -> Rows:
    """Return the queues of a place that has the system's default policy."""
    row = QueueScheduling(algorithm=DEFAULT, bandwidth=DEFAULT, level=DEFAULT)
    mark = QueueEcn(
        enabled=DEFAULT,
        wred=DEFAULT,
        minimum=DEFAULT,
        maximum=DEFAULT,
        probability=DEFAULT,
        weight=DEFAULT,
    )
    return (
        Ets(queues=table(dict.fromkeys(GROUPS, row))),
        Ecn(queues=table(dict.fromkeys(GROUPS, mark))),
        dict.fromkeys(GROUPS, queue_buffer(None)),
    )
