"""RATE007."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import carries, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.groups import gather, usual
from lossless.rules.views import FabricView
from lossless.rules.words import rate


@rule(
    "RATE007",
    name="rail-rate-uneven",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("link", "place"),
    sources=("NCCL issue 307 and nccl-tests issue 106 (the slowest member sets the pace)",),
)
def check(fabric: FabricView) -> Iterator[Answer]:
    """NICs of one rail have different speeds."""
    sized = [
        ((g.view.place.fabric, g.view.place.rail), (g, speed))
        for g in fabric.ports
        if is_nic(g.view)
        and carries(g.view)
        and g.view.place.rail is not None
        and (speed := value(g.view.link.speed)) is not None
    ]
    if not sized:
        yield NotApplicable("no NIC is declared on a rail with a speed")
        return
    for (_, rail), members in gather(sized).items():
        most = usual((speed, group.count) for group, speed in members)
        for group, speed in members:
            if most is not None and speed != most:
                yield Fault(
                    message=f"{{here}} is {rate(speed)}, and most NICs of rail {rail} are "
                    f"{rate(most)}",
                    field="speed",
                    expected=rate(most),
                    actual=rate(speed),
                    at=group.view,
                )
