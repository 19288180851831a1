"""Folding answers: one cause is one finding, however many objects share it."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lossless.findings import (
    Beneath,
    Confidence,
    Edit,
    Finding,
    Location,
    Provenance,
    Related,
    Severity,
    Suppression,
    Target,
)
from lossless.model.facet import is_facet
from lossless.model.values import Mark
from lossless.rules.declare import Fault, Rule
from lossless.rules.engine.accept import Acceptance, Saying
from lossless.rules.engine.census import Census
from lossless.rules.engine.extent import (
    EXACT,
    Memo,
    Pair,
    Rect,
    from_pairs,
    names,
    pairs,
    short,
    size,
)
from lossless.rules.engine.members import Instance, Members, Paths, joined
from lossless.topology.reach import Reach, Served

#: Peers are pointed at one by one; beyond so many places nobody reads them.
_RELATED = 4
#: So many peers are looked up to find those places.
_LOOKED_UP = 16

_NAMED = re.compile(r"\{(here|there)\}")


class _Said(NamedTuple):
    """One answer and the places of the subject that it points at."""

    rule: Rule
    fault: Fault
    at: int | None
    peer: int | None


class _Cause:
    """One fault, written at one place, and all objects that share it."""

    __slots__ = ("fault", "ignore", "instances", "location", "rule")

    def __init__(self, rule: Rule, fault: Fault, location: Location | None, ignore: Any) -> None:
        self.rule = rule
        self.fault = fault
        self.location = location
        self.ignore = ignore
        self.instances: list[Instance] = []


class Folder:
    """Gathers faults, and makes findings of them at the end."""

    def __init__(self, census: Census, provenance: Provenance, acceptance: Acceptance) -> None:
        self._census = census
        self._provenance = provenance
        self._acceptance = acceptance
        self._said: dict[tuple[Any, ...], tuple[_Said, list[Members]]] = {}
        self._bound: dict[tuple[Any, ...], set[Target]] = {}
        self._reach: Reach | None = None

    def add(self, rule: Rule, fault: Fault, at: int | None, peer: int | None, who: Members) -> None:
        """Take in a fault of everybody who shares an answer."""
        key = *_sameness(rule, fault), at, peer
        self._said.setdefault(key, (_Said(rule, fault, at, peer), []))[1].append(who)

    def findings(self) -> Iterator[Finding]:
        """Yield one finding for each cause."""
        causes: dict[tuple[Any, ...], _Cause] = {}
        bound = [(said, who) for said, many in self._said.values() for who in joined(many)]
        # A port may be passed on several ways; a peer across its link says most of it.
        bound.sort(key=lambda pair: not pair[1].paired(pair[0].at, pair[0].peer))
        for said, who in bound:
            self._bind(causes, said, who)
        for cause in causes.values():
            yield self._finding(cause)

    def _bind(self, causes: dict[tuple[Any, ...], _Cause], said: _Said, who: Members) -> None:
        same = _sameness(said.rule, said.fault)
        bound = self._bound.setdefault(same, set()) if isinstance(who, Paths) else None
        saying = Saying(said.fault.field, plain(said.fault.expected), plain(said.fault.actual))
        for instance in who.instances(said.at, said.peer):
            if bound is not None:
                if instance.where in bound:
                    continue  # a port is passed on the way up and on the way down
                bound.add(instance.where)
            location = self._locate(instance.where, said.fault)
            ignore = self._acceptance.reason(said.rule, saying, instance, location)
            key = *same, location, ignore
            cause = causes.get(key)
            if cause is None:
                cause = causes[key] = _Cause(said.rule, said.fault, location, ignore)
            cause.instances.append(instance)

    def _locate(self, where: Target, fault: Fault) -> Location | None:
        """Return where the first of a fault's fields is written, else what is nearest to it."""
        if fault.field is None:
            return None if where == Target() else self._provenance.locate(where, "")
        if set(fault.restore) - {fault.field}:
            restored = self._overridden(fault, where)  # the reader is led to what is to change
            if restored is not None:
                return self._provenance.written(where, restored[0])
        for field in (fault.field, *fault.or_fields):
            place = self._provenance.written(where, field)
            if place is not None:
                return place
        place = self._provenance.locate(where, fault.field)
        return place or (None if where == Target() else self._provenance.locate(where, ""))

    def _finding(self, cause: _Cause) -> Finding:
        rule, fault = cause.rule, cause.fault
        here = list(dict.fromkeys(i.here for i in cause.instances))
        instance = cause.instances[0]
        there = _peers(cause.instances)
        here_names, there_names = names(from_pairs(here)), names(from_pairs(there))
        both = there_names if instance.link is not None else ()
        ordered = (here_names, both) if instance.first else (both, here_names)
        return Finding(
            rule=rule.id,
            name=rule.name,
            severity=severity(rule, fault),
            message=spell(
                fault.message, short(here_names, len(here)), short(there_names, len(there))
            ),
            objects=tuple(dict.fromkeys(name for side in ordered for name in side)),
            field=fault.field,
            expected=plain(fault.expected),
            actual=plain(fault.actual),
            location=cause.location,
            related=self._related(fault, there, cause.location),
            confidence=fault.confidence,
            edit=self._edit(fault, instance.where),
            touches=self._touches(here),
            count=len(here),
            suppressed=self._suppressed(cause),
        )

    def _edit(self, fault: Fault, where: Target) -> Edit | None:
        """Return the change that mends a fault, at the leaf itself where that is written.

        What stands on a fact that nobody verified is not mended unasked.
        """
        safe = fault.fix_safe and fault.confidence is Confidence.CERTAIN
        restored = self._overridden(fault, where)
        if restored is not None:
            field, under = restored
            value = _read(under.value)
            said = f"set {field} to {_word(value)}, as {under.location} says"
            return Edit(said, self._provenance.written(where, field), field, value, safe)
        if fault.fix is None or fault.field is None:
            return None
        value = plain(fault.fix)
        return Edit(
            description=f"set {fault.field} to {_word(value)}",
            location=self._provenance.written(where, fault.field),
            path=fault.field,
            value=value,
            safe=safe,
        )

    def _overridden(self, fault: Fault, where: Target) -> tuple[str, Beneath] | None:
        """Return the most particular field that overrides something; `None` where two are."""
        found = [(f, under) for f in fault.restore if (under := self._beneath(where, f))]
        highest = max((under.height for _, under in found), default=0)
        top = [pair for pair in found if pair[1].height == highest]
        return top[0] if len(top) == 1 else None

    def _beneath(self, where: Target, field: str) -> Beneath | None:
        return self._provenance.beneath(where, field)

    def _suppressed(self, cause: _Cause) -> Suppression | None:
        return None if cause.ignore is None else self._acceptance.use(cause.rule, cause.ignore)

    def _related(
        self, fault: Fault, there: list[Pair], primary: Location | None
    ) -> tuple[Related, ...]:
        """Point at what the peers say, where the rule named a peer or a field of it."""
        field = fault.peer_field or (fault.field if fault.peer is not None else None)
        if field is None:
            return ()
        written: dict[Location, list[Pair]] = {}
        for pair in there[:_LOOKED_UP]:
            place = self._provenance.locate(Target(*pair), field)
            if place is not None and place != primary:
                written.setdefault(place, []).append(pair)
        return tuple(
            Related(place, f"on {', '.join(names(from_pairs(held)))}")
            for place, held in list(written.items())[:_RELATED]
        )

    def _touches(self, objects: Iterable[Pair]) -> tuple[str, ...]:
        if self._reach is None:
            self._reach = Reach(
                (end for group in self._census.links for end in group.ends),
                self._census.tiers,
                self._rail,
            )
        return touched(self._reach.all_served(objects), len(self._reach.hosts))

    def _rail(self, device: str, port: str) -> int | None:
        found = self._census.class_of(device, port)
        return None if found is None else found.values["place"].rail


