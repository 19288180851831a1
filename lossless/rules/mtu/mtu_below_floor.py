"""MTU001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import in_use, is_nic
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.frames import PAYLOADS, floor, l3, payload
from lossless.rules.views import PortView


@rule(
    "MTU001",
    name="mtu-below-floor",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("intent", "mtu", "place", "profile"),
    sources=("linux include/rdma/ib_addr.h, iboe_get_mtu()",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A port carries fewer layer-3 bytes than the fabric is declared to."""
    least = floor(port)
    if least is None or not in_use(port):
        yield NotApplicable("no least MTU is declared for this port")
        return
    key = "mtu.nic" if is_nic(port) else "mtu.switch"
    found = l3(port.mtu, port.profile)
    if found is None:
        yield Missing((key,))
    elif found < least:
        native = value(port.mtu.native)
        as_written = f" (its {native})" if native is not None and native != found else ""
        yield Fault(
            message=f"{{here}} carries {found} layer-3 bytes{as_written}, and {least} are the "
            f"least{_left(port, found)}",
            field=key,
            or_fields=("mtu",),
            expected=least,
            actual=found,
            fix=None if is_nic(port) else least,
            fix_safe=False,
        )


def _left(port: PortView, found: int) -> str:
    """Say what a NIC's MTU leaves for RDMA, where that is less than the most."""
    size = payload(found)
    if not is_nic(port) or size == PAYLOADS[0]:
        return ""
    return f"; it leaves RDMA with packets of {size}" if size else "; it leaves RDMA no room"
