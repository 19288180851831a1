"""MAP005."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import TrafficClass
from lossless.model.values import is_value
from lossless.rules.chain import mapped
from lossless.rules.classes import carries, classes, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "MAP005",
    name="class-queue-mismatch",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "intent", "place"),
    sources=("IEEE 802.1Q-2022 §8.6.6 (priority to traffic class to queue)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """The platform's maps lead a class elsewhere than to the traffic class or queue it declares."""
    declared = [(n, c) for n, c in classes(port) if is_value(c.traffic_class) or is_value(c.queue)]
    if not carries(port) or not declared:
        yield NotApplicable("no class on this port declares a traffic class or queue")
        return
    for name, cls in declared:
        yield from _class(port, name, cls)


def _class(port: PortView, name: str, cls: TrafficClass) -> Iterator[Answer]:
    maps = port.classification
    leads = mapped(maps.priority_to_tc, cls.priorities)
    if is_value(cls.traffic_class) and leads not in (None, frozenset((cls.traffic_class,))):
        yield _fault(name, "traffic_class", cls.traffic_class, leads)
        return
    if is_nic(port) or not is_value(cls.queue):
        return
    passes = leads or frozenset(tc for tc in (cls.traffic_class,) if is_value(tc))
    waits = mapped(maps.tc_to_queue, passes)
    if waits not in (None, frozenset((cls.queue,))):
        yield _fault(name, "queue", cls.queue, waits)


def _fault(name: str, key: str, wanted: int, found: frozenset[int] | None) -> Fault:
    what = key.replace("_", " ")
    where = sorted(found or ())
    return Fault(
        message=f"class {name} declares {what} {wanted}, and the maps of {{here}} lead it to "
        f"{', '.join(map(str, where))}",
        field=f"classes.{name}.{key}",
        or_fields=(f"classes.{name}.priority", f"classes.{name}"),
        expected=wanted,
        actual=where[0] if len(where) == 1 else where,
    )
