"""RATE008."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import carries, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.groups import gather, usual
from lossless.rules.views import FabricView, LinkView
from lossless.rules.words import rate


@rule(
    "RATE008",
    name="tier-rate-uneven",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("link", "place"),
    sources=(
        "RFC 2992 (equal-cost paths share packets evenly, whatever their speed)",
        "A. Gangidi et al., RDMA over Ethernet for AI Training at Meta Scale, SIGCOMM 2024",
    ),
)
def check(fabric: FabricView) -> Iterator[Answer]:
    """Links between the same two tiers have different speeds."""
    sized = [
        (_between(link), (link, count, speed))
        for link, count in fabric.links
        if _counts(link) and (speed := value(link.a.link.speed)) is not None
    ]
    if not sized:
        yield NotApplicable("no links between switches with a known speed")
        return
    for members in gather(sized).values():
        most = usual((speed, count) for _, count, speed in members)
        for link, _, speed in members:
            if most is not None and speed != most:
                yield Fault(
                    message=f"the link from {{here}} to {{there}} is {rate(speed)}, and most "
                    f"between these tiers are {rate(most)}",
                    field="speed",
                    expected=rate(most),
                    actual=rate(speed),
                    at=link.a,
                    peer=link.b,
                    peer_field="speed",
                )


def _counts(link: LinkView) -> bool:
    """Say whether a link joins two switches for lossless traffic, both ends at one speed."""
    if link.b is None or is_nic(link.a) or is_nic(link.b):
        return False
    same = link.a.link.speed == link.b.link.speed
    return same and carries(link.a) and carries(link.b)


def _between(link: LinkView) -> tuple[object, ...]:
    a, b = link.a.place, (link.b or link.a).place
    return a.fabric, a.owner_role, b.owner_role, a.role
