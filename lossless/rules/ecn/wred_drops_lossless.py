"""ECN006."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF
from lossless.rules.classes import carries
from lossless.rules.curves import curves
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "ECN006",
    name="wred-drops-lossless",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "place"),
    sources=(
        "RFC 7567 §4.2 (marking and dropping are two uses of one curve)",
        "SONiC wred profile, ecn_none with a drop probability",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """Early dropping is on in the queue of a lossless class, without marking."""
    found = [(n, c) for n, cls, c in curves(port) if cls.lossless is True]
    if not carries(port) or not found:
        yield NotApplicable("no lossless class with an early curve crosses this port")
        return
    for name, curve in found:
        if curve.wred is True and curve.enabled is OFF:
            yield Fault(
                message=f"{{here}} drops packets of lossless class {name} early and does not mark",
                field=f"classes.{name}.ecn",
                or_fields=(f"classes.{name}",),
                expected="marked",
                actual="dropped",
            )
