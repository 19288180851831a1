"""VND302."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.sonic.rules.boxes import pauses
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView

FOLLOWS = "watchdog_follows_pfcwd_sw_enable"


@rule(
    "VND302",
    name="sonic-watchdog-watches-nothing",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("pfc", "place", "profile", "watchdog"),
    sources=("sonic-net/sonic-swss, orchagent/qosorch.cpp (pfcwd_sw_enable, 0 where absent)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A port has a row in PFC_WD, and pfcwd_sw_enable names no queue that it is to watch."""
    profile, dog = port.profile, port.watchdog
    if not pauses(port) or not carries(port) or dog.enabled is not True or profile is None:
        yield NotApplicable("no watchdog is on here on SONiC")
        return
    if profile.facts.get(FOLLOWS) is not True:
        yield NotApplicable("this release watches what PFC names")
        return
    if dog.priorities in (DEFAULT, OFF):
        yield Fault(
            message="{here} has a watchdog, and pfcwd_sw_enable is absent: no queue is watched",
            field="pfc.watchdog.priorities",
            or_fields=("pfc.watchdog",),
            expected=sorted(port.pfc.send) if isinstance(port.pfc.send, frozenset) else None,
            actual=[],
        )
