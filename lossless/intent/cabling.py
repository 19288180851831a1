"""From the `links` of a declaration to cables between ports.

Written order is kept: an entry with a `for` (or with one index that varies on each side) stands
for many links, and each link's number leads back to its entry.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from lossless.intent.entries import spread
from lossless.intent.expressions import Expression, ExpressionError, Template, parse_template
from lossless.intent.layers import Path
from lossless.intent.loops import Loop, LoopError, read_loop
from lossless.intent.lowering.values import field as as_field
from lossless.intent.lowering.values import word
from lossless.intent.problems import Chorus, Problems
from lossless.model.link import Cable, Medium
from lossless.nodeset import LIMIT, NodeSetError, expand, is_set, varying

#: The port of an outside device that nobody knows.
UNKNOWN_PORT = "?"


class Cabled(NamedTuple):
    """One link of the expansion: its number, both ends as written, its cable, its entry."""

    number: int
    a: str
    b: str
    cable: Cable
    entry: int


class End(NamedTuple):
    """One end of an entry: how to write the device's and the port's name in each round."""

    device: Callable[[tuple[int, ...]], str]
    port: Callable[[tuple[int, ...]], str]


@dataclass(slots=True, eq=False)
class Plan:
    """One entry of `links`, read: its rounds, its two ends, and the cable of each round."""

    entry: int
    path: Path
    rounds: Iterator[tuple[int, ...]]
    a: End
    b: End
    cables: Sequence[Cable]  # one for all rounds, or one per round


def split_end(text: str) -> tuple[str, str] | None:
    """Split `device:port` at the first colon (ports have colons of their own, devices none)."""
    device, colon, port = text.partition(":")
    return (device, port) if colon and device and port else None


#: One link: device and port of both ends, and the cable.
Plain: TypeAlias = tuple[tuple[str, str], tuple[str, str], Cable]

_NOT_PLAIN = re.compile(r"[\[\]{},!&^*@]")


@dataclass(slots=True, eq=False)
class Planner:
    """Reads the entries of `links` one by one."""

    problems: Problems
    _cables: dict[Any, Cable] = field(default_factory=dict)
    _total: int = 0

    def plan(self, number: int, entry: Mapping[str, Any]) -> Plan | None:
        """Read one entry; `None` (and problems) where it cannot be read."""
        path: Path = ("links", number)
        try:
            loop = read_loop(entry.get("for"))
        except LoopError as error:
            self.problems.add(str(error), (*path, "for"))
            return None
        looped = "for" in entry
        read = self._looped if looped else self._listed
        a, b = read(entry, "a", loop, path), read(entry, "b", loop, path)
        if a is None or b is None:
            return None
        (a_end, a_count), (b_end, b_count) = a, b
        if a_count != b_count:
            self.problems.add(
                f"a names {a_count} ports and b names {b_count}",
                path,
                "both ends of a link entry name as many ports",
            )
            return None
        if not self._within_limit(a_count, path):
            return None
        rounds = loop.rounds() if looped else ((i,) for i in range(a_count))
        cables = self._entry_cables(entry, path, a_count, len(loop.names) if looped else 1)
        return Plan(number, path, rounds, a_end, b_end, cables)

    def plain(self, number: int, entry: Mapping[str, Any]) -> Plain | None:
        """Read an entry that is one link with both names written out; `None` where it is more."""
        if "for" in entry:
            return None
        a, b, length = entry.get("a") or "", entry.get("b") or "", entry.get("cable")
        if _NOT_PLAIN.search(a) or _NOT_PLAIN.search(b) or isinstance(length, (str, list)):
            return None
        a_device, _, a_port = a.partition(":")
        b_device, _, b_port = b.partition(":")
        if not (a_port and b_port and self._within_limit(1, ("links", number))):
            return None
        return (a_device, a_port), (b_device, b_port), self._cable(entry, length)

    def _within_limit(self, count: int, path: Path) -> bool:
        before, self._total = self._total, self._total + count
        if self._total > LIMIT >= before:
            self.problems.add(f"there are more than {LIMIT} links", path)
        return self._total <= LIMIT

    def _looped(
        self, entry: Mapping[str, Any], side: str, loop: Loop, path: Path
    ) -> tuple[End, int] | None:
        text = entry.get(side) or ""
        here = (*path, side)
        if "[" in text:
            hint = "write {variable} for the index, and the values in the for"
            self.problems.add(f"{text!r} has brackets beside a for", here, hint)
            return None
        try:
            template = parse_template(text, loop.names)
            halves = _halves(template)
        except ExpressionError as error:
            self.problems.add(str(error), here)
            return None
        if halves is None:
            self._not_an_end(text, here)
            return None
        device, port = (_remembered(half, loop) for half in halves)
        return End(device, port), len(loop)

    def _listed(
        self, entry: Mapping[str, Any], side: str, _loop: Loop, path: Path
    ) -> tuple[End, int] | None:
        text = entry.get(side) or ""
        here = (*path, side)
        if "{" in text or "}" in text:
            self.problems.add(f"{text!r} has an expression and no for", here)
            return None
        try:
            if is_set(text) and varying(text) > 1:
                hint = "write a for, which says which index runs first"
                self.problems.add(f"{text!r} has more than one index that varies", here, hint)
                return None
            ends = [split_end(one) for one in (expand(text) if is_set(text) else [text])]
        except NodeSetError as error:
            self.problems.add(str(error), here)
            return None
        pairs = [pair for pair in ends if pair is not None]
        if len(pairs) != len(ends):
            self._not_an_end(text, here)
            return None
        return End(lambda i: pairs[i[0]][0], lambda i: pairs[i[0]][1]), len(pairs)

    def _not_an_end(self, text: str, path: Path) -> None:
        self.problems.add(
            f"{text!r} is not an end of a link", path, "write device:port, as in leaf01:Ethernet1/1"
        )

    def _entry_cables(
        self, entry: Mapping[str, Any], path: Path, count: int, indexes: int
    ) -> Sequence[Cable]:
        here = (*path, "cable")
        several = spread(entry.get("cable"), here, self.problems)
        if several is None:
            return (self._cable(entry, entry.get("cable")),)
        if indexes > 1:
            hint = "write one entry per length"
            self.problems.add("cable lists lengths for more than one index", here, hint)
        elif len(several) != count:
            self.problems.add(f"cable lists {len(several)} lengths for {count} links", here)
        else:
            return [self._cable(entry, length) for length in several]
        return (Cable(),)

    def _cable(self, entry: Mapping[str, Any], length: Any) -> Cable:
        if isinstance(length, list) and len(length) == 1:
            length = length[0]
        get, medium = entry.get, entry.get("medium")
        said = (length, get("configured_cable"), id(medium), get("rated"))
        known = self._cables.get(said)
        if known is None:
            known = self._cables[said] = Cable(
                length=as_field(said[0]),
                configured_length=as_field(said[1]),
                medium=word(Medium, medium),
                rated=as_field(said[3]),
            )
        return known


def _halves(template: Template) -> tuple[Template, Template] | None:
    """Split a template at its first colon, which no expression can produce."""
    for place, part in enumerate(template.parts):
        if isinstance(part, str) and ":" in part:
            left, _, right = part.partition(":")
            before = (*template.parts[:place], *([left] if left else []))
            after = (*([right] if right else []), *template.parts[place + 1 :])
            return (_template(before), _template(after)) if before and after else None
    return None


def _template(parts: tuple[str | Expression, ...]) -> Template:
    names = [n for p in parts if isinstance(p, Expression) for n in p.names]
    return Template(parts, tuple(dict.fromkeys(names)))


def _remembered(template: Template, loop: Loop) -> Callable[[tuple[int, ...]], str]:
    """Compute a template once per distinct values of the variables that it uses."""
    places = [loop.names.index(name) for name in template.names]
    names = template.names
    known: dict[Any, str] = {}

    def compute(key: tuple[int, ...]) -> str:
        text = known[key] = template(dict(zip(names, key, strict=True)))
        return text

    if not places:
        return lambda _: known.get(()) or compute(())
    if len(places) == 1:
        place = places[0]

        def one(values: tuple[int, ...]) -> str:
            found = known.get(values[place])
            if found is None:
                found = known[values[place]] = template({names[0]: values[place]})
            return found

        return one

    pick = itemgetter(*places)

    def several(values: tuple[int, ...]) -> str:
        key = pick(values)
        return known.get(key) or compute(key)

    return several


def expand_links(data: Mapping[str, Any], problems: Problems) -> Iterator[Cabled]:
    """Yield every link of a declaration in order, as text: what the entries stand for.

    Ends are not looked up; entries that cannot be read are problems and stand for nothing.
    """
    planner = Planner(problems)
    number = 0
    for index, entry in enumerate(data.get("links") or ()):
        plan = planner.plan(index, entry)
        if plan is None:
            continue
        chorus = Chorus(problems, plan.path)
        for place, values in enumerate(plan.rounds):
            cable = plan.cables[place if len(plan.cables) > 1 else 0]
            try:
                a = f"{plan.a.device(values)}:{plan.a.port(values)}"
                b = f"{plan.b.device(values)}:{plan.b.port(values)}"
            except ExpressionError as error:
                chorus.add(str(error))
                continue
            yield Cabled(number, a, b, cable, index)
            number += 1
        chorus.close()


@dataclass(slots=True, eq=False)
class LinkIndex:
    """From a link's number to the entry that it was expanded from."""

    starts: list[int] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)

    def add(self, start: int, entry: int) -> None:
        """Note that links from `start` on belong to an entry."""
        self.starts.append(start)
        self.entries.append(entry)

    def path(self, number: int) -> Path | None:
        """Return the path of a link's entry."""
        place = bisect_right(self.starts, number) - 1
        return ("links", self.entries[place]) if place >= 0 else None

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.entries, strict=True)
