"""Paths of classes: what traffic meets on its way, without a walk for every pair of NICs.

Ports come coloured (ports of one colour cannot be told apart).  Devices get a class such that all
devices of a class see the same colours below and above them, so that a path of classes exists for
every one of them: the coarsest stable partition of Paige and Tarjan, in one pass up and one down
because the graph is layered.  Traffic climbs from a NIC to a turning point and descends to another
NIC without valleys; links between devices of one tier (MLAG peer links) are no part of a path.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from lossless.topology.tiers import HOST_TIER

#: (link number, lower device, its port, upper device, its port)
End: TypeAlias = tuple[int, str, str, str, str]
#: What a climb shows: (exit of the NIC, entry of the leaf, exit of the leaf, …), entry last.
Climb: TypeAlias = tuple[Hashable, ...]

HOSTS: Final = 0  # the one class of all hosts

#: So many pairs of steps are tried before everything is compared with everything.
_TRIED: Final = 8


class Bundle(NamedTuple):
    """Links whose lower ends share one colour and whose upper ends share another."""

    exit: int
    entry: int
    ends: list[End]


@dataclass(slots=True, eq=False)
class Step:
    """Links that climb from one class of devices to another through ports of the same colours."""

    low: int
    exit: int
    entry: int
    high: int
    ends: list[End] = field(default_factory=list)
    _ways: dict[str, tuple[Hashable, ...]] | None = None
    _apexes: frozenset[str] | None = None
    _forks: bool | None = None

    def apexes(self) -> frozenset[str]:
        """Return the devices that these links reach."""
        if self._apexes is None:
            self._apexes = frozenset({end[3] for end in self.ends})
        return self._apexes

    def forks(self) -> bool:
        """Say whether any device is reached by two branches."""
        if self._forks is None:
            seen: dict[str, Hashable] = {}
            self._forks = any(
                seen.setdefault(end[3], self.branch(end)) != self.branch(end) for end in self.ends
            )
        return self._forks

    def branch(self, end: End) -> Hashable:
        """Return what two ways must differ in: the device below, or at a leaf the link."""
        return end[0] if self.low == HOSTS else end[1]

    def ways(self) -> Mapping[str, tuple[Hashable, ...]]:
        """Return by which branches these links reach each device: by one, or two of them."""
        if self._ways is None:
            self._ways = {}
            for end in self.ends:
                _add(self._ways, end[3], self.branch(end))
        return self._ways


class Quotient:
    """The classes of devices of a fabric, and the steps between them."""

    def __init__(self, bundles: Iterable[Bundle], tiers: Mapping[str, int | None]) -> None:
        layers = _layers(bundles, tiers)
        self._below = _below(layers)
        classes = _classes(layers, self._below)
        self.steps = _steps(layers, classes)
        #: Classes by ascending tier: a class comes after all that it is reached from.
        self.order = _order(layers, classes)

    def climbs(
        self, nic: Callable[[int], Hashable | None], port: Callable[[int], Hashable]
    ) -> Climbs:
        """Return all climbs as seen through two lenses.

        `nic` gives what is seen of a colour as the NIC where traffic starts or ends (`None`: no
        such NIC), `port` what is seen of any other port.
        """
        return Climbs(self, nic, port)


class Climbs:
    """The climbs of a quotient through one lens, and the real links behind them."""

    def __init__(
        self,
        quotient: Quotient,
        nic: Callable[[int], Hashable | None],
        port: Callable[[int], Hashable],
    ) -> None:
        self._out: dict[int, dict[tuple[Hashable, Hashable], list[Step]]] = {}
        into: dict[int, set[tuple[Hashable, Hashable, int]]] = defaultdict(set)
        for step in quotient.steps:
            first = nic(step.exit) if step.low == HOSTS else port(step.exit)
            if first is None:
                continue
            entry = port(step.entry)
            into[step.high].add((first, entry, step.low))
            self._out.setdefault(step.low, {}).setdefault((first, entry), []).append(step)
        #: The climbs that end at each class of devices.
        self.at: dict[int, frozenset[Climb]] = {HOSTS: frozenset({()})}
        made: dict[frozenset[tuple[Hashable, Hashable, int]], frozenset[Climb]] = {}
        equal: dict[frozenset[Climb], frozenset[Climb]] = {}
        for high in quotient.order:
            key = frozenset(into[high])
            if key not in made:
                whole = frozenset(
                    (*climb, exit_, entry)
                    for exit_, entry, low in key
                    for climb in self.at.get(low, ())
                )
                made[key] = equal.setdefault(whole, whole)
            self.at[high] = made[key]
        self._real: dict[Climb, list[list[Step]]] = {}
        self._joint: dict[frozenset[Climb], Mapping[str, tuple[Hashable, ...]]] = {}
        self._ways: dict[Climb, Mapping[str, tuple[Hashable, ...]]] = {}

    def turns(self) -> Iterator[tuple[Climb, Climb]]:
        """Yield each pair of climbs that really meet at a turning point, once."""
        ends = {climbs: None for at, climbs in self.at.items() if at != HOSTS and climbs}
        seen: set[tuple[Climb, Climb]] = set()
        largest: frozenset[Climb] = frozenset()
        for climbs in sorted(ends, key=len, reverse=True):
            new = climbs - largest  # all pairs inside `largest` were seen already
            for up in climbs:
                for down in climbs if up in new else new:
                    if (up, down) not in seen:
                        seen.add((up, down))
                        if self._meet(up, down):
                            yield up, down
            largest = largest or climbs

    def colours(self, climb: Climb, place: int) -> frozenset[int]:
        """Return the colours of the ports at one place of a climb."""
        steps = self._steps(climb)[place // 2]
        return frozenset(step.entry if place % 2 else step.exit for step in steps)

    def ends(self, climb: Climb, others: Iterable[Climb], level: int) -> Iterator[End]:
        """Yield the links at one level of a climb that really meets one of the others.

        Nothing is yielded where nothing meets: a path does not turn into the device it came from,
        nor at a leaf into the link.
        """
        ways = self._all_branches(frozenset(others))
        levels = self._steps(climb)
        kept = [
            end
            for step in levels[-1]
            for end in step.ends
            if _elsewhere(ways.get(end[3], ()), step.branch(end))
        ]
        for steps in reversed(levels[level:-1]):
            through = {end[1] for end in kept}
            kept = [end for step in steps for end in step.ends if end[3] in through]
        yield from kept

    def _meet(self, up: Climb, down: Climb) -> bool:
        """Say whether two climbs reach any device by different ways."""
        if any(map(_surely_meet, self._steps(up)[-1][:_TRIED], self._steps(down)[-1][:_TRIED])):
            return True
        left, right = self._branches(up), self._branches(down)
        return any(
            _elsewhere(right.get(apex, ()), branch)
            for apex, branches in left.items()
            for branch in branches
        )

    def _branches(self, climb: Climb) -> Mapping[str, tuple[Hashable, ...]]:
        """Return by which ways a climb reaches each turning point: one, or two of them."""
        found = self._ways.get(climb)
        if found is None:
            found = _merged(step.ways() for step in self._steps(climb)[-1])
            self._ways[climb] = found
        return found

    def _all_branches(self, climbs: frozenset[Climb]) -> Mapping[str, tuple[Hashable, ...]]:
        found = self._joint.get(climbs)
        if found is None:
            found = self._joint[climbs] = _merged(map(self._branches, climbs))
        return found

    def _steps(self, climb: Climb) -> list[list[Step]]:
        """Return the steps that a climb takes from its NICs upward, level by level."""
        found = self._real.get(climb)
        if found is None:
            found, at = [], {HOSTS}
            for level in range(0, len(climb), 2):
                seen = climb[level], climb[level + 1]
                steps = [step for low in at for step in self._out.get(low, {}).get(seen, ())]
                at = {step.high for step in steps}
                found.append(steps)
            self._real[climb] = found
        return found


def _surely_meet(up: Step, down: Step) -> bool:
    """Say whether it is plain that two steps reach one device by different branches."""
    if up is down:
        return up.forks()
    apart = up.low == down.low == HOSTS or up.low != down.low
    return up.high == down.high and apart and not up.apexes().isdisjoint(down.apexes())


def _add(ways: dict[str, tuple[Hashable, ...]], apex: str, branch: Hashable) -> None:
    known = ways.get(apex)
    if known is None:
        ways[apex] = (branch,)
    elif len(known) == 1 and known[0] != branch:
        ways[apex] = (known[0], branch)


def _merged(
    many: Iterable[Mapping[str, tuple[Hashable, ...]]],
) -> Mapping[str, tuple[Hashable, ...]]:
    first, *rest = many
    if not rest:
        return first
    merged = dict(first)
    for ways in rest:
        for apex, branches in ways.items():
            for branch in branches:
                _add(merged, apex, branch)
    return merged


def _elsewhere(ways: tuple[Hashable, ...], branch: Hashable) -> bool:
    """Say whether one of the ways is another than this."""
    return len(ways) > 1 or (len(ways) == 1 and ways[0] != branch)


#: (lower tier, upper tier, exit colour, entry colour, links)
_Layer: TypeAlias = tuple[int, int, int, int, list[End]]


def _layers(bundles: Iterable[Bundle], tiers: Mapping[str, int | None]) -> list[_Layer]:
    """Sort links by tier; what does not climb between known tiers is left out."""
    out: list[_Layer] = []
    for bundle in bundles:
        for (low, high), ends in _split(bundle.ends, tiers.get):
            if low is not None and high is not None and low < high:
                out.append((low, high, bundle.exit, bundle.entry, ends))
    return out


def _split(
    ends: list[End], of: Callable[[str], int | None]
) -> Iterable[tuple[tuple[int | None, int | None], list[End]]]:
    """Sort links by a property of their lower and upper devices; mostly all are alike."""
    kinds = {(of(end[1]), of(end[3])) for end in ends}
    if len(kinds) == 1:
        return [(kinds.pop(), ends)]
    sorted_: dict[tuple[int | None, int | None], list[End]] = defaultdict(list)
    for end in ends:
        sorted_[of(end[1]), of(end[3])].append(end)
    return sorted_.items()


def _below(layers: list[_Layer]) -> dict[str, int]:
    """Return, for each device, the number of its class by what hangs beneath it."""
    under: dict[str, set[tuple[int, int, int]]] = defaultdict(set)
    numbers: dict[frozenset[tuple[int, int, int]], int] = {}
    found: dict[str, int] = {}

    def number(device: str) -> int:
        known = found.get(device)
        if known is None:
            beneath = frozenset(under.get(device, ()))
            known = found[device] = numbers.setdefault(beneath, len(numbers) + 1)
        return known

    for low, _, exit_, entry, ends in sorted(layers, key=lambda layer: layer[0]):
        if low == HOST_TIER:
            for device in {end[3] for end in ends}:
                under[device].add((exit_, entry, HOSTS))
            continue
        for _, lower, _, upper, _ in ends:
            under[upper].add((exit_, entry, number(lower)))
    for device in list(under):
        number(device)
    return found


def _classes(layers: list[_Layer], below: Mapping[str, int]) -> dict[str, int]:
    """Return the class of each switch by what is beneath and above it."""
    over: dict[str, set[tuple[int, int, int]]] = defaultdict(set)
    numbers: dict[tuple[int, frozenset[tuple[int, int, int]]], int] = {}
    found: dict[str, int] = {}

    def number(device: str) -> int:
        known = found.get(device)
        if known is None:
            key = below[device], frozenset(over.get(device, ()))
            known = found[device] = numbers.setdefault(key, len(numbers) + 1)
        return known

    for low, _, exit_, entry, ends in sorted(layers, key=lambda layer: layer[1], reverse=True):
        if low == HOST_TIER:
            continue
        for _, lower, _, upper, _ in ends:
            over[lower].add((exit_, entry, number(upper)))
    for device in below:
        number(device)
    return found


def _steps(layers: list[_Layer], classes: Mapping[str, int]) -> list[Step]:
    steps: dict[tuple[int, int, int, int], Step] = {}
    for _, _, exit_, entry, ends in layers:
        # A host has no class of its own, for nothing hangs beneath it.
        for (below, above), together in _split(ends, classes.get):
            key = below or HOSTS, exit_, entry, above or HOSTS
            step = steps.get(key)
            if step is None:
                steps[key] = Step(*key, together)
            else:
                step.ends = [*step.ends, *together]
    return list(steps.values())


def _order(layers: list[_Layer], classes: Mapping[str, int]) -> list[int]:
    """Return the classes of the upper ends by ascending tier."""
    height: dict[int, int] = {}
    for _, high, _, _, ends in layers:
        for upper in {end[3] for end in ends}:
            height[classes[upper]] = high
    return sorted(height, key=lambda at: (height[at], at))
