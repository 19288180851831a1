"""Where on a box a change is written: on the interface, in its qos profile, or in a new profile.

Names that the box has are kept.  A profile is edited in place where every port that attaches it
wants the same; otherwise the ports that differ get a new one (create, attach, then delete the old
one where nobody is left).  A new profile's name is made from its content, so that the same state
always gives the same name.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.platforms.arista_eos.reader import kept_slots
from lossless.platforms.arista_eos.slots import (
    LOCAL,
    Kept,
    Native,
    Section,
    Slot,
    Slots,
    stated,
    states,
)

Delta = Mapping[Slot, Any]  # what a slot becomes; `None`: no statement
PREFIX: Final = "LOSSLESS-"
#: Slots of a profile that classify packets, and are changed after everything that protects them.
CLASSIFIES: Final = frozenset({"trust", "port_cos", "port_dscp"})
_PROTECTS: Final = frozenset({"pfc", "no_drop"})


@dataclass(frozen=True, slots=True)
class Edit:
    """One slot of one section changes.  `live`: traffic is already under the section."""

    section: str  # "system", "interface", "profile" or "mmu"
    name: str
    slot: Slot
    old: Any
    new: Any
    live: bool = True
    kind: str | None = None  # the queue's sub-mode, where known


@dataclass(frozen=True, slots=True)
class Swap:
    """A port's attachment changes.  `late`: after the classification has changed."""

    port: str
    old: str | None
    new: str | None
    late: bool = False


@dataclass(slots=True)
class Placed:
    """What has to be done to sections and attachments."""

    edits: list[Edit] = field(default_factory=list)
    swaps: list[Swap] = field(default_factory=list)
    created: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    kept: list[tuple[str, Kept]] = field(default_factory=list)


