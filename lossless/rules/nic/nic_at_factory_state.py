"""NIC001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classification import Trust
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import paused
from lossless.rules.views import PortView


@rule(
    "NIC001",
    name="nic-at-factory-state",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("classification", "intent", "pfc", "place"),
    sources=(
        "linux mlx5 en_dcbnl.c (settings are lost with the driver)",
        "highopes/pd-disaggregation-demo, phase 0 (a ready switch before untouched NICs)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A NIC trusts PCP and pauses nothing, as it left the factory or came back from a reboot."""
    marked = any(cls.dscp and not cls.pcp for _, cls, _ in lossless_classes(port))
    if not (is_nic(port) and carries(port) and marked):
        yield NotApplicable("not a NIC that sends a lossless class marked by DSCP")
        return
    stopped, trust = paused(port.pfc), port.classification.trust
    if stopped is None or trust is None:
        yield Missing(("pfc.priorities",) if stopped is None else ("trust",))
    elif trust is Trust.PCP and not stopped:
        yield Fault(
            message="{here} trusts PCP and pauses nothing: it is as it left the factory, or as a "
            "restart of its driver leaves it",
            field="trust",
            or_fields=("pfc.mode", "pfc"),
            expected="dscp",
            actual="pcp",
        )
