"""VND101."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Confidence, Severity
from lossless.model.values import OFF
from lossless.platforms.arista_eos.rules.boxes import is_eos, rewrites, settled
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import DeviceView


@rule(
    "VND101",
    name="eos-rewrite-map-inert",
    severity=Severity.WARNING,
    scope=Scope.DEVICE,
    needs=("profile", "system"),
    sources=(
        "pyavd 6.4 schema, qos.rewrite_dscp and qos.map.traffic_class",
        "third-party guides to QoS on EOS (the map acts only with `qos rewrite dscp`)",
    ),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """A map from traffic class to DSCP stands there, and rewriting is not turned on."""
    found = list(rewrites(device))
    if not is_eos(device.profile) or not found:
        yield NotApplicable("no map from traffic class to DSCP on EOS")
        return
    told = device.system.settings.classification.rewrite_dscp_enabled
    default = (
        device.profile.defaults.classification.rewrite_dscp_enabled if device.profile else None
    )
    enabled = settled(told, default)
    if enabled is None:
        yield Missing(("rewrite.dscp",))
    elif enabled is OFF:
        lines = ", ".join(f"{tc} to {dscp}" for tc, dscp in found)
        yield Fault(
            message=f"{{here}} maps traffic class {lines} as DSCP on egress and never does so: "
            "`qos rewrite dscp` is missing. A map that classifies is `qos map dscp … to "
            "traffic-class …`",
            field="rewrite.dscp",
            expected="on",
            actual="off",
            confidence=Confidence.LIKELY,
        )