def _peers(instances: list[Instance]) -> list[Pair]:
    """Return the other ends of the links at fault, or where there are none, examples of peers."""
    paired = [i for i in instances if i.link is not None]
    return list(dict.fromkeys(i.there for i in paired or instances if i.there is not None))


class Gathered:
    """Answers without a fault (not checked, not applicable), gathered by rule and reason."""

    def __init__(self) -> None:
        self._members: dict[tuple[str, tuple[str, ...], int | None], list[Members]] = {}

    def add(self, rule: str, reasons: tuple[str, ...], at: int | None, who: Members) -> None:
        """Take in everybody who shares an answer."""
        self._members.setdefault((rule, reasons, at), []).append(who)

    def folded(self) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...], int]]:
        """Yield (rule, reasons, objects, count), in a stable order."""
        extents: dict[tuple[str, tuple[str, ...]], list[Rect]] = {}
        for (rule, reasons, at), members in self._members.items():
            extent = extents.setdefault((rule, reasons), [])
            for who in joined(members):
                extent.extend(who.extent(at))
        # Many rules pass over the very same rectangles: those are folded once.
        folded: dict[frozenset[int], tuple[tuple[str, ...], int]] = {}
        memo: Memo = {}
        for (rule, reasons), extent in sorted(extents.items(), key=lambda pair: pair[0]):
            distinct = {id(rect): rect for rect in extent}
            key = frozenset(distinct)
            if key and key not in folded:
                whole = list(distinct.values())
                exact = from_pairs(pairs(whole)) if size(whole) <= EXACT else whole
                folded[key] = names(exact, memo), size(exact)
            if key:
                yield rule, reasons, *folded[key]


