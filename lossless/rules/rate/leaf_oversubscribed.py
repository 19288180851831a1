"""RATE011."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import PortRole
from lossless.model.units import PPM
from lossless.model.values import value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.groups import gather, usual
from lossless.rules.views import DeviceView, PortGroup
from lossless.rules.words import rate


@rule(
    "RATE011",
    name="leaf-oversubscribed",
    severity=Severity.WARNING,
    scope=Scope.DEVICE,
    needs=("link", "linked", "place"),
    sources=(
        "A. Gangidi et al., RDMA over Ethernet for AI Training at Meta Scale, SIGCOMM 2024",
        "Z. Jiang et al., MegaScale, NSDI 2024 (as much up as down)",
    ),
    options={"balanced": PPM, "most": 3 * PPM},
    units={"balanced": "share", "most": "share"},
)
def check(device: DeviceView, *, balanced: int, most: int) -> Iterator[Answer]:
    """A switch takes in more from its hosts than its uplinks can carry."""
    found = [(g.view.place.fabric, g) for g in device.ports if _counts(g)]
    asked = False
    for groups in gather(found).values():
        hosts = [g for g in groups if g.view.place.role is PortRole.HOST]
        uplinks = [g for g in groups if g.view.place.role is PortRole.FABRIC]
        if not hosts or not uplinks:
            continue
        asked = True
        if any(value(g.view.link.speed) is None for g in (*hosts, *uplinks)):
            yield Missing(("speed",))
            continue
        down, up = _sum(hosts), _sum(uplinks)
        if down * PPM > up * balanced:
            yield _fault(hosts, down, up, bad=down * PPM > up * most)
    if not asked:
        yield NotApplicable("no lossless links to hosts and to other switches")


def _fault(hosts: list[PortGroup], down: int, up: int, *, bad: bool) -> Fault:
    rails = any(group.view.place.rail is not None for group in hosts)
    return Fault(
        message=f"{{here}} takes in {rate(down)} from its hosts and has {rate(up)} up "
        f"({down / up:.2g}:1): when all send, its uplinks pause them",
        expected=f"at least {rate(down)} up",
        actual=rate(up),
        severity=None if bad or rails else Severity.INFO,
    )


def _counts(group: PortGroup) -> bool:
    return group.view.linked and carries(group.view)


def _sum(groups: list[PortGroup]) -> int:
    """Add up speeds; one that is unlike most is a fault of its own, told by other rules."""
    sized = [(value(group.view.link.speed) or 0, group.count) for group in groups]
    most = usual(sized)
    return sum((speed if most is None else most) * count for speed, count in sized)
