"""From two states to ordered operations.

Both states are said in slots; where they say the same, nothing is done.  What differs is placed on
the box (`placement`) and ordered so that packets are never classified to a lossless class on a
port that does not yet, or no longer, protect it: what adds goes first in the order of phases, then
what takes away in the reverse order, then what nobody uses any more is deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.effective import Path, leaves
from lossless.model.operation import Op
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.model.settings import NOTHING, Settings
from lossless.platforms.arista_eos.canonical import lift
from lossless.platforms.arista_eos.hear import hear_port
from lossless.platforms.arista_eos.mmu import plan_mmu
from lossless.platforms.arista_eos.names import is_port
from lossless.platforms.arista_eos.operations import (
    Ordered,
    edit_ops,
    merged,
    mmu_ops,
    profile_ops,
    raw_ops,
)
from lossless.platforms.arista_eos.placement import Edit, Placed, Placer
from lossless.platforms.arista_eos.places import port_places
from lossless.platforms.arista_eos.say import say_port
from lossless.platforms.arista_eos.say_box import say_box
from lossless.platforms.arista_eos.slots import Native, Section, Slot, Slots, stated


def plan(
    after: DeviceState,
    before: DeviceState | None,
    native: Native | None,
    profile: Profile | None,
) -> tuple[Op, ...]:
    """Return the operations from `before` (`None`: a box at its defaults) to `after`.

    What `after` does not tell stays as it is.  Raises `ValueError` where `after` tells something
    of which `before` does not know what stands there.
    """
    wanted = lift(after).state
    fresh = before is None
    base = DeviceState() if before is None else lift(before).state
    box = native if native is not None and not fresh else _imagine(base, profile, fresh)
    if not fresh:
        _refuse_unseen(wanted, base, box, native)
    placed = _place(wanted, base, box, profile, fresh)
    found = [*edit_ops(placed.edits, fresh), *profile_ops(placed)]
    found += _system_ops(wanted, base, box, profile, fresh)
    return tuple(item.op for item in sorted(found, key=lambda item: item.order))


def _place(
    wanted: DeviceState, base: DeviceState, box: Native, profile: Profile | None, fresh: bool
) -> Placed:
    deltas: dict[str, Slots] = {}
    for name, settings in wanted.ports.items():
        if not is_port(name):
            continue
        old = base.port(name)
        delta = _delta(_slots(old, profile), _slots(overlay(old, settings), profile))
        asked = _asked(settings)
        delta = {slot: new for slot, new in delta.items() if asked & set(port_places(slot))}
        if delta:
            deltas[name] = delta
    return Placer(box, _queue_kind(profile), fresh).place(deltas)


def _asked(settings: Settings) -> set[Path]:
    """Return the leaves that a state tells, and those that stand on the same line with them."""
    told = {path for path, held in leaves(settings) if held is not None}
    if ("vlans", "native") in told:
        told.add(("vlans", "tagged"))  # the allowed VLANs name the untagged one as well
    return told


def _slots(settings: Settings, profile: Profile | None) -> Slots:
    return {} if settings is NOTHING else say_port(settings, profile).slots


def _delta(old: Mapping[Slot, Any], new: Mapping[Slot, Any]) -> Slots:
    """Return what changes; `None` for a slot that is no longer stated."""
    changed: Slots = {slot: held for slot, held in new.items() if old.get(slot) != held}
    changed.update({slot: None for slot in old if slot not in new})
    return changed


def _queue_kind(profile: Profile | None) -> str | None:
    """Return the sub-mode of queues that the hardware facts name, if they do."""
    held = profile.facts.get("queue_mode") if profile is not None else None
    return held if held in ("tx-queue", "uc-tx-queue") else None


def _imagine(base: DeviceState, profile: Profile | None, fresh: bool) -> Native:
    """Lay a state out as a whole configuration of ours would, where no native record is given."""
    native = Native(whole=True)
    if fresh:
        return native
    deltas = {
        name: _slots(settings, profile) for name, settings in base.ports.items() if is_port(name)
    }
    placed = Placer(Native(), _queue_kind(profile), fresh=True).place(deltas)
    for name in deltas:
        native.interfaces[name] = Section(name)
    for edit in placed.edits:
        table = native.profiles if edit.section == "profile" else native.interfaces
        table.setdefault(edit.name, Section(edit.name)).slots[edit.slot] = edit.new
    for swap in placed.swaps:
        native.interfaces[swap.port].profile = swap.new
    voice, pool = say_box(base.system, profile)
    native.system.slots.update(voice.slots)
    native.raw = dict.fromkeys(base.system.raw, 0)
    if pool:
        edits = plan_mmu({}, pool, Native())
        native.mmu[edits.name] = Section(edits.name, slots=dict(edits.content))
        native.system.slots[("mmu_active",)] = edits.name
    return native


# --- what was seen -------------------------------------------------------------------------------


def _refuse_unseen(
    wanted: DeviceState, base: DeviceState, box: Native, native: Native | None
) -> None:
    """Refuse to change what was not seen: it could not be undone."""
    if native is not None and box.whole:
        return
    unseen = []
    for name, settings in wanted.ports.items():
        told = dict(leaves(base.port(name)))
        unseen += [
            f"{name} {'.'.join(map(str, path))}"
            for path, want in leaves(settings)
            if want is not None and path in _COVERED and told.get(path) is None
        ]
    if unseen:
        shown = ", ".join(unseen[:5]) + (", …" if len(unseen) > 5 else "")
        raise ValueError(f"not seen on the device, so a change could not be undone: {shown}")


_AMBIGUOUS: Final = {("link", "fec")}
_COVERED: Final = {
    path for path, held in leaves(hear_port({}, whole=True)) if held is not None
} - _AMBIGUOUS


# --- the box -------------------------------------------------------------------------------------


def _system_ops(
    wanted: DeviceState, base: DeviceState, box: Native, profile: Profile | None, fresh: bool
) -> list[Ordered]:
    old, old_pool = say_box(base.system, profile)
    new, new_pool = say_box(overlay(base.system, wanted.system), profile)
    delta = _delta(old.slots, new.slots)
    held = stated(box.system.slots)
    if ("watchdog_action",) in delta and ("watchdog_override",) in held:
        delta[("watchdog_override",)] = None  # it would outweigh the action
    edits = [
        Edit("system", "", slot, held.get(slot, old.slots.get(slot)), now)
        for slot, now in delta.items()
    ]
    found = list(merged(edit_ops(edits, fresh)))
    found += raw_ops(base.system.raw, wanted.system.raw)
    found += mmu_ops(old_pool, new_pool, box, fresh)
    return found
