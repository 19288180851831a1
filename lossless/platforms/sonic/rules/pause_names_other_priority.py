"""VND304."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import entry, is_value
from lossless.platforms.sonic.rules.boxes import pauses, sent
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "VND304",
    name="sonic-pause-names-other-priority",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "pfc", "place", "profile"),
    sources=(
        "sonic-net/sonic-buildimage, qos_config.j2 (priority, class and group share a number)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A lossless class is counted in a group of another number, so that its pauses stop another."""
    if not pauses(port) or not carries(port) or not port.classification.tc_to_group:
        yield NotApplicable("PFC is not on here on SONiC, or no map to groups is told")
        return
    if any(is_value(group) for group in port.classification.pfc_priority_to_group):
        yield NotApplicable("a map tells which priority each group pauses")
        return
    for priority in sorted(sent(port.pfc)):
        group = entry(port.classification.tc_to_group, priority)
        if is_value(group) and group != priority:
            yield Fault(
                message=f"traffic class {priority} is counted in group {group} on {{here}}: a "
                f"pause for it names priority {group}, and nobody stops sending {priority}",
                field="pfc.priorities",
                or_fields=("pfc",),
                expected=priority,
                actual=group,
            )
