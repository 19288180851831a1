"""The traffic-class bytes that a host stamps, each with the kind of traffic it is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lossless.model.values import is_value
from lossless.rules.classes import class_named, sent_class
from lossless.rules.views import PortView

#: Variables of collective and communication libraries that hold a traffic-class byte.
VARIABLES: Final = (
    "NCCL_IB_TC",
    "NCCL_GIN_IB_TC",
    "UCX_IB_TRAFFIC_CLASS",
    "NVSHMEM_IB_TRAFFIC_CLASS",
    "HCCL_RDMA_TC",
)


@dataclass(frozen=True, slots=True)
class Stamp:
    """One statement: where it is written, what it says, and the class it is meant to reach.

    `byte` is `None` where the text is not a whole number.
    """

    field: str
    text: str
    byte: int | None
    class_name: str | None

    @property
    def dscp(self) -> int | None:
        """The DSCP in the byte (RFC 2474: its upper six bits)."""
        return None if self.byte is None or not 0 <= self.byte <= 255 else self.byte >> 2


def fits(port: PortView, stamp: Stamp) -> bool | None:
    """Say whether a stamp is a DSCP of the class it is meant for; `None`: it has none to be."""
    cls = class_named(port, stamp.class_name) if stamp.class_name else None
    if not is_value(cls) or not cls.dscp:
        return None
    return stamp.dscp in cls.dscp | cls.accepts


def stamps(port: PortView) -> Iterator[Stamp]:
    """Yield what is stamped on a NIC's RDMA traffic.  Needs `intent`, `marking` and `system`."""
    marking = port.marking
    told = [("marking.global_tclass", "rdma", marking.global_tclass)]
    told.append(("marking.cm_tos", "rdma_cm", marking.cm_tos))
    told += [(f"marking.applications.{name}", name, tc) for name, tc in marking.applications]
    for field, kind, byte in told:
        if is_value(byte):
            yield Stamp(field, str(byte), byte, sent_class(port, kind))
    variables = dict(port.system.environment.variables)
    for name in VARIABLES:
        variable = variables.get(name)
        if variable is not None and is_value(variable.value):
            text = variable.value.strip()
            byte = int(text) if text.isdecimal() else None
            yield Stamp(f"collectives.{name}", text, byte, sent_class(port, "rdma"))
