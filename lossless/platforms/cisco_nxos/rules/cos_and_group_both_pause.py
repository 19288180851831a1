"""VND202."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classification import Trust
from lossless.model.values import value
from lossless.platforms.cisco_nxos.rules.boxes import is_nxos, paused_groups
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "VND202",
    name="nxos-cos-and-group-both-pause",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("classification", "pfc", "place", "profile"),
    sources=("Cisco Nexus 9000 NX-OS QoS configuration guide 10.5, priority flow control",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A lossless group is classified by a CoS of another number and by DSCP too: both pause."""
    maps = port.classification
    if not is_nxos(port.profile) or not carries(port) or maps.trust is not Trust.BOTH:
        yield NotApplicable("not a port of NX-OS that classifies by CoS and DSCP")
        return
    groups = paused_groups(port)
    if groups is None:
        yield Missing(("pfc.priorities",))
        return
    by_dscp = {value(group) for group in maps.dscp_to_priority}
    for cos, told in enumerate(maps.pcp_to_priority):
        group = value(told)
        if group is None or group == cos or group not in groups or group not in by_dscp:
            continue
        yield Fault(
            message=f"{{here}} puts CoS {cos} into the lossless group {group}, and packets by "
            f"their DSCP too: NX-OS treats those as priority {cos}, and pauses {cos} and {group}",
            field="trust",
            or_fields=("classes",),
            expected=group,
            actual=cos,
        )
