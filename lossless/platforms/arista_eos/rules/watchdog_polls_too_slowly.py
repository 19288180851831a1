"""VND103."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Confidence, Severity
from lossless.model.values import value
from lossless.platforms.arista_eos.rules.boxes import is_eos
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView
from lossless.rules.words import time


@rule(
    "VND103",
    name="eos-watchdog-polls-too-slowly",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("place", "profile", "watchdog"),
    sources=("third-party guide to RoCEv2 on EOS 4.36, after the EOS User Manual",),
)
def check(port: PortView) -> Iterator[Answer]:
    """The watchdog of EOS polls less than twice within the time in which it is to act."""
    dog = port.watchdog
    poll, times = value(dog.poll), (value(dog.detect), value(dog.restore))
    known = [held for held in times if held is not None]
    if not is_eos(port.profile) or not carries(port) or dog.enabled is not True or poll is None:
        yield NotApplicable("no watchdog with a polling interval on EOS")
        return
    if known and min(known) >= poll > min(known) / 2:
        yield Fault(
            message=f"the watchdog of {{here}} polls every {time(poll)}; EOS wants at least two "
            f"polls within {time(min(known))}",
            field="pfc.watchdog.poll",
            or_fields=("pfc.watchdog",),
            expected=f"at most {time(min(known) // 2)}",
            actual=time(poll),
            confidence=Confidence.LIKELY,
        )
