"""VND306."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classification import PRIORITIES
from lossless.model.values import entry, is_value
from lossless.platforms.sonic.rules.boxes import is_sonic
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "VND306",
    name="sonic-class-without-queue",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "place", "profile"),
    sources=("sonic-tc-queue-map.yang and sonic-dscp-tc-map.yang: no reference between them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A DSCP is put in a traffic class for which TC_TO_QUEUE_MAP has no entry."""
    maps = port.classification
    if not is_sonic(port.profile) or not in_use(port) or not any(map(is_value, maps.tc_to_queue)):
        yield NotApplicable("no map from classes to queues is told here on SONiC")
        return
    for tc in sorted({held for held in maps.dscp_to_priority if is_value(held)}):
        queue = entry(maps.tc_to_queue, tc)
        written = tc < PRIORITIES and queue is None  # the renderer fills what nobody tells
        if is_value(queue) or written:
            continue
        points = [d for d, held in enumerate(maps.dscp_to_priority) if held == tc]
        yield Fault(
            message=f"DSCP {', '.join(map(str, points))} is put in traffic class {tc} on {{here}}, "
            "and no queue is told for that class",
            field="classes",
            expected="a queue",
            actual=None,
        )
