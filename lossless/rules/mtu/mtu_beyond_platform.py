"""MTU004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import in_use, is_nic
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView


@rule(
    "MTU004",
    name="mtu-beyond-platform",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("mtu", "place", "profile"),
    sources=("The platforms' manuals, as its `limits.native_mtu` fact cites them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A port is to have an MTU that its platform refuses."""
    native, l3 = value(port.mtu.native), value(port.mtu.l3)
    if not in_use(port) or (native is None and l3 is None):
        yield NotApplicable("no MTU is declared for this port")
        return
    profile = port.profile
    if native is None and profile is not None and l3 is not None:
        native = profile.mtu.native(l3)
    if profile is None or native is None:
        yield Missing(("platform",))
    elif not profile.limits.native_mtu.holds(native):
        allowed = profile.limits.native_mtu
        yield Fault(
            message=f"{{here}} is to have an MTU of {native} as its platform counts; "
            f"{profile.platform} takes {allowed.low or 'up'} to {allowed.high}",
            field="mtu.nic" if is_nic(port) else "mtu.switch",
            or_fields=("mtu",),
            expected=allowed.high,
            actual=native,
            **weight(profile, "limits.native_mtu"),
        )
