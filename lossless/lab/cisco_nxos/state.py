"""What a simulated Nexus 9000 holds, and what follows from it for packets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

#: Names that the system defines, in the order in which its default policies list them.
QUEUES: Final = (*(f"c-out-8q-q{n}" for n in range(7, 0, -1)), "c-out-8q-q-default")
INPUTS: Final = (*(f"c-in-q{n}" for n in range(7, 0, -1)), "c-in-q-default")
NETWORK: Final = (*(f"c-8q-nq{n}" for n in range(7, 0, -1)), "c-8q-nq-default")
#: Shares of `default-8q-out-policy`; queue 7 is strict there (`show policy-map interface`, 9.2(2)).
DEFAULT_SHARES: Final = {0: 100, **dict.fromkeys(range(1, 7), 0)}

Place = tuple[str, str]  # kind of policy, and direction ("" for network-qos)


class Refused(Exception):  # noqa: N818 - a box refuses; it is not at fault
    """The box did not take a line.  `marker`: it does not know it; else it says why."""

    def __init__(self, why: str, *, marker: bool = False) -> None:
        super().__init__(why)
        self.marker = marker


@dataclass
class ClassMap:
    """One class map of type qos."""

    match: str
    dscp: set[int] = field(default_factory=set)
    cos: set[int] = field(default_factory=set)


@dataclass
class Holder:
    """An interface, or the system: lines by what they set, and attached policies."""

    lines: dict[str, str] = field(default_factory=dict)
    policies: dict[Place, str] = field(default_factory=dict)


@dataclass
class Config:
    """Everything that a running configuration holds."""

    hostname: str = "switch"
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policies: dict[tuple[str, str], dict[str, dict[str, str]]] = field(default_factory=dict)
    system: Holder = field(default_factory=Holder)
    ports: dict[str, Holder] = field(default_factory=dict)
    lldp: bool = False
    raw: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    vlans: set[int] = field(default_factory=set)

    def users(self, kind: str, name: str) -> list[str]:
        """Return who has a policy attached."""
        holders = {"system": self.system, **self.ports}
        return [
            who
            for who, holder in holders.items()
            for (k, _), n in holder.policies.items()
            if (k, n) == (kind, name)
        ]

    def network(self) -> dict[str, dict[str, str]]:
        """Return the classes of the network-qos policy in force."""
        name = self.system.policies.get(("network-qos", ""), "")
        return self.policies.get(("network-qos", name), {})

    def paused(self) -> dict[int, set[int]]:
        """Return the CoS that pause each lossless group."""
        return {
            group_of(cls): points(held["pause"].split()[-1])
            for cls, held in self.network().items()
            if "pause" in held
        }

    def pauses(self, port: str) -> bool:
        """Say whether PFC is on at a port."""
        return self.ports[port].lines.get("pfc", "").startswith("priority-flow-control mode on")

    def sorts(self, port: str) -> dict[tuple[str, int], int]:
        """Return the group that each matched code point of a port is put into."""
        attached = self.ports[port].policies.get(("qos", "input"))
        name = attached or self.system.policies.get(("qos", "input"))
        found: dict[tuple[str, int], int] = {}
        for cls, lines in self.policies.get(("qos", name or ""), {}).items():
            group = int(lines.get("group", "set qos-group 0").split()[-1])
            if cls == "class-default":
                found[("rest", 0)] = group
                continue
            held = self.class_maps[("qos", cls)]
            for what, said in (("dscp", held.dscp), ("cos", held.cos)):
                for point in said:
                    found.setdefault((what, point), group)
        return found

    def out_policy(self, port: str) -> tuple[str | None, bool]:
        """Return the output policy of a port, and whether it is the port's own."""
        place = ("queuing", "output")
        own = self.ports[port].policies.get(place)
        return (own, True) if own else (self.system.policies.get(place), False)

    def queue(self, port: str) -> dict[int, dict[str, str]]:
        """Return the lines in force on each queue of a port."""
        name, _ = self.out_policy(port)
        if name is None:
            found = {
                group: {"remaining": f"bandwidth remaining percent {share}"}
                for group, share in DEFAULT_SHARES.items()
            }
            return {**found, 7: {"priority": "priority level 1"}}
        return {group_of(cls): held for cls, held in self.policies[("queuing", name)].items()}

    def room(self, port: str) -> dict[int, tuple[int, int, int]]:
        """Return the stated pause buffers by group: size, pause and resume thresholds, bytes."""
        place = ("queuing", "input")
        name = self.ports[port].policies.get(place) or self.system.policies.get(place)
        found: dict[int, tuple[int, int, int]] = {}
        for cls, held in self.policies.get(("queuing", name or ""), {}).items():
            if "buffer" in held:
                size, pause, resume = (int(w) for w in held["buffer"].split() if w.isdecimal())
                found[group_of(cls)] = (size, pause, resume)
        return found


def group_of(name: str) -> int:
    """Return the qos-group of a system-defined class."""
    tail = name.rsplit("q", 1)[1]
    return 0 if tail == "-default" else int(tail)


def points(spelled: str) -> set[int]:
    """Return the numbers of `3`, `24-31` or `24,26`.  Raises `Refused` for anything else."""
    found: set[int] = set()
    for part in spelled.split(","):
        low, _, high = part.partition("-")
        if not low.isdecimal() or not (high or low).isdecimal() or len(low + high) > 8:
            raise Refused(spelled, marker=True)
        found |= set(range(int(low), int(high or low) + 1))
    return found


def spell(numbers: set[int]) -> str:
    """Write numbers as the box does: `24-31,48`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in runs)
