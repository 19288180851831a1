"""PFC008."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.pfc import PfcMode
from lossless.model.values import OFF
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView, PortView


@rule(
    "PFC008",
    name="pfc-left-to-negotiation",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("dcb", "intent", "place", "pfc"),
    sources=(
        "IEEE 802.1Q-2022 clause 38 (DCBX)",
        "Azure Local support guide: top-of-rack LLDP, DCBX and PFC",
    ),
)
def check(link: LinkView) -> Iterator[Answer]:
    """PFC is left to DCBX at one end, and the other end does not take part."""
    if link.b is None or not (carries(link.a) and carries(link.b)):
        yield NotApplicable("no lossless traffic is meant to cross this link")
        return
    for here, there in link.sides():
        if here.pfc.mode is not PfcMode.AUTO or not lossless_classes(here):
            continue
        if there.dcb.advertise is True:
            continue
        yield _fault(here, there)


def _fault(here: PortView, there: PortView) -> Fault:
    refuses = OFF in (there.dcb.advertise, there.dcb.dcbx)
    why = "advertises nothing" if refuses else "is not known to advertise anything"
    return Fault(
        message=f"{{here}} leaves PFC to DCBX, and {{there}} {why}: PFC stays off",
        field="pfc.mode",
        or_fields=("pfc",),
        expected="on",
        actual="auto",
        at=here,
        peer=there,
        peer_field="pfc.dcbx.advertise",
        severity=None if refuses else Severity.WARNING,
        fix="on",
        fix_safe=False,
    )
