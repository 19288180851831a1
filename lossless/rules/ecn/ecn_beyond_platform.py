"""ECN005."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lossless.findings import Severity
from lossless.model.profile import Range
from lossless.model.scheduling import QueueEcn
from lossless.model.values import value
from lossless.rules.classes import carries
from lossless.rules.curves import curves
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView

_PPM_PER_CENT = 10_000


@rule(
    "ECN005",
    name="ecn-beyond-platform",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "place", "profile"),
    sources=("The platforms' manuals, as their `ecn.*` facts cite them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A marking probability or weight is outside what the platform takes."""
    found = [(n, cls, c) for n, cls, c in curves(port) if c.enabled is True]
    if not carries(port) or port.profile is None or not found:
        yield NotApplicable("no class is marked here, or nothing is known about the platform")
        return
    for name, cls, curve in found:
        yield from _curve(port, name, curve, lossless=cls.lossless is True)


def _curve(port: PortView, name: str, curve: QueueEcn, *, lossless: bool) -> Iterator[Answer]:
    profile = port.profile
    if profile is None:
        return
    parts, weighs = value(curve.probability), value(curve.weight)
    law = profile.ecn
    if parts is not None and not (lossless and parts == 0):  # which is ECN002's
        percent = Fraction(parts, _PPM_PER_CENT)
        if not _holds(law.probability, percent):
            shown = f"{float(percent):g}%"
            yield _fault(port, name, "probability", shown, law.probability, "%")
    if weighs is not None and not law.weight.holds(weighs):
        yield _fault(port, name, "weight", str(weighs), law.weight, "")


def _holds(allowed: Range, percent: Fraction) -> bool:
    below = allowed.low is not None and percent < allowed.low
    return not below and (allowed.high is None or percent <= allowed.high)


def _fault(port: PortView, name: str, key: str, shown: str, allowed: Range, unit: str) -> Fault:
    bounds = f"{allowed.low}{unit} to {allowed.high}{unit}"
    platform = "" if port.profile is None else port.profile.platform
    return Fault(
        message=f"class {name} on {{here}} has an ECN {key} of {shown}; {platform} takes {bounds}",
        field=f"classes.{name}.ecn.{key}",
        or_fields=(f"classes.{name}.ecn",),
        expected=bounds,
        actual=shown,
        **weight(port.profile, f"ecn.{key}"),
    )
