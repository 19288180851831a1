"""Classification, PFC, watchdog, scheduling, ECN and port buffers from a merged declaration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lossless.intent.lowering.classes import REST, Chain, Declared
from lossless.intent.lowering.values import field, numbers, section, switch, told, word
from lossless.model.buffers import Buffers, PriorityGroup
from lossless.model.classification import (
    DSCPS,
    PRIORITIES,
    TRAFFIC_CLASSES,
    Classification,
    Trust,
)
from lossless.model.facet import Table, table
from lossless.model.pfc import (
    DcbOwner,
    DcbOwnership,
    Pfc,
    PfcMode,
    Watchdog,
    WatchdogAction,
)
from lossless.model.profile import Profile
from lossless.model.scheduling import (
    Algorithm,
    Ecn,
    Ets,
    QueueEcn,
    QueueScheduling,
)
from lossless.model.values import OFF, Field, NumberMap, Switch, is_value, number_map, value


def lower_classification(
    data: Mapping[str, Any], declared: list[Declared], chain: Chain, trust: Field[Trust]
) -> Classification:
    """Return the maps that the classes and `rewrite`, `overlay` state."""
    rewrite, overlay = section(data, "rewrite"), section(data, "overlay")
    dscp, pcp = rewrite.get("dscp"), rewrite.get("pcp")
    tunnel = overlay if overlay.get("vxlan") is True and not chain.nic else {}
    return Classification(
        trust=trust,
        dscp_to_priority=_code_points(declared, DSCPS, "dscp", "also"),
        pcp_to_priority=_code_points(declared, PRIORITIES, "pcp"),
        priority_to_tc=_priority_to_tc(declared),
        tc_to_queue=_tc_to_queue(declared, chain),
        pfc_priority_to_queue=_pause_to_queue(declared, chain),
        rewrite_dscp_enabled=switch(dscp),
        rewrite_dscp=_rewrite(dscp, declared),
        rewrite_pcp_enabled=switch(pcp),
        rewrite_pcp=_rewrite(pcp, declared),
        tunnel_dscp=field(tunnel.get("dscp")),
        tunnel_ecn=field(tunnel.get("ecn")),
    )


def lower_trust(
    data: Mapping[str, Any], own: Mapping[str, Any], profile: Profile | None
) -> Field[Trust]:
    """Return what is trusted.

    A fabric's `both` means DSCP for IP; where a platform knows no `both`, DSCP says the same of
    RoCE v2.  What is said of the device itself stays as it is, and is that platform's to refuse.
    """
    trust: Field[Trust] = word(Trust, data.get("trust"))
    known = frozenset() if profile is None else profile.trust_supported
    inherited = own.get("trust") is None
    if inherited and trust is Trust.BOTH and Trust.BOTH not in known and Trust.DSCP in known:
        return Trust.DSCP
    return trust


def _only(items: Iterable[int]) -> int | None:
    """Return the only member; `None` where there is none or a choice."""
    held = list(items)
    return held[0] if len(held) == 1 else None


def _code_points(declared: list[Declared], size: int, *keys: str) -> NumberMap:
    """Map what a class marks and accepts to its priority, where it has one and not several."""
    out: dict[int, int] = {}
    for one in declared:
        priority = _only(one.traffic.priorities)
        if priority is None:
            continue
        for key in keys:
            rest = one.data.get(key) == REST
            points = one.traffic.accepts if rest else numbers(one.data.get(key))
            out.update(dict.fromkeys(points, priority))
    return number_map(size, out)


def _priority_to_tc(declared: list[Declared]) -> NumberMap:
    return number_map(
        PRIORITIES,
        {
            priority: one.traffic.traffic_class
            for one in declared
            if is_value(one.traffic.traffic_class)
            for priority in one.traffic.priorities
        },
    )


def _tc_to_queue(declared: list[Declared], chain: Chain) -> NumberMap:
    """State the queue of a class's traffic class; where nobody tells that class, nothing."""
    if chain.nic:
        return ()
    return number_map(
        TRAFFIC_CLASSES,
        {
            tc: one.traffic.queue
            for one in declared
            if is_value(one.traffic.queue)
            for tc in chain.traffic_classes(one)
        },
    )


def _pause_to_queue(declared: list[Declared], chain: Chain) -> NumberMap:
    """State that a pause of a lossless class stops the queue that the class is given."""
    if chain.nic:
        return ()
    return number_map(
        PRIORITIES,
        {
            priority: one.traffic.queue
            for one in declared
            if one.traffic.lossless is True and is_value(one.traffic.queue)
            for priority in one.traffic.priorities
            if priority != one.traffic.queue
        },
    )


def _rewrite(written: Any, declared: list[Declared]) -> NumberMap:
    if not isinstance(written, Mapping):
        return ()
    by_name = {one.name: one for one in declared}
    return number_map(
        PRIORITIES,
        {
            priority: point
            for name, point in written.items()
            if isinstance(point, int) and name in by_name
            for priority in by_name[name].traffic.priorities
        },
    )


