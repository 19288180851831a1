"""When the network-qos policy may be exchanged, so that no lossless group is left unpaused.

One policy decides for the whole box which groups pause.  One that adds a group has to be attached
before packets are put into it, one that takes a group away after packets have left it.  Where both
is so, a policy that has the groups of both stands in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lossless.platforms.cisco_nxos.box import NETWORK, Box, Holder, Policy, PolicyClass, Slot
from lossless.platforms.cisco_nxos.contents import (
    MTU,
    PAUSE,
    Content,
    content,
    lossless_groups,
    pauses,
    sorted_by,
)
from lossless.platforms.cisco_nxos.names import class_name

_NAME: Final = "LOSSLESS-NETWORK-QOS-BETWEEN"


@dataclass(frozen=True, slots=True)
class Swap:
    """How one network-qos policy follows another.

    `late`: only after packets were sorted anew; `between`: a policy with the groups of both.
    """

    late: bool = False
    between: Policy | None = None


def network_swap(old: Box, new: Box) -> Swap:
    """Return how the policy of the new box is to follow that of the old one."""
    before, after = _content(old), _content(new)
    if old.system.attached.get(NETWORK) == new.system.attached.get(NETWORK):
        return Swap()
    added = lossless_groups(after) - lossless_groups(before)
    removed = lossless_groups(before) - lossless_groups(after)
    early = bool(added & _used(new))
    late = bool(removed & _used(old))
    if early and late:
        return Swap(between=_union(old, new, before, after))
    return Swap(late=late)


def _content(box: Box) -> Content:
    policy = box.policy(NETWORK, box.system.attached.get(NETWORK))
    return {} if policy is None else content(box, policy)


def _used(box: Box) -> frozenset[int]:
    """Return the groups that some port, or the box, puts packets into."""
    holders: list[Holder] = [box.system, *box.interfaces.values()]
    found = [sorted_by(box, holder) for holder in holders]
    return frozenset().union(*(held.groups() for held in found if held is not None))


def _union(old: Box, new: Box, before: Content, after: Content) -> Policy:
    name, number = _NAME, 1
    taken = old.policies.keys() | new.policies.keys()
    while ("network-qos", name) in taken:
        number += 1
        name = f"{_NAME}-{number}"
    policy = Policy("network-qos", name)
    claimed = frozenset().union(*pauses(after).values())
    for group in sorted(before.keys() | after.keys(), reverse=True):
        slots = _merged(before.get(group, {}), after.get(group, {}), claimed)
        if slots:
            called = class_name("network-qos", group)
            policy.classes[called] = PolicyClass(called, slots=slots)
    return policy


def _merged(
    old: Mapping[Slot, Any], new: Mapping[Slot, Any], claimed: frozenset[int]
) -> dict[Slot, Any]:
    """Return a class of both policies; a CoS that both claim pauses the new one's group."""
    slots: dict[Slot, Any] = {}
    sizes = [held[MTU] for held in (old, new) if MTU in held]
    if sizes:
        slots[MTU] = max(sizes)
    held = new.get(PAUSE)
    if held is None and isinstance(old.get(PAUSE), frozenset):
        held = old[PAUSE] - claimed
    if held:
        slots[PAUSE] = held
    return slots
