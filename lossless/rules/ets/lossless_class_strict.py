"""ETS003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.scheduling import Algorithm
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.curves import served
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "ETS003",
    name="lossless-class-strict",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("classification", "ets", "intent", "place"),
    sources=(
        "IEEE 802.1Q-2022 §8.6.8.1 (strict queues are served before all others)",
        "NVIDIA Cumulus Linux documentation, RoCE (data shares, notices are strict)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A lossless class that carries data is served strictly and can starve everything else."""
    found = lossless_classes(port)
    if not carries(port) or not found:
        yield NotApplicable("no lossless class crosses this port")
        return
    for name, cls, _ in found:
        queue = served(port, cls)
        if queue is not None and queue.algorithm is Algorithm.STRICT and not queue.cap:
            yield Fault(
                message=f"lossless class {name} has a strict queue without a cap on {{here}}: "
                "while it sends, nothing else does",
                field=f"classes.{name}.scheduler",
                or_fields=(f"classes.{name}.bandwidth", f"classes.{name}"),
                expected="ets",
                actual="strict",
            )
