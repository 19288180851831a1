"""ECN003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import TrafficClass
from lossless.model.facet import row
from lossless.model.values import OFF
from lossless.rules.chain import queues
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "ECN003",
    name="lossless-without-ecn",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "place"),
    sources=(
        "RFC 3168",
        "Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """Hosts run DCQCN, and a switch does not mark their lossless class."""
    found = lossless_classes(port)
    if not carries(port) or is_nic(port) or not found:
        yield NotApplicable("not a switch port that a lossless class crosses")
        return
    control = port.intent.congestion_control
    if control is None:
        yield Missing(("congestion_control",))
        return
    if control != "dcqcn":
        yield NotApplicable("the fabric's congestion control does not live on ECN marks")
        return
    for name, cls, _ in found:
        yield from _class(port, name, cls)


def _class(port: PortView, name: str, cls: TrafficClass) -> Iterator[Answer]:
    rows = [row(port.ecn.queues, queue) for queue in sorted(queues(port, cls))]
    states = [None if curve is None else curve.enabled for curve in rows]
    if port.ecn.enabled is OFF or OFF in states:
        yield Fault(
            message=f"class {name} is lossless and not marked on {{here}}, and its senders wait "
            "for marks (dcqcn)",
            field=f"classes.{name}.ecn",
            or_fields=(f"classes.{name}",),
            expected="on",
            actual="off",
        )
    elif True not in states:
        yield Missing((f"classes.{name}.ecn",))
