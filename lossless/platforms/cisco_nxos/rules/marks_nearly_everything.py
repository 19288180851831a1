"""VND204."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Confidence, Severity
from lossless.model.facet import row
from lossless.model.units import Quantity, UnitContext
from lossless.model.values import value
from lossless.platforms.cisco_nxos.rules.boxes import is_nxos
from lossless.rules.chain import queues
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView

#: Whatever a kbyte of NX-OS is, it is not more than this: the smaller a threshold reads, the
#: sooner this rule would speak.
_LARGEST = UnitContext(kbyte=1024, mbyte=1024 * 1024)


@rule(
    "VND204",
    name="nxos-marks-nearly-everything",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "place", "profile"),
    sources=(
        "session of a Nexus 9332D-GX2B (highopes/pd-disaggregation-demo): 10 and 30 kbytes",
        "Cisco, Data Center Networking Blueprint for AI/ML Applications: 150 and 3000 kbytes",
    ),
    options={"below": 100_000},
    units={"below": "size"},
)
def check(port: PortView, *, below: int) -> Iterator[Answer]:
    """A lossless queue is fully marked at a few dozen kilobytes: thresholds of a laboratory."""
    found = lossless_classes(port)
    if not is_nxos(port.profile) or not carries(port) or not found:
        yield NotApplicable("no lossless class crosses this port of NX-OS")
        return
    for name, cls, _ in found:
        for queue in sorted(queues(port, cls)):
            curve = row(port.ecn.queues, queue)
            if curve is None or curve.enabled is not True:
                continue
            most = value(curve.maximum)
            size = None if most is None else most.to_bytes(_LARGEST)
            if most is not None and size is not None and size < below:
                yield _fault(name, most)


def _fault(name: str, most: Quantity) -> Fault:
    return Fault(
        message=f"class {name} is marked as much as it will be from {most} on at {{here}}: at the "
        "speeds of this fabric that is nearly every packet",
        field=f"classes.{name}.ecn.max",
        or_fields=(f"classes.{name}.ecn", f"classes.{name}"),
        actual=str(most),
        confidence=Confidence.LIKELY,
    )
