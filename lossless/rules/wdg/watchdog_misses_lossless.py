"""WDG003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.rules.classes import carries, lossless_priorities
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.pausing import honoured
from lossless.rules.views import PortView
from lossless.rules.words import priorities


@rule(
    "WDG003",
    name="watchdog-misses-lossless",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("intent", "pfc", "place", "watchdog"),
    sources=(
        "sonic-swss pull request 795 (a watchdog armed before the lossless queues were known)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A watchdog watches other priorities than those that the port pauses on."""
    watched = port.watchdog.priorities
    if not carries(port) or port.watchdog.enabled is not True or not is_value(watched):
        yield NotApplicable("no watchdog here states what it watches")
        return
    stopped = honoured(port.pfc) or frozenset()
    missed = (stopped & lossless_priorities(port)) - watched
    right = sorted((watched & stopped) | missed)
    if missed:
        yield Fault(
            message=f"the watchdog of {{here}} does not watch {priorities(missed)}",
            field="pfc.watchdog.priorities",
            or_fields=("pfc.watchdog",),
            expected=right,
            actual=sorted(watched),
            fix=right,
        )
    idle = watched - stopped
    if idle and not missed and stopped:
        yield Fault(
            message=f"the watchdog of {{here}} also watches {priorities(idle)}, which is never "
            "paused",
            field="pfc.watchdog.priorities",
            or_fields=("pfc.watchdog",),
            expected=right,
            actual=sorted(watched),
            severity=Severity.INFO,
            fix=right,
        )
