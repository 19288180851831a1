"""PFC012."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.pausing import honoured, sent
from lossless.rules.views import PortView


@rule(
    "PFC012",
    name="split-pfc-unsupported",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("pfc", "place", "profile"),
    sources=("The platforms' configuration grammars, as its `split_pfc` fact cites them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """PFC is declared for one direction only, on a platform that cannot split it."""
    sends, honours = sent(port.pfc), honoured(port.pfc)
    if not in_use(port) or sends is None or honours is None:
        yield NotApplicable("the port is not in use, or its sets are not known")
        return
    if sends == honours:
        return
    if port.profile is None or port.profile.split_pfc is None:
        yield Missing(("platform",))
        return
    if not port.profile.split_pfc:
        yield Fault(
            message=f"{{here}} is to ask for {sorted(sends)} and to honour {sorted(honours)}; its "
            "platform has one set for both",
            field="pfc.send",
            or_fields=("pfc.honour", "pfc"),
            expected=sorted(honours),
            actual=sorted(sends),
            **weight(port.profile, "split_pfc"),
        )
