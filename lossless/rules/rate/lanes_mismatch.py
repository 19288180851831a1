"""RATE003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.link import Medium
from lossless.model.values import value
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView


@rule(
    "RATE003",
    name="lanes-mismatch",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("cable", "link", "place"),
    sources=("IEEE 802.3-2022 clauses 120 and 162 (lanes of copper links)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """The ends of a copper link use different numbers of lanes."""
    if link.b is None or not (in_use(link.a) and in_use(link.b)):
        yield NotApplicable("one end is outside the fabric or not in use")
        return
    if link.cable.medium not in (Medium.DAC, Medium.COPPER):
        yield NotApplicable("a module between the ends may turn one number of lanes into another")
        return
    a, b = value(link.a.link.lanes), value(link.b.link.lanes)
    if a is not None and b is not None and a != b:
        yield Fault(
            message=f"{{here}} uses {a} lanes and {{there}} {b}, over one copper cable",
            field="lanes",
            or_fields=("breakout", "speed"),
            expected=b,
            actual=a,
            at=link.a,
            peer=link.b,
            peer_field="lanes",
        )
