"""ETS005."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.scheduling import Algorithm
from lossless.model.values import is_value
from lossless.rules.classes import class_named
from lossless.rules.curves import served
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PathView, PortView


@rule(
    "ETS005",
    name="cnp-not-strict",
    severity=Severity.WARNING,
    scope=Scope.PATH,
    needs=("classification", "ets", "intent", "place"),
    sources=(
        "Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015",
        "NVIDIA Cumulus Linux documentation, RoCE (CNPs in a strict queue)",
    ),
)
def check(path: PathView) -> Iterator[Answer]:
    """Congestion notices wait behind data, because their queue is not strict."""
    if path.kind != "cnp":
        yield NotApplicable("not the path of congestion notices")
        return
    for hop in path.hops:
        if hop.egress is not None:
            yield from _at(path.name, hop.egress)


def _at(name: str, here: PortView) -> Iterator[Answer]:
    cls = class_named(here, name)
    if not is_value(cls):
        return
    queue = served(here, cls)
    algorithm = None if queue is None else queue.algorithm
    if algorithm is None:
        yield Missing((f"classes.{name}.scheduler",), at=here)
    elif is_value(algorithm) and algorithm is not Algorithm.STRICT:
        yield Fault(
            message=f"congestion notices (class {name}) share the link by {algorithm.value} on "
            "{here}; a notice that waits comes too late",
            field=f"classes.{name}.scheduler",
            or_fields=(f"classes.{name}",),
            expected="strict",
            actual=algorithm.value,
            at=here,
            fix="strict",
            fix_safe=False,
        )
