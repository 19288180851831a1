"""The inventory as data: one strict TypedDict per mapping of the YAML.

The shape is that of the file; scalars are typed (rates are bit/s, times ns, lengths mm, shares
ppm).  `None` is what YAML's `null` says: the inherited key is removed.  Short forms are written
out: `pfc: on` is `{"mode": PfcMode.ON}`, `watchdog: on` `{"enabled": True}`, `ecn: off`
`{"enabled": OFF}`, `pause: off` both directions `OFF`.  Node sets stay text: `lossless.intent`
expands them.  The text in each `Annotated` is what the JSON Schema says of a key.
"""

from __future__ import annotations

from typing import Annotated, Any, Required, TypeAlias, TypedDict

from lossless.inventory import kinds as k
from lossless.inventory import strings as s
from lossless.inventory.kinds import UNKNOWN, Before, Breakout, Off, Pcie, Told, Unknown
from lossless.inventory.scalars import ScalarError
from lossless.inventory.settings import NONE, LintDecl, MaintenanceDecl, Settings

__all__ = ["UNKNOWN", "Breakout", "Inventory", "Off", "Pcie", "PolicyDecl", "Told", "Unknown"]


class VlanDecl(TypedDict, total=False):
    """One tagged sub-interface of a NIC."""

    pcp_map: Annotated[dict[s.PriorityKey, k.Pcp | None] | None, "PCP by priority: {4: 4}."]
    mtu: Annotated[k.Bytes | None, "Usable layer-3 bytes."]


class VlansDecl(TypedDict, total=False):
    """VLANs of a port.  In the file, sub-interfaces stand directly by their id (`711: {…}`)."""

    access: Annotated[k.VlanId | None, "Untagged VLAN of an access port."]
    native: Annotated[k.VlanId | None, "Untagged VLAN of a trunk."]
    tagged: Annotated[k.Vlans | None, "Tagged VLANs of a trunk."]
    rdma: Annotated[k.Vlans | None, "VLANs that carry RoCE."]
    ids: Annotated[dict[s.VlanKey, VlanDecl | None], "Sub-interfaces, by id (not a key in YAML)."]


def split_vlans(value: dict[str, Any]) -> dict[str, Any]:
    """Gather the sub-interfaces, whose keys are VLAN ids, under one key."""
    ids = {key: held for key, held in value.items() if key.isdecimal()}
    if "ids" in value:
        raise ScalarError("unknown key 'ids'", "write sub-interfaces by id: {711: {mtu: 9000}}")
    named = {key: held for key, held in value.items() if key not in ids}
    return {**named, "ids": ids} if ids else value


class PortSettings(Settings, total=False):
    """Settings that belong to ports, stated there or for many of them further up."""

    speed: Annotated[k.Rate | None, "Speed (400G)."]
    lanes: Annotated[k.Lanes | None, "SerDes lanes."]
    fec: Annotated[k.FecValue | None, "Forward error correction."]
    autoneg: Annotated[k.Yes | None, "Auto-negotiation."]
    link_training: Annotated[k.Yes | None, "Link training."]
    vlan_mode: Annotated[k.VlanModeValue | None, "Routed, access or trunk."]
    vlans: Annotated[
        Annotated[VlansDecl, Before(split_vlans)] | None,
        "VLAN membership; on a NIC also sub-interfaces by id.",
    ]
    lossless: Annotated[k.LosslessValue | None, "Whether RoCE is meant to cross the port."]
    dcb_owner: Annotated[k.Owner | None, "Who decides the DCB settings."]


class Placed(PortSettings, total=False):
    """Where something stands in the fabric."""

    fabric: Annotated[s.Slug | None, "Fabric it belongs to, where there are several."]
    rail: Annotated[s.RailNumbers | None, "Rail, one or one per member of the set."]
    plane: Annotated[s.Planes | None, "Plane, one or one per member of the set."]
    description: Annotated[s.Description | None, "For people."]
    maintenance: Annotated[MaintenanceDecl | None, "Findings accepted up to a day."]


class MatchDecl(TypedDict, total=False):
    """What an override applies to; everything given must hold."""

    platform: Annotated[s.Selector, "Platform, one or several."]
    model: Annotated[s.Selector, "Model, one or several."]
    role: Annotated[s.Selector, "Role of the device or port."]
    rail: Annotated[s.RailSelector, "Rails: 1, 1-4, [1, 3]."]
    fabric: Annotated[s.Selector, "Fabric."]
    device: Annotated[s.DeviceSelector, "Devices: leaf[01-04]."]


