"""How packets are to be sorted, and the class maps and policies that do it.

A policy of type qos that is attached is never edited: another is made beside it and attached in its
place, so that no class is empty for a moment.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.settings import Settings
from lossless.model.values import DEFAULT, NumberMap, entry, is_value, value
from lossless.platforms.cisco_nxos.box import QOS_IN, ClassMap, Policy, PolicyClass
from lossless.platforms.cisco_nxos.contents import (
    GROUP,
    NO_SORTING,
    Sorting,
    plain,
    sorted_by,
    sorting,
)
from lossless.platforms.cisco_nxos.draft import Draft, Refuse, refuse_fields
from lossless.platforms.cisco_nxos.names import GROUPS, natural

_TOLD = ("trust", "dscp_to_priority", "pcp_to_priority", "default_priority")


def edit_classes(draft: Draft, after: DeviceState) -> None:
    """Edit how the box and each port sorts packets."""
    refuse_maps(draft.at("system", "settings"), after.system.settings)
    box = _edit(draft, None, after.system.settings, draft.at("system", "settings"), None)
    for name in sorted(after.ports, key=natural):
        settings = after.ports[name]
        refuse_maps(draft.at("ports", name), settings)
        _edit(draft, name, settings, draft.at("ports", name), box)


def refuse_maps(refuse: Refuse, settings: Settings) -> None:
    """Refuse what NX-OS keeps fixed or does in another way."""
    maps, where = settings.classification, "classification"
    fixed = (
        ("priority_to_tc", "the qos-group is the traffic class"),
        ("tc_to_queue", "each qos-group has the queue of its number"),
        ("priority_to_group", "each qos-group is an ingress group of its own"),
        ("tc_to_group", "each qos-group is an ingress group of its own"),
    )
    for name, why in fixed:
        for index, held in enumerate(getattr(maps, name)):
            if is_value(held) and held != index:
                refuse(f"on NX-OS {why}", where, name, index)
    message = "NX-OS has no words for it that were verified"
    refuse_fields(
        refuse, maps, where, message, "default_dscp", "default_pcp", "tunnel_dscp", "tunnel_ecn"
    )
    for name in ("rewrite_dscp", "rewrite_pcp"):
        if getattr(maps, f"{name}_enabled") is True:
            refuse("NX-OS marks where packets come in, not where they leave", where, name)


def _edit(
    draft: Draft, who: str | None, settings: Settings, refuse: Refuse, box: Sorting | None
) -> Sorting | None:
    """Edit one place; return how it sorts afterwards (`None`: nobody saw it)."""
    holder = draft.old_holder(who)
    if who is not None and QOS_IN not in holder.attached:
        base = box
    else:
        base = sorted_by(draft.old, holder)
    maps = settings.classification
    if not any(getattr(maps, name) not in (None, ()) for name in _TOLD):
        return base
    if base is None:
        draft.unseen.append(f"{who or 'system qos'}: type qos input")
        return None
    wanted = say_sorting(base, maps, refuse)
    beneath = NO_SORTING if who is None else box
    bare = beneath is not None and wanted.same(beneath)
    if wanted.same(base) and not (bare and maps.trust is DEFAULT):
        return base
    if bare:
        draft.attach(who, QOS_IN, None)
        return wanted
    draft.attach(who, QOS_IN, _policy(draft, wanted, holder.attached.get(QOS_IN)))
    return wanted


# --- from maps to a sorting ----------------------------------------------------------------------


def say_sorting(base: Sorting, maps: Classification, refuse: Refuse) -> Sorting:
    """Return how packets are to be sorted, from how they are and what maps tell."""
    rest = _rest(base, maps, refuse)
    by_dscp, by_cos = _trusted(base, maps)
    dscp = _entries(dict(base.dscp), base.rest or 0, rest or 0, maps.dscp_to_priority, 64)
    cos = _entries(dict(base.cos), base.rest or 0, rest or 0, maps.pcp_to_priority, 8)
    for name, held in (("dscp_to_priority", dscp), ("pcp_to_priority", cos)):
        for point, group in list(held.items()):
            if group not in GROUPS:
                refuse(f"NX-OS has qos-groups 0 to 7, not {group}", "classification", name, point)
                del held[point]
    return Sorting(
        tuple(sorted(dscp.items())) if by_dscp else (),
        tuple(sorted(cos.items())) if by_cos else (),
        rest,
    )


def _rest(base: Sorting, maps: Classification, refuse: Refuse) -> int | None:
    """Return the group of class-default; `None` where it is to say nothing."""
    told = maps.default_priority
    if told is DEFAULT:
        return None
    if told is None:
        return base.rest or 0
    held = value(told)
    if held is not None and held not in GROUPS:
        refuse(f"NX-OS has qos-groups 0 to 7, not {held}", "classification", "default_priority")
        return base.rest or 0
    return held or 0


def _trusted(base: Sorting, maps: Classification) -> tuple[bool, bool]:
    """Say which headers count: as told, or else those that do now or whose map is told."""
    if maps.trust is not None:
        dscp = maps.trust in (Trust.DSCP, Trust.BOTH)
        return dscp, maps.trust in (Trust.PCP, Trust.BOTH)
    return (
        bool(base.dscp) or any(map(is_value, maps.dscp_to_priority)),
        bool(base.cos) or any(map(is_value, maps.pcp_to_priority)),
    )


def _entries(
    held: dict[int, int], old_rest: int, rest: int, told: NumberMap, size: int
) -> dict[int, int]:
    """Return the code points that do not go where all others go."""
    out: dict[int, int] = {}
    for point in range(size):
        said: Any = entry(told, point)
        if said is None:
            group = held.get(point, rest if point not in held else old_rest)
        else:
            group = said if is_value(said) else 0  # a box without a policy uses group 0
        if group != rest:
            out[point] = group
    return out


# --- from a sorting to objects -------------------------------------------------------------------


def _policy(draft: Draft, wanted: Sorting, beside: str | None) -> str:
    old = draft.old.policy(QOS_IN, beside)
    if old is not None and not plain(draft.old, old):
        draft.blocked.append(
            f"policy-map {old.name} sorts by more than DSCP and CoS, and would have to be replaced"
        )
        return old.name
    for (kind, name), policy in draft.new.policies.items():
        if kind == "qos" and _fits(draft, policy, wanted):
            return name
    name = draft.name(QOS_IN)
    policy = Policy("qos", name)
    draft.new.policies[("qos", name)] = policy
    for group in GROUPS:
        points = (_points(wanted.dscp, group), _points(wanted.cos, group))
        if any(points):
            used = _class_map(draft, group, *points)
            policy.classes[used] = PolicyClass(used, slots={GROUP: group})
    if wanted.rest is not None or not policy.classes:
        rest = PolicyClass("class-default", slots={GROUP: wanted.rest or 0})
        policy.classes["class-default"] = rest
    return name


def _fits(draft: Draft, policy: Policy, wanted: Sorting) -> bool:
    spoken = bool(policy.classes) and plain(draft.new, policy)
    return spoken and sorting(draft.new, policy).same(wanted)


def _points(entries: tuple[tuple[int, int], ...], group: int) -> frozenset[int]:
    return frozenset(point for point, held in entries if held == group)


def _class_map(draft: Draft, group: int, dscp: frozenset[int], cos: frozenset[int]) -> str:
    wanted = ClassMap("qos", "", False, dscp=dscp, cos=cos)
    for (kind, name), held in draft.new.class_maps.items():
        if (
            kind == "qos"
            and not held.foreign
            and not held.never
            and (held.dscp, held.cos) == (dscp, cos)
        ):
            return name
    base, number = f"LOSSLESS-GROUP-{group}", 1
    name = base
    while ("qos", name) in draft.new.class_maps or ("qos", name) in draft.old.class_maps:
        number += 1
        name = f"{base}-{number}"
    draft.new.class_maps[("qos", name)] = dataclasses.replace(wanted, name=name)
    return name
