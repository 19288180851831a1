"""INV004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import TrafficClass
from lossless.model.values import is_value
from lossless.rules.classes import carries, classes, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView


@rule(
    "INV004",
    name="number-beyond-platform",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("intent", "place", "profile"),
    sources=("The platforms' manuals, as their `limits.*` facts cite them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A class declares a traffic class or queue that its platform does not have."""
    if port.profile is None or not carries(port):
        yield NotApplicable("no limits are known here")
        return
    for name, cls in classes(port):
        for key, number, limit, fact in _numbers(port, cls):
            if number >= limit:
                yield Fault(
                    message=f"class {name} declares {key.replace('_', ' ')} {number} on {{here}}; "
                    f"{port.profile.platform} has 0 to {limit - 1}",
                    field=f"classes.{name}.{key}",
                    or_fields=(f"classes.{name}",),
                    expected=f"0 to {limit - 1}",
                    actual=number,
                    **weight(port.profile, fact),
                )


def _numbers(port: PortView, cls: TrafficClass) -> Iterator[tuple[str, int, int, str]]:
    """Yield what is declared and how many of it there are: (key, number, count, fact)."""
    limits = port.profile.limits if port.profile is not None else None
    if limits is None:
        return
    if is_value(cls.traffic_class) and limits.traffic_classes is not None:
        yield "traffic_class", cls.traffic_class, limits.traffic_classes, "limits.traffic_classes"
    if is_value(cls.queue) and limits.queues is not None and not is_nic(port):
        yield "queue", cls.queue, limits.queues, "limits.queues"
