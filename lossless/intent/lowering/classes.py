"""The declared classes, and where each of them sits in a platform's chain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lossless.intent.lowering.values import field, numbers, section, switch, told
from lossless.model.classes import TrafficClass
from lossless.model.classification import DSCPS, Classification
from lossless.model.facet import Table, table
from lossless.model.values import OFF, Field, Switch, entry, is_value, value

#: The word that stands for every code point which no class claims.
REST = "rest"


@dataclass(frozen=True, slots=True)
class Declared:
    """One class as declared, with the statements that only scheduling and marking use."""

    name: str
    traffic: TrafficClass
    data: Mapping[str, Any]


def read_classes(data: Mapping[str, Any]) -> tuple[list[Declared], Table[str, Field[TrafficClass]]]:
    """Return the classes in force, and the same (with absent ones as `OFF`) as a table by name."""
    written = section(data, "classes")
    present = {n: told(c) for n, c in written.items() if isinstance(c, Mapping)}
    claimed = frozenset().union(*(_claims(c) for c in present.values()))
    declared = [Declared(n, _traffic(c, claimed), c) for n, c in present.items()]
    rows: dict[str, Field[TrafficClass]] = {d.name: d.traffic for d in declared}
    rows.update({n: OFF for n, c in written.items() if c is OFF})
    return declared, table(rows)


def _claims(data: Mapping[str, Any]) -> frozenset[int]:
    also = data.get("also")
    return numbers(data.get("dscp")) | (frozenset() if also == REST else numbers(also))


def _traffic(data: Mapping[str, Any], claimed: frozenset[int]) -> TrafficClass:
    also = data.get("also")
    dscp = numbers(data.get("dscp"))
    return TrafficClass(
        dscp=dscp,
        pcp=numbers(data.get("pcp")),
        accepts=(frozenset(range(DSCPS)) - claimed if also == REST else numbers(also)) - dscp,
        priorities=numbers(data.get("priority")),
        traffic_class=field(data.get("traffic_class")),
        queue=field(data.get("queue")),
        lossless=_lossless(data),
        mtu=field(data.get("mtu")),
    )


def _lossless(data: Mapping[str, Any]) -> Switch:
    """A class that does not say so is not lossless; one declared unknown is not told."""
    return switch(data["lossless"]) if "lossless" in data else OFF


@dataclass(frozen=True, slots=True)
class Contest:
    """One code point, priority or queue that two classes claim, with the key of each claim."""

    what: str
    number: int | None
    first: str
    first_key: str
    second: str
    second_key: str


#: What must be one class's alone: the name for people, and the keys that claim it.
_EXCLUSIVE = (
    ("DSCP", ("dscp", "also")),
    ("PCP", ("pcp",)),
    ("priority", ("priority",)),
    ("queue", ("queue",)),
)


def contests(declared: list[Declared]) -> Iterator[Contest]:
    """Yield what two classes claim both."""
    for what, keys in _EXCLUSIVE:
        owners: dict[Any, tuple[str, str]] = {}
        for one in declared:
            for key in keys:
                yield from _contest(one, what, key, owners)


def _contest(
    one: Declared, what: str, key: str, owners: dict[Any, tuple[str, str]]
) -> Iterator[Contest]:
    held = one.data.get(key)
    claims: list[Any] = [REST] if held == REST else sorted(numbers(held))
    for claim in claims:
        name, other_key = owners.setdefault(claim, (one.name, key))
        if name != one.name:
            number = None if claim == REST else claim
            yield Contest(what, number, name, other_key, one.name, key)


def lossless_priorities(declared: list[Declared]) -> Field[frozenset[int]]:
    """Return the priorities of the lossless classes; `None` where one class does not tell."""
    if not declared:
        return None
    found: frozenset[int] = frozenset()
    for one in declared:
        if one.traffic.lossless is None:
            return None
        if one.traffic.lossless is True:
            if not one.traffic.priorities:
                return None
            found |= one.traffic.priorities
    return found or OFF


@dataclass(frozen=True, slots=True)
class Chain:
    """How a platform by itself carries priorities on, where nobody tells it otherwise."""

    by_default: Classification
    nic: bool

    def traffic_classes(self, one: Declared) -> frozenset[int]:
        """Return the traffic classes of a declared class: stated, or the platform's; else none."""
        stated = one.traffic.traffic_class
        if is_value(stated):
            return frozenset((stated,))
        mapped = (value(entry(self.by_default.priority_to_tc, p)) for p in one.traffic.priorities)
        return frozenset(tc for tc in mapped if tc is not None)

    def queues(self, one: Declared) -> frozenset[int]:
        """Return the queues (of a NIC: traffic classes) in which a class's packets wait.

        What is declared counts; then the platform's own maps; and where neither tells, the queue
        has the number of the priority.
        """
        if is_value(one.traffic.queue) and not self.nic:
            return frozenset((one.traffic.queue,))
        classes = self.traffic_classes(one) or one.traffic.priorities
        return classes if self.nic else frozenset(self._queue(tc) for tc in classes)

    def _queue(self, tc: int) -> int:
        known = value(entry(self.by_default.tc_to_queue, tc))
        return tc if known is None else known

    def groups(self, one: Declared) -> frozenset[int]:
        """Return the ingress groups of a class; a group has its priority's number by default."""
        return frozenset(self._group(p) for p in one.traffic.priorities)

    def _group(self, priority: int) -> int:
        known = value(entry(self.by_default.priority_to_group, priority))
        return priority if known is None else known
