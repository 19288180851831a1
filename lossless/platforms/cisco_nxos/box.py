"""A box as its configuration describes it: objects, where they are attached, and settings.

The parser makes a `Box` from text, the planner a second one from a state; what differs between the
two becomes operations.  A slot is a tuple that names one thing that one line sets; lines that only
repeat a default of the platform have no slot, because the running configuration does not print
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from lossless.model.units import Quantity
from lossless.platforms.cisco_nxos.names import DEFAULT_POLICY, system_class

Slot: TypeAlias = tuple[str | int, ...]
Slots: TypeAlias = dict[Slot, Any]
#: Where a policy is attached: its kind ("qos", "queuing", "network-qos") and direction ("input",
#: "output", or "" for network-qos).
Place: TypeAlias = tuple[str, str]
#: A line of a file: the file's name, where it has one, and the number from 1.
Where: TypeAlias = tuple[str | None, int]

NOWHERE: Final[Where] = (None, 0)

QOS_IN: Final[Place] = ("qos", "input")
QUEUING_IN: Final[Place] = ("queuing", "input")
QUEUING_OUT: Final[Place] = ("queuing", "output")
NETWORK: Final[Place] = ("network-qos", "")

#: `pause no-drop`: the class is lossless, and the line does not tell for which CoS.
NO_DROP: Final = "no-drop"


@dataclass(frozen=True, slots=True)
class PfcLine:
    """`priority-flow-control mode on send-tlv`: the mode's word, and whether it is advertised."""

    mode: str  # "on" or "off"; "auto" is the default and not printed
    advertise: bool = False


@dataclass(frozen=True, slots=True)
class Detect:
    """A `random-detect` line.  Probability in per cent, weight as an exponent.

    `preset` is the word of `random-detect threshold burst-optimized`, whose numbers nobody shows.
    """

    minimum: Quantity | None = None
    maximum: Quantity | None = None
    probability: int | None = None
    weight: int | None = None
    ecn: bool = False
    preset: str | None = None


@dataclass(frozen=True, slots=True)
class PauseBuffer:
    """`pause buffer-size … pause-threshold … resume-threshold …`, in bytes."""

    size: int
    pause: int
    resume: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A line that is carried along as it is.  `known`: it is understood and outside the model."""

    text: str
    known: bool = True


@dataclass(slots=True)
class ClassMap:
    """A class map.  `match_all` is `None` where the header does not say.

    `foreign`: it matches by something that the model has no words for (an access list, a protocol).
    """

    kind: str
    name: str
    match_all: bool | None = None
    dscp: frozenset[int] = frozenset()
    cos: frozenset[int] = frozenset()
    groups: frozenset[int] = frozenset()
    foreign: bool = False
    where: Where = NOWHERE

    @property
    def match(self) -> str | None:
        """The word of its header."""
        if self.match_all is None:
            return None
        return "match-all" if self.match_all else "match-any"

    @property
    def never(self) -> bool:
        """Whether it demands a DSCP and a CoS at once, which no single map can say."""
        return bool(self.match_all is not False and self.dscp and self.cos)


@dataclass(slots=True)
class PolicyClass:
    """One class of a policy map: what its lines set, where, and what is carried along."""

    name: str
    slots: Slots = field(default_factory=dict)
    lines: dict[Slot, Where] = field(default_factory=dict)
    kept: list[Kept] = field(default_factory=list)
    where: Where = NOWHERE


@dataclass(slots=True)
class Policy:
    """A policy map, with its classes in the order of the configuration."""

    kind: str
    name: str
    classes: dict[str, PolicyClass] = field(default_factory=dict)
    kept: list[Kept] = field(default_factory=list)
    where: Where = NOWHERE

    def foreign(self) -> Iterator[Kept]:
        """Yield the lines that were not understood."""
        for held in (self.kept, *(one.kept for one in self.classes.values())):
            yield from (kept for kept in held if not kept.known)


@dataclass(slots=True)
class Holder:
    """Something that has settings and attachments: an interface, or the whole box."""

    slots: Slots = field(default_factory=dict)
    lines: dict[Slot, Where] = field(default_factory=dict)
    attached: dict[Place, str] = field(default_factory=dict)


@dataclass(slots=True)
class Interface(Holder):
    """An interface.  `seen`: its block was shown whole, so that silence means the default."""

    name: str = ""
    seen: bool = False


@dataclass(slots=True)
class Box:
    """A whole box.

    `whole`: the running configuration was wholly seen; `policies_seen`: all that concerns quality
    of service was (`show running-config ipqos`).
    """

    system: Holder = field(default_factory=Holder)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policies: dict[tuple[str, str], Policy] = field(default_factory=dict)
    raw: dict[str, Where] = field(default_factory=dict)
    whole: bool = False
    policies_seen: bool = False

    @property
    def quality_seen(self) -> bool:
        """Whether every policy, class map and attachment was shown."""
        return self.whole or self.policies_seen

    def policy(self, place: Place, name: str | None) -> Policy | None:
        """Return the policy map of a name for a place."""
        return None if name is None else self.policies.get((place[0], name))

    def group_of(self, kind: str, class_name: str) -> int | None:
        """Return the qos-group that a class of a queuing or network-qos policy stands for."""
        known = system_class(class_name)
        if known is not None:
            return known.group
        if class_name == "class-default":
            return 0
        held = self.class_maps.get((kind, class_name))
        if held is None or len(held.groups) != 1:
            return None
        return next(iter(held.groups))

    def grouped(self, policy: Policy) -> dict[int, PolicyClass]:
        """Return the classes of a queuing or network-qos policy by their qos-group."""
        found: dict[int, PolicyClass] = {}
        for one in policy.classes.values():
            group = self.group_of(policy.kind, one.name)
            if group is not None:
                found.setdefault(group, one)
        return found

    def holders(self) -> Iterator[tuple[str | None, Holder]]:
        """Yield all that policies can be attached to: `None` for the box, then the interfaces."""
        yield None, self.system
        yield from self.interfaces.items()

    def users(self, place: Place, name: str) -> list[str | None]:
        """Return who attaches a policy."""
        return [who for who, holder in self.holders() if holder.attached.get(place) == name]


def is_default(name: str | None) -> bool:
    """Say whether a policy's name is one of the system's own defaults."""
    return name is not None and DEFAULT_POLICY.fullmatch(name) is not None


def eight_queues(policy: Policy) -> bool:
    """Say whether a policy speaks only of the eight queues that the system names."""
    known = [system_class(name) for name in policy.classes]
    return all(one is not None and one.queues == 8 for one in known)


def queue_count(policy: Policy) -> int:
    """Return how many queues a policy rules over; 0 where its classes are somebody's own."""
    known = [system_class(name) for name in policy.classes]
    counts = {one.queues for one in known if one is not None}
    return max(counts) if counts and None not in known else 0
