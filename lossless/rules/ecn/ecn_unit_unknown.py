"""ECN004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.profile import Profile
from lossless.model.units import Quantity, Unit
from lossless.model.values import is_value
from lossless.rules.classes import carries
from lossless.rules.curves import curves
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView

#: Units whose size in bytes no platform needs to tell.
_ABSOLUTE = frozenset({Unit.BYTES, Unit.KBYTES, Unit.MBYTES})


@rule(
    "ECN004",
    name="ecn-unit-unknown",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "place", "profile"),
    sources=("The platforms' manuals, as its `ecn.units` fact cites them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A marking threshold stands in a unit that the platform cannot take."""
    found = [(n, c) for n, _, c in curves(port) if c.enabled is True]
    if not carries(port) or not found:
        yield NotApplicable("no class on this port is marked")
        return
    profile = port.profile
    if profile is None or not profile.ecn.units:
        yield Missing(("platform",))
        return
    for name, curve in found:
        for key, told in (("min", curve.minimum), ("max", curve.maximum)):
            if is_value(told) and not _taken(profile, told):
                units = sorted(unit.value for unit in profile.ecn.units)
                yield Fault(
                    message=f"class {name} on {{here}} states {key} as {told}; "
                    f"{profile.platform} takes {', '.join(units)}",
                    field=f"classes.{name}.ecn.{key}",
                    or_fields=(f"classes.{name}.ecn",),
                    expected=units,
                    actual=told.unit.value,
                    **weight(profile, "ecn.units"),
                )


def _taken(profile: Profile, told: Quantity) -> bool:
    """Say whether the platform takes the unit, or one into which it can be turned."""
    if told.unit in profile.ecn.units:
        return True
    if told.unit in _ABSOLUTE and profile.ecn.units & _ABSOLUTE:
        return True
    return told.to_bytes(profile.units) is not None and Unit.BYTES in profile.ecn.units
