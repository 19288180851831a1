"""MTU001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import in_use, is_nic
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.frames import PAYLOADS, ROCE_HEADERS, floor, l3, payload
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
        yield Fault(
            message=f"{{here}} carries {found} layer-3 bytes{_as_written(port, found)}"
            f"{_needed(port, found, least)}",
            field=key,
            or_fields=("mtu",),
            expected=f"at least {least}",
            actual=found,
            restore=(key,),
            fix=None if is_nic(port) else least,
            fix_safe=is_nic(port),
        )


def _as_written(port: PortView, found: int) -> str:
    native = value(port.mtu.native)
    return f" (its {native})" if native is not None and native != found else ""


def _needed(port: PortView, found: int, least: int) -> str:
    """Say what is the least, and of a NIC what its MTU leaves for RDMA."""
    if not is_nic(port):
        return f", and {least} are the least"
    size = payload(found)
    left = f"it is left with packets of {size}" if size else "it leaves RDMA no room"
    if least == PAYLOADS[0] + ROCE_HEADERS:
        return f"; RDMA needs {least} for its packets of {PAYLOADS[0]}, and {left}"
    return f", and {least} are declared to be the least" + (
        "" if size == PAYLOADS[0] else f"; {left}"
    )
