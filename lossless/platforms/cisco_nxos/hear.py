"""From a box to the model.

What no line speaks of stands at the platform's `DEFAULT` where the configuration was wholly seen,
and is not told (`None`) elsewhere.  An attached policy is wholly known once it was seen: what it
does not say is `OFF`.
"""

from __future__ import annotations

from typing import Any

from lossless.model.buffers import Buffers, PriorityGroup, QueueBuffer
from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import LinkSettings, Mtu, VlanMode, VlanSettings
from lossless.model.pfc import DcbOwnership, Pfc, PfcMode, Watchdog
from lossless.model.scheduling import Ecn, Ets
from lossless.model.settings import Settings, System
from lossless.model.values import DEFAULT, OFF, NumberMap, is_value, number_map
from lossless.platforms.cisco_nxos.box import (
    NETWORK,
    QOS_IN,
    QUEUING_IN,
    QUEUING_OUT,
    Box,
    Holder,
    Interface,
    PfcLine,
    Place,
    Policy,
    is_default,
)
from lossless.platforms.cisco_nxos.contents import (
    MTU,
    Sorting,
    content,
    lossless_groups,
    no_drop_groups,
    pauses,
    sorting,
)
from lossless.platforms.cisco_nxos.hear_queues import (
    Rows,
    default_rows,
    input_groups,
    pause_buffer,
    queue_rows,
)
from lossless.platforms.cisco_nxos.names import GROUPS


def hear(box: Box) -> DeviceState:
    """Return the state that a configuration describes."""
    system = hear_system(box)
    beneath = system.settings if box.quality_seen else Settings()
    ports = {name: hear_port(box, held, beneath) for name, held in box.interfaces.items()}
    return DeviceState(system, ports)


# --- interfaces ----------------------------------------------------------------------------------


def hear_port(box: Box, held: Interface, beneath: Settings) -> Settings:
    """Return a port's settings.

    A port without a policy of its own has the box's (`beneath`), where all of them were seen: so a
    plan back to this state knows that it is to have none.  What only the box can have, the PFC
    priorities and the MTU of classes, is not repeated.
    """
    silence: Any = DEFAULT if box.whole or held.seen else None
    return Settings(
        link=_link(held, silence),
        mtu=Mtu(native=_slot(held, "mtu", silence)),
        vlans=hear_vlans(held, silence),
        classification=_port_classification(box, held, beneath),
        pfc=_pfc(held, silence),
        watchdog=Watchdog(enabled=_slot(held, "watchdog", silence)),
        dcb=_dcb(held, silence),
        **_port_queues(box, held, beneath),
    )


def _port_classification(box: Box, held: Interface, beneath: Settings) -> Classification:
    if QOS_IN not in held.attached:
        maps = beneath.classification
        return Classification(
            trust=maps.trust,
            dscp_to_priority=maps.dscp_to_priority,
            pcp_to_priority=maps.pcp_to_priority,
            default_priority=maps.default_priority,
        )
    policy = _own(box, held, QOS_IN)
    return Classification() if policy is None else classify(sorting(box, policy))


def _port_queues(box: Box, held: Interface, beneath: Settings) -> dict[str, Any]:
    rows: Rows | None = (beneath.ets, beneath.ecn, dict(beneath.buffers.queues))
    if QUEUING_OUT in held.attached:
        rows = _own_rows(box, held)
    groups = {group: _thresholds(row) for group, row in beneath.buffers.groups}
    if QUEUING_IN in held.attached:
        ingress = _own(box, held, QUEUING_IN)
        groups = {} if ingress is None else input_groups(box, ingress)
    ets, ecn, queues = rows or (Ets(), Ecn(), {})
    told = {group: row for group, row in groups.items() if row != PriorityGroup()}
    return {
        "ets": ets,
        "ecn": ecn,
        "buffers": Buffers(groups=table(told), queues=table(queues)),
    }


def _thresholds(row: PriorityGroup) -> PriorityGroup:
    return PriorityGroup(limit=row.limit, xoff=row.xoff, xon=row.xon)


def _own_rows(box: Box, held: Interface) -> Rows | None:
    if is_default(held.attached.get(QUEUING_OUT)):
        return default_rows()
    policy = _own(box, held, QUEUING_OUT)
    return None if policy is None else queue_rows(box, policy)


