"""What the network-qos policy is to say: which groups are lossless for which CoS, and their MTU.

NX-OS keeps one such policy for the whole box, so that what ports of a state tell is lifted to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.profile import Range
from lossless.model.settings import Settings
from lossless.model.values import DEFAULT, OFF, entry, is_value
from lossless.platforms.cisco_nxos.box import NETWORK, Slots
from lossless.platforms.cisco_nxos.contents import MTU, PAUSE, Content, no_drop_groups, pauses
from lossless.platforms.cisco_nxos.draft import Draft, Path, assign, base_of, same
from lossless.platforms.cisco_nxos.names import GROUPS, natural

#: Range of Cisco's Terraform provider (ipqosSetMTU).
CLASS_MTU: Final = Range(576, 9216)
_BOX: Final[Path] = ("system", "settings")


def edit_network(draft: Draft, after: DeviceState) -> None:
    """Edit the paused CoS and the MTU of each group."""
    places = [(_BOX, after.system.settings)]
    places += [(("ports", n), after.ports[n]) for n in sorted(after.ports, key=natural)]
    wanted_cos = _cos(draft, places)
    groups = _groups(draft, places)
    mtus = _mtus(draft, places)
    if wanted_cos is None and not groups and not mtus:
        _check_lossless(draft, places, base_of(draft, None, NETWORK))
        return
    base = base_of(draft, None, NETWORK)
    if base is None:
        draft.unseen.append("system qos: type network-qos")
        return
    content = _content(base, wanted_cos, groups, mtus)
    _check_lossless(draft, places, content)
    if same(content, base):
        return
    if no_drop_groups(base):
        draft.blocked.append("`pause no-drop` does not tell the CoS that it pauses; not edited")
        return
    empty = not any(content.values())
    attached = draft.old.system.attached.get(NETWORK) is not None
    assign(draft, NETWORK, {None: None if empty and attached else content})


def _content(
    base: Content, cos: frozenset[int] | None, groups: dict[int, int], mtus: dict[int, Any]
) -> Content:
    old = {one: group for group, held in pauses(base).items() for one in held}
    paused = frozenset(old) if cos is None else cos
    rows: dict[int, Slots] = {group: dict(slots) for group, slots in base.items()}
    for slots in rows.values():
        if isinstance(slots.get(PAUSE), frozenset):
            del slots[PAUSE]
    for one in sorted(paused):
        slots = rows.setdefault(groups.get(one, old.get(one, one)), {})
        held = slots.get(PAUSE)
        slots[PAUSE] = (held if isinstance(held, frozenset) else frozenset()) | {one}
    for group, size in mtus.items():
        slots = rows.setdefault(group, {})
        if is_value(size):
            slots[MTU] = size
        else:
            slots.pop(MTU, None)
    return {group: slots for group, slots in rows.items() if slots or group in base}


# --- what is told --------------------------------------------------------------------------------

Places = Iterable[tuple[Path, Settings]]


def _sets(settings: Settings, refuse: Any) -> frozenset[int] | None:
    """Return the CoS that one place wants paused; `None` where it tells none."""
    send, honour = settings.pfc.send, settings.pfc.honour
    if is_value(send) and is_value(honour) and send != honour:
        refuse("PFC of NX-OS works in both directions alike", "pfc", "honour")
    told = send if is_value(send) else honour if is_value(honour) else None
    if told is None:
        return frozenset() if OFF in (send, honour) else None
    outside = sorted(one for one in told if one not in GROUPS)
    if outside:
        refuse(f"PFC has priorities 0 to 7, not {outside[0]}", "pfc", "send")
    return frozenset(one for one in told if one in GROUPS)


def _cos(draft: Draft, places: Places) -> frozenset[int] | None:
    """Return what is to be paused: what the box is told, or else all that its ports want."""
    told: list[tuple[Path, Settings, frozenset[int]]] = []
    for place, settings in places:
        held = _sets(settings, draft.at(*place))
        if place == _BOX and held is None and DEFAULT in (settings.pfc.send, settings.pfc.honour):
            held = frozenset()  # the system's own policy pauses nothing
        if held is not None:
            told.append((place, settings, held))
    box = next((held for place, _, held in told if place == _BOX), None)
    ports = [one for one in told if one[0] != _BOX and not _stands_aside(*one)]
    if box is None and not ports:
        return None
    wanted = box if box is not None else frozenset().union(*(held for _, _, held in ports))
    for place, _, held in ports:
        if held != wanted:
            all_ = ", ".join(map(str, sorted(wanted))) or "none"
            draft.refuse(f"NX-OS pauses the same CoS on every port: {all_}", *place, "pfc", "send")
    return wanted


def _stands_aside(place: Path, settings: Settings, held: frozenset[int]) -> bool:
    """A port on which PFC is off, and that wants nothing paused, asks nothing of the box."""
    del place
    return settings.pfc.mode is OFF and not held


def _groups(draft: Draft, places: Places) -> dict[int, int]:
    """Return the group that each CoS pauses, where it is told."""
    found: dict[int, int] = {}
    for place, settings in places:
        maps = settings.classification
        for name in ("pfc_priority_to_queue", "pfc_priority_to_group"):
            for cos in range(8):
                group = entry(getattr(maps, name), cos)
                if not is_value(group):
                    continue
                if group not in GROUPS or found.setdefault(cos, group) != group:
                    draft.refuse(
                        f"NX-OS pauses one group for CoS {cos}, on the whole box",
                        *place,
                        "classification",
                        name,
                        cos,
                    )
    return found


def _mtus(draft: Draft, places: Places) -> dict[int, Any]:
    found: dict[int, Any] = {}
    for place, settings in places:
        for group, size in settings.mtu.per_class:
            path = (*place, "mtu", "per_class", group)
            if size is None:
                continue
            if group not in GROUPS:
                draft.refuse(f"NX-OS has groups 0 to 7, not {group}", *path)
            elif is_value(size) and not CLASS_MTU.holds(size):
                low, high = CLASS_MTU.low, CLASS_MTU.high
                draft.refuse(f"NX-OS takes {low} to {high} here, not {size}", *path)
            elif found.setdefault(group, size) != size:
                draft.refuse("NX-OS keeps one MTU per class for the whole box", *path)
    return found


def _check_lossless(draft: Draft, places: Places, content: Content | None) -> None:
    """A group is lossless by being paused; a statement that says otherwise has no words."""
    for place, path, wants in _lossless(places):
        paused = content is not None and bool(content.get(path, {}).get(PAUSE))
        if wants is not paused:
            message = "a group of NX-OS is lossless where a CoS of PFC pauses it, and only there"
            draft.refuse(message, *place, "buffers", "groups", path, "lossless")


def _lossless(places: Places) -> Iterator[tuple[Path, int, bool]]:
    for place, settings in places:
        for group, row in settings.buffers.groups:
            if row.lossless is True:
                yield place, group, True
            elif row.lossless is OFF:
                yield place, group, False
