"""WDG006."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value, value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import DeviceView, PortView
from lossless.rules.words import time

#: SONiC's tool raises its own time by one step for each so many ports of a switch.
PORTS_PER_STEP = 32
STEP = 200_000_000


@rule(
    "WDG006",
    name="watchdog-detects-oddly",
    severity=Severity.WARNING,
    scope=Scope.DEVICE,
    needs=("place", "profile", "watchdog"),
    sources=(
        "sonic-utilities, pfcwd/main.py (200 ms, and so much more for each 32 ports)",
        "Juniper, PFC Watchdog (200 ms)",
    ),
    options={"least": 100_000_000, "most": 1_000_000_000},
    units={"least": "time", "most": "time"},
)
def check(device: DeviceView, *, least: int, most: int) -> Iterator[Answer]:
    """A watchdog takes an ordinary pause for a storm, or lets a storm last for seconds."""
    steps = sum(group.count for group in device.ports) // PORTS_PER_STEP + 1
    longest = max(most, steps * STEP)
    asked = False
    for group in device.ports:
        port = group.view
        detect = _detect(port)
        if detect is None or _by_itself(port, detect):
            continue
        asked = True
        if least <= detect <= longest:
            continue
        early = detect < least
        yield Fault(
            message=f"the watchdog of {{here}} acts after {time(detect)}: "
            + ("a pause that congestion explains" if early else "a storm stops the fabric long")
            + (" can last as long" if early else " before that"),
            field="pfc.watchdog.detect",
            or_fields=("pfc.watchdog",),
            expected=f"{time(least)} to {time(longest)}",
            actual=time(detect),
            at=port,
        )
    if not asked:
        yield NotApplicable("no watchdog with a time of its own is on here")


def _detect(port: PortView) -> int | None:
    on = carries(port) and port.watchdog.enabled is True
    return value(port.watchdog.detect) if on else None


def _by_itself(port: PortView, detect: int) -> bool:
    """Say whether the time is what the platform does by itself, whatever that is."""
    usual = None if port.profile is None else port.profile.defaults.watchdog.detect
    return is_value(usual) and usual == detect
