"""MAP014: a tunnel's outer header does not bear the class."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Confidence, Severity
from lossless.model.values import is_value
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "MAP014",
    name="tunnel-hides-mark",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "intent", "place"),
    sources=("RFC 2983 (a tunnel copies the DSCP, or has one of its own)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A tunnel does not copy the DSCP to the header that switches between see."""
    told = port.classification.tunnel_dscp
    in_tunnel = told is not None or port.classification.tunnel_ecn is not None
    marked = [name for name, cls, _ in lossless_classes(port) if cls.dscp]
    if is_nic(port) or not carries(port) or not marked or not in_tunnel:
        yield NotApplicable("no lossless class with a DSCP is said to cross a tunnel here")
    elif told is None:
        yield Missing(("overlay.dscp",))
    elif is_value(told) and told != "uniform":
        yield Fault(
            message=f"{{here}} does not copy the DSCP of class {marked[0]} to the outer header: "
            "between the ends of the tunnel its packets are of another class",
            field="overlay.dscp",
            or_fields=("overlay",),
            expected="uniform",
            actual=told,
            confidence=Confidence.LIKELY,
            fix="uniform",
            fix_safe=False,
        )
