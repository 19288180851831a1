"""INV010: a device would start with something else than it runs."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import DeviceView


@rule(
    "INV010",
    name="unsaved-configuration",
    severity=Severity.WARNING,
    scope=Scope.DEVICE,
    needs=("place",),
    sources=("Arista EOS User Manual, startup-config; Cisco NX-OS fundamentals, startup-config",),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """What a device runs is not what it would start with."""
    if device.unsaved is None:
        yield NotApplicable("what the device would start with was not told")
    elif device.unsaved is True:
        yield Fault(
            message="{here} runs a configuration that is not saved, and goes back to another when "
            "it restarts",
            expected="saved",
            actual="unsaved",
        )
