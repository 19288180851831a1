"""PFC013: PFC on the link between the two switches of a pair."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Confidence, Severity
from lossless.model.classes import PortRole
from lossless.rules.classes import lossless_priorities
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, Status, rule
from lossless.rules.pausing import EVERY_PRIORITY, paused
from lossless.rules.views import PortView
from lossless.rules.words import priorities


@rule(
    "PFC013",
    name="pfc-on-peer-link",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("intent", "pfc", "place"),
    sources=(
        "S. Hu et al., Tagger: Practical PFC Deadlock Prevention, CoNEXT 2017 (down and up again)",
    ),
    status=Status.PREVIEW,
)
def check(port: PortView) -> Iterator[Answer]:
    """The link between the two switches of a multi-chassis pair is lossless."""
    if port.place.role is not PortRole.PEER:
        yield NotApplicable("not a link between the switches of a pair")
        return
    found = paused(port.pfc)
    if found is None:
        yield Missing(("pfc.priorities",))
        return
    stopped = found & lossless_priorities(port)
    if stopped and found != EVERY_PRIORITY:
        yield Fault(
            message=f"{{here}} joins the switches of a pair and pauses {priorities(stopped)}: a "
            "detour over it goes down and up again, and pauses can then wait for each other",
            field="pfc.priorities",
            or_fields=("pfc", "lossless", "role"),
            expected=[],
            actual=sorted(found),
            confidence=Confidence.ESTIMATE,
        )