def _own(box: Box, held: Holder, place: Place) -> Policy | None:
    return box.policy(place, held.attached.get(place))


def _slot(held: Holder, name: str, silence: Any) -> Any:
    """Return a slot; `None` where a line was understood and the model has no words for it.

    A line that only repeats a default has no slot, and is a statement all the same.
    """
    return held.slots.get((name,), DEFAULT if (name,) in held.lines else silence)


def _link(held: Holder, silence: Any) -> LinkSettings:
    shut = held.slots.get(("shutdown",))
    up: Any = {True: OFF, OFF: True}.get(shut, silence)
    return LinkSettings(
        speed=_slot(held, "speed", silence),
        autoneg=_slot(held, "negotiate", silence),
        admin_up=up,
        pause_send=_slot(held, "flow_send", silence),
        pause_honour=_slot(held, "flow_receive", silence),
    )


def _pfc(held: Holder, silence: Any) -> Pfc:
    line = _slot(held, "pfc", silence)
    if not isinstance(line, PfcLine):
        return Pfc(mode=line)
    return Pfc(mode=PfcMode.ON if line.mode == "on" else OFF)


def _dcb(held: Holder, silence: Any) -> DcbOwnership:
    line = _slot(held, "pfc", silence)
    advertise = line
    if isinstance(line, PfcLine):
        advertise = True if line.advertise else OFF
    return DcbOwnership(dialect=_slot(held, "dcbx", silence), advertise=advertise)


def hear_vlans(held: Holder, silence: Any) -> VlanSettings:
    """Return VLAN mode and membership; the list of allowed VLANs names the untagged one as well."""
    native, allowed = _slot(held, "native", silence), _slot(held, "allowed", silence)
    if is_value(allowed):
        allowed = (allowed - {native if is_value(native) else 1}) or OFF
    return VlanSettings(
        mode=_vlan_mode(held, silence),
        access=_slot(held, "access", silence),
        native=native,
        tagged=allowed,
    )


def _vlan_mode(held: Holder, silence: Any) -> Any:
    if held.slots.get(("switchport",)) is OFF:
        return VlanMode.ROUTED
    if ("mode",) in held.slots:
        return held.slots[("mode",)]
    spoken = held.slots.get(("switchport",)) is True or ("mode",) in held.lines
    return VlanMode.ACCESS if spoken else silence


def classify(held: Sorting) -> Classification:
    """Return the maps that a policy of type qos comes to."""
    silent: Any = DEFAULT if held.rest is None else held.rest
    dscp, cos = dict(held.dscp), dict(held.cos)
    trust = {
        (True, False): Trust.DSCP,
        (False, True): Trust.PCP,
        (True, True): Trust.BOTH,
        (False, False): Trust.NONE,
    }[bool(dscp), bool(cos)]
    return Classification(
        trust=trust,
        dscp_to_priority=tuple(dscp.get(n, silent) for n in range(64)),
        pcp_to_priority=tuple(cos.get(n, silent) for n in range(8)),
        default_priority=silent,
    )


# --- the box -------------------------------------------------------------------------------------


def hear_system(box: Box) -> System:
    """Return the statements of the whole box."""
    held = box.system
    silence: Any = DEFAULT if box.whole else None
    pfc, mtus, lossless = _network(box)
    groups, queues, ets, ecn = _box_queuing(box)
    merged = {group: _with_lossless(groups.get(group), lossless.get(group)) for group in GROUPS}
    return System(
        settings=Settings(
            mtu=Mtu(per_class=table(mtus)),
            classification=_box_classification(box),
            pfc=pfc,
            watchdog=Watchdog(enabled=_slot(held, "watchdog", silence)),
            dcb=DcbOwnership(dcbx=_dcbx(held, silence)),
            ets=ets,
            ecn=ecn,
            buffers=Buffers(
                groups=table({g: row for g, row in merged.items() if row != PriorityGroup()}),
                queues=table(queues),
            ),
        ),
        raw=tuple(sorted(box.raw)),
    )


def _dcbx(held: Holder, silence: Any) -> Any:
    found = _slot(held, "dcbxp", silence)
    return True if isinstance(found, str) else found


