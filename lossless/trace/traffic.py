"""Which DSCP a sender really stamps, and which class that is meant to be."""

from __future__ import annotations

from lossless.model.classes import TrafficClass
from lossless.model.device import Device, Port
from lossless.model.facet import row
from lossless.model.values import is_value
from lossless.trace.walk import Traffic

#: Variables that set the traffic class of a library's verbs queue pairs, in the order asked.
_VARIABLES = ("NCCL_IB_TC", "HCCL_RDMA_TC", "UCX_IB_TRAFFIC_CLASS")


class UnknownTrafficError(ValueError):
    """The question names no traffic: an unknown class, or a sender of which nothing is told."""


def by_dscp(port: Port, dscp: int, origin: str) -> Traffic:
    """Return traffic of a DSCP, and the class that marks or accepts it on the sending port."""
    for name, cls in port.intent.classes:
        if is_value(cls) and (dscp in cls.dscp or dscp in cls.accepts):
            return Traffic(dscp, origin, name, cls)
    return Traffic(dscp, origin)


def by_class(port: Port, name: str) -> Traffic:
    """Return traffic as the named class marks it; raises `UnknownTrafficError`."""
    cls = _class(port, name)
    if not cls.dscp and not cls.pcp:
        raise UnknownTrafficError(f"class {name!r} marks no DSCP and no PCP")
    dscp, pcp = min(cls.dscp, default=0), min(cls.pcp, default=None)
    return Traffic(dscp, f"class {name}", name, cls, pcp)


def as_sent(device: Device, port: Port, kind: str = "rdma") -> Traffic:
    """Return what the host really stamps on a kind of traffic; raises `UnknownTrafficError`.

    A device-wide traffic class overrides what a library asks for (mlx5 of NVIDIA's driver
    package); a library's own variable comes next; then what the class says.
    """
    name = row(port.intent.sends, kind)
    if name is None:
        raise UnknownTrafficError(
            f"nobody told which class {device.name}:{port.name} sends {kind} in; "
            "name one with --class, --dscp or --tc"
        )
    cls = _class(port, name)
    stamped, origin = _stamp(device, port)
    if stamped is not None:
        return Traffic(stamped >> 2, origin, name, cls)
    return by_class(port, name)


def _stamp(device: Device, port: Port) -> tuple[int | None, str]:
    settings = device.configured.port(port.name)
    if is_value(settings.marking.global_tclass):
        return settings.marking.global_tclass, "global_tclass"
    for name in _VARIABLES:
        variable = row(device.configured.system.environment.variables, name)
        told = variable.value if variable is not None else None
        if is_value(told) and told.isdigit():
            return int(told), name
    return None, ""


def _class(port: Port, name: str) -> TrafficClass:
    cls = row(port.intent.classes, name)
    if not is_value(cls):
        known = ", ".join(n for n, c in port.intent.classes if is_value(c))
        raise UnknownTrafficError(f"there is no class {name!r} on the sender; there are: {known}")
    return cls
