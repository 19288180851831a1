"""MTU005."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import TrafficClass
from lossless.model.facet import row
from lossless.model.values import is_value, value
from lossless.rules.classes import class_named, is_nic
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.frames import FIRST_PACKET, l3, payload
from lossless.rules.views import PathView, PortView


@rule(
    "MTU005",
    name="class-mtu-below-frame",
    severity=Severity.ERROR,
    scope=Scope.PATH,
    needs=("intent", "mtu", "place", "profile"),
    sources=(
        "linux include/rdma/ib_pack.h (sizes of the headers)",
        "Cisco Nexus 9000 NX-OS Quality of Service guide, network QoS (MTU of a class)",
    ),
)
def check(path: PathView) -> Iterator[Answer]:
    """A switch limits a class to smaller frames than its sender's RDMA packets."""
    sender = path.hops[0].egress if path.hops else None
    if path.kind == "cnp" or path.cls.lossless is not True or sender is None:
        yield NotApplicable("not the path of RDMA in a lossless class")
        return
    limits = list(_limits(path))
    if not limits:
        yield NotApplicable(f"no switch limits the frames of class {path.name}")
        return
    largest = l3(sender.mtu, sender.profile)
    size = None if largest is None else payload(largest)
    if size is None:
        yield Missing(("mtu.nic",), at=sender)
        return
    for here, native in limits:
        room = None if here.profile is None else here.profile.mtu.l3(native)
        needed = size + FIRST_PACKET
        if (native if room is None else room) < needed:
            yield Fault(
                message=f"class {path.name} is limited to {native} bytes on {{here}}, and "
                f"{{there}} sends packets of {needed} in it",
                field=f"classes.{path.name}.mtu",
                or_fields=(f"classes.{path.name}",),
                expected=needed,
                actual=native,
                at=here,
                peer=sender,
                peer_field="mtu.nic",
            )


def _limits(path: PathView) -> Iterator[tuple[PortView, int]]:
    for hop in path.hops:
        for here in (hop.ingress, hop.egress):
            if here is None or is_nic(here):
                continue
            cls = class_named(here, path.name)
            found = _limit(here, cls) if is_value(cls) else None
            if found is not None:
                yield here, found


def _limit(here: PortView, cls: TrafficClass) -> int | None:
    told = [value(row(here.mtu.per_class, p)) for p in cls.priorities]
    known = [number for number in told if number is not None]
    return min(known) if known else value(cls.mtu)
