"""MTU002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import in_use, is_nic
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.frames import l3
from lossless.rules.views import LinkView


@rule(
    "MTU002",
    name="nic-mtu-above-switch",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("mtu", "place", "profile"),
    sources=("RFC 1191 (a switch drops what is too large, and layer 2 tells nobody)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """A NIC sends larger packets than the switch port that it is cabled to lets in."""
    if link.b is None or not (is_nic(link.a) and in_use(link.a)) or is_nic(link.b):
        yield NotApplicable("not a link between a NIC and a switch")
        return
    nic, switch = l3(link.a.mtu, link.a.profile), l3(link.b.mtu, link.b.profile)
    if nic is None:
        yield Missing(("mtu.nic",), at=link.a)
    if switch is None:
        yield Missing(("mtu.switch",), at=link.b)
    if nic is not None and switch is not None and nic > switch:
        yield Fault(
            message=f"{{here}} sends up to {nic} layer-3 bytes, and {{there}} lets {switch} in",
            field="mtu.nic",
            or_fields=("mtu",),
            expected=switch,
            actual=nic,
            at=link.a,
            peer=link.b,
            peer_field="mtu.switch",
        )
