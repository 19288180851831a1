"""A box as it is to be: what an editor of states works on, with what it refuses and cannot see."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final

from lossless.model.effective import leaves
from lossless.model.profile import Profile
from lossless.model.values import is_value
from lossless.platforms.cisco_nxos.box import (
    NETWORK,
    QOS_IN,
    QUEUING_IN,
    QUEUING_OUT,
    Box,
    Holder,
    Interface,
    Place,
    Policy,
    PolicyClass,
    Slot,
    eight_queues,
    is_default,
)
from lossless.platforms.cisco_nxos.contents import DEFAULTS, PAUSE, Content, content, in_force
from lossless.platforms.cisco_nxos.names import class_name
from lossless.platforms.contract import Inexpressible

Path = tuple[str | int, ...]
Refuse = Callable[..., None]

#: What our own policies are called; a number is added where the name is taken.
NAMES: Final[Mapping[Place, str]] = {
    QOS_IN: "LOSSLESS-CLASSIFICATION",
    QUEUING_OUT: "LOSSLESS-QUEUING",
    QUEUING_IN: "LOSSLESS-INPUT-QUEUING",
    NETWORK: "LOSSLESS-NETWORK-QOS",
}
_CLASSES: Final[Mapping[Place, str]] = {
    QUEUING_OUT: "output",
    QUEUING_IN: "input",
    NETWORK: "network-qos",
}


class Draft:
    """What a box is to become.  `old` is never changed; `new` is edited.

    `refused` are statements without words, `unseen` what had to be known and was not shown, and
    `blocked` what would have to replace lines that were not understood.
    """

    def __init__(self, old: Box, profile: Profile | None) -> None:
        self.old = old
        self.new = copy.deepcopy(old)
        self.profile = profile
        self.refused: list[Inexpressible] = []
        self.unseen: list[str] = []
        self.blocked: list[str] = []

    def refuse(self, message: str, *path: str | int) -> None:
        """Note a statement that NX-OS has no words for."""
        self.refused.append(Inexpressible(path, message))

    def at(self, *place: str | int) -> Refuse:
        """Return a `refuse` that puts a place in front of each path."""
        return lambda message, *path: self.refuse(message, *place, *path)

    def interface(self, name: str) -> Interface:
        """Return an interface of the new box; a port that was not shown is added."""
        return self.new.interfaces.setdefault(
            name, Interface(name=name, seen=self.old.whole or name in self.old.interfaces)
        )

    def seen(self, name: str) -> bool:
        """Say whether an interface's silence means the default."""
        held = self.old.interfaces.get(name)
        return self.old.whole or (held is not None and held.seen)

    def put(self, holder: Holder, slot: Slot, value: Any, who: str, *, seen: bool) -> None:
        """Set a slot, or take it away (`None`), and note where its old value was not shown."""
        before = holder.slots.get(slot)
        if before == value:
            return
        if before is None and not seen and slot not in holder.lines:
            self.unseen.append(f"{who}: {slot[0]}")
        if value is None:
            holder.slots.pop(slot, None)
        else:
            holder.slots[slot] = value

    def holder(self, who: str | None) -> Holder:
        """Return the new box's system or one of its interfaces."""
        return self.new.system if who is None else self.interface(who)

    def old_holder(self, who: str | None) -> Holder:
        """Return the same of the old box."""
        if who is None:
            return self.old.system
        return self.old.interfaces.get(who, Holder())

    def name(self, place: Place, base: str | None = None) -> str:
        """Return a name for a new policy that neither box knows."""
        wanted, number = base or NAMES[place], 1
        name = wanted
        while (place[0], name) in self.old.policies or (place[0], name) in self.new.policies:
            number += 1
            name = f"{wanted}-{number}"
        return name

    def attach(self, who: str | None, place: Place, name: str | None) -> None:
        """Attach a policy, or with `None` detach what is there."""
        held = self.holder(who)
        if name is None:
            held.attached.pop(place, None)
        else:
            held.attached[place] = name


# --- giving places their contents ----------------------------------------------------------------


def same(one: Content, other: Content) -> bool:
    """Say whether two contents say the same of every group."""
    groups = one.keys() | other.keys()
    return all(dict(one.get(g, {})) == dict(other.get(g, {})) for g in groups)


def assign(draft: Draft, place: Place, wanted: Mapping[str | None, Content | None]) -> None:
    """Give the box (`None`) and interfaces the contents that they are to have.

    A content of `None` detaches.  A policy that is to change for all who use it is edited where it
    stands, except one that decides which groups are lossless; otherwise another is found or made.
    """
    changes = {who: held for who, held in wanted.items() if held is not None}
    if any(_foreign_words(draft, place, who) for who in changes):
        return
    for who, held in wanted.items():
        if held is None:
            draft.attach(who, place, None)
    for name in dict.fromkeys(draft.old_holder(who).attached.get(place) for who in changes):
        group = {
            w: h for w, h in changes.items() if draft.old_holder(w).attached.get(place) == name
        }
        if name is None or not _edited(draft, place, name, group):
            for who, held in group.items():
                draft.attach(who, place, _found_or_made(draft, place, held, name))