class OverrideDecl(PortSettings, total=False):
    """Settings for whatever matches."""

    match: Annotated[Required[MatchDecl], "What it applies to."]


class PolicyDecl(Settings, total=False):
    """What is meant for a whole fabric.  `description` and `sources` stand in named policies."""

    overrides: Annotated[list[OverrideDecl] | None, "In order; the last match wins."]
    description: Annotated[s.Description | None, "For people."]
    sources: Annotated[
        dict[s.SourceKey, s.Description], "Where values come from, by dotted path (named policies)."
    ]


class FabricDecl(TypedDict, total=False):
    """One of several fabrics."""

    extends: Annotated[s.Slug | None, "Named policy it starts from."]
    policy: Annotated[PolicyDecl | None, "What is meant for this fabric."]
    lossless: Annotated[k.LosslessValue | None, "`none`: no lossless class here, by intention."]
    description: Annotated[s.Description | None, "For people."]
    lint: Annotated[LintDecl | None, "Accepted findings, with reasons."]


class Kind(TypedDict, total=False):
    """What a device or NIC is."""

    platform: Annotated[s.PlatformName | None, "Platform that configures it; `none`: nobody does."]
    version: Annotated[s.Version | None, "Software version, as the vendor writes it."]
    model: Annotated[s.Model | None, "Model, as the vendor writes it."]


class RoleDecl(PortSettings, Kind, total=False):
    """Settings for every device or port of a role."""

    hwsku: Annotated[s.Model | None, "Hardware SKU."]
    profile: Annotated[s.Slug | None, "The platform's macro in force."]


class AccessDecl(TypedDict, total=False):
    """How a device is reached.  Never a secret: see `lossless push --help`."""

    address: Annotated[s.Addresses | None, "Address or name, one or one per member."]
    port: Annotated[k.TcpPort | None, "SSH port."]
    user: Annotated[s.User | None, "User to log in as."]
    jump: Annotated[s.Jump | None, "A Host of ssh_config to go through."]
    vrf: Annotated[s.Vrf | None, "VRF of management."]


AccessOrOff: TypeAlias = Annotated[AccessDecl | Off, NONE]


class PortDecl(Placed, total=False):
    """A port of a switch, or a set of them."""

    role: Annotated[k.PortRoleValue | None, "What the port is for."]
    alias: Annotated[s.Aliases | None, "Another name of the port, one or one per member."]


class LagDecl(Placed, total=False):
    """A LAG of a switch."""

    members: Annotated[s.Members, "Ports, as a set or a list."]
    role: Annotated[k.PortRoleValue | None, "What the LAG is for."]
    bond_mode: Annotated[s.Slug | None, "802.3ad or static."]
    alias: Annotated[s.Aliases | None, "Another name, one or one per member."]


class MlagDecl(TypedDict, total=False):
    """Membership of a multi-chassis pair."""

    domain: Annotated[s.Name | None, "Domain; both members state the same."]
    peer_link: Annotated[s.PeerLink | None, "LAG or port between the two; `none`: there is none."]


class SwitchDecl(Placed, Kind, total=False):
    """A switch, or a set of them."""

    hwsku: Annotated[s.Model | None, "Hardware SKU."]
    profile: Annotated[s.Slug | None, "The platform's macro in force."]
    role: Annotated[k.DeviceRole | None, "Tier."]
    access: Annotated[AccessOrOff | None, "How it is reached; `none`: it is not contacted."]
    breakout: Annotated[
        dict[s.PortKey, s.BreakoutValue | None] | None,
        'Split ports: {"swp[1-16]": 2x400G}.',
    ]
    lags: Annotated[dict[s.PortKey, LagDecl | None] | None, "LAGs by name."]
    mlag: Annotated[Annotated[MlagDecl | Off, NONE] | None, "Multi-chassis pair."]
    raw: Annotated[s.RawLines | None, "Lines that are compared and never interpreted."]
    ports: Annotated[dict[s.PortKey, PortDecl], "Ports by name or set."]


