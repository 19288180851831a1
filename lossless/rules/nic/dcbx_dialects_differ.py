"""NIC009: two ends that speak different dialects of DCBX."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF, is_value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView


@rule(
    "NIC009",
    name="dcbx-dialects-differ",
    severity=Severity.WARNING,
    scope=Scope.LINK,
    needs=("dcb", "place"),
    sources=(
        "IEEE 802.1Q-2022 clause 38 (the dialects before it have other type numbers)",
        "Azure Local support guide: top-of-rack LLDP, DCBX and PFC",
    ),
)
def check(link: LinkView) -> Iterator[Answer]:
    """The ends of a link speak different dialects of DCBX, and neither hears the other."""
    if link.b is None or not (carries(link.a) and carries(link.b)):
        yield NotApplicable("no lossless traffic is meant to cross this link")
        return
    a, b = link.a.dcb, link.b.dcb
    if OFF in (a.dcbx, b.dcbx) or not (is_value(a.dialect) and is_value(b.dialect)):
        yield NotApplicable("the two dialects are not both told")
    elif a.dialect != b.dialect:
        yield Fault(
            message=f"{{here}} speaks DCBX as {a.dialect} and {{there}} as {b.dialect}: neither "
            "hears what the other offers",
            field="pfc.dcbx.dialect",
            or_fields=("pfc.dcbx",),
            expected=b.dialect,
            actual=a.dialect,
            at=link.a,
            peer=link.b,
            peer_field="pfc.dcbx.dialect",
        )
