"""NIC007."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView


@rule(
    "NIC007",
    name="dcbx-both-willing",
    severity=Severity.WARNING,
    scope=Scope.LINK,
    needs=("dcb", "place"),
    sources=("IEEE 802.1Q-2022 clause 38 (two willing ports: the lower address decides)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """Both ends of a link are willing, so that an address decides whose settings hold."""
    if link.b is None or not (carries(link.a) and carries(link.b)):
        yield NotApplicable("no lossless traffic is meant to cross this link")
        return
    if link.a.dcb.willing is True and link.b.dcb.willing is True:
        yield Fault(
            message="{here} and {there} are both willing, and neither's settings can be relied on",
            field="pfc.dcbx.willing",
            or_fields=("pfc.dcbx",),
            expected=False,
            actual=True,
            at=link.b,
            peer=link.a,
            peer_field="pfc.dcbx.willing",
            fix=False,
            fix_safe=False,
        )
