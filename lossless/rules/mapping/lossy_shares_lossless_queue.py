"""MAP006."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.chain import queues
from lossless.rules.classes import carries, lossless_classes, lossy_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.rooms import told_groups
from lossless.rules.views import PortView


@rule(
    "MAP006",
    name="lossy-shares-lossless-queue",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "intent", "place"),
    sources=(
        "IEEE 802.1Q-2022 §8.6.6 and clause 36",
        "linux mlx5 en/port_buffer.c (a buffer is lossless if any priority in it is paused)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A lossy class waits in the queue, or is counted in the group, of a lossless one."""
    lossless, lossy = lossless_classes(port), lossy_classes(port)
    if not carries(port) or not lossless or not lossy:
        yield NotApplicable("no lossy class stands beside a lossless one on this port")
        return
    for name, cls, _ in lossless:
        queue = queues(port, cls)
        group = told_groups(port, cls)
        for other, beside in lossy:
            shared = queue & queues(port, beside)
            if shared:
                yield _fault(other, name, "queue", min(shared))
                continue
            common = (group or frozenset()) & (told_groups(port, beside) or frozenset())
            if common:
                yield _fault(other, name, "priority group", min(common))


def _fault(other: str, name: str, what: str, number: int) -> Fault:
    return Fault(
        message=f"class {other} shares {what} {number} with lossless class {name} on {{here}}: "
        "one is stopped for the other, or fills the room kept for it",
        field=f"classes.{other}.{'queue' if what == 'queue' else 'priority'}",
        or_fields=(f"classes.{other}.traffic_class", f"classes.{other}.priority"),
        actual=number,
    )
