"""RATE004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.link import Fec
from lossless.model.values import OFF, Field, is_value
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView


@rule(
    "RATE004",
    name="fec-mismatch",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("link", "place"),
    sources=("IEEE 802.3-2022 clauses 74, 91, 119 and 134 (both ends run the same code)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """The ends of a link are set to different forward error correction."""
    if link.b is None or not (in_use(link.a) and in_use(link.b)):
        yield NotApplicable("one end is outside the fabric or not in use")
        return
    a, b = _code(link.a.link.fec), _code(link.b.link.fec)
    if a is not None and b is not None and a is not b:
        yield Fault(
            message=f"{{here}} runs FEC {a.value} and {{there}} {b.value}: the link stays down",
            field="fec",
            expected=b.value,
            actual=a.value,
            at=link.a,
            peer=link.b,
            peer_field="fec",
        )


def _code(told: Field[Fec]) -> Fec | None:
    """Return the code that an end insists on; `None` where it settles that itself."""
    if told is OFF:
        return Fec.NONE
    return told if is_value(told) and told is not Fec.AUTO else None
