"""PFC002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView


@rule(
    "PFC002",
    name="class-priority-differs",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("intent", "place"),
    sources=("IEEE 802.1Q-2022 clause 36 (a PFC frame names priorities, and nothing else)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """The two ends of a link give one lossless class two priorities."""
    if link.b is None or not (carries(link.a) and carries(link.b)):
        yield NotApplicable("no lossless traffic is meant to cross this link")
        return
    there = {name: priority for name, _, priority in lossless_classes(link.b)}
    for name, _, priority in lossless_classes(link.a):
        other = there.get(name, priority)
        if other == priority:
            continue
        yield Fault(
            message=f"class {name} has priority {priority} on {{here}} and {other} on {{there}}, "
            "so neither end understands the other's pause frames",
            field=f"classes.{name}.priority",
            or_fields=(f"classes.{name}",),
            expected=other,
            actual=priority,
            at=link.a,
            peer=link.b,
            peer_field=f"classes.{name}.priority",
        )
