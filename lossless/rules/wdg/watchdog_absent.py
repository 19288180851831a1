"""WDG001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF
from lossless.rules.classes import carries, is_nic, lossless_priorities
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import honoured
from lossless.rules.views import PortView


@rule(
    "WDG001",
    name="watchdog-absent",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("intent", "pfc", "place", "profile", "watchdog"),
    sources=(
        "C. Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016 (pause storms)",
        "SONiC PFC watchdog design",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A switch port honours pause, and no watchdog ends a pause that lasts."""
    if is_nic(port) or not carries(port) or not lossless_priorities(port):
        yield NotApplicable("not a switch port that a lossless class crosses")
        return
    if port.profile is not None and port.profile.watchdog_supported is False:
        yield NotApplicable("the platform has no watchdog")
        return
    if not honoured(port.pfc):
        yield NotApplicable("the port is not known to honour pause")
        return
    if port.watchdog.enabled is None:
        yield Missing(("pfc.watchdog",))
    elif port.watchdog.enabled is OFF:
        yield Fault(
            message="{here} honours pause without a watchdog: one peer that never stops pausing "
            "stops it for good",
            field="pfc.watchdog",
            or_fields=("pfc",),
            expected="on",
            actual="off",
            severity=Severity.INFO if _chosen(port) else None,
        )


def _chosen(port: PortView) -> bool:
    """Say whether somebody declared that there is to be none; a platform's default is no choice."""
    if port.profile is None:
        return True
    return port.profile.defaults.watchdog.enabled is not OFF
