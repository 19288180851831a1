"""MTU003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.frames import PAYLOADS, ROCE_HEADERS, below_floor, l3, payload
from lossless.rules.views import PortView

LARGEST = PAYLOADS[0]


@rule(
    "MTU003",
    name="roce-payload-small",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("intent", "mtu", "place", "profile"),
    sources=(
        "linux include/rdma/ib_addr.h, iboe_get_mtu()",
        "NVIDIA dgx-spark-playbooks pull request 103 (1500 on a 200G link)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A NIC's MTU leaves RDMA with smaller packets than the 4096 bytes that it could use."""
    if not (is_nic(port) and carries(port) and lossless_classes(port)):
        yield NotApplicable("not a NIC that carries a lossless class")
        return
    found = l3(port.mtu, port.profile)
    if found is None:
        yield Missing(("mtu.nic",))
        return
    size = payload(found)
    if size != LARGEST and not below_floor(port):
        yield Fault(
            message=f"an MTU of {found} leaves RDMA on {{here}} with "
            f"{f'{size} bytes a packet' if size else 'no room'}; "
            f"{LARGEST} needs {LARGEST + ROCE_HEADERS}",
            field="mtu.nic",
            or_fields=("mtu",),
            expected=LARGEST + ROCE_HEADERS,
            actual=found,
        )
