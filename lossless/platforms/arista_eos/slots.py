"""The vocabulary between text and state: one slot per thing that one line of EOS sets.

A slot is a tuple: what it is, then its numbers — `("dscp", 26)`, `("queue", 3, "ecn")`.  A section
of the configuration is a map from slot to value; the text of a line is made from its slot and
value alone, and setting a slot again replaces it, as the line does on the device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from lossless.model.units import Quantity
from lossless.model.values import DEFAULT, OFF

Slot: TypeAlias = tuple[str | int, ...]
Slots: TypeAlias = dict[Slot, Any]

QUEUES: Final = range(8)
TRAFFIC_CLASSES: Final = range(8)


@dataclass(frozen=True, slots=True)
class Speed:
    """A `speed` line: bit/s (`None` where negotiated), lanes where told, negotiated or not."""

    rate: int | None
    lanes: int | None = None
    auto: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """An ECN or WRED line: probability in per cent, weight as an exponent."""

    minimum: Quantity
    maximum: Quantity
    probability: int | None = None
    weight: int | None = None


@dataclass(frozen=True, slots=True)
class DscpTarget:
    """Where a DSCP goes; `precedence` is the drop precedence, where the line tells one."""

    traffic_class: int
    precedence: int | None = None


@dataclass(frozen=True, slots=True)
class Timer:
    """A port's watchdog timers in nanoseconds; `poll` is `None` for `auto`."""

    timeout: int
    poll: int | None
    recovery: int
    forced: bool = False


#: Slots that only an interface has; all other slots of a port may stand in a qos profile too.
LOCAL: Final = frozenset(
    {
        "mtu",
        "l2_mtu",
        "speed",
        "fec",
        "training",
        "shutdown",
        "flow_send",
        "flow_receive",
        "switchport",
        "mode",
        "access_vlan",
        "native_vlan",
        "trunk_vlans",
        "dcbx",
        "ecn_delay",
    }
)
#: Slots whose "no" is a statement of its own and not the absence of one.
_NO_SPEAKS: Final = frozenset({"switchport", "watchdog", "rewrite_cos"})


def states(slot: Slot, held: Any) -> bool:
    """Say whether a value is a statement; `no …` and `default …` mostly say that there is none."""
    if held is None or held is DEFAULT:
        return False
    return held is not OFF or slot[0] in _NO_SPEAKS


def stated(slots: Mapping[Slot, Any]) -> Slots:
    """Return the slots that state something."""
    return {slot: held for slot, held in slots.items() if states(slot, held)}


@dataclass(frozen=True, slots=True)
class Kept:
    """A line that is carried along as it is: known and outside the model, or not understood."""

    context: tuple[str, ...]
    text: str
    line: int


@dataclass(slots=True)
class Section:
    """One block of the configuration.

    `kinds` tells which queue sub-mode (`tx-queue`, `uc-tx-queue`) a queue was written in;
    `profile` is what an interface attaches; `cut` says that the text ended inside the block.
    """

    name: str
    line: int = 0
    slots: Slots = field(default_factory=dict)
    lines: dict[Slot, int] = field(default_factory=dict)
    kept: list[Kept] = field(default_factory=list)
    kinds: dict[int, str] = field(default_factory=dict)
    profile: str | None = None
    cut: bool = False


@dataclass(slots=True)
class Native:
    """What the planner must know of a box beyond its state: names, attachments, spellings.

    `whole` says that the running configuration was wholly seen, `everything` that it was the
    variant that prints defaults as well.
    """

    system: Section = field(default_factory=lambda: Section("system"))
    interfaces: dict[str, Section] = field(default_factory=dict)
    profiles: dict[str, Section] = field(default_factory=dict)
    mmu: dict[str, Section] = field(default_factory=dict)
    raw: dict[str, int] = field(default_factory=dict)
    whole: bool = False
    everything: bool = False

    @property
    def active_mmu(self) -> str | None:
        """The MMU queue profile in force."""
        held = self.system.slots.get(("mmu_active",))
        return held if isinstance(held, str) else None

    @property
    def queue_kind(self) -> str | None:
        """The sub-mode that this box writes its queues in, where it shows one."""
        for section in (*self.profiles.values(), *self.interfaces.values()):
            for kind in section.kinds.values():
                return kind
        return None


def in_force(interface: Section, profile: Section | None, everything: bool) -> Slots:
    """Return a port's slots: its own over its profile's.

    EOS gives what stands on the interface precedence over the attached profile (Arista EOS
    Central, "Policy maps under QoS Profiles").  Where defaults are printed as well, a line that
    only repeats a default does not outweigh the profile.
    """
    if profile is None:
        return dict(interface.slots)
    combined = dict(profile.slots)
    for slot, held in interface.slots.items():
        if slot in combined and not states(slot, held):
            continue
        if everything and slot in combined and _PRINTED.get(slot[0]) == held:
            continue
        combined[slot] = held
    return combined


#: What `show running-config all` prints for a port that nobody configured (DCS-7260CX, 4.19–4.22).
_PRINTED: Final[Mapping[str | int, Any]] = {"port_cos": 0, "port_dscp": 0, "watchdog": True}
