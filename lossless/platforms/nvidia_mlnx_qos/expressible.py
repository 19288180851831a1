"""What a state says of a NIC and these tools have no words for, or the kernel refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.effective import leaves
from lossless.model.link import Fec
from lossless.model.overlay import overlay
from lossless.model.pfc import DcbOwner, PfcMode
from lossless.model.profile import Profile
from lossless.model.scheduling import Algorithm, QueueScheduling
from lossless.model.settings import Settings
from lossless.model.units import Bandwidth, BandwidthKind, Cap
from lossless.model.values import DEFAULT, OFF, NumberMap, is_value
from lossless.platforms.contract import Inexpressible
from lossless.platforms.nvidia_mlnx_qos import words
from lossless.platforms.nvidia_mlnx_qos.canonical import canonical

Path = tuple[str | int, ...]
Said = Iterator[tuple[Path, str]]
_PRIORITY: Final = range(words.PRIORITIES)
_BYTE: Final = range(256)
_SHARING: Final = (Algorithm.ETS, Algorithm.STRICT, Algorithm.VENDOR)


def inexpressible(state: DeviceState, profile: Profile | None) -> tuple[Inexpressible, ...]:
    """List what cannot be said, port by port."""
    known = canonical(state, profile)
    found = []
    for name, told in state.ports.items():
        if not words.valid_netdev(name):
            message = f"{name!r} cannot be the name of a network interface"
            found.append(Inexpressible(("ports", name), message))
        whole = overlay(state.system.settings, told)
        for path, message in _port(whole, known.ports[name], profile):
            found.append(Inexpressible(("ports", name, *path), message))
    return tuple(found)


def _port(told: Settings, known: Settings, profile: Profile | None) -> Said:
    for check in _CHECKS:
        yield from check(told)
    limit = profile.limits.native_mtu if profile is not None else None
    size = known.mtu.native
    if limit is not None and is_value(size) and not limit.holds(size):
        yield ("mtu", "native"), f"MTU {size} is outside {limit.low}..{limit.high}"
    for path, held in leaves(known):
        if held is DEFAULT:
            yield path, "the factory's value is not known: state a value"


def _link(told: Settings) -> Said:
    if is_value(told.link.fec) and told.link.fec is not Fec.AUTO:
        yield ("link", "fec"), "mlnx_qos sets no FEC: use ethtool --set-fec"
    size, native = told.mtu.l3, told.mtu.native
    if is_value(size) and is_value(native) and size != native:
        yield ("mtu", "native"), "the MTU of an interface is its layer-3 size: state one number"
    for leaf in ("l3", "native"):
        held = getattr(told.mtu, leaf)
        if is_value(held) and not 68 <= held <= 65535:
            yield ("mtu", leaf), f"an interface has no MTU of {held}"
    if is_value(told.mtu.l2):
        yield ("mtu", "l2"), "an interface has one MTU"
    for key, _ in told.mtu.per_class:
        yield ("mtu", "per_class", key), "an interface has one MTU for all classes"
    if told.watchdog.enabled is True:
        yield ("watchdog", "enabled"), "the tool sets no PFC watchdog"


def _classification(told: Settings) -> Said:
    stated = told.classification
    if is_value(stated.trust) and stated.trust not in (Trust.PCP, Trust.DSCP):
        yield ("classification", "trust"), f"--trust takes dscp or pcp, not {stated.trust.value}"
    yield from _entries("dscp_to_priority", stated.dscp_to_priority, off=True)
    yield from _entries("priority_to_tc", stated.priority_to_tc, off=False)
    gone = stated.dscp_to_priority
    if gone and all(entry is OFF for entry in gone):
        message = "deleting the last DSCP switches trust to pcp"
        yield ("classification", "dscp_to_priority"), message
    yield from _fixed(stated)


def _entries(leaf: str, entries: NumberMap, *, off: bool) -> Said:
    for index, entry in enumerate(entries):
        if is_value(entry) and entry not in _PRIORITY:
            yield ("classification", leaf, index), f"{entry} is not in 0..7"
        elif entry is OFF and not off:
            yield ("classification", leaf, index), "every priority is in some class"


def _fixed(stated: Classification) -> Said:
    """Maps that the hardware has once and for all: the identity, or none."""
    for leaf in ("pcp_to_priority", "tc_to_queue", "pfc_priority_to_queue"):
        for index, entry in enumerate(getattr(stated, leaf)):
            if is_value(entry) and entry != index:
                yield ("classification", leaf, index), f"{leaf} is the identity on this NIC"
    for leaf in ("tc_to_group", "priority_to_group", "pfc_priority_to_group"):
        if any(is_value(entry) for entry in getattr(stated, leaf)):
            yield ("classification", leaf), "a NIC states priority_to_buffer instead"
    for leaf in ("default_priority", "default_dscp", "default_pcp"):
        if is_value(getattr(stated, leaf)):
            yield ("classification", leaf), "mlnx_qos has no default for unmarked packets"
    for leaf in ("rewrite_dscp_enabled", "rewrite_pcp_enabled"):
        if getattr(stated, leaf) is True:
            yield ("classification", leaf), "mlnx_qos re-marks nothing"


def _pfc(told: Settings) -> Said:
    send, honour, owner = told.pfc.send, told.pfc.honour, told.dcb.owner
    for leaf, held in (("send", send), ("honour", honour)):
        if is_value(held) and not set(held) <= set(_PRIORITY):
            yield ("pfc", leaf), f"priorities {sorted(set(held) - set(_PRIORITY))} do not exist"
    if is_value(send) and is_value(honour) and send != honour:
        yield ("pfc", "honour"), "one bitmap serves both directions: state the same priorities"
    if told.pfc.mode is PfcMode.AUTO and owner not in (None, DcbOwner.FIRMWARE, DcbOwner.SWITCH):
        yield ("pfc", "mode"), "PFC is negotiated only where firmware owns DCBX"
    if owner in (DcbOwner.LLDPAD, DcbOwner.OPERATOR):
        message = f"{owner.value} writes this NIC's settings and would overwrite ours"
        yield ("dcb", "owner"), message
    if owner in (DcbOwner.FIRMWARE, DcbOwner.SWITCH) and (is_value(send) or told.ets.queues):
        yield ("pfc",), "firmware learns PFC and ETS from the peer: they are not written"
    for leaf in ("dcbx", "willing", "advertise"):
        if is_value(getattr(told.dcb, leaf)):
            yield ("dcb", leaf), "DCBX of the NIC itself is configured with mlxconfig LLDP_NB_*"
    for key, _ in told.dcb.applications:
        yield ("dcb", "applications", key), "mlnx_qos maps DSCPs only"


def _ets(told: Settings) -> Said:
    for tc, row in told.ets.queues:
        here: Path = ("ets", "queues", tc)
        if tc not in _PRIORITY:
            yield here, "traffic classes are 0..7"
        for leaf in ("guaranteed", "level", "group"):
            if is_value(getattr(row, leaf)):
                yield (*here, leaf), f"mlnx_qos has no {leaf}"
        yield from _share(here, row)
        if isinstance(row.cap, Cap):
            yield from _cap((*here, "cap"), row.cap)
    yield from _sum(dict(told.ets.queues))


def _share(here: Path, row: QueueScheduling) -> Said:
    if is_value(row.algorithm) and row.algorithm not in _SHARING:
        yield (*here, "algorithm"), f"--tsa takes ets, strict or vendor, not {row.algorithm.value}"
        return
    share = row.bandwidth
    if not isinstance(share, Bandwidth):
        return
    if is_value(row.algorithm) and row.algorithm is not Algorithm.ETS and share.amount:
        yield (*here, "bandwidth"), "only an ets class has a share"
    elif share.kind is not BandwidthKind.ETS:
        yield (*here, "bandwidth"), f"--tcbw takes ETS shares, not {share.kind.value}"
    elif share.amount % 10_000 or not 0 <= share.amount <= 1_000_000:
        yield (*here, "bandwidth"), "--tcbw takes whole per cents from 0 to 100"


def _cap(here: Path, cap: Cap) -> Said:
    if cap.rate is None:
        yield here, "--ratelimit takes Gb/s, not a share of the line"
    elif cap.rate % words.GBIT or not words.GBIT <= cap.rate <= words.MAXIMUM_RATE:
        yield here, "--ratelimit takes whole Gb/s from 1 to 255"


def _sum(rows: dict[int, QueueScheduling]) -> Said:
    shares = {
        tc: row.bandwidth.amount // 10_000
        for tc, row in rows.items()
        if row.algorithm is Algorithm.ETS and isinstance(row.bandwidth, Bandwidth)
    }
    ets = [tc for tc, row in rows.items() if row.algorithm is Algorithm.ETS]
    total = sum(shares.values())
    whole = set(rows) >= set(_PRIORITY) and all(row.algorithm is not None for row in rows.values())
    if total > 100 or (whole and ets and len(shares) == len(ets) and total != 100):
        message = f"the ETS shares sum to {total}; the kernel refuses anything but 100"
        yield ("ets", "queues"), message
    elif 100 in shares.values() and 0 in shares.values():
        message = (
            "a class of 0% beside one of 100% reads back as a share of its own: state 1 and 99"
        )
        yield ("ets", "queues"), message


def _buffers(told: Settings) -> Said:
    stated = told.buffers
    for leaf in ("groups", "queues"):
        for key, _ in getattr(stated, leaf):
            yield ("buffers", leaf, key), "a NIC states sizes and priority_to_buffer instead"
    if is_value(stated.cable) and -(-stated.cable // 1000) not in words.CABLE_METRES:
        yield ("buffers", "cable"), "the kernel takes 1 to 999 m"
    for index, entry in enumerate(stated.priority_to_buffer):
        if entry is OFF or (is_value(entry) and entry not in _PRIORITY):
            yield ("buffers", "priority_to_buffer", index), "buffers are 0..7"
    for key, size in stated.sizes:
        if key not in _PRIORITY or size is OFF or (is_value(size) and not 0 <= size < 2**31):
            yield ("buffers", "sizes", key), "buffers are 0..7, and their sizes are bytes"
    if stated.manual is OFF:
        yield ("buffers", "manual"), "only a reload of the driver returns to automatic buffers"
    if told.ecn.enabled is True or any(row.enabled is True for _, row in told.ecn.queues):
        yield ("ecn",), "marking congestion is a switch's work: a NIC states its two points"


def _rdma(told: Settings) -> Said:
    marking, congestion = told.marking, told.congestion
    for leaf in ("global_tclass", "cm_tos"):
        held = getattr(marking, leaf)
        if is_value(held) and held not in _BYTE:
            yield ("marking", leaf), f"{held} is not a traffic class of 0..255"
    if is_value(congestion.algorithm) and congestion.algorithm != "dcqcn":
        message = f"{congestion.algorithm} is chosen in NV configuration or by its own tool"
        yield ("congestion", "algorithm"), message
    for leaf in ("notification_point", "reaction_point"):
        held = getattr(congestion, leaf)
        if is_value(held) and not set(held) <= set(_PRIORITY):
            yield ("congestion", leaf), "priorities are 0..7"
    for leaf, allowed in (("cnp_dscp", range(64)), ("cnp_priority", _PRIORITY)):
        held = getattr(congestion, leaf)
        if held is OFF or (is_value(held) and held not in allowed):
            yield ("congestion", leaf), f"{leaf} is 0..{allowed[-1]}"
    if is_value(congestion.cnp_interval) and congestion.cnp_interval % 1000:
        yield ("congestion", "cnp_interval"), "the kernel counts whole microseconds"
    yield from _parameters(congestion.parameters)


def _parameters(rows: Iterable[tuple[str, Any]]) -> Said:
    for name, value in rows:
        path: Path = ("congestion", "parameters", name)
        if name not in words.PARAMETERS:
            yield path, f"{name!r} is not a file of ecn/roce_rp"
        elif value is OFF or (is_value(value) and not 0 <= value <= words.PARAMETER_MAXIMUM):
            yield path, "the kernel takes numbers from 0 to 2147483647"


_CHECKS: Final[tuple[Callable[[Settings], Said], ...]] = (
    _link,
    _classification,
    _pfc,
    _ets,
    _buffers,
    _rdma,
)
