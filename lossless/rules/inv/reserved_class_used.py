"""INV003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.rules.chain import queues, traffic_classes
from lossless.rules.classes import carries, classes, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView


@rule(
    "INV003",
    name="reserved-class-used",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "intent", "place", "profile"),
    sources=("The platforms' manuals, as their `limits.reserved_*` facts cite them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A class sits in a traffic class or queue that the platform keeps for its own traffic."""
    profile = port.profile
    if profile is None or not carries(port):
        yield NotApplicable("nothing is known to be reserved here")
        return
    limits = profile.limits
    for name, cls in classes(port):
        taken = traffic_classes(port, cls) & limits.reserved_tcs
        if taken:
            said = is_value(cls.traffic_class)
            yield _fault(port, name, "traffic_class", min(taken), said=said)
            continue
        taken = frozenset() if is_nic(port) else queues(port, cls) & limits.reserved_queues
        if taken:
            yield _fault(port, name, "queue", min(taken), said=is_value(cls.queue))


def _fault(port: PortView, name: str, key: str, number: int, *, said: bool) -> Fault:
    fact = "limits.reserved_tcs" if key == "traffic_class" else "limits.reserved_queues"
    platform = "" if port.profile is None else port.profile.platform
    return Fault(
        message=f"class {name} is in {key.replace('_', ' ')} {number} on {{here}}, which "
        f"{platform} keeps for its own traffic",
        field=f"classes.{name}.{key if said else 'priority'}",
        or_fields=(f"classes.{name}",),
        actual=number,
        **weight(port.profile, fact),
    )
