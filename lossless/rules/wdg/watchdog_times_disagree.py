"""WDG002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView
from lossless.rules.words import time


@rule(
    "WDG002",
    name="watchdog-times-disagree",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("place", "watchdog"),
    sources=(
        "sonic-pfcwd.yang and sonic-utilities pfcwd (polling is not slower than what it detects)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A watchdog polls more slowly than it is to act, or restores sooner than it detects."""
    dog = port.watchdog
    if not carries(port) or dog.enabled is not True:
        yield NotApplicable("no watchdog is on here")
        return
    poll, detect, restore = value(dog.poll), value(dog.detect), value(dog.restore)
    for key, limit in (("detect", detect), ("restore", restore)):
        if poll is not None and limit is not None and poll > limit:
            yield Fault(
                message=f"the watchdog of {{here}} looks every {time(poll)}, and is to {key} "
                f"within {time(limit)}",
                field="pfc.watchdog.poll",
                or_fields=(f"pfc.watchdog.{key}", "pfc.watchdog"),
                expected=f"at most {time(limit)}",
                actual=time(poll),
            )
    if detect is not None and restore is not None and restore < detect:
        yield Fault(
            message=f"the watchdog of {{here}} restores after {time(restore)}, sooner than the "
            f"{time(detect)} in which it detects: a lasting storm comes and goes",
            field="pfc.watchdog.restore",
            or_fields=("pfc.watchdog.detect", "pfc.watchdog"),
            expected=f"at least {time(detect)}",
            actual=time(restore),
            severity=Severity.WARNING,
        )
