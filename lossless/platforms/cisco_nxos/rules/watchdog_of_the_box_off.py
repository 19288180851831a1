"""VND201."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.cisco_nxos.rules.boxes import is_nxos
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.pausing import honoured
from lossless.rules.views import PortView


@rule(
    "VND201",
    name="nxos-watchdog-of-the-box-off",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("pfc", "place", "profile", "system", "watchdog"),
    sources=("P. Gupta (Cisco), nxos_config_roce.py: watch-dog-interval on, in both places",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A port's PFC watchdog is on, and the box's is not: nothing is watched."""
    if not is_nxos(port.profile) or not carries(port) or port.watchdog.enabled is not True:
        yield NotApplicable("no watchdog is on at this port of NX-OS")
        return
    if not honoured(port.pfc):
        yield NotApplicable("the port is not known to honour pause")
        return
    box = port.system.settings.watchdog.enabled
    if box is None:
        yield NotApplicable("nothing is told of the box's own; a declaration turns both on")
    elif box in (OFF, DEFAULT):
        yield Fault(
            message="the watchdog of {here} is on, and that of the box is off: NX-OS needs "
            "`priority-flow-control watch-dog-interval on` in both places",
            field="pfc.watchdog",
            expected="on in both places",
            actual="on at the port alone",
            **weight(port.profile, "facts.watchdog_needs_global_and_port"),
        )
