"""ECN010: switches of one tier mark one class at quite different depths."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lossless.findings import Severity
from lossless.model.scheduling import QueueEcn
from lossless.model.units import NO_CONTEXT, Quantity, in_bytes
from lossless.model.values import Field, is_value, value
from lossless.rules.classes import carries, is_nic
from lossless.rules.curves import curves
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.groups import gather, usual
from lossless.rules.sizes import above
from lossless.rules.views import FabricView, PortGroup, PortView

#: Less than this is rounding, or another way to count a kilobyte.
FACTOR = 2


@rule(
    "ECN010",
    name="ecn-curves-uneven",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("classification", "ecn", "intent", "link", "place", "profile"),
    sources=("alibaba-edu/High-Precision-Congestion-Control, run.py (thresholds follow the rate)",),
)
def check(fabric: FabricView) -> Iterator[Answer]:
    """Ports of one tier and one speed begin to mark a lossless class at quite different depths."""
    told = list(_told(fabric))
    if not told:
        yield NotApplicable("no switch port of a known speed marks a lossless class")
        return
    for (*_, name), members in gather(told).items():
        most = usual((size, group.count) for group, size in members)
        for group, size in members:
            if most is None or not _apart(size, most):
                continue
            yield Fault(
                message=f"class {name} is marked from {_said(size)} on at {{here}}, and from "
                f"{_said(most)} on at most ports of this tier and speed",
                field=f"classes.{name}.ecn.min",
                or_fields=(f"classes.{name}.ecn", f"classes.{name}"),
                expected=_said(most),
                actual=_said(size),
                at=group.view,
            )


def _said(size: int) -> str:
    return str(in_bytes(size))


def _apart(size: int, most: int) -> bool:
    small, large = sorted((size, most))
    return small == 0 or Fraction(large, small) > FACTOR


def _told(fabric: FabricView) -> Iterator[tuple[tuple[object, ...], tuple[PortGroup, int]]]:
    """Yield the least marked depth in bytes, by fabric, tier, speed and class."""
    for group in fabric.ports:
        port = group.view
        speed = value(port.link.speed)
        if is_nic(port) or not carries(port) or speed is None:
            continue
        place = port.place
        for name, cls, curve in curves(port):
            size = _bytes(port, curve.minimum)
            if cls.lossless is True and size is not None and _sound(port, curve):
                key = place.fabric, place.owner_role, place.role, speed, name
                yield key, (group, size)


def _sound(port: PortView, curve: QueueEcn) -> bool:
    """Say whether a curve is in force and not reversed, which is a fault of its own."""
    if curve.enabled is not True:
        return False
    low, high = curve.minimum, curve.maximum
    if not (is_value(low) and is_value(high)):
        return True
    return not above(low, high, port.profile)


def _bytes(port: PortView, told: Field[Quantity]) -> int | None:
    units = NO_CONTEXT if port.profile is None else port.profile.units
    return told.to_bytes(units) if is_value(told) else None
