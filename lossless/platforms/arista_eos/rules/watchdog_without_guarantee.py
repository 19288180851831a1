"""VND104."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Confidence, Severity
from lossless.model.facet import row
from lossless.model.values import is_value, value
from lossless.platforms.arista_eos.rules.boxes import is_eos
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, Status, rule
from lossless.rules.views import PortView


@rule(
    "VND104",
    name="eos-watchdog-without-guarantee",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("classification", "ets", "intent", "place", "profile", "watchdog"),
    sources=("third-party guide to RoCEv2 on EOS 4.36, after the EOS User Manual",),
    status=Status.PREVIEW,
)
def check(port: PortView) -> Iterator[Answer]:
    """The watchdog of EOS watches a lossless queue only where bandwidth is guaranteed to it."""
    if not is_eos(port.profile) or not carries(port) or port.watchdog.enabled is not True:
        yield NotApplicable("no watchdog is on here on EOS")
        return
    for name, _, priority in lossless_classes(port):
        queue = _queue(port, priority)
        served = row(port.ets.queues, queue)
        if served is None or not is_value(served.guaranteed):
            yield Fault(
                message=f"queue {queue} of class {name} on {{here}} has no guaranteed bandwidth; "
                "some EOS platforms then do not watch it",
                field=f"classes.{name}.bandwidth",
                or_fields=(f"classes.{name}",),
                confidence=Confidence.ESTIMATE,
            )


def _queue(port: PortView, priority: int) -> int:
    """On EOS a priority is its traffic class."""
    entries = port.classification.tc_to_queue
    mapped = value(entries[priority]) if priority < len(entries) else None
    return priority if mapped is None else mapped
