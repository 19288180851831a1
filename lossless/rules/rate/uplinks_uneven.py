"""RATE012."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import DeviceView


@rule(
    "RATE012",
    name="uplinks-uneven",
    severity=Severity.WARNING,
    scope=Scope.DEVICE,
    needs=("place",),
    sources=("RFC 2992 (equal-cost paths share packets evenly, whatever they lead to)",),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """A switch has more links to one of the switches above it than to another."""
    if len(device.uplinks) < 2:
        yield NotApplicable("no lossless links to several switches of a higher tier")
        return
    fewest, most = device.uplinks[0], device.uplinks[-1]
    if fewest != most:
        yield Fault(
            message=f"{{here}} has {fewest} {'link' if fewest == 1 else 'links'} to one of the "
            f"switches above it and {most} to another: routes of equal cost load them unevenly",
            expected=most,
            actual=fewest,
        )