class VfsDecl(TypedDict, total=False):
    """Virtual functions of a NIC."""

    count: Annotated[k.Count | None, "How many."]
    traffic_class: Annotated[k.TosByte | None, "Byte stamped for them (DSCP x 4 + ECN)."]


class NicDecl(Placed, Kind, total=False):
    """A port of a NIC, or a set of them."""

    rdma: Annotated[s.RdmaNames | None, "RDMA device, one or one per member."]
    pci: Annotated[s.PciAddresses | None, "PCI address, one or one per member."]
    alias: Annotated[s.Aliases | None, "Another name, one or one per member."]
    role: Annotated[k.PortRoleValue | None, "What the port is for."]
    pcie: Annotated[s.PcieSlot | None, "Slot (gen5x16)."]
    nic_mode: Annotated[s.Slug | None, "Mode of the device, for example dpu or nic."]
    vfs: Annotated[VfsDecl | None, "Virtual functions."]


BondDecl = TypedDict(
    "BondDecl",
    {
        "members": Annotated[s.Members, "NICs, as a set or a list."],
        "for": Annotated[dict[s.IndexKey, k.Indexes], "Indexes: {i: 1-4}; one for each bond."],
        "bond_mode": Annotated[s.Slug | None, "Mode of the bond (802.3ad)."],
        "rdma": Annotated[s.RdmaTemplate | None, "RDMA device of the bond."],
        "description": Annotated[s.Description | None, "For people."],
        "lint": Annotated[LintDecl | None, "Accepted findings, with reasons."],
    },
    total=False,
)


class HostDecl(Placed, Kind, total=False):
    """A host, or a set of them."""

    access: Annotated[AccessOrOff | None, "How it is reached; `none`: it is not contacted."]
    bonds: Annotated[dict[s.PortKey, BondDecl | None] | None, "Bonds by name or set."]
    nics: Annotated[dict[s.PortKey, NicDecl], "NICs by name or set."]


class ExternalDecl(TypedDict, total=False):
    """A peer outside the fabric."""

    role: Annotated[k.DeviceRole | None, "Tier."]
    lossless: Annotated[k.LosslessValue | None, "Whether it keeps RoCE lossless."]
    fabric: Annotated[s.Slug | None, "Fabric it belongs to."]
    description: Annotated[s.Description | None, "For people."]
    lint: Annotated[LintDecl | None, "Accepted findings, with reasons."]


LinkDecl = TypedDict(
    "LinkDecl",
    {
        "a": Required[Annotated[s.LinkEnd, "One end: device:port."]],
        "b": Required[Annotated[s.LinkEnd, "The other end."]],
        "for": Annotated[dict[s.IndexKey, k.Indexes], "Indexes: {n: 1-8}; the first is slowest."],
        "cable": Annotated[s.Lengths | None, "Length (3m)."],
        "configured_cable": Annotated[k.Length | None, "Length that devices are told."],
        "medium": Annotated[k.MediumValue | None, "What the cable is made of."],
        "rated": Annotated[k.Rate | None, "Rate the cable is made for."],
        "description": Annotated[s.Description | None, "For people."],
        "maintenance": Annotated[MaintenanceDecl | None, "Findings accepted up to a day."],
        "lint": Annotated[LintDecl | None, "Accepted findings, with reasons."],
    },
    total=False,
)


class Inventory(TypedDict, total=False):
    """A whole declaration."""

    format: Required[Annotated[k.Format, "Version of this format: 1."]]
    fabric: Annotated[s.Slug | None, "Name of the fabric."]
    description: Annotated[s.Description | None, "For people."]
    extends: Annotated[s.Slug | None, "Named policy to start from."]
    policy: Annotated[PolicyDecl, "What is meant for the whole fabric."]
    fabrics: Annotated[dict[s.NameKey, FabricDecl], "Fabrics, where there are several."]
    roles: Annotated[dict[s.RoleKey, RoleDecl], "Settings by role."]
    switches: Annotated[dict[s.DeviceKey, SwitchDecl], "Switches by name or set."]
    hosts: Annotated[dict[s.DeviceKey, HostDecl], "Hosts by name or set."]
    external: Annotated[dict[s.DeviceKey, ExternalDecl], "Peers outside the fabric."]
    links: Annotated[list[LinkDecl], "Cables."]
    lint: Annotated[LintDecl | None, "Accepted findings, with reasons."]
