"""MAP011."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classification import DSCPS
from lossless.rules.chain import BY_DSCP, arrives_at
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, Status, rule
from lossless.rules.views import PortView


@rule(
    "MAP011",
    name="stray-dscp-in-lossless",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("classification", "intent", "place"),
    sources=("RFC 2474 §4.2.2 (class selectors: most default maps take eight DSCPs together)",),
    status=Status.PREVIEW,
)
def check(port: PortView) -> Iterator[Answer]:
    """DSCPs that no class claims land in the priority of a lossless class."""
    if not carries(port) or is_nic(port) or port.classification.trust not in BY_DSCP:
        yield NotApplicable("not a switch port that classifies lossless traffic by DSCP")
        return
    for name, cls, priority in lossless_classes(port):
        claimed = cls.dscp | cls.accepts
        found = (d for d in range(DSCPS) if arrives_at(port.classification, d) == priority)
        stray = [d for d in found if d not in claimed]
        if cls.dscp and stray:
            yield Fault(
                message=f"on {{here}} DSCP {', '.join(map(str, stray))} also land in priority "
                f"{priority} of lossless class {name}; `also` says that this is meant",
                field=f"classes.{name}.also",
                or_fields=(f"classes.{name}.dscp", f"classes.{name}"),
                expected=sorted(claimed),
                actual=sorted(claimed | set(stray)),
            )
