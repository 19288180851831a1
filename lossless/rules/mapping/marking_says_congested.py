"""MAP010."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.stamps import fits, stamps
from lossless.rules.views import PortView


@rule(
    "MAP010",
    name="marking-says-congested",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("intent", "marking", "place", "system"),
    sources=("RFC 3168 §5 (11 in the lower two bits is Congestion Experienced)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A traffic-class byte is stamped whose ECN bits say that congestion was already met."""
    if not (is_nic(port) and carries(port)):
        yield NotApplicable("not a NIC that sends RDMA")
        return
    for stamp in stamps(port):
        if stamp.byte is None or stamp.byte & 3 != 3 or fits(port, stamp) is False:
            continue  # a byte of another class is wrong as a whole, and told as that
        yield Fault(
            message=f"{{here}} stamps {stamp.field.rpartition('.')[2]} {stamp.byte}, whose lower "
            f"bits are 11, Congestion Experienced; {stamp.byte - 1} marks the packet ECN-capable",
            field=stamp.field,
            or_fields=(stamp.field.rpartition(".")[0],),
            expected=stamp.byte - 1,
            actual=stamp.byte,
            fix=stamp.byte - 1,
        )
