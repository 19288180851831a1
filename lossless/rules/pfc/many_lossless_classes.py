"""PFC014."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "PFC014",
    name="many-lossless-classes",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("intent", "place"),
    sources=(
        "C. Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016 (two classes)",
        "sonic-net/sonic-buildimage, qos_config.j2 (two; four between dual-homed racks)",
    ),
    options={"most": 2},
)
def check(port: PortView, *, most: int) -> Iterator[Answer]:
    """More lossless classes are declared than switches have buffer for at their best."""
    found = lossless_classes(port)
    if not carries(port) or not found:
        yield NotApplicable("no lossless class crosses this port")
    elif len(found) > most:
        names = ", ".join(name for name, _, _ in found)
        yield Fault(
            message=f"{len(found)} lossless classes ({names}) cross {{here}}: each keeps headroom "
            "of its own, and leaves that much less to share",
            field="classes",
            expected=f"at most {most}",
            actual=len(found),
        )
