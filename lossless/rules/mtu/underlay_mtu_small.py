"""MTU008."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lossless.findings import Severity
from lossless.rules.chain import tagged
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.frames import VLAN_TAG, VXLAN, l3
from lossless.rules.views import PathView, PortView


@rule(
    "MTU008",
    name="underlay-mtu-small",
    severity=Severity.WARNING,
    scope=Scope.PATH,
    needs=("classification", "mtu", "place", "profile", "vlans"),
    sources=("RFC 7348 (a tunnel adds its headers, and its switches must not fragment)",),
)
def check(path: PathView) -> Iterator[Answer]:
    """A link inside a tunnel has no room for the headers that the tunnel adds to packets."""
    nic, between = path.hops[0].egress, list(_between(path))
    if path.kind != "rdma" or nic is None or not between:
        yield NotApplicable("not the path of RDMA through a tunnel between two switches")
        return
    sent = l3(nic.mtu, nic.profile)
    if sent is None:
        yield Missing(("mtu.nic",), at=nic)
        return
    needed = sent + VXLAN + (VLAN_TAG if tagged(nic.vlans) else 0)
    for port in between:
        found = l3(port.mtu, port.profile)
        if found is None:
            yield Missing(("mtu.switch",), at=port)
        elif found < needed:
            yield Fault(
                message=f"{{here}} carries {found} layer-3 bytes, and packets of {sent} from "
                f"{{there}} are {needed} inside the tunnel",
                field="mtu.switch",
                or_fields=("mtu",),
                expected=f"at least {needed}",
                actual=found,
                at=port,
                peer=nic,
                peer_field="mtu.nic",
            )


def _between(path: PathView) -> Iterator[PortView]:
    """Yield the ports between the switches at which a tunnel begins and ends."""
    switches = path.hops[1:-1]
    if len(switches) < 2 or not all(_tunnels(hop.ingress) for hop in (switches[0], switches[-1])):
        return
    for hop, following in pairwise(switches):
        for port in (hop.egress, following.ingress):
            if port is not None:
                yield port


def _tunnels(port: PortView | None) -> bool:
    """Say whether a switch builds tunnels: what it does with their headers is told."""
    maps = None if port is None else port.classification
    return maps is not None and (maps.tunnel_dscp is not None or maps.tunnel_ecn is not None)
