"""Sizes of RoCE packets, in bytes.

Headers as in linux include/rdma/ib_pack.h: IPv4 20, IPv6 40, UDP 8, BTH 12, RETH 16, ICRC 4.
"""

from __future__ import annotations

from lossless.model.link import Mtu
from lossless.model.profile import Profile
from lossless.model.values import value
from lossless.rules.classes import is_nic
from lossless.rules.views import PortView

#: What linux iboe_get_mtu() takes off an interface's MTU: GRH 40, UDP 8, BTH 12, XRC 4,
#: AtomicETH 28, ICRC 4.
ROCE_HEADERS = 96

PAYLOADS = (4096, 2048, 1024, 512, 256)

#: Outer IPv4 20, UDP 8, VXLAN 8 and the inner Ethernet header 14 (RFC 7348), on top of a packet.
VXLAN = 20 + 8 + 8 + 14
VLAN_TAG = 4

#: IPv4, UDP, BTH, RETH and ICRC of the first packet of a write, around its payload.
FIRST_PACKET = 20 + 8 + 12 + 16 + 4


def l3(mtu: Mtu, profile: Profile | None) -> int | None:
    """Return the usable layer-3 bytes: as told, or from the platform's own number."""
    told = value(mtu.l3)
    native = value(mtu.native)
    if told is not None or native is None or profile is None:
        return told
    return profile.mtu.l3(native)


def floor(port: PortView) -> int | None:
    """Return the least layer-3 bytes that a port must carry; `None` where none are declared.

    The declared floor is what switches let through.  A NIC decides itself what it sends, so that
    it is only asked for what RDMA can use.  Needs `intent` and `place`.
    """
    declared = value(port.intent.minimum_l3_mtu)
    if declared is None or not is_nic(port):
        return declared
    return min(declared, PAYLOADS[0] + ROCE_HEADERS)


def below_floor(port: PortView) -> bool:
    """Say whether a port's MTU is below its floor: a fault of its own, told once.

    Needs `intent`, `mtu`, `place` and `profile`.
    """
    least, found = floor(port), l3(port.mtu, port.profile)
    return least is not None and found is not None and found < least


def payload(l3_bytes: int) -> int | None:
    """Return the largest RDMA payload of an interface; `None` below the smallest."""
    return next((size for size in PAYLOADS if size + ROCE_HEADERS <= l3_bytes), None)
