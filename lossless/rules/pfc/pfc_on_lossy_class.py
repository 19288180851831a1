"""PFC003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, lossless_priorities, lossy_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import EVERY_PRIORITY, paused
from lossless.rules.views import PortView


@rule(
    "PFC003",
    name="pfc-on-lossy-class",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("intent", "place", "pfc"),
    sources=(
        "IEEE 802.1Q-2022 clause 36",
        "Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """PFC pauses the priority of a class that is declared lossy."""
    if not carries(port):
        yield NotApplicable("no lossless traffic is meant to cross this port")
        return
    found, needed = paused(port.pfc), lossless_priorities(port)
    if found is None:
        yield Missing(("pfc.priorities",))
        return
    # Every priority, and priority 0, are faults of their own; so is the lack of a needed one.
    if found == EVERY_PRIORITY or not needed <= found:
        return
    extra = found - needed - {0}
    for name, cls in lossy_classes(port):
        for priority in sorted(extra & cls.priorities):
            yield Fault(
                message=f"{{here}} pauses priority {priority}, which class {name} uses, and "
                f"{name} is not lossless",
                field="pfc.priorities",
                or_fields=("pfc.send", "pfc.honour", "pfc"),
                expected=sorted(needed),
                actual=sorted(found),
                fix=sorted(needed),
                fix_safe=False,
            )
