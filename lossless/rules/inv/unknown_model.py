"""INV009: a switch of a model about which nothing is known."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import DeviceView


@rule(
    "INV009",
    name="unknown-model",
    severity=Severity.INFO,
    scope=Scope.DEVICE,
    needs=("place",),
    sources=("The tool's own data about models",),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """Nothing is known about a switch's model, so that its limits are those of its platform."""
    if device.model_known is None:
        yield NotApplicable("no model of a switch is told")
    elif device.model_known is OFF:
        yield Fault(
            message=f"nothing is known about the model {device.model} of {{here}}: what depends on "
            "its chip is not checked",
            field="model",
            actual=device.model,
        )
