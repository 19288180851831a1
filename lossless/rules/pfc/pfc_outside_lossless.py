"""PFC007."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import EVERY_PRIORITY, paused
from lossless.rules.views import PortView
from lossless.rules.words import priorities


@rule(
    "PFC007",
    name="pfc-outside-lossless",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("place", "pfc"),
    sources=(
        "IEEE 802.1Q-2022 clause 36",
        "Azure Local top-of-rack guidance (PFC explicitly off on management and compute ports)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """PFC is on where no lossless traffic is declared to cross."""
    if port.place.lossless is not OFF or not in_use(port):
        yield NotApplicable("the port is not declared to be without lossless traffic")
        return
    found = paused(port.pfc)
    if found is None:
        yield Missing(("pfc.mode",))
    elif found and found != EVERY_PRIORITY:
        yield Fault(
            message=f"{{here}} is declared without lossless traffic and pauses {priorities(found)}",
            field="pfc.priorities",
            or_fields=("pfc.mode", "pfc", "lossless"),
            expected=[],
            actual=sorted(found),
        )
