"""INV006."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.groups import gather
from lossless.rules.views import FabricView, PortView


@rule(
    "INV006",
    name="lossless-class-unsent",
    severity=Severity.INFO,
    scope=Scope.FABRIC,
    needs=("intent", "place"),
    sources=("The format of the inventory: hosts' sends",),
)
def check(fabric: FabricView) -> Iterator[Answer]:
    """A lossless class takes buffer on the switches, and no host sends in it."""
    nics = [g.view for g in fabric.ports if is_nic(g.view) and carries(g.view)]
    by_fabric = gather((nic.place.fabric, nic) for nic in nics)
    if not by_fabric:
        yield NotApplicable("no host is declared")
        return
    for members in by_fabric.values():
        yield from _fabric(fabric, members)


def _fabric(fabric: FabricView, nics: list[PortView]) -> Iterator[Answer]:
    if any(not nic.intent.sends for nic in nics):
        yield Missing(("sends",))
        return
    sent = {name for nic in nics for _, name in nic.intent.sends}
    switches = (
        g.view
        for g in fabric.ports
        if not is_nic(g.view) and carries(g.view) and g.view.place.fabric == nics[0].place.fabric
    )
    unsent: dict[str, PortView] = {}
    for port in switches:
        for name, _, _ in lossless_classes(port):
            if name not in sent:
                unsent.setdefault(name, port)
    for name, port in unsent.items():
        yield Fault(
            message=f"class {name} is lossless, and no host says that it sends in it",
            field=f"classes.{name}",
            at=port,
        )
