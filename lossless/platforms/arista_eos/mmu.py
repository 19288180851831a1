"""A new MMU queue profile for what a box's buffers are to be.

A profile in force is not edited: the new one is created, applied in its place, and the old one
deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lossless.model.units import Quantity
from lossless.platforms.arista_eos.placement import content_name
from lossless.platforms.arista_eos.slots import TRAFFIC_CLASSES, Kept, Native, Slot, Slots, stated


@dataclass(frozen=True, slots=True)
class MmuChange:
    """The new profile ("" for none) with its content, the old one's name, and the direction."""

    name: str
    content: Slots
    kept: tuple[Kept, ...]
    old: str | None
    shrinks: bool


def plan_mmu(old: Mapping[Slot, Any], new: Mapping[Slot, Any], native: Native) -> MmuChange:
    """Return the profile that changes the slots `old` to `new` on top of the one in force."""
    active = native.active_mmu
    section = native.mmu.get(active) if active is not None else None
    held = stated(section.slots) if section is not None else {}
    kept = tuple(section.kept) if section is not None else ()
    delta = {slot: value for slot, value in new.items() if old.get(slot) != value}
    delta.update({slot: None for slot in old if slot not in new})
    content = stated({**_spelled_out(held, delta), **delta})
    shrinks = all(_less(old.get(slot), value) for slot, value in delta.items())
    if not content and not kept:
        return MmuChange("", {}, (), active, shrinks)
    name = _free(content_name(content, kept), native)
    return MmuChange(name, content, kept, active, shrinks)


def _spelled_out(held: Slots, delta: Mapping[Slot, Any]) -> Slots:
    """Turn a line for all groups into one for each, where a single group is to change."""
    out = dict(held)
    for item in ("alpha", "reserved"):
        common = ("pg", "all", item)
        touched = any(slot[0] == "pg" and slot[1] != "all" and slot[2] == item for slot in delta)
        if common not in out or not touched:
            continue
        value = out.pop(common)
        for group in TRAFFIC_CLASSES:
            out.setdefault(("pg", group, item), value)
    return out


def _less(old: Any, new: Any) -> bool:
    if new is None:
        return True
    if isinstance(old, Quantity) and isinstance(new, Quantity) and old.unit is new.unit:
        return new.number <= old.number
    return isinstance(old, Fraction) and isinstance(new, Fraction) and new <= old


def _free(name: str, native: Native) -> str:
    found, number = name, 1
    while found in native.mmu:
        number += 1
        found = f"{name}-{number}"
    return found