def _sameness(rule: Rule, fault: Fault) -> tuple[Any, ...]:
    """Return what two faults of one cause agree in, besides the place."""
    return (
        rule.id,
        fault.message,
        fault.field,
        fault.peer_field,
        _said(fault.expected),
        _said(fault.actual),
        fault.severity,
        fault.confidence,
        _said(fault.fix),
    )


def _said(value: Any) -> Any:
    return value if value is None or isinstance(value, int | str) else repr(plain(value))


def severity(rule: Rule, fault: Fault) -> Severity:
    """Return how bad a fault is: a rule's own severity or less, and an estimate is information."""
    if fault.confidence is Confidence.ESTIMATE:
        return Severity.INFO
    return rule.severity if fault.severity is None else min(rule.severity, fault.severity)


def spell(message: str, here: str, there: str) -> str:
    """Put names into a message; nothing else in it has a meaning."""
    said = {"here": here, "there": there or "its peer"}
    return _NAMED.sub(lambda match: said[match[1]], message)


def plain(value: Any) -> Any:
    """Return a value of the model as plain data: what JSON can hold, in a stable order."""
    if value is None or isinstance(value, bool | int | float | str):
        return value.value if isinstance(value, enum.Enum) else value
    if isinstance(value, Mark | enum.Enum):
        return value.value
    if isinstance(value, frozenset | set):
        return sorted((plain(v) for v in value), key=lambda v: (str(type(v)), v))
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    if isinstance(value, Mapping):
        return {str(plain(k)): plain(v) for k, v in value.items()}
    if is_facet(value):
        told = ((name, getattr(value, name)) for name in value.__slots__)
        return {name: plain(held) for name, held in told if held not in (None, ())}
    return str(value)


def touched(served: Served, total: int) -> tuple[str, ...]:
    """Return in words whom a fault touches."""
    out = []
    if served.hosts:
        if total > 1 and len(served.hosts) == total:
            out.append(f"all {total} hosts")
        else:
            noun = "host" if len(served.hosts) == 1 else "hosts"
            out.append(f"{noun} {', '.join(names([(tuple(served.hosts), ())]))}")
    if served.rails:
        noun = "rail" if len(served.rails) == 1 else "rails"
        out.append(f"{noun} {', '.join(_runs(sorted(served.rails)))}")
    return tuple(out)


def _runs(numbers: list[int]) -> Iterator[str]:
    start = 0
    for place, number in enumerate(numbers):
        if place + 1 < len(numbers) and numbers[place + 1] == number + 1:
            continue
        low = numbers[start]
        yield str(low) if low == number else f"{low}-{number}"
        start = place + 1


def _read(text: str | tuple[str, ...]) -> Any:
    """Return the text of a value as plain data: numbers as numbers, the rest as it is written."""
    if isinstance(text, tuple):
        return [_read(member) for member in text]
    return int(text) if re.fullmatch(r"0|[1-9][0-9]*", text) else text


def _word(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_word, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
