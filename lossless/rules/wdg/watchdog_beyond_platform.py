"""WDG004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.profile import Range
from lossless.model.values import value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView
from lossless.rules.words import time


@rule(
    "WDG004",
    name="watchdog-beyond-platform",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("place", "profile", "watchdog"),
    sources=("The platforms' manuals, as their `limits.watchdog_*` facts cite them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A time of the watchdog is outside what the platform takes, or it has no watchdog at all."""
    dog, profile = port.watchdog, port.profile
    if not carries(port) or dog.enabled is not True or profile is None:
        yield NotApplicable("no watchdog is declared here, or nothing is known of the platform")
        return
    if profile.watchdog_supported is False:
        yield Fault(
            message=f"a watchdog is declared on {{here}}, and {profile.platform} has none",
            field="pfc.watchdog",
            expected="off",
            actual="on",
            **weight(profile, "watchdog_supported"),
        )
        return
    limits = profile.limits
    asked = (
        ("poll", value(dog.poll), limits.watchdog_poll),
        ("detect", value(dog.detect), limits.watchdog_detect),
        ("restore", value(dog.restore), limits.watchdog_restore),
    )
    for key, told, allowed in asked:
        if told is not None and not allowed.holds(told):
            yield Fault(
                message=f"the watchdog of {{here}} has {key} {time(told)}; {profile.platform} "
                f"takes {_bounds(allowed)}",
                field=f"pfc.watchdog.{key}",
                or_fields=("pfc.watchdog",),
                expected=_bounds(allowed),
                actual=time(told),
                **weight(profile, f"limits.watchdog_{key}"),
            )


def _bounds(allowed: Range) -> str:
    if allowed.low is None:
        return f"at most {time(allowed.high or 0)}"
    return f"{time(allowed.low)} to {'any' if allowed.high is None else time(allowed.high)}"
