"""What only hosts state: marking, congestion control, adapters, collectives' environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossless.intent.layers import is_off
from lossless.intent.lowering.classes import Declared
from lossless.intent.lowering.values import field, section, told, word
from lossless.inventory.kinds import Pcie
from lossless.model.facet import Table, row, table
from lossless.model.link import Adapter
from lossless.model.rdma import CongestionControl, Environment, Marking, RoceVersion, Variable


def lower_marking(data: Mapping[str, Any]) -> Marking:
    """Return what a NIC stamps."""
    written = section(data, "marking")
    applications = {n: field(v) for n, v in section(written, "applications").items()}
    return Marking(
        global_tclass=field(written.get("global_tclass")),
        cm_tos=field(written.get("cm_tos")),
        cm_mode=word(RoceVersion, written.get("cm_mode")),
        applications=table(applications),
    )


def lower_congestion(data: Mapping[str, Any], declared: list[Declared]) -> CongestionControl:
    """Return a NIC's congestion control.

    DCQCN means that a NIC answers marked packets and slows down when it is answered, both on the
    priorities that carry RDMA (NVIDIA, DCQCN CC parameters: roce_np and roce_rp).
    """
    algorithm = field(data.get("congestion_control"))
    points = _rdma_priorities(data, declared) if algorithm == "dcqcn" else None
    return CongestionControl(
        algorithm=algorithm,
        notification_point=points,
        reaction_point=points,
        cnp_dscp=field(section(data, "marking").get("cnp_dscp")),
    )


def _rdma_priorities(data: Mapping[str, Any], declared: list[Declared]) -> frozenset[int] | None:
    """Return the priorities of lossless classes and of the class RDMA is sent in."""
    sent = row(lower_sends(data, declared), "rdma")
    found: frozenset[int] = frozenset()
    for one in declared:
        if one.traffic.lossless is True or one.name == sent:
            found |= one.traffic.priorities
    return found or None


def lower_adapter(data: Mapping[str, Any], model: str | None) -> Adapter:
    """Return what a NIC is."""
    slot = told(data.get("pcie"))
    functions = section(data, "vfs")
    return Adapter(
        model=model,
        pcie_generation=slot.generation if isinstance(slot, Pcie) else None,
        pcie_width=slot.width if isinstance(slot, Pcie) else None,
        mode=field(data.get("nic_mode")),
        vfs=field(functions.get("count")),
        vf_traffic_class=field(functions.get("traffic_class")),
    )


def lower_environment(data: Mapping[str, Any]) -> Environment:
    """Return the variables of a host's collective libraries."""
    return Environment(
        variables=table(
            {
                name: Variable(value=None if told(held) is None else str(held))
                for name, held in section(data, "collectives").items()
                if not is_off(held)
            }
        )
    )


def lower_sends(data: Mapping[str, Any], declared: list[Declared]) -> Table[str, str]:
    """Return which class each kind of a host's traffic uses.

    RDMA defaults to the only lossless class; where there are several, nobody knows.
    """
    sends = {k: v for k, v in section(data, "sends").items() if isinstance(v, str)}
    lossless = [one.name for one in declared if one.traffic.lossless is True]
    if "rdma" not in section(data, "sends") and len(lossless) == 1:
        sends["rdma"] = lossless[0]
    return table(sends)
