"""PFC009."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import DeviceView


@rule(
    "PFC009",
    name="pfc-stopped-box-wide",
    severity=Severity.ERROR,
    scope=Scope.DEVICE,
    needs=("intent", "place", "system"),
    sources=(
        "pyavd 6.4 schema, priority_flow_control (a switch for the whole box)",
        "SONiC PFC watchdog design (its global stop)",
    ),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """A switch of the whole box stops PFC, whatever its ports say."""
    if not any(carries(p.view) and lossless_classes(p.view) for p in device.ports):
        yield NotApplicable("no lossless class is meant to cross this device")
    elif device.system.pfc_stopped is True:
        yield Fault(
            message="PFC is stopped for the whole of {here}; the settings of its ports have no "
            "effect",
            field="pfc",
            expected="off",
            actual="on",
        )
