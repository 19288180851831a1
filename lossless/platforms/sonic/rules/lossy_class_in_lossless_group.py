"""VND303."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.platforms.sonic.rules.boxes import pauses, sent
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "VND303",
    name="sonic-lossy-class-in-lossless-group",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "pfc", "place", "profile"),
    sources=("sonic-net/sonic-buildimage, qos_config.j2 (TC_TO_PRIORITY_GROUP_MAP)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """Traffic of a class without PFC fills the group for which SONiC sends pauses."""
    if not pauses(port) or not carries(port) or not port.classification.tc_to_group:
        yield NotApplicable("PFC is not on here on SONiC, or no map to groups is told")
        return
    paused = sent(port.pfc)
    for tc, group in enumerate(port.classification.tc_to_group):
        if is_value(group) and group in paused and tc not in paused:
            yield Fault(
                message=f"traffic class {tc} has no PFC on {{here}} and is counted in group "
                f"{group}: its bursts pause priority {group}, and it takes that headroom",
                field="pfc.priorities",
                or_fields=("pfc",),
                actual=group,
            )
