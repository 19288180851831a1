"""NIC008."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value, value
from lossless.rules.classes import carries, class_named, is_nic, sent_class
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "NIC008",
    name="vf-marking-outside-class",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("adapter", "intent", "place"),
    sources=("Mellanox/network-operator issue 269 (a virtual function keeps traffic class 0)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """Virtual functions of a NIC stamp another DSCP than their class has."""
    name = sent_class(port, "rdma")
    cls = None if name is None else class_named(port, name)
    if not (is_nic(port) and carries(port)) or not value(port.adapter.vfs):
        yield NotApplicable("no virtual functions are declared on a NIC")
        return
    if not is_value(cls) or not cls.dscp:
        yield NotApplicable("RDMA has no class that is marked by DSCP here")
        return
    told = value(port.adapter.vf_traffic_class)
    if told is None:
        yield Missing(("vfs.traffic_class",))
    elif told >> 2 not in cls.dscp | cls.accepts:
        wanted = (min(cls.dscp) << 2) + 2
        yield Fault(
            message=f"virtual functions of {{here}} stamp {told}, which is DSCP {told >> 2}; class "
            f"{name} is DSCP {', '.join(map(str, sorted(cls.dscp)))}",
            field="vfs.traffic_class",
            or_fields=("vfs",),
            expected=wanted,
            actual=told,
            fix=wanted,
        )
