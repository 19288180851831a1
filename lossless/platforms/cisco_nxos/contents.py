"""What policies come to: the group of every code point, and the lines of every queue and class.

A content says what a policy does, whatever it is called and however it is spelled, so that two
policies can be compared and a policy with a wanted content be found or made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from lossless.model.units import Bandwidth, BandwidthKind
from lossless.platforms.cisco_nxos.box import (
    NETWORK,
    NO_DROP,
    QOS_IN,
    Box,
    ClassMap,
    Holder,
    Place,
    Policy,
    PolicyClass,
    Slot,
    is_default,
)
from lossless.platforms.cisco_nxos.names import GROUPS

#: By qos-group, the slots that a queuing or network-qos policy sets.
Content: TypeAlias = Mapping[int, Mapping[Slot, Any]]

PRIORITY: Final[Slot] = ("priority",)
BANDWIDTH: Final[Slot] = ("bandwidth",)
DETECT: Final[Slot] = ("detect",)
LIMIT: Final[Slot] = ("limit",)
BUFFER: Final[Slot] = ("buffer",)
MTU: Final[Slot] = ("mtu",)
PAUSE: Final[Slot] = ("pause",)
GROUP: Final[Slot] = ("group",)


def remaining(percent: int) -> Bandwidth:
    """Return a share of what strict queues leave."""
    return Bandwidth(BandwidthKind.REMAINING, percent * 10_000)


#: `default-8q-out-policy`, as `show policy-map interface` of a Nexus 9000 (9.2(2)) shows it.
DEFAULT_OUTPUT: Final[Content] = {
    0: {BANDWIDTH: remaining(100)},
    **{group: {BANDWIDTH: remaining(0)} for group in range(1, 7)},
    7: {PRIORITY: 1},
}
DEFAULTS: Final[Mapping[Place, Content]] = {
    ("queuing", "output"): DEFAULT_OUTPUT,
    ("queuing", "input"): {},
    NETWORK: {},
}


@dataclass(frozen=True, slots=True)
class Sorting:
    """How packets are put into qos-groups: by DSCP, by CoS, and the group of all others.

    `dscp` and `cos` hold the code points that some class matches.  `rest` is `None` where
    class-default says nothing, which means group 0.
    """

    dscp: tuple[tuple[int, int], ...] = ()
    cos: tuple[tuple[int, int], ...] = ()
    rest: int | None = None

    def group(self, dscp: int) -> int:
        """Return the group of an IP packet."""
        return dict(self.dscp).get(dscp, self.rest or 0)

    def group_of_cos(self, cos: int) -> int:
        """Return the group of a tagged packet that no DSCP was matched in."""
        return dict(self.cos).get(cos, self.rest or 0)

    @property
    def idle(self) -> bool:
        """Whether it does what a box does without any policy."""
        return all(not group for _, group in (*self.dscp, *self.cos)) and not self.rest

    def same(self, other: Sorting) -> bool:
        """Say whether two put every packet into the same group, by the same headers."""
        return (
            all(self.group(n) == other.group(n) for n in range(64))
            and all(self.group_of_cos(n) == other.group_of_cos(n) for n in range(8))
            and bool(self.dscp) == bool(other.dscp)
            and bool(self.cos) == bool(other.cos)
            and (self.rest or 0) == (other.rest or 0)
        )

    def groups(self) -> frozenset[int]:
        """Return the groups that some packet is put into."""
        held = {group for _, group in (*self.dscp, *self.cos)}
        return frozenset(held | {self.rest or 0})


NO_SORTING: Final = Sorting()


def sorting(box: Box, policy: Policy) -> Sorting:
    """Return what a policy of type qos comes to: the first class that matches counts.

    Classes that match by anything but DSCP, precedence and CoS are passed over: they say nothing of
    code points.
    """
    dscp: dict[int, int] = {}
    cos: dict[int, int] = {}
    rest: int | None = None
    for one in policy.classes.values():
        group = one.slots.get(GROUP)
        if one.name == "class-default":
            rest = group
            continue
        held = box.class_maps.get(("qos", one.name))
        if held is None or held.never or _narrow(held):
            continue
        for point in held.dscp:
            dscp.setdefault(point, group or 0)
        for point in held.cos:
            cos.setdefault(point, group or 0)
    return Sorting(tuple(sorted(dscp.items())), tuple(sorted(cos.items())), rest)


def _narrow(held: ClassMap) -> bool:
    """Whether a class demands more than a code point, so that not every packet of it matches."""
    return held.foreign and held.match_all is not False


def plain(box: Box, policy: Policy) -> bool:
    """Say whether a qos policy says nothing but what a `Sorting` holds."""
    if any(True for _ in policy.foreign()):
        return False
    for one in policy.classes.values():
        held = box.class_maps.get(("qos", one.name))
        if one.name != "class-default" and (held is None or held.never or held.foreign):
            return False
    return True


def content(box: Box, policy: Policy) -> Content:
    """Return what a queuing or network-qos policy says, by group."""
    return {group: dict(one.slots) for group, one in box.grouped(policy).items()}


def in_force(box: Box, holder: Holder, place: Place) -> tuple[Content | None, str | None]:
    """Return the content that a place of the box or an interface has, and the policy's name.

    `None` for the content where nobody saw it.  Without a policy of its own an interface has the
    box's, and the box the system's default.
    """
    name = holder.attached.get(place)
    if name is None and holder is not box.system:
        return in_force(box, box.system, place)
    if name is None:
        return (DEFAULTS[place] if box.quality_seen else None), None
    if is_default(name):
        return DEFAULTS[place], name
    policy = box.policy(place, name)
    return (None if policy is None else content(box, policy)), name


def sorted_by(box: Box, holder: Holder) -> Sorting | None:
    """Return how a holder's packets are sorted; `None` where nobody saw it."""
    name = holder.attached.get(QOS_IN)
    if name is None and holder is not box.system:
        return sorted_by(box, box.system)
    if name is None:
        return NO_SORTING if box.quality_seen else None
    policy = box.policy(QOS_IN, name)
    return None if policy is None else sorting(box, policy)


def pauses(held: Content) -> dict[int, frozenset[int]]:
    """Return the CoS that are paused, by the group that is lossless."""
    return {
        group: slots[PAUSE]
        for group, slots in held.items()
        if isinstance(slots.get(PAUSE), frozenset)
    }


def lossless_groups(held: Content) -> frozenset[int]:
    """Return the groups that a network-qos policy makes lossless."""
    return frozenset(group for group, slots in held.items() if slots.get(PAUSE))


def no_drop_groups(held: Content) -> frozenset[int]:
    """Return the lossless groups of which the configuration does not tell the paused CoS."""
    return frozenset(group for group, slots in held.items() if slots.get(PAUSE) == NO_DROP)


def class_maps_of(box: Box, policy: Policy) -> Iterator[ClassMap]:
    """Yield the class maps that a policy uses."""
    for name in policy.classes:
        held = box.class_maps.get((policy.kind, name))
        if held is not None:
            yield held


def all_groups(held: Content) -> Iterator[tuple[int, Mapping[Slot, Any]]]:
    """Yield every group with its slots, empty where the policy does not name it."""
    for group in GROUPS:
        yield group, held.get(group, {})


def named(policy: Policy, held: Mapping[int, PolicyClass], group: int) -> str | None:
    """Return the name under which a policy knows a group."""
    return held[group].name if group in held else None
