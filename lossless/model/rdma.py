"""What a host stamps on its RDMA traffic and how it reacts to congestion."""

from __future__ import annotations

import enum

from lossless.model.facet import Table, facet, table_field
from lossless.model.values import Field


class RoceVersion(enum.Enum):
    """Encapsulation of RDMA-CM connections."""

    V1 = "v1"
    V2 = "v2"


@facet
class Marking:
    """What a NIC stamps, as the ToS byte or IPv6 traffic class (0–255), not as a DSCP.

    `global_tclass` overrides what verbs applications ask for; `cm_tos` is for RDMA-CM queue pairs
    without one of their own; `applications` are those known to ask by themselves.
    """

    global_tclass: Field[int] = None
    cm_tos: Field[int] = None
    cm_mode: Field[RoceVersion] = None
    applications: Table[str, Field[int]] = table_field()


@facet
class CongestionControl:
    """End-to-end congestion control.

    `notification_point` are the priorities on which this NIC answers CE with a CNP,
    `reaction_point` those on which it slows down (802.1Q's words, as DCQCN uses them);
    `cnp_interval` in nanoseconds; `parameters` keep the vendor's names and units and are compared
    inside one family only.
    """

    algorithm: Field[str] = None  # "dcqcn", "spectrum-x", "ztr-rttcc", "programmable", … or OFF
    notification_point: Field[frozenset[int]] = None
    reaction_point: Field[frozenset[int]] = None
    cnp_dscp: Field[int] = None
    cnp_priority: Field[int] = None
    cnp_interval: Field[int] = None
    parameters: Table[str, Field[int]] = table_field()


@facet
class Variable:
    """One environment variable of a collective library, with the file or layer that sets it."""

    value: Field[str] = None
    origin: Field[str] = None


@facet
class Environment:
    """What a host tells its collective libraries (NCCL, RCCL, HCCL, UCX, NVSHMEM)."""

    variables: Table[str, Variable] = table_field()
