"""ECN009: marks set on a tunnel's outer header are lost where it ends."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "ECN009",
    name="tunnel-loses-marks",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "intent", "place"),
    sources=("RFC 6040 (what a tunnel does with ECN)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A tunnel does not carry ECN between its outer and its inner header."""
    told = port.classification.tunnel_ecn
    in_tunnel = told is not None or port.classification.tunnel_dscp is not None
    if is_nic(port) or not carries(port) or not lossless_classes(port) or not in_tunnel:
        yield NotApplicable("no lossless class is said to cross a tunnel here")
    elif port.intent.congestion_control != "dcqcn":
        yield NotApplicable("the fabric's congestion control does not live on ECN marks")
    elif told is None:
        yield Missing(("overlay.ecn",))
    elif is_value(told) and told != "copy":
        yield Fault(
            message="{here} ends tunnels without carrying ECN over: what switches between mark "
            "never reaches the host, and nobody slows down",
            field="overlay.ecn",
            or_fields=("overlay",),
            expected="copy",
            actual=told,
            fix="copy",
            fix_safe=False,
        )
