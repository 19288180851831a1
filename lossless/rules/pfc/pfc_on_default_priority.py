"""PFC006."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, lossless_priorities
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import EVERY_PRIORITY, paused
from lossless.rules.views import PortView


@rule(
    "PFC006",
    name="pfc-on-default-priority",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("intent", "place", "pfc"),
    sources=("IEEE 802.1Q-2022 clause 36 and §6.9 (untagged frames take the default priority)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """PFC is on for priority 0, where unmarked traffic lands, and no lossless class is there."""
    needed = lossless_priorities(port)
    if not carries(port) or 0 in needed:
        yield NotApplicable("a lossless class is declared on priority 0, or none crosses the port")
        return
    found = paused(port.pfc)
    if found is None:
        yield Missing(("pfc.priorities",))
    elif 0 in found and found != EVERY_PRIORITY:
        yield Fault(
            message="{here} pauses priority 0, where all unmarked traffic lands",
            field="pfc.priorities",
            or_fields=("pfc.send", "pfc.honour", "pfc"),
            expected=sorted(needed),
            actual=sorted(found),
            fix=sorted(found - {0} | needed),
        )
