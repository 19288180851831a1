"""Facets of the wire: speed and pause, MTU, VLANs, cable and adapter."""

from __future__ import annotations

import enum

from lossless.model.facet import Table, facet, table_field
from lossless.model.values import Field, NumberMap, Switch


class Fec(enum.Enum):
    """Forward error correction (IEEE 802.3 clauses 74, 91, 119, 161)."""

    NONE = "none"
    FIRECODE = "fc"
    RS528 = "rs528"
    RS544 = "rs544"
    RS272 = "rs272"
    AUTO = "auto"


class Medium(enum.Enum):
    """What a link is made of."""

    DAC = "dac"
    AOC = "aoc"
    OPTIC = "optic"
    COPPER = "copper"


class VlanMode(enum.Enum):
    """How a port treats VLAN tags."""

    ROUTED = "routed"
    ACCESS = "access"
    TRUNK = "trunk"


@facet
class LinkSettings:
    """Speed, lanes, FEC, and 802.3x pause.

    `speed` in bit/s; `lanes` counts SerDes lanes.  `pause_send` and `pause_honour` are the
    link-wide PAUSE of IEEE 802.3 annex 31B, which excludes PFC.
    """

    speed: Field[int] = None
    lanes: Field[int] = None
    fec: Field[Fec] = None
    autoneg: Switch = None
    link_training: Switch = None
    admin_up: Switch = None
    pause_send: Switch = None
    pause_honour: Switch = None


@facet
class Mtu:
    """Sizes in bytes.

    `l3` is what an IP packet may use; `native` is the number as this platform counts it; `l2` a
    separate limit that some platforms keep; `per_class` the native limit by priority (NX-OS
    network-qos).
    """

    l3: Field[int] = None
    native: Field[int] = None
    l2: Field[int] = None
    per_class: Table[int, Field[int]] = table_field()


@facet
class VlanSettings:
    """VLAN mode and membership.  `rdma` are the VLANs that carry RoCE.

    `pcp_maps` (NIC: egress map of a tagged sub-interface) and `mtu` are keyed by VLAN id.
    """

    mode: Field[VlanMode] = None
    access: Field[int] = None
    native: Field[int] = None
    tagged: Field[frozenset[int]] = None
    rdma: Field[frozenset[int]] = None
    pcp_maps: Table[int, NumberMap] = table_field()
    mtu: Table[int, Field[int]] = table_field()


@facet
class Adapter:
    """What a NIC is, beside its settings.

    `pcie_generation` and `pcie_width` are the slot's; `mode` is the device's (for example a DPU
    that forwards by itself); `vf_traffic_class` is the ToS byte stamped for virtual functions.
    """

    model: Field[str] = None
    pcie_generation: Field[int] = None
    pcie_width: Field[int] = None
    mode: Field[str] = None
    vfs: Field[int] = None
    vf_traffic_class: Field[int] = None
    boot_unit: Switch = None


@facet
class Cable:
    """The cable of one link.  Lengths in millimetres, `rated` in bit/s.

    `length` is what lies in the tray; `configured_length` is what the devices are told.
    """

    length: Field[int] = None
    configured_length: Field[int] = None
    medium: Field[Medium] = None
    rated: Field[int] = None
