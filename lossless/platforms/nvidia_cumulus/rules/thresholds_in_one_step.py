"""VND402."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lossless.findings import Confidence, Severity
from lossless.model.units import Quantity
from lossless.model.values import Field, entry, value
from lossless.rules.classes import classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView

PLATFORM: Final = "nvidia_cumulus"


@rule(
    "VND402",
    name="cumulus-thresholds-in-one-step",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "profile"),
    sources=(
        "CumulusNetworks/docs, RDMA over Converged Ethernet, 5.14 (150000 bytes become 159744)",
        "sonic-net/sonic-buildimage, platform/mellanox/asic_table.j2 (sizes of cells)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """Both marking thresholds are rounded up to the same depth, so that marking has no slope."""
    profile = port.profile
    marked = [(queue, row) for queue, row in port.ecn.queues if row.enabled is True]
    if profile is None or profile.platform != PLATFORM or not marked:
        yield NotApplicable("nothing is marked here on Cumulus Linux")
        return
    step = profile.ecn.quantum
    if not step:
        yield Missing(("model",))
        return
    for queue, row in marked:
        low, high = _steps(row.minimum, port, step), _steps(row.maximum, port, step)
        if low is not None and low == high and row.minimum != row.maximum:
            yield Fault(
                message=f"hardware rounds both marking thresholds of queue {queue} on {{here}}, "
                f"{row.minimum} and {row.maximum}, up to {low * step} B: nothing is marked below "
                "that depth and everything above",
                field=_field(port, queue),
                or_fields=("classes",),
                expected=f"thresholds more than {step} B apart",
                actual=f"{row.minimum} and {row.maximum}",
                confidence=Confidence.LIKELY,
            )


def _field(port: PortView, queue: int) -> str:
    """Return where the curve is written: at the first class that goes to the queue."""
    queues = port.classification.priority_to_tc
    for name, cls in classes(port):
        if queue in {value(entry(queues, priority)) for priority in cls.priorities}:
            return f"classes.{name}.ecn"
    return "classes"


def _steps(held: Field[Quantity], port: PortView, step: int) -> int | None:
    if not isinstance(held, Quantity) or port.profile is None:
        return None
    size = held.to_bytes(port.profile.units)
    return None if size is None else -(-size // step)
