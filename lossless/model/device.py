"""Devices and their ports: who they are, and the states they are in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lossless.model.classes import Place, PortIntent
from lossless.model.profile import Profile
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.values import Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """Who a port is.  Devices with the same ports share these objects.

    `rdma` is the RDMA device behind a NIC's port, `bond` the aggregate it is a member of,
    `parent` the port it was broken out of.
    """

    name: str
    place: Place = Place()
    intent: PortIntent = PortIntent()
    platform: str | None = None
    profile: Profile | None = None
    rdma: str | None = None
    alias: str | None = None
    pci: str | None = None
    bond: str | None = None
    parent: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class DeviceState:
    """One state of a device: box-wide statements, and settings by port name.

    A port that is missing from `ports` was not told of.
    """

    system: System = System()
    ports: Mapping[str, Settings] = field(default_factory=dict)

    def port(self, name: str) -> Settings:
        """Return a port's own settings; nothing told where the state does not know it."""
        return self.ports.get(name, NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How a device is reached.  `None` where it is not to be contacted."""

    address: str
    port: int | None = None
    user: str | None = None
    jump: str | None = None
    vrf: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """A LAG or bond.  `rdma` names the RoCE-LAG device of a host's bond."""

    name: str
    members: tuple[str, ...]
    mode: str | None = None
    role: str | None = None
    rdma: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mlag:
    """Membership of a multi-chassis pair.  `peer_link` is `None` where there is declared none."""

    domain: str
    peer_link: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A switch or a host.

    `kind` is "switch" or "host"; `configured`, `operational` and `startup` are states of one type.
    A declared fabric fills `configured` alone.  `model_known` says whether anything is known of a
    switch's model; `None` where no model was told, or nobody looked.
    """

    name: str
    kind: str
    role: str | None = None
    fabric: str | None = None
    platform: str | None = None
    version: str | None = None
    model: str | None = None
    hwsku: str | None = None
    profile: Profile | None = None
    access: Access | None = None
    ports: tuple[Port, ...] = ()
    aggregates: tuple[Aggregate, ...] = ()
    mlag: Mlag | None = None
    rail: int | None = None
    plane: str | None = None
    configured: DeviceState = DeviceState()
    operational: DeviceState | None = None
    startup: DeviceState | None = None
    model_known: Switch = None
