"""MTU006."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.frames import below_floor, l3
from lossless.rules.groups import gather, usual
from lossless.rules.views import FabricView


@rule(
    "MTU006",
    name="nic-mtu-uneven",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("intent", "mtu", "place", "profile"),
    sources=(
        "NCCL pull request 2135 (one host with 1024, another with 4096: local length errors)",
        "SPDK issue 1651",
    ),
)
def check(fabric: FabricView) -> Iterator[Answer]:
    """NICs of one fabric have different MTUs."""
    nics = [g for g in fabric.ports if is_nic(g.view) and carries(g.view)]
    sized = [
        (g.view.place.fabric, (g, size))
        for g in nics
        if lossless_classes(g.view) and (size := l3(g.view.mtu, g.view.profile)) is not None
    ]
    if not sized:
        yield NotApplicable("no NIC with a known MTU carries a lossless class")
        return
    for members in gather(sized).values():
        most = usual((size, group.count) for group, size in members)
        for group, size in members:
            if most is not None and size != most and not below_floor(group.view):
                yield Fault(
                    message=f"{{here}} has an MTU of {size}, and most NICs of the fabric "
                    f"have {most}",
                    field="mtu.nic",
                    or_fields=("mtu",),
                    expected=most,
                    actual=size,
                    at=group.view,
                    fix=most,
                )
