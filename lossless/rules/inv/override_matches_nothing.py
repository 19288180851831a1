"""INV001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Answer, Fault, Scope, rule
from lossless.rules.views import FabricView


@rule(
    "INV001",
    name="override-matches-nothing",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("place",),
    sources=("The format of the inventory: policy.overrides",),
)
def check(fabric: FabricView) -> Iterator[Answer]:
    """An override of the policy is about no device and no port."""
    for remark in fabric.remarks:
        if remark.kind == "override-matches-nothing":
            yield Fault(message=f"this override has no effect: {remark.text}", field=remark.field)
