"""The traffic classes that a fabric declares, as one port sees them.

A class keeps its name down to the port, because every end-to-end question is asked per class and
per sender.
"""

from __future__ import annotations

import enum

from lossless.model.facet import Table, atom
from lossless.model.values import Field, Switch


@atom
class TrafficClass:
    """One declared class.

    `dscp` and `pcp` are what senders mark; `accepts` are further DSCPs that are classified the
    same and never marked.  `priorities` holds one number where the class is lossless.  `mtu` is
    the largest frame of the class in native bytes.
    """

    dscp: frozenset[int] = frozenset()
    pcp: frozenset[int] = frozenset()
    accepts: frozenset[int] = frozenset()
    priorities: frozenset[int] = frozenset()
    traffic_class: Field[int] = None
    queue: Field[int] = None
    lossless: Switch = None
    mtu: Field[int] = None


@atom
class PortIntent:
    """What a port is meant to do, whatever its settings say; the same for every state of it.

    `classes` are those in force on the port, by name; an `OFF` row is a class declared absent.
    `sends` tells which class each kind of a host's traffic uses ("rdma", "rdma_cm", "cnp", or an
    application's name).  `minimum_l3_mtu` is the floor in usable layer-3 bytes.
    """

    classes: Table[str, Field[TrafficClass]] = ()
    sends: Table[str, str] = ()
    minimum_l3_mtu: Field[int] = None
    congestion_control: Field[str] = None


class PortRole(enum.Enum):
    """What a port is for."""

    HOST = "host"
    FABRIC = "fabric"
    PEER = "peer"
    MANAGEMENT = "management"
    OTHER = "other"
    UNUSED = "unused"


@atom
class Place:
    """Where a port stands in the fabric; never compared as a setting.

    `lossless` says whether RoCE is meant to cross this port: `True`, `OFF` or not told.
    `owner_role` is the device's role ("leaf", "spine", "super-spine", "host").
    """

    role: PortRole | None = None
    role_written: bool = False
    owner_role: str | None = None
    fabric: str | None = None
    tier: int | None = None
    rail: int | None = None
    plane: str | None = None
    lossless: Switch = None
