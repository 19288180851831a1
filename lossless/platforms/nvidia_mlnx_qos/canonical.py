"""What a NIC gives back of what it was told, and what it has no words for."""

from __future__ import annotations

from typing import Any, Final

from lossless.model.buffers import Buffers
from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.link import LinkSettings, Mtu, VlanSettings
from lossless.model.overlay import overlay
from lossless.model.pfc import DcbOwner, DcbOwnership, Pfc, PfcMode
from lossless.model.profile import Profile
from lossless.model.rdma import CongestionControl, Marking
from lossless.model.scheduling import Algorithm, Ets, QueueScheduling
from lossless.model.settings import NOTHING, Settings
from lossless.model.units import Cap
from lossless.model.values import DEFAULT, OFF, NumberMap, is_value
from lossless.platforms.contract import Loss
from lossless.platforms.nvidia_mlnx_qos import words

LOSSES: Final = (
    Loss(
        "classification.dscp_to_priority where trust is not dscp",
        "the tool prints the map only under trust dscp, and leaving that trust clears it",
        "mlnx-tools mlnx_qos, pretty_print and Trust.setTrust",
    ),
    Loss(
        "pfc.mode beside the priorities",
        "the NIC knows one bitmap; AUTO is read from a firmware-controlled DCBX mode, OFF from an "
        "empty bitmap, and a mode without priorities says nothing",
        "mlnx-tools mlnx_qos, --pfc and --dcbx",
    ),
    Loss(
        "dcb.owner static, operator, lldpad, switch",
        "the tool knows only OS and firmware controlled",
        "mlnx-tools mlnx_qos, --dcbx",
    ),
    Loss(
        "ets share of a strict or vendor class",
        "a class that is not ets has no share",
        "linux mlx5 en_dcbnl.c, mlx5e_build_tc_tx_bw",
    ),
    Loss(
        "ets.queues.cap beyond the hardware's steps",
        "limits are kept in steps of 100 Mb/s below 26 Gb/s and of 1 Gb/s above, rounded down",
        "linux mlx5 en_dcbnl.c, mlx5e_dcbnl_ieee_setmaxrate",
    ),
    Loss(
        "buffers.sizes below one cell",
        "hardware keeps whole cells, whose size differs by adapter and is shown nowhere: a size "
        "may read back up to 255 bytes smaller, and is compared as stated",
        "linux mlx5 en/port_buffer.c, port_set_buffer",
    ),
    Loss(
        "buffers.cable below one metre",
        "the tool counts whole metres; rounded up, so that headroom is never short",
        "mlnx-tools mlnx_qos, --cable_len",
    ),
    Loss(
        "buffers.manual",
        "whether sizes were set by hand is kept by the driver and shown nowhere",
        "linux mlx5 en_dcbnl.c, mlx5e_dcbnl_setbuffer",
    ),
    Loss(
        "congestion.cnp_interval below one microsecond",
        "the kernel file counts whole microseconds",
        "MLNX_OFED en_ecn.c, min_time_between_cnps",
    ),
    Loss(
        "adapter, congestion.algorithm, marking.applications, lanes, fec, VLAN membership",
        "facts about the host that these tools neither set nor show",
        "mlnx-tools mlnx_qos, options",
    ),
)

#: Default leaf values that are known; a `DEFAULT` elsewhere stays and cannot be planned.
_TSA: Final = Algorithm.VENDOR


def canonical(state: DeviceState, profile: Profile | None) -> DeviceState:
    """Return the state as the tools would give it back.  Idempotent.

    What the box states for all ports is laid beneath each; `DEFAULT` becomes the factory's value
    where that is known.
    """
    beneath = state.system.settings
    return DeviceState(
        ports={name: _port(overlay(beneath, told)) for name, told in state.ports.items()}
    )


def _port(told: Settings) -> Settings:
    if told == NOTHING:
        return NOTHING
    owner = _owner(told.dcb.owner)
    return Settings(
        link=_link(told.link),
        mtu=_mtu(told.mtu),
        vlans=VlanSettings(pcp_maps=told.vlans.pcp_maps),
        classification=_classification(told.classification),
        pfc=_pfc(told.pfc, owner),
        dcb=DcbOwnership(owner=owner, agents=told.dcb.agents),
        ets=_ets(told.ets),
        buffers=_buffers(told.buffers),
        marking=_marking(told.marking),
        congestion=_congestion(told.congestion),
    )


def _link(told: LinkSettings) -> LinkSettings:
    return LinkSettings(
        speed=told.speed,
        admin_up=told.admin_up,
        pause_send=told.pause_send,
        pause_honour=told.pause_honour,
    )


