"""What rules see: ports without names, holding only the facets that the rule asked for.

A view's slot that the rule did not declare is empty, and reading it is an error: so the memo key
(the identities of the declared facets) always covers what a rule could have read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lossless.model.buffers import Buffers
from lossless.model.classes import Place, PortIntent, TrafficClass
from lossless.model.classification import Classification
from lossless.model.fabric import Remark
from lossless.model.link import Adapter, Cable, LinkSettings, Mtu, VlanSettings
from lossless.model.pfc import DcbOwnership, Pfc, Watchdog
from lossless.model.profile import Profile
from lossless.model.rdma import CongestionControl, Marking
from lossless.model.scheduling import Ecn, Ets
from lossless.model.settings import System
from lossless.model.values import Switch


class PortView:
    """One port as a rule sees it: effective facets, its place, intent, profile and identity.

    `system` are the statements of its whole box; `linked` says whether a cable is declared.
    """

    __slots__ = (
        "adapter",
        "buffers",
        "classification",
        "congestion",
        "dcb",
        "ecn",
        "ets",
        "intent",
        "link",
        "linked",
        "marking",
        "mtu",
        "pfc",
        "place",
        "profile",
        "system",
        "vlans",
        "watchdog",
    )

    adapter: Adapter
    buffers: Buffers
    classification: Classification
    congestion: CongestionControl
    dcb: DcbOwnership
    ecn: Ecn
    ets: Ets
    intent: PortIntent
    link: LinkSettings
    linked: bool
    marking: Marking
    mtu: Mtu
    pfc: Pfc
    place: Place
    profile: Profile | None
    system: System
    vlans: VlanSettings
    watchdog: Watchdog


@dataclass(frozen=True, slots=True, eq=False)
class LinkView:
    """A link: both ends and the cable.  A host's end, or the lower tier's, is `a`.

    An end outside the fabric is `None`.
    """

    a: PortView
    b: PortView | None
    cable: Cable

    def sides(self) -> Iterator[tuple[PortView, PortView]]:
        """Yield (here, there) both ways; nothing where one end is outside."""
        if self.b is not None:
            yield self.a, self.b
            yield self.b, self.a


@dataclass(frozen=True, slots=True, eq=False)
class Hop:
    """One device on a path: where the packet comes in and where it leaves.

    The sender's NIC has no `ingress`, the receiver's no `egress`.
    """

    ingress: PortView | None
    egress: PortView | None


@dataclass(frozen=True, slots=True, eq=False)
class PathView:
    """The way of one class of one sender's traffic through the fabric.

    `kind` is the kind of traffic ("rdma", "cnp", …) that the sender sends in class `name`; `cls`
    is that class as the *sender* declares it.  `hops` run from sending to receiving NIC.
    """

    kind: str
    name: str
    cls: TrafficClass
    hops: tuple[Hop, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PortGroup:
    """Ports of one device (or of the fabric) that look the same to the rule, and how many.

    Of a device, `bundle` tells which aggregate they are members of, by a number of its own.
    """

    view: PortView
    count: int
    bundle: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DeviceView:
    """A device: box-wide statements, and its ports grouped by equal facets and aggregate.

    `unsaved` says whether what it would start with differs from what is configured; `uplinks`
    counts a switch's lossless links to each device of a higher tier, fewest first.
    """

    kind: str
    role: str | None
    platform: str | None
    version: str | None
    profile: Profile | None
    system: System
    mlag: bool
    ports: tuple[PortGroup, ...]
    model: str | None = None
    model_known: Switch = None
    unsaved: Switch = None
    uplinks: tuple[int, ...] = ()
    hwsku: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FabricView:
    """All ports of one fabric, grouped by equal facets, and its links, grouped likewise."""

    name: str
    ports: tuple[PortGroup, ...]
    links: tuple[tuple[LinkView, int], ...]
    remarks: tuple[Remark, ...]
    declared: bool
