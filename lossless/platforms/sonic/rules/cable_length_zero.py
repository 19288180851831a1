"""VND301."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.platforms.sonic.rules.boxes import pauses
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "VND301",
    name="sonic-cable-length-zero",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("buffers", "pfc", "place", "profile"),
    sources=("sonic-net/sonic-swss issue 3548 (0m: no lossless group is made)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """SONiC makes no lossless group for a port whose cable is told to be 0 m."""
    if not pauses(port) or not carries(port) or port.buffers.cable is None:
        yield NotApplicable("PFC is not on here on SONiC, or no cable is told")
        return
    if port.buffers.cable == 0:
        yield Fault(
            message="{here} has PFC and a cable of 0 m: SONiC then makes no lossless group, and "
            "what arrives after a pause is dropped",
            field="configured_cable",
            or_fields=("cable",),
            actual="0m",
        )
