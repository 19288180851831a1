"""ECN002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import carries
from lossless.rules.curves import curves
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "ECN002",
    name="ecn-never-marks",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "place"),
    sources=("RFC 3168", "S. Floyd and V. Jacobson, Random Early Detection gateways, 1993"),
)
def check(port: PortView) -> Iterator[Answer]:
    """Marking of a lossless class is on with a probability of zero."""
    found = [(n, c) for n, cls, c in curves(port) if cls.lossless is True and c.enabled is True]
    if not carries(port) or not found:
        yield NotApplicable("no lossless class on this port is marked")
        return
    for name, curve in found:
        if value(curve.probability) == 0:
            yield Fault(
                message=f"class {name} on {{here}} is marked with a probability of 0%: nobody "
                "ever slows down, and PFC does all the work",
                field=f"classes.{name}.ecn.probability",
                or_fields=(f"classes.{name}.ecn",),
                actual="0%",
            )
