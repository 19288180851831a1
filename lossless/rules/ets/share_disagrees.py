"""ETS006."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.scheduling import Algorithm
from lossless.model.values import is_value
from lossless.rules.classes import carries, class_named, is_nic, lossless_classes
from lossless.rules.curves import portion, served
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView, PortView
from lossless.rules.words import share


@rule(
    "ETS006",
    name="share-disagrees",
    severity=Severity.WARNING,
    scope=Scope.LINK,
    needs=("classification", "ets", "intent", "place"),
    sources=(
        "IEEE 802.1Q-2022 clause 38 (DCBX exists so that both ends of a link share alike)",
        "Azure Local: RDMA has one share, on hosts and on top-of-rack switches",
    ),
    options={"apart": 100_000},
    units={"apart": "share"},
)
def check(link: LinkView, *, apart: int) -> Iterator[Answer]:
    """A NIC and its switch give a lossless class quite different shares of their link."""
    nic, switch = link.a, link.b
    if (
        switch is None
        or not is_nic(nic)
        or is_nic(switch)
        or not (carries(nic) and carries(switch))
    ):
        yield NotApplicable("not a lossless link between a NIC and a switch")
        return
    compared = False
    for name, _, _ in lossless_classes(nic):
        here, there = _share(nic, name), _share(switch, name)
        if here is None or there is None:
            continue
        compared = True
        if abs(here - there) > apart:
            yield Fault(
                message=f"class {name} gets {share(here)} of the link on {{here}} and "
                f"{share(there)} on {{there}}",
                field=f"classes.{name}.bandwidth",
                or_fields=(f"classes.{name}",),
                expected=share(there),
                actual=share(here),
                at=nic,
                peer=switch,
                peer_field=f"classes.{name}.bandwidth",
            )
    if not compared:
        yield NotApplicable("not every class tells its share at both ends")


def _share(port: PortView, name: str) -> int | None:
    """Return the share of one class; a strict one has none."""
    cls = class_named(port, name)
    queue = served(port, cls) if is_value(cls) else None
    if queue is None or queue.algorithm is Algorithm.STRICT:
        return None
    return portion(port, (name,))
