"""Path rules: each distinct way of a class through the fabric is asked once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from lossless.model.classes import PortIntent, TrafficClass
from lossless.model.facet import row
from lossless.model.values import is_value
from lossless.rules.engine.census import Census, PortClass, is_nic
from lossless.rules.engine.extent import Rect
from lossless.rules.engine.lens import Lens
from lossless.rules.engine.members import Paths
from lossless.rules.views import Hop, PathView, PortView
from lossless.topology.quotient import Bundle, Quotient

#: A fabric in which no two devices are alike has too many kinds of path to ask about each.
LIMIT: Final = 50_000


#: A path as a rule sees it, its ports in order, and who shares it.
PathSubject: TypeAlias = tuple[PathView, Sequence[PortView], Paths]


class Nic(NamedTuple):
    """What is told apart of a NIC at the end of a path: fabric, intent, and what the rule sees."""

    fabric: str | None
    intent: int
    seen: int


@dataclass(frozen=True, slots=True)
class Traffic:
    """One kind of traffic of one sender."""

    kind: str
    name: str
    cls: TrafficClass


class PathAsker:
    """The paths of a fabric, prepared once for all path rules."""

    def __init__(self, census: Census, ports_of: Callable[[int], Sequence[Rect]]) -> None:
        self._census = census
        self._ports_of = ports_of
        inside = [group for group in census.links if group.b is not None]
        self._quotient = Quotient(
            (Bundle(g.a.number, g.b.number, g.ends) for g in inside if g.b is not None),
            census.tiers,
        )
        self._nics = {
            group.a.number
            for group in inside
            if group.ends and is_nic(group.a, census.tiers.get(group.ends[0][1]))
        }
        self._intents: dict[int, PortIntent] = {}
        self._asked: dict[Lens, list[PathSubject]] = {}

    def subjects(self, lens: Lens) -> Iterator[PathSubject]:
        """Yield each distinct path as the rule sees it, its ports in order, and who shares it.

        Rules of one lens are asked the very same subjects.  Raises `TooManyPathsError` where the
        fabric has too many distinct paths to ask about each.
        """
        if lens not in self._asked:
            self._asked[lens] = list(self._subjects(lens))
        return iter(self._asked[lens])

    def _subjects(self, lens: Lens) -> Iterator[PathSubject]:
        climbs = self._quotient.climbs(
            lambda colour: self._nic(lens, colour),
            lambda colour: lens.key(self._census.classes[colour]),
        )
        alike: dict[tuple[Any, ...], tuple[Traffic, Paths]] = {}
        for number, (up, down) in enumerate(climbs.turns()):
            if max(number // 20, len(alike)) > LIMIT:
                raise TooManyPathsError
            sender, receiver = up[0], down[0]
            if not isinstance(sender, Nic) or not isinstance(receiver, Nic):
                continue
            if sender.fabric != receiver.fabric:
                continue
            flat = (sender.seen, *up[1:], *reversed(down[1:]), receiver.seen)
            for traffic in sent(self._intents[sender.intent]):
                key = traffic.kind, traffic.name, id(traffic.cls), flat
                found = alike.setdefault(key, (traffic, Paths(climbs, self._ports_of)))
                found[1].ways.append((up, down))
        for (*_, flat), (traffic, paths) in alike.items():
            views = [lens.view(key) for key in flat]
            yield PathView(traffic.kind, traffic.name, traffic.cls, hops(views)), views, paths

    def unsaid(self) -> list[PortClass]:
        """Return the classes of NICs that have lossless classes and do not say which they send."""
        classes = self._census.classes
        return [classes[n] for n in sorted(self._nics) if _silent(classes[n].values["intent"])]

    def _nic(self, lens: Lens, colour: int) -> Nic | None:
        if colour not in self._nics:
            return None
        found = self._census.classes[colour]
        intent = found.values["intent"]
        self._intents[id(intent)] = intent
        return Nic(found.values["place"].fabric, id(intent), lens.key(found))


class TooManyPathsError(Exception):
    """A fabric whose devices all differ, so that its paths cannot be asked one by one."""

    def __init__(self) -> None:
        super().__init__(f"more than {LIMIT} distinct paths")


def sent(intent: PortIntent) -> Iterator[Traffic]:
    """Yield the traffic that a NIC says it sends, in classes that are declared."""
    for kind, name in intent.sends:
        cls = row(intent.classes, name)
        if isinstance(cls, TrafficClass):
            yield Traffic(kind, name, cls)


def _silent(intent: PortIntent) -> bool:
    lossless = (is_value(cls) and cls.lossless is True for _, cls in intent.classes)
    return not intent.sends and any(lossless)


def hops(views: Sequence[PortView]) -> tuple[Hop, ...]:
    """Return the hops of a path from the ports that a packet passes, NIC to NIC."""
    inner = (Hop(views[i], views[i + 1]) for i in range(1, len(views) - 1, 2))
    return (Hop(None, views[0]), *inner, Hop(views[-1], None))