def _mtu(told: Mtu) -> Mtu:
    """Linux counts the bytes of layer 3 and nothing else, so that both numbers are one."""
    size = told.native if told.native is not None else told.l3
    size = words.DEFAULT_MTU if size is DEFAULT else size
    return Mtu(l3=size, native=size)


def _owner(told: Any) -> Any:
    if told is DEFAULT:
        return DcbOwner.OS
    same = {
        DcbOwner.STATIC: DcbOwner.OS,
        DcbOwner.OPERATOR: DcbOwner.OS,
        DcbOwner.LLDPAD: DcbOwner.OS,
        DcbOwner.SWITCH: DcbOwner.FIRMWARE,
    }
    return same.get(told, told)


def _classification(told: Classification) -> Classification:
    trust = Trust.PCP if told.trust is DEFAULT else told.trust
    shown = trust in (None, Trust.DSCP)
    return Classification(
        trust=trust,
        dscp_to_priority=_map(told.dscp_to_priority, words.DEFAULT_DSCP_MAP) if shown else (),
        priority_to_tc=_map(told.priority_to_tc, words.DEFAULT_PRIORITY_TO_TC),
    )


def _map(told: NumberMap, defaults: tuple[int, ...]) -> NumberMap:
    if all(entry is None for entry in told):
        return ()
    return tuple(defaults[i] if entry is DEFAULT else entry for i, entry in enumerate(told))


def _pfc(told: Pfc, owner: Any) -> Pfc:
    if told.mode is OFF:
        send: Any = frozenset()
        honour: Any = frozenset()
    else:
        send, honour = (
            frozenset[int]() if priorities in (DEFAULT, OFF) else priorities
            for priorities in (told.send, told.honour)
        )
        send, honour = (honour if send is None else send), (send if honour is None else honour)
    if send is None:
        return Pfc()
    mode: Any = PfcMode.ON if send or honour else OFF
    if owner is DcbOwner.FIRMWARE or (owner is None and told.mode is PfcMode.AUTO):
        mode = PfcMode.AUTO
    return Pfc(mode=mode, send=send, honour=honour)


def _ets(told: Ets) -> Ets:
    rows = ((tc, _queue(row)) for tc, row in told.queues)
    return Ets(queues=tuple((tc, row) for tc, row in rows if row != QueueScheduling()))


def _queue(told: QueueScheduling) -> QueueScheduling:
    algorithm = _TSA if told.algorithm is DEFAULT else told.algorithm
    share = told.bandwidth
    if is_value(algorithm) and algorithm is not Algorithm.ETS:
        share = OFF
    return QueueScheduling(algorithm=algorithm, bandwidth=share, cap=_cap(told.cap))


def _cap(told: Any) -> Any:
    if told is DEFAULT:
        return OFF
    if not isinstance(told, Cap) or told.rate is None:
        return told
    step = words.RATE_STEP if told.rate < words.COARSE_RATE else words.GBIT
    return Cap(rate=max(words.RATE_STEP, told.rate // step * step))


def _buffers(told: Buffers) -> Buffers:
    cable = words.DEFAULT_CABLE if told.cable is DEFAULT else told.cable
    if is_value(cable):
        cable = -(-cable // 1000) * 1000
    return Buffers(
        cable=cable,
        priority_to_buffer=() if _untold(told.priority_to_buffer) else told.priority_to_buffer,
        sizes=tuple((n, size) for n, size in told.sizes if size is not None),
    )


def _untold(entries: NumberMap) -> bool:
    return all(entry is None for entry in entries)


def _marking(told: Marking) -> Marking:
    return Marking(
        global_tclass=OFF if told.global_tclass is DEFAULT else told.global_tclass,
        cm_tos=0 if told.cm_tos in (OFF, DEFAULT) else told.cm_tos,
        cm_mode=told.cm_mode,
    )


def _congestion(told: CongestionControl) -> CongestionControl:
    interval = told.cnp_interval
    if is_value(interval):
        interval = interval // 1000 * 1000
    return CongestionControl(
        notification_point=_all_or(told.notification_point),
        reaction_point=_all_or(told.reaction_point),
        cnp_dscp=48 if told.cnp_dscp is DEFAULT else told.cnp_dscp,
        cnp_priority=6 if told.cnp_priority is DEFAULT else told.cnp_priority,
        cnp_interval=interval,
        parameters=tuple((name, value) for name, value in told.parameters if value is not None),
    )


def _all_or(told: Any) -> Any:
    """Resolve the priorities of an end: firmware enables all eight (ROCE_CC_PRIO_MASK is 255)."""
    if told is DEFAULT:
        return frozenset(range(words.PRIORITIES))
    return frozenset[int]() if told is OFF else told
