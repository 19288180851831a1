"""ETS002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.scheduling import Algorithm, QueueScheduling
from lossless.model.values import is_value
from lossless.rules.classes import carries, classes
from lossless.rules.curves import served
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "ETS002",
    name="share-of-strict-queue",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("classification", "ets", "intent", "place", "profile"),
    sources=(
        "IEEE 802.1Q-2022 clause 37 (a share belongs to a class served by ETS)",
        "linux mlx5 en_dcbnl.c (only shares of ETS classes count)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A class has a strict queue and a share of the bandwidth, which then counts for nothing."""
    if not carries(port) or not port.ets.queues:
        yield NotApplicable("no scheduling is stated on this port")
        return
    for name, cls in classes(port):
        queue = served(port, cls)
        if queue is None or queue.algorithm is not Algorithm.STRICT:
            continue
        if is_value(queue.bandwidth) and queue.bandwidth.amount > 0 and not _left_over(port, queue):
            yield Fault(
                message=f"class {name} on {{here}} is strict and has {queue.bandwidth}; a strict "
                "queue takes what it wants",
                field=f"classes.{name}.bandwidth",
                or_fields=(f"classes.{name}.scheduler", f"classes.{name}"),
                actual=str(queue.bandwidth),
            )


def _left_over(port: PortView, queue: QueueScheduling) -> bool:
    """Say whether the share is the platform's own default, which strictness put out of force."""
    if port.profile is None:
        return False
    return any(row.bandwidth == queue.bandwidth for _, row in port.profile.defaults.ets.queues)
