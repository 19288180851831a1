"""WDG005: a watchdog that does not end the pause."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.pfc import WatchdogAction
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView

_DOES = {
    WatchdogAction.ALERT: "only tells of a pause that lasts, and leaves the queue stopped",
    WatchdogAction.FORWARD: "sends on into a peer that asks for a pause, where it is dropped",
}


@rule(
    "WDG005",
    name="watchdog-only-watches",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("intent", "place", "watchdog"),
    sources=("SONiC PFC watchdog design (drop, forward, alert)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A watchdog does something else than to drop what waits in a stopped queue."""
    dog = port.watchdog
    if is_nic(port) or not carries(port) or dog.enabled is not True or not lossless_classes(port):
        yield NotApplicable("no watchdog guards a lossless class on this switch port")
        return
    for action, does in _DOES.items():
        if dog.action is action:
            yield Fault(
                message=f"the watchdog of {{here}} {does}",
                field="pfc.watchdog.action",
                or_fields=("pfc.watchdog",),
                expected="drop",
                actual=action.value,
            )
