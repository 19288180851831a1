"""Where the queues of ports and box are said: one policy for the box, or a port's own.

Published configurations attach one output policy under `system qos`.  What the ports of a state
tell of their queues is therefore said for the box where it can be, and on a port where it differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from lossless.model.buffers import QueueBuffer
from lossless.model.device import DeviceState
from lossless.model.scheduling import QueueEcn, QueueScheduling
from lossless.model.settings import Settings
from lossless.model.values import DEFAULT
from lossless.platforms.cisco_nxos.box import (
    QOS_IN,
    QUEUING_IN,
    QUEUING_OUT,
    PfcLine,
    Place,
    Slots,
)
from lossless.platforms.cisco_nxos.contents import DEFAULTS, Content
from lossless.platforms.cisco_nxos.draft import Draft, Refuse, assign, base_of, same, tells
from lossless.platforms.cisco_nxos.names import GROUPS, natural
from lossless.platforms.cisco_nxos.say_queue import fill_default_queue, say_input, say_output

#: Writes what settings tell over a content.
Say = Callable[[Content, Settings, Refuse], Content]


def edit_output(draft: Draft, after: DeviceState) -> None:
    """Edit scheduling, marking and limits of queues."""
    _edit(draft, after, QUEUING_OUT, _tells_output, _say_output)


def edit_input(draft: Draft, after: DeviceState) -> None:
    """Edit the pause thresholds of ingress groups."""

    def say(held: Content, told: Settings, refuse: Refuse) -> Content:
        rows: dict[int, Slots] = {g: dict(s) for g, s in held.items()}
        for group, row in told.buffers.groups:
            if group not in GROUPS:
                refuse(f"NX-OS has groups 0 to 7, not {group}", "buffers", "groups", group)
                continue
            rows[group] = say_input(rows.get(group, {}), group, row, draft.profile, refuse)
        return rows

    _edit(draft, after, QUEUING_IN, _tells_input, say)


def _tells_output(settings: Settings) -> bool:
    facets = (
        *(row for _, row in settings.ets.queues),
        *(row for _, row in settings.ecn.queues),
        *(row for _, row in settings.buffers.queues),
    )
    return any(tells(row) for row in facets)


def _tells_input(settings: Settings) -> bool:
    """Say whether thresholds are told; whether a group is lossless is said elsewhere."""
    return any(tells(replace(row, lossless=None)) for _, row in settings.buffers.groups)


def _say_output(held: Content, told: Settings, refuse: Refuse) -> Content:
    ets, ecn, sizes = (
        dict(told.ets.queues),
        dict(told.ecn.queues),
        dict(told.buffers.queues),
    )
    rows: dict[int, Slots] = {group: dict(slots) for group, slots in held.items()}
    for group in sorted(ets.keys() | ecn.keys() | sizes.keys()):
        if group not in GROUPS:
            refuse(f"NX-OS has queues 0 to 7, not {group}", "ets", "queues", group)
            continue
        rows[group] = say_output(
            rows.get(group, {}),
            group,
            ets.get(group, QueueScheduling()),
            ecn.get(group, QueueEcn()),
            sizes.get(group, QueueBuffer()),
            refuse,
        )
    if ets.get(0, QueueScheduling()).bandwidth in (None, DEFAULT):
        fill_default_queue(rows)
    return rows


# --- box or port ---------------------------------------------------------------------------------


def _edit(
    draft: Draft,
    after: DeviceState,
    place: Place,
    told: Callable[[Settings], bool],
    say: Say,
) -> None:
    box_told = told(after.system.settings)
    ports = sorted((n for n, s in after.ports.items() if told(s)), key=natural)
    if not box_told and not ports:
        return
    base = base_of(draft, None, place)
    if base is None and (box_told or any(not _own(draft, name, place) for name in ports)):
        draft.unseen.append(f"system qos: type {place[0]} {place[1]}")
        return
    held: Content = base if base is not None else DEFAULTS[place]
    new = held
    if box_told:
        new = say(held, after.system.settings, draft.at("system", "settings"))
    wanted = _wanted(draft, after, place, ports, new, say)
    if not box_told:
        new = _lifted(draft, place, held, wanted)
    _assign(draft, place, held, new, wanted)


def _own(draft: Draft, name: str, place: Place) -> bool:
    held = draft.old.interfaces.get(name)
    return held is not None and place in held.attached


def _wanted(
    draft: Draft,
    after: DeviceState,
    place: Place,
    ports: list[str],
    box: Content,
    say: Say,
) -> dict[str, Content]:
    """Return what each port that tells something is to have."""
    wanted: dict[str, Content] = {}
    for name in ports:
        own = _own(draft, name, place)
        base = base_of(draft, name, place) if own else box
        if base is None:
            draft.unseen.append(f"{name}: the policy of type {place[0]} {place[1]}")
            continue
        wanted[name] = say(base, after.ports[name], draft.at("ports", name))
    return wanted


def _lifted(draft: Draft, place: Place, held: Content, wanted: Mapping[str, Content]) -> Content:
    """Return what the box is to have: what most of the ports want that tell something.

    Nothing changes for the box where a port that carries lossless traffic follows it and is not
    told of.
    """
    counted = Counter(_frozen(content) for content in wanted.values())
    first = {_frozen(content): content for content in reversed(list(wanted.values()))}
    if not counted:
        return held
    most = max(counted.values())
    if counted.get(_frozen(held), 0) == most:
        return held
    best = next(key for key in map(_frozen, wanted.values()) if counted[key] == most)
    return held if _others_depend(draft, place, wanted) else first[best]


def _frozen(content: Content) -> tuple[object, ...]:
    return tuple(
        (group, tuple(sorted((slot, repr(value)) for slot, value in slots.items())))
        for group, slots in sorted(content.items())
        if slots
    )


def _others_depend(draft: Draft, place: Place, wanted: Mapping[str, Content]) -> bool:
    for name, held in draft.old.interfaces.items():
        if name in wanted or place in held.attached:
            continue
        line = held.slots.get(("pfc",))
        if QOS_IN in held.attached or (isinstance(line, PfcLine) and line.mode == "on"):
            return True
    return False


def _assign(
    draft: Draft, place: Place, held: Content, new: Content, wanted: Mapping[str, Content]
) -> None:
    changes: dict[str | None, Content | None] = {}
    if not same(held, new):
        changes[None] = None if same(new, DEFAULTS[place]) else new
    for name, content in wanted.items():
        if not _own(draft, name, place):
            if not same(content, new):
                changes[name] = content
        elif same(content, base_of(draft, name, place) or {}):
            continue
        else:
            changes[name] = None if same(content, new) else content
    assign(draft, place, changes)
