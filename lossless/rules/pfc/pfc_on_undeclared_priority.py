"""PFC004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, classes, lossless_priorities
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import EVERY_PRIORITY, paused
from lossless.rules.views import PortView
from lossless.rules.words import priorities


@rule(
    "PFC004",
    name="pfc-on-undeclared-priority",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("intent", "place", "pfc"),
    sources=(
        "IEEE 802.1Q-2022 clause 36",
        "SONiC qos_config.j2 (pfc_enable 3,4 whatever the hosts use)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """PFC is on for a priority that no declared class uses."""
    needed = lossless_priorities(port)
    if not carries(port) or not needed:
        yield NotApplicable("no lossless class is declared on this port")
        return
    found = paused(port.pfc)
    if found is None:
        yield Missing(("pfc.priorities",))
        return
    if found == EVERY_PRIORITY or not needed <= found:
        return
    used = frozenset[int]().union(*(cls.priorities for _, cls in classes(port)))
    extra = found - used - {0}
    if extra:
        yield Fault(
            message=f"{{here}} also pauses {priorities(extra)}, which no declared class uses; "
            "a lossless priority that carries nothing still takes buffer",
            field="pfc.priorities",
            or_fields=("pfc.send", "pfc.honour", "pfc"),
            expected=sorted(found - extra),
            actual=sorted(found),
            fix=sorted(found - extra),
            fix_safe=False,
        )
