"""VND102."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Confidence, Severity
from lossless.platforms.arista_eos.rules.boxes import class_of, is_eos, rewrites
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import DeviceView


@rule(
    "VND102",
    name="eos-rewrite-map-for-classification",
    severity=Severity.WARNING,
    scope=Scope.DEVICE,
    needs=("profile", "system"),
    sources=("AMD ROCm GPU cluster networking guide, sample for an Arista 7388",),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """A map from traffic class to DSCP names a DSCP that EOS puts in another class."""
    found = list(rewrites(device))
    if not is_eos(device.profile) or not found:
        yield NotApplicable("no map from traffic class to DSCP on EOS")
        return
    for tc, dscp in found:
        lands = class_of(device, dscp)
        if lands is None:
            yield Missing(("classes",))
        elif lands != tc:
            yield Fault(
                message=f"{{here}} maps traffic class {tc} to DSCP {dscp}, and puts DSCP {dscp} in "
                f"traffic class {lands}. If packets with DSCP {dscp} were to be in class {tc}, the "
                f"line is `qos map dscp {dscp} to traffic-class {tc}`",
                field="rewrite.dscp",
                expected=tc,
                actual=lands,
                confidence=Confidence.LIKELY,
            )
