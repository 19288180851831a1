"""ECN007."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.scheduling import Algorithm, QueueScheduling
from lossless.model.values import OFF, is_value
from lossless.rules.classes import carries
from lossless.rules.curves import curves, served
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "ECN007",
    name="ecn-on-strict-queue",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("classification", "ecn", "ets", "intent", "place"),
    sources=(
        "Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015",
        "NVIDIA Cumulus Linux documentation, RoCE (marking on the shared queues only)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A lossy class is marked although its queue is strict or has no share."""
    found = [(n, c) for n, c, curve in curves(port) if c.lossless is OFF and curve.enabled is True]
    if not carries(port) or not found:
        yield NotApplicable("no lossy class on this port is marked")
        return
    for name, cls in found:
        why = _why(served(port, cls))
        if why:
            yield Fault(
                message=f"class {name} on {{here}} {why} and is marked: marks there slow down "
                "whoever is not the cause",
                field=f"classes.{name}.ecn",
                or_fields=(f"classes.{name}.scheduler", f"classes.{name}"),
                expected="off",
                actual="on",
            )


def _why(scheduling: QueueScheduling | None) -> str | None:
    if scheduling is None:
        return None
    if scheduling.algorithm is Algorithm.STRICT:
        return "has a strict queue"
    if is_value(scheduling.bandwidth) and scheduling.bandwidth.amount == 0:
        return "has no share of the bandwidth"
    return None