def _foreign_words(draft: Draft, place: Place, who: str | None) -> bool:
    """Note a box whose queues have other names than those that are written here."""
    own = draft.old_holder(who).attached.get(place)
    policy = draft.old.policy(place, own or draft.old.system.attached.get(place))
    if policy is None or eight_queues(policy):
        return False
    draft.blocked.append(
        f"policy-map {policy.name} uses classes of its own or of four queues, for which the words "
        "of this platform were not verified"
    )
    return True


def _edited(draft: Draft, place: Place, name: str, group: Mapping[str | None, Content]) -> bool:
    """Edit a policy in place, where everyone who uses it wants the same of it."""
    policy = draft.new.policy(place, name)
    if policy is None or is_default(name):
        return False
    contents = list(group.values())
    everyone = set(draft.old.users(place, name)) | set(draft.old.users(_other(place), name))
    if not everyone <= group.keys() or any(not same(contents[0], c) for c in contents[1:]):
        return False
    if place == NETWORK and _pauses(content(draft.old, policy)) != _pauses(contents[0]):
        return False
    _write(draft.new, policy, place, contents[0])
    return True


def _other(place: Place) -> Place:
    kind, way = place
    return (kind, {"input": "output", "output": "input"}.get(way, way))


def _pauses(held: Content) -> dict[int, Any]:
    return {group: slots[PAUSE] for group, slots in held.items() if PAUSE in slots}


def _write(box: Box, policy: Policy, place: Place, held: Content) -> None:
    known = box.grouped(policy)
    for group in sorted(held.keys() | known.keys(), key=_by_name):
        one = known.get(group)
        slots = dict(held.get(group, {}))
        if one is None and slots:
            name = class_name(_CLASSES[place], group)
            policy.classes[name] = PolicyClass(name, slots=slots)
        elif one is not None:
            one.slots = slots


def _by_name(group: int) -> int:
    """Classes stand as published configurations write them: downwards, the default last."""
    return -group


def _found_or_made(draft: Draft, place: Place, held: Content, beside: str | None) -> str:
    found = _found(draft, place, held)
    return found if found is not None else make(draft, place, held, beside)


def _found(draft: Draft, place: Place, held: Content) -> str | None:
    """Return a policy that says just this and nothing else; not one that is being edited."""
    for (kind, name), policy in draft.new.policies.items():
        if kind != place[0] or not eight_queues(policy) or not _for(place, policy):
            continue
        untouched = draft.old.policies.get((kind, name)) in (None, policy)
        bare = not policy.kept and not any(one.kept for one in policy.classes.values())
        if untouched and bare and policy.classes and same(content(draft.new, policy), held):
            return name
    return None


def _for(place: Place, policy: Policy) -> bool:
    ingress = any(name.startswith("c-in-") for name in policy.classes)
    return ingress == (place == QUEUING_IN)


def make(draft: Draft, place: Place, held: Content, beside: str | None) -> str:
    """Make a policy beside the one that it replaces, whose other lines it takes over."""
    name = draft.name(place)
    policy = Policy(place[0], name)
    old = draft.old.policy(place, beside)
    draft.new.policies[(place[0], name)] = policy
    _write(draft.new, policy, place, held)
    if old is not None:
        _take_over(draft, old, policy)
    return name


def _take_over(draft: Draft, old: Policy, new: Policy) -> None:
    for kept in old.foreign():
        draft.blocked.append(f"policy-map {old.name} holds `{kept.text}`, which was not understood")
    for name, one in old.classes.items():
        lines = [kept for kept in one.kept if not kept.text.startswith("description ")]
        if lines:
            new.classes.setdefault(name, PolicyClass(name)).kept = lines


def clean(draft: Draft) -> None:
    """Delete what was attached before and is attached nowhere now, and its class maps."""
    gone: list[Policy] = []
    for kind, name in list(draft.new.policies):
        places = [p for p in (*NAMES, ("qos", "output")) if p[0] == kind]
        before = any(draft.old.users(place, name) for place in places)
        if before and not any(draft.new.users(place, name) for place in places):
            gone.append(draft.new.policies.pop((kind, name)))
    used = {(p.kind, name) for p in draft.new.policies.values() for name in p.classes}
    for policy in gone:
        for name in policy.classes:
            if (policy.kind, name) not in used:
                draft.new.class_maps.pop((policy.kind, name), None)


# --- what a state tells --------------------------------------------------------------------------


def tells(facet: Any) -> bool:
    """Say whether a facet tells anything at all."""
    return any(value is not None and value != () for _, value in leaves(facet))


def told(facet: Any, *names: str) -> bool:
    """Say whether a facet tells one of some fields."""
    return any(getattr(facet, name) not in (None, ()) for name in names)


def refuse_fields(refuse: Refuse, facet: Any, where: str, message: str, *names: str) -> None:
    """Refuse those of some fields that hold a value."""
    for name in names:
        held = getattr(facet, name)
        if is_value(held) and held != ():
            refuse(message, where, name)


def fields_of(facet: Any) -> tuple[str, ...]:
    """Return the names of a facet's fields."""
    return tuple(field.name for field in dataclasses.fields(facet))


def base_of(draft: Draft, who: str | None, place: Place) -> Content | None:
    """Return the content that a place has now; `None` where it was not shown."""
    holder = draft.old_holder(who)
    if who is not None and who not in draft.old.interfaces:
        holder = draft.old.system  # an interface without a block has what the box has
    found, _ = in_force(draft.old, holder, place)
    if found is None and place in DEFAULTS and not draft.old.system.attached.get(place):
        return None
    return found
