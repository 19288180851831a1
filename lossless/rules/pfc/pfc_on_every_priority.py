"""PFC005."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import in_use, lossless_priorities
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import EVERY_PRIORITY, paused
from lossless.rules.views import PortView


@rule(
    "PFC005",
    name="pfc-on-every-priority",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("intent", "place", "pfc"),
    sources=(
        "IEEE 802.1Q-2022 clause 36",
        "C. Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016 (few lossless classes)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """PFC is on for all eight priorities."""
    if not in_use(port):
        yield NotApplicable("the port is not in use")
        return
    found, needed = paused(port.pfc), lossless_priorities(port)
    if found is None:
        yield Missing(("pfc.priorities",))
    elif found == EVERY_PRIORITY != needed:
        yield Fault(
            message="{here} pauses all eight priorities, so that everything waits for everything "
            "and the buffer is split eight ways",
            field="pfc.priorities",
            or_fields=("pfc.send", "pfc.honour", "pfc"),
            expected=sorted(needed),
            actual=sorted(found),
            fix=sorted(needed) or None,
        )
