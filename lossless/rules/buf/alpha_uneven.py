"""BUF004: switches of one tier share their buffer by different rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.rules.classes import carries, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.groups import gather, usual
from lossless.rules.rooms import rooms
from lossless.rules.views import FabricView, PortGroup


@rule(
    "BUF004",
    name="alpha-uneven",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("buffers", "classification", "intent", "place"),
    sources=("C. Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016 (a new model)",),
)
def check(fabric: FabricView) -> Iterator[Answer]:
    """A switch lets a lossless class take another part of the free buffer than its tier does."""
    told = list(_told(fabric))
    if not told:
        yield NotApplicable("no switch states the alpha of a lossless class")
        return
    for (*_, name), members in gather(told).items():
        most = usual((ratio, group.count) for group, ratio in members)
        for group, ratio in members:
            if most is not None and ratio != most:
                yield Fault(
                    message=f"class {name} may take {ratio} of the free buffer on {{here}}, and "
                    f"{most} on most switches of its tier: pauses begin elsewhere",
                    field=f"buffers.classes.{name}.alpha",
                    or_fields=(f"buffers.classes.{name}", "buffers"),
                    expected=str(most),
                    actual=str(ratio),
                    at=group.view,
                )


def _told(
    fabric: FabricView,
) -> Iterator[tuple[tuple[object, ...], tuple[PortGroup, Fraction]]]:
    """Yield what is told by fabric, tier, what the port is for, and class."""
    for group in fabric.ports:
        port = group.view
        if is_nic(port) or not carries(port):
            continue
        place = port.place
        for name, cls, room in rooms(port):
            # An index is the vendor's own; only ratios compare across models.
            if cls.lossless is True and is_value(room.alpha) and room.alpha.ratio is not None:
                key = place.fabric, place.owner_role, place.role, name
                yield key, (group, room.alpha.ratio)
