"""ECN001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.scheduling import QueueEcn
from lossless.model.values import is_value
from lossless.rules.classes import carries
from lossless.rules.curves import curves
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.sizes import above
from lossless.rules.views import PortView


@rule(
    "ECN001",
    name="ecn-thresholds-reversed",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "place", "profile"),
    sources=(
        "SONiC sonic-wred-profile.yang (the maximum is not below the minimum)",
        "sonic-utilities pull request 579 (a reversed pair stops the agent)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """Marking is to begin above the depth at which it is to be full."""
    found = [(n, c) for n, _, c in curves(port) if c.enabled is True]
    if not carries(port) or not found:
        yield NotApplicable("no class on this port is marked")
        return
    for name, curve in found:
        yield from _curve(port, name, curve)


def _curve(port: PortView, name: str, curve: QueueEcn) -> Iterator[Answer]:
    low, high = curve.minimum, curve.maximum
    if not is_value(low) or not is_value(high):
        keys = (("min", low), ("max", high))
        yield Missing(tuple(f"classes.{name}.ecn.{k}" for k, held in keys if not is_value(held)))
        return
    higher = above(low, high, port.profile)
    if higher is None:
        yield Missing((f"classes.{name}.ecn.min",))
    elif higher:
        yield Fault(
            message=f"class {name} on {{here}} begins to mark at {low}, above the {high} at which "
            "marking is to be full",
            field=f"classes.{name}.ecn.min",
            or_fields=(f"classes.{name}.ecn.max", f"classes.{name}.ecn"),
            expected="min at most max",
            actual=f"{low} and {high}",
            restore=(f"classes.{name}.ecn.min", f"classes.{name}.ecn.max"),
        )
