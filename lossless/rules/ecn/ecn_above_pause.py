"""ECN008: PFC begins before ECN."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.buffers import PriorityGroup
from lossless.model.units import Quantity
from lossless.model.values import is_value
from lossless.rules.classes import carries, is_nic
from lossless.rules.curves import curves
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.rooms import rooms
from lossless.rules.sizes import above
from lossless.rules.views import PortView


@rule(
    "ECN008",
    name="ecn-above-pause",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("buffers", "classification", "ecn", "intent", "place", "profile"),
    sources=("Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A lossless class is paused at a static threshold below the one at which it is marked."""
    limits = {n: g for n, cls, g in rooms(port) if cls.lossless is True and is_value(g.limit)}
    found = [(n, curve) for n, _, curve in curves(port) if n in limits and curve.enabled is True]
    if not carries(port) or is_nic(port) or not found:
        yield NotApplicable("no marked lossless class has a static threshold here")
        return
    for name, curve in found:
        if is_value(curve.minimum):
            yield from _class(port, name, curve.minimum, limits[name])


def _class(port: PortView, name: str, marks: Quantity, group: PriorityGroup) -> Iterator[Answer]:
    limit = group.limit
    if not is_value(limit):
        return
    higher = above(marks, limit, port.profile)
    if higher is None:
        yield Missing((f"buffers.classes.{name}.limit",))
    elif higher:
        yield Fault(
            message=f"class {name} on {{here}} is paused from {limit} on and marked from {marks} "
            "on: one sender is stopped before it is told to slow down",
            field=f"classes.{name}.ecn.min",
            or_fields=(f"buffers.classes.{name}.limit", f"classes.{name}.ecn"),
            expected=f"at most {limit}",
            actual=str(marks),
        )
