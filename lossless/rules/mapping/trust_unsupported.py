"""MAP012."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView


@rule(
    "MAP012",
    name="trust-unsupported",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "place", "profile"),
    sources=("The platforms' manuals, as its `trust_supported` fact cites them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A port is to trust a mark in a way that its platform does not know."""
    trust = port.classification.trust
    if not carries(port) or not is_value(trust):
        yield NotApplicable("no trust is declared on a port that carries lossless traffic")
        return
    if port.profile is None or not port.profile.trust_supported:
        yield Missing(("platform",))
    elif trust not in port.profile.trust_supported:
        known = sorted(t.value for t in port.profile.trust_supported)
        yield Fault(
            message=f"{{here}} is to trust {trust.value}; {port.profile.platform} knows "
            f"{', '.join(known)}",
            field="trust",
            expected=known,
            actual=trust.value,
            **weight(port.profile, "trust_supported"),
        )