def lower_pfc(data: Mapping[str, Any], lossless: Switch, default: Field[frozenset[int]]) -> Pfc:
    """Return PFC of a port.

    `default` are the priorities of the lossless classes.  On a port that RoCE is not to cross,
    PFC is off unless the port itself says otherwise; where that is not told, so is PFC.
    """
    written = section(data, "pfc")
    mode: Field[PfcMode] = word(PfcMode, written.get("mode"))
    if lossless is OFF or mode is OFF:
        default = OFF
        mode = OFF if mode is None else mode
    if lossless is None:
        default = None
    both = _set(written.get("priorities"), default)
    return Pfc(
        mode=mode, send=_set(written.get("send"), both), honour=_set(written.get("honour"), both)
    )


def _set(written: Any, default: Field[frozenset[int]]) -> Field[frozenset[int]]:
    """Read a set of priorities: `true` is the default set, `false` and an empty list none."""
    written = told(written)
    if written is None or written is True:
        return default
    return numbers(written) or OFF


def lower_watchdog(data: Mapping[str, Any], lossless: Switch) -> Watchdog:
    """Return the PFC watchdog; off where RoCE is not to cross unless the port says otherwise."""
    written = section(data, "pfc").get("watchdog")
    if not isinstance(written, Mapping):
        return Watchdog(enabled=OFF if lossless is OFF else None)
    enabled = switch(written.get("enabled"))
    if enabled is OFF:
        return Watchdog(enabled=OFF)
    return Watchdog(
        enabled=enabled,
        priorities=_set(written.get("priorities"), None),
        poll=field(written.get("poll")),
        detect=field(written.get("detect")),
        restore=field(written.get("restore")),
        action=word(WatchdogAction, written.get("action")),
    )


def lower_dcb(data: Mapping[str, Any]) -> DcbOwnership:
    """Return who owns DCB on a port and what DCBX does."""
    owner: Field[DcbOwner] = word(DcbOwner, data.get("dcb_owner"))
    written = section(section(data, "pfc"), "dcbx")
    applications = {n: field(p) for n, p in section(written, "application").items()}
    return DcbOwnership(
        owner=owner,
        dcbx=switch(written.get("enabled")),
        dialect=field(written.get("dialect")),
        advertise=switch(written.get("advertise")),
        willing=switch(written.get("willing")),
        applications=table(applications),
    )


def lower_ets(declared: list[Declared], chain: Chain) -> Ets:
    """Return scheduling by queue (of a NIC: by traffic class).

    A share of the bandwidth belongs to one queue; a class that lies in several by the platform's
    own maps states none of them.
    """
    rows: dict[int, QueueScheduling] = {}
    for one in declared:
        scheduling = _scheduling(one.data)
        queues = chain.queues(one)
        if scheduling == QueueScheduling() or not queues:
            continue
        if len(queues) == 1 or scheduling.bandwidth is None:
            rows.update(dict.fromkeys(queues, scheduling))
    return Ets(queues=table(rows))


def _scheduling(data: Mapping[str, Any]) -> QueueScheduling:
    algorithm: Field[Algorithm] = word(Algorithm, data.get("scheduler"))
    bandwidth = field(data.get("bandwidth"))
    if algorithm is None and is_value(bandwidth):
        algorithm = Algorithm.ETS
    return QueueScheduling(algorithm=algorithm, bandwidth=bandwidth, cap=field(data.get("cap")))


def lower_ecn(declared: list[Declared], chain: Chain) -> Ecn:
    """Return congestion marking by queue."""
    rows: dict[int, QueueEcn] = {}
    for one in declared:
        written = told(one.data.get("ecn"))
        if written is not None:
            rows.update(dict.fromkeys(chain.queues(one), _curve(written)))
    return Ecn(queues=table(rows))


def _curve(written: Any) -> QueueEcn:
    if not isinstance(written, Mapping) or written.get("enabled") is OFF:
        return QueueEcn(enabled=OFF)
    return QueueEcn(
        enabled=switch(written.get("enabled")),
        minimum=field(written.get("min")),
        maximum=field(written.get("max")),
        probability=field(written.get("probability")),
        weight=field(written.get("weight")),
    )


def lower_buffers(data: Mapping[str, Any], declared: list[Declared], chain: Chain) -> Buffers:
    """Return ingress groups of a port from `buffers.classes`."""
    rows: dict[int, PriorityGroup] = {}
    by_class = section(section(data, "buffers"), "classes")
    for one in declared:
        written = section(by_class, one.name)
        if written:
            group = PriorityGroup(
                lossless=one.traffic.lossless if one.traffic.lossless is True else None,
                reserved=field(written.get("reserved")),
                xoff=field(written.get("xoff")),
                xon=field(written.get("xon")),
                xon_offset=field(written.get("xon_offset")),
                alpha=field(written.get("alpha")),
                limit=field(written.get("limit")),
            )
            rows.update(dict.fromkeys(chain.groups(one), group))
    return Buffers(groups=table(rows))


def class_mtus(declared: list[Declared]) -> Table[int, Field[int]]:
    """Return the native limit of each priority whose class states one."""
    return table(
        {
            priority: size
            for one in declared
            if (size := value(one.traffic.mtu)) is not None
            for priority in one.traffic.priorities
        }
    )
