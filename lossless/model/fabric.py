"""The fabric: devices, the links between their ports, and what is meant for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lossless.model.classes import TrafficClass
from lossless.model.device import Device, Port
from lossless.model.facet import Table
from lossless.model.link import Cable
from lossless.model.values import Field, Switch


@dataclass(frozen=True, slots=True)
class Link:
    """A cable between two ports.

    A peer outside the fabric is a `Device` of kind "external"; its `Port` may be named "?".
    `number` is the link's place in the expanded list, by which its origin is found.
    """

    a_device: Device
    a: Port
    b_device: Device
    b: Port
    cable: Cable
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricIntent:
    """What one (sub-)fabric is meant to do, before any device says otherwise.

    `lossless` is `OFF` for a fabric declared to carry no lossless class.
    """

    name: str
    lossless: Switch = None
    extends: str | None = None
    classes: Table[str, Field[TrafficClass]] = ()
    congestion_control: Field[str] = None
    minimum_l3_mtu: Field[int] = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something odd about the declaration itself that is not an error of input.

    `kind` is a slug that a rule looks for ("override-matches-nothing"); `field` is the absolute
    dotted path in the inventory at which it is written.
    """

    kind: str
    text: str
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fabric:
    """Everything declared, or everything seen."""

    name: str
    devices: Mapping[str, Device] = field(default_factory=dict)
    externals: Mapping[str, Device] = field(default_factory=dict)
    links: Sequence[Link] = ()
    intents: Mapping[str, FabricIntent] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    declared: bool = True  # False: read from devices
