"""ETS004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.scheduling import Algorithm
from lossless.model.values import is_value
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.curves import served
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "ETS004",
    name="lossless-without-share",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "ets", "intent", "place"),
    sources=("IEEE 802.1Q-2022 clause 37",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A lossless class is served by shares and has a share of zero."""
    found = lossless_classes(port)
    if not carries(port) or not found:
        yield NotApplicable("no lossless class crosses this port")
        return
    for name, cls, _ in found:
        queue = served(port, cls)
        if queue is None or queue.algorithm is Algorithm.STRICT:
            continue
        if is_value(queue.bandwidth) and queue.bandwidth.amount == 0:
            yield Fault(
                message=f"lossless class {name} has no share of the bandwidth on {{here}}: under "
                "load it stands still, and pauses whoever sends to it",
                field=f"classes.{name}.bandwidth",
                or_fields=(f"classes.{name}",),
                actual="0%",
            )
