"""RATE010."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import PortRole
from lossless.model.values import value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.groups import gather, usual
from lossless.rules.views import DeviceView, PortGroup
from lossless.rules.words import rate


@rule(
    "RATE010",
    name="uplink-slower-than-hosts",
    severity=Severity.WARNING,
    scope=Scope.DEVICE,
    needs=("link", "linked", "place"),
    sources=(
        "Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015",
        "Z. Jiang et al., MegaScale, NSDI 2024 (uplinks twice as fast as a host's link)",
    ),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """A switch's uplink is slower than a port to one of its hosts."""
    sized = [(g.view.place.fabric, g) for g in device.ports if _counts(g)]
    asked = False
    for groups in gather(sized).values():
        hosts = [_speed(g) for g in groups if g.view.place.role is PortRole.HOST]
        uplinks = _usual([g for g in groups if g.view.place.role is PortRole.FABRIC])
        asked = asked or bool(hosts and uplinks)
        for uplink in uplinks if hosts else ():
            if _speed(uplink) < max(hosts):
                yield Fault(
                    message=f"{{here}} is {rate(_speed(uplink))}, and a host's port of the same "
                    f"switch is {rate(max(hosts))}: one flow alone is more than it carries, and "
                    "is paused",
                    field="speed",
                    expected=f"at least {rate(max(hosts))}",
                    actual=rate(_speed(uplink)),
                    at=uplink.view,
                )
    if not asked:
        yield NotApplicable("no lossless links to hosts and to other switches with known speeds")


def _counts(group: PortGroup) -> bool:
    port = group.view
    return port.linked and carries(port) and value(port.link.speed) is not None


def _usual(uplinks: list[PortGroup]) -> list[PortGroup]:
    """Leave out what is unlike most uplinks: a fault of its own, told by other rules."""
    most = usual((_speed(g), g.count) for g in uplinks)
    return [g for g in uplinks if most is None or _speed(g) == most]


def _speed(group: PortGroup) -> int:
    return value(group.view.link.speed) or 0
