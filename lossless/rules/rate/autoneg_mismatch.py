"""RATE005."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView


@rule(
    "RATE005",
    name="autoneg-mismatch",
    severity=Severity.WARNING,
    scope=Scope.LINK,
    needs=("link", "place"),
    sources=("IEEE 802.3-2022 clause 73 (auto-negotiation needs both ends)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """One end of a link negotiates, and the other does not."""
    if link.b is None or not (in_use(link.a) and in_use(link.b)):
        yield NotApplicable("one end is outside the fabric or not in use")
        return
    for here, there in link.sides():
        if here.link.autoneg is OFF and there.link.autoneg is True:
            yield Fault(
                message="{here} does not negotiate, and {there} waits for it",
                field="autoneg",
                expected="on",
                actual="off",
                at=here,
                peer=there,
                peer_field="autoneg",
            )
