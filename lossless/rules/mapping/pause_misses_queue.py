"""MAP004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import entry, value
from lossless.rules.chain import mapped
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "MAP004",
    name="pause-misses-queue",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "intent", "place"),
    sources=(
        "IEEE 802.1Q-2022 §8.6.6 and clause 36",
        "SONiC qos_config.j2 (two maps: PFC priority to queue, and to priority group)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A pause frame stops another queue, or is sent for another group, than the class uses."""
    found = lossless_classes(port)
    if not carries(port) or is_nic(port) or not found:
        yield NotApplicable("no lossless class crosses this switch port")
        return
    for name, _, priority in found:
        yield from _queue(port, name, priority)
        yield from _group(port, name, priority)


def _queue(port: PortView, name: str, priority: int) -> Iterator[Answer]:
    maps = port.classification
    stopped = value(entry(maps.pfc_priority_to_queue, priority))
    waits = mapped(maps.tc_to_queue, mapped(maps.priority_to_tc, (priority,)) or ())
    if stopped is None or waits is None or stopped in waits:
        return
    yield _fault(name, priority, "queue", f"stops queue {stopped}", waits, stopped)


def _group(port: PortView, name: str, priority: int) -> Iterator[Answer]:
    maps = port.classification
    asks = value(entry(maps.pfc_priority_to_group, priority))
    counted = mapped(maps.priority_to_group, (priority,))
    if counted is None:
        counted = mapped(maps.tc_to_group, mapped(maps.priority_to_tc, (priority,)) or ())
    if asks is None or counted is None or asks in counted:
        return
    yield _fault(name, priority, "group", f"is sent for group {asks}", counted, asks)


def _fault(
    name: str, priority: int, what: str, does: str, right: frozenset[int], found: int
) -> Fault:
    where = ", ".join(map(str, sorted(right)))
    return Fault(
        message=f"on {{here}} a pause of priority {priority} {does}, and class {name} is in "
        f"{what} {where}",
        field=f"classes.{name}.{'queue' if what == 'queue' else 'priority'}",
        or_fields=(f"classes.{name}",),
        expected=sorted(right),
        actual=found,
    )
