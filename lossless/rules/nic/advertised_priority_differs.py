"""NIC010: DCBX advertises another priority for RoCE than the declared one."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import carries, lossless_priorities
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView

#: How DCBX names RoCE: version 2 by its port, version 1 by its type.
ROCE_APPLICATIONS = ("udp 4791", "ethertype 0x8915")


@rule(
    "NIC010",
    name="advertised-priority-differs",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("dcb", "intent", "place"),
    sources=(
        "IEEE 802.1Q-2022 clause 38 (application priority)",
        "microsoft/AzureStackHCI-Network-Switch-Validation (a switch that offers another table)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """DCBX offers RoCE a priority that is not that of a lossless class."""
    told = dict(port.dcb.applications)
    offered = [(name, value(told.get(name))) for name in ROCE_APPLICATIONS]
    needed = lossless_priorities(port)
    if not carries(port) or not needed or all(number is None for _, number in offered):
        yield NotApplicable("no priority of RoCE is advertised beside a lossless class")
        return
    for name, number in offered:
        if number is not None and number not in needed:
            yield Fault(
                message=f"{{here}} advertises priority {number} for RoCE ({name}), and its "
                f"lossless classes have {', '.join(map(str, sorted(needed)))}",
                field="pfc.dcbx.application",
                or_fields=("pfc.dcbx", "pfc"),
                expected=min(needed) if len(needed) == 1 else sorted(needed),
                actual=number,
            )