def _with_lossless(row: PriorityGroup | None, lossless: Any) -> PriorityGroup:
    held = row or PriorityGroup()
    return PriorityGroup(lossless=lossless, limit=held.limit, xoff=held.xoff, xon=held.xon)


def _box_classification(box: Box) -> Classification:
    name = box.system.attached.get(QOS_IN)
    policy = box.policy(QOS_IN, name)
    identity: NumberMap = (DEFAULT,) * 8 if box.quality_seen else ()
    queues: NumberMap = (*identity, *(None,) * 8) if identity else ()
    if policy is not None:
        told = classify(sorting(box, policy))
    elif box.quality_seen and name is None:
        told = Classification(
            trust=DEFAULT,
            dscp_to_priority=(DEFAULT,) * 64,
            pcp_to_priority=(DEFAULT,) * 8,
            default_priority=DEFAULT,
        )
    else:
        told = Classification()
    paused = number_map(8, _paused_groups(box))
    return Classification(
        trust=told.trust,
        dscp_to_priority=told.dscp_to_priority,
        pcp_to_priority=told.pcp_to_priority,
        default_priority=told.default_priority,
        priority_to_tc=identity,
        tc_to_queue=queues,
        pfc_priority_to_queue=paused,
        pfc_priority_to_group=paused,
    )


def _paused_groups(box: Box) -> dict[int, int]:
    policy = box.policy(NETWORK, box.system.attached.get(NETWORK))
    if policy is None:
        return {}
    return {cos: group for group, held in pauses(content(box, policy)).items() for cos in held}


def _network(box: Box) -> tuple[Pfc, dict[int, Any], dict[int, Any]]:
    """Return the paused CoS, the MTU by group, and which groups are lossless."""
    name = box.system.attached.get(NETWORK)
    policy = box.policy(NETWORK, name)
    if policy is None:
        known = (box.quality_seen and name is None) or is_default(name)
        if not known:
            return Pfc(), {}, {}
        return (
            Pfc(send=DEFAULT, honour=DEFAULT),
            dict.fromkeys(GROUPS, DEFAULT),
            dict.fromkeys(GROUPS, DEFAULT),
        )
    held = content(box, policy)
    lossless = lossless_groups(held)
    cos: Any = frozenset().union(*pauses(held).values()) or OFF
    unknown = no_drop_groups(held)
    if unknown:
        derived = _cos_of_groups(box, unknown)
        cos = None if derived is None else ((frozenset() if cos is OFF else cos) | derived)
    rest = policy.classes.get("class-default")  # of Nexus 3000: all groups without a class
    others: Any = DEFAULT if rest is None else rest.slots.get(MTU, DEFAULT)
    mtus = {group: held[group].get(MTU, DEFAULT) if group in held else others for group in GROUPS}
    rows: dict[int, Any] = {g: True if g in lossless else OFF for g in GROUPS}
    return Pfc(send=cos, honour=cos), mtus, rows


def _cos_of_groups(box: Box, groups: frozenset[int]) -> frozenset[int] | None:
    """Return the CoS that a box puts into groups of `pause no-drop`; `None` where it matches none.

    Such a class is paused for the CoS that are classified into it (Nexus 3000 and 5000).
    """
    policy = box.policy(QOS_IN, box.system.attached.get(QOS_IN))
    if policy is None:
        return None
    found = frozenset(cos for cos, group in sorting(box, policy).cos if group in groups)
    return found or None


def _box_queuing(
    box: Box,
) -> tuple[dict[int, PriorityGroup], dict[int, QueueBuffer], Ets, Ecn]:
    ingress = _own(box, box.system, QUEUING_IN)
    if ingress is not None:
        groups = input_groups(box, ingress)
    else:
        groups = dict.fromkeys(GROUPS, pause_buffer(None)) if _by_default(box, QUEUING_IN) else {}
    policy = _own(box, box.system, QUEUING_OUT)
    if policy is not None:
        ets, ecn, queues = queue_rows(box, policy)
        return groups, queues, ets, ecn
    if not _by_default(box, QUEUING_OUT):
        return groups, {}, Ets(), Ecn()
    ets, ecn, queues = default_rows()
    return groups, queues, ets, ecn


def _by_default(box: Box, place: Place) -> bool:
    name = box.system.attached.get(place)
    return is_default(name) or (name is None and box.quality_seen)
