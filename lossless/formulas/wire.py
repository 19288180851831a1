"""What is on the wire: propagation, pause quanta, and what frames weigh."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

GIGA: Final = 10**9
#: One pause quantum is 512 bit times (IEEE 802.3 annex 31B).
QUANTUM_BYTES: Final = 64

#: Time from a PAUSE frame to silence, in quanta, by bit/s.
#: Source: SONiC, doc/qos/dynamically-headroom-calculation.md, after IEEE 802.3 31B.3.7.
RESPONSE_QUANTA: Final[Mapping[int, int]] = {
    100_000_000: 1,
    1 * GIGA: 2,
    10 * GIGA: 67,
    25 * GIGA: 80,
    40 * GIGA: 118,
    50 * GIGA: 147,
    100 * GIGA: 394,
    200 * GIGA: 453,
    400 * GIGA: 905,
    # sonic-swss cfgmgr/buffer_headroom_mellanox.lua; see also `RESPONSE_QUANTA_800G`.
    800 * GIGA: 905,
}
#: What the shipped rows of SN6600 at 800 Gb/s need: the same response time as at 400 Gb/s.
RESPONSE_QUANTA_800G: Final = 1810

#: Ethernet II, IPv4, UDP, BTH and ICRC, and RETH: linux include/rdma/ib_pack.h; InfiniBand
#: Architecture Specification volume 1 for RETH.
HEADERS_L3: Final[Mapping[str, int]] = {"ipv4": 20, "ipv6": 40}
UDP: Final = 8
BTH: Final = 12
ICRC: Final = 4
RETH: Final = 16
IMMEDIATE: Final = 4
ETHERNET: Final = 14
FCS: Final = 4
PREAMBLE_AND_GAP: Final = 20
#: What the kernel allows for headers when it derives the RoCE MTU: linux include/rdma/ib_addr.h.
ROCE_ALLOWANCE: Final = 96
ROCE_MTUS: Final = (256, 512, 1024, 2048, 4096)


def response_quanta(rate: int) -> int | None:
    """Return the quanta a sender may take to stop; `None` at a rate nobody told of."""
    return RESPONSE_QUANTA.get(rate)


def roce_mtu(netdev_mtu: int) -> int:
    """Return the RoCE path MTU the kernel derives from an interface's MTU; 0 where none fits."""
    room = netdev_mtu - ROCE_ALLOWANCE
    return max((size for size in ROCE_MTUS if size <= room), default=0)


def netdev_mtu_for(roce: int) -> int:
    """Return the smallest interface MTU that carries a RoCE path MTU."""
    return roce + ROCE_ALLOWANCE


def l3_length(payload: int, ip: str, *, first: bool = False, immediate: bool = False) -> int:
    """Return the length of a RoCEv2 packet at layer 3: `first` has a RETH."""
    extra = (RETH if first else 0) + (IMMEDIATE if immediate else 0)
    return HEADERS_L3[ip] + UDP + BTH + extra + payload + ICRC


def frame_length(
    payload: int, ip: str, *, vlan: int = 0, tunnel: int = 0, first: bool = False
) -> int:
    """Return the length of the frame without its FCS; `vlan` and `tunnel` are bytes of headers."""
    return l3_length(payload, ip, first=first) + ETHERNET + vlan + tunnel


def wire_length(payload: int, ip: str, *, vlan: int = 0, tunnel: int = 0) -> int:
    """Return what a packet in mid-message takes on the wire, preamble and gap included."""
    return frame_length(payload, ip, vlan=vlan, tunnel=tunnel) + FCS + PREAMBLE_AND_GAP


def efficiency(payload: int, ip: str, *, vlan: int = 0, tunnel: int = 0) -> Fraction:
    """Return payload over wire bytes: the ceiling of goodput as a share of the line rate."""
    return Fraction(payload, wire_length(payload, ip, vlan=vlan, tunnel=tunnel))