class Placer:
    """Places the changes of ports on a box.

    `fresh` says that the box is at its defaults: a new profile is then written whole before it is
    attached, since no traffic is protected yet.
    """

    def __init__(self, native: Native, queue_kind: str | None, fresh: bool) -> None:
        self.native = native
        self.kind = native.queue_kind or queue_kind
        self.fresh = fresh
        self.out = Placed()
        self._names = set(native.profiles)
        self._users: dict[str, list[str]] = defaultdict(list)
        for name, section in native.interfaces.items():
            if section.profile is not None:
                self._users[section.profile].append(name)

    def place(self, deltas: Mapping[str, Delta]) -> Placed:
        """Place every port's changes."""
        wanted: dict[str | None, dict[str, Slots]] = defaultdict(dict)
        for port, delta in deltas.items():
            rest = self._on_interface(port, delta)
            if rest:
                wanted[self._profile_of(port)][port] = rest
        for profile, ports in wanted.items():
            if profile is not None and self._editable(profile, ports):
                self._edit(profile, next(iter(ports.values())), live=True)
            else:
                self._move(profile, ports)
        return self.out

    # --- interfaces ---

    def _section(self, port: str) -> Section:
        return self.native.interfaces.get(port) or Section(port)

    def _profile_of(self, port: str) -> str | None:
        name = self._section(port).profile
        return name if name in self.native.profiles else None

    def _on_interface(self, port: str, delta: Delta) -> Slots:
        """Write what belongs on the interface; return what belongs in a profile."""
        section, profile = self._section(port), self._profile_of(port)
        own = stated(section.slots)
        shared = stated(self.native.profiles[profile].slots) if profile is not None else {}
        at_home = profile is None and any(slot[0] not in LOCAL for slot in own)
        rest: Slots = {}
        for slot, new in delta.items():
            here = slot[0] in LOCAL or slot in own or (at_home and new is not None)
            if here:
                self._interface_edit(section, slot, own.get(slot), new)
            if not here or (new is None and slot in shared):
                rest[slot] = new
        return {slot: new for slot, new in rest.items() if new is not None or slot in shared}

    def _interface_edit(self, section: Section, slot: Slot, old: Any, new: Any) -> None:
        kind = self._kind(section, slot)
        self.out.edits.append(Edit("interface", section.name, slot, old, new, kind=kind))

    def _kind(self, section: Section, slot: Slot) -> str | None:
        if slot[0] != "queue":
            return None
        return section.kinds.get(int(slot[1]), self.kind)

    # --- profiles ---

    def _editable(self, profile: str, wanted: Mapping[str, Slots]) -> bool:
        """Say whether an edit in place gives every port that attaches the profile what it wants."""
        first = next(iter(wanted.values()))
        if any(delta != first for delta in wanted.values()):
            return False
        others = [port for port in self._users[profile] if port not in wanted]
        return all(self._shielded(port, first) for port in others)

    def _shielded(self, port: str, delta: Delta) -> bool:
        own = self._section(port).slots
        return all(states(slot, own.get(slot)) for slot in delta)

    def _edit(self, profile: str, delta: Delta, live: bool) -> None:
        section = self.native.profiles.get(profile) or Section(profile)
        held = stated(section.slots)
        for slot, new in delta.items():
            kind = self._kind(section, slot)
            self.out.edits.append(Edit("profile", profile, slot, held.get(slot), new, live, kind))

    def _move(self, profile: str | None, wanted: Mapping[str, Slots]) -> None:
        """Give the ports of one profile that want something else another profile each."""
        groups: dict[frozenset[tuple[Slot, Any]], list[str]] = defaultdict(list)
        for port, delta in wanted.items():
            groups[frozenset(delta.items())].append(port)
        for items, ports in groups.items():
            self._move_group(profile, dict(items), ports)
        left = [port for port in self._users.get(profile or "", ()) if port not in wanted]
        if profile is not None and not left:
            self.out.deleted.append(profile)

    def _move_group(self, profile: str | None, delta: Slots, ports: list[str]) -> None:
        section = self.native.profiles[profile] if profile is not None else Section("")
        held = stated(section.slots)
        target = stated({**held, **delta})
        kept = [line for line in section.kept if not _replaced(line, delta)]
        if not target and not kept:
            self._attach(ports, None, late=True)
            return
        found = self._existing(target, delta) if not kept else None
        if found is not None:
            name, late = found
            self._attach(ports, name, late=late)
            return
        name = self._new_name(target, kept)
        self.out.created.append(name)
        self._fill(name, section, held, delta)
        self.out.kept += [(name, line) for line in kept]
        self._attach(ports, name, late=False)

    def _fill(self, name: str, section: Section, held: Slots, delta: Delta) -> None:
        """Write a new profile; what takes protection or changes classes waits until it is live."""
        waiting = {
            slot: new
            for slot, new in delta.items()
            if new is None or (slot[0] in CLASSIFIES and not self.fresh)
        }
        early = {**held, **{s: new for s, new in delta.items() if s not in waiting}}
        for slot, new in early.items():
            kind = self._kind(section, slot)
            self.out.edits.append(Edit("profile", name, slot, None, new, False, kind))
        for slot, new in waiting.items():
            kind = self._kind(section, slot)
            self.out.edits.append(Edit("profile", name, slot, held.get(slot), new, True, kind))

    def _existing(self, target: Slots, delta: Delta) -> tuple[str, bool] | None:
        """Find a profile of the box with this content, and whether it must be attached late.

        Attaching is one step, so it is only done where it takes no protection that is needed until
        packets are classified anew, or gives none that is needed before.
        """
        taken = any(new is None and slot[0] in _PROTECTS for slot, new in delta.items())
        given = any(new is not None and slot[0] in _PROTECTS for slot, new in delta.items())
        if taken and given:
            return None
        for name, section in self.native.profiles.items():
            if not section.kept and stated(section.slots) == target:
                return name, taken
        return None

    def _attach(self, ports: Iterable[str], name: str | None, *, late: bool) -> None:
        for port in ports:
            self.out.swaps.append(Swap(port, self._section(port).profile, name, late))

    def _new_name(self, target: Slots, kept: list[Kept]) -> str:
        name = content_name(target, kept)
        number = 1
        while name in self._names:
            number += 1
            name = f"{content_name(target, kept)}-{number}"
        self._names.add(name)
        return name


def content_name(slots: Delta, kept: Iterable[Kept] = ()) -> str:
    """Return the name of a profile with this content."""
    said = sorted(repr(item) for item in slots.items())
    said += [f"{line.context} {line.text}" for line in kept]
    return PREFIX + hashlib.sha256("\n".join(said).encode()).hexdigest()[:8].upper()


def _replaced(line: Kept, delta: Delta) -> bool:
    """Say whether a kept line speaks of what a change now says otherwise."""
    return any(slot in delta for slot in kept_slots(line))
