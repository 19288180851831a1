"""What the inventory accepts: matching suppressions, and reporting those that do nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple, TypeAlias

from lossless.findings import (
    Accepted,
    InlineIgnore,
    KeyedIgnore,
    Location,
    Maintenance,
    Provenance,
    Suppression,
    Suppressions,
    Target,
)
from lossless.rules.declare import Answer, Fault, Rule
from lossless.rules.engine.members import Instance
from lossless.rules.own import maintenance_expired, unknown_suppression, unused_suppression


class Known(NamedTuple):
    """A finding that the baseline holds."""

    reason: str = "in the baseline"


#: Why a finding is accepted.
Reason: TypeAlias = KeyedIgnore | InlineIgnore | Maintenance | Known

KNOWN: Final = Known()


class Saying(NamedTuple):
    """What a fault says, as plain data: what a baseline knows it by."""

    field: str | None
    expected: Any
    actual: Any


class Complaint(NamedTuple):
    """Something wrong with a suppression itself."""

    rule: Rule
    fault: Fault
    field: str | None
    location: Location | None


class Acceptance:
    """What an inventory and a baseline accept during one run.

    That each suppression has a reason is seen to where the inventory is read.  `today` is the day
    on which marks of maintenance are judged, by default the present one in UTC.
    """

    def __init__(
        self,
        suppressions: Suppressions,
        provenance: Provenance,
        baseline: Accepted | None = None,
        today: date | None = None,
    ) -> None:
        self._suppressions = suppressions
        self._provenance = provenance
        self._baseline = baseline
        self._today = today or datetime.now(UTC).date()
        self._inline: dict[tuple[str, int], list[InlineIgnore]] = {}
        for ignore in suppressions.inline():
            self._inline.setdefault((ignore.location.file, ignore.covers), []).append(ignore)
        self._keyed = tuple(suppressions.all_keyed())
        self._marks = tuple(suppressions.all_maintenance())
        self._seen: dict[Target, tuple[KeyedIgnore, ...]] = {}
        self._used: set[tuple[object, str]] = set()

    def reason(
        self, rule: Rule, saying: Saying, instance: Instance, location: Location | None
    ) -> Reason | None:
        """Return why a fault of one object is accepted: what is written nearest to it first."""
        # The baseline is always asked, so that what it holds is known to be there still.
        known = self._known(rule, saying, instance)
        return (
            self._on_object(rule, instance)
            or self._at_place(rule, location)
            or self._maintained(instance)
            or known
        )

    def _on_object(self, rule: Rule, instance: Instance) -> KeyedIgnore | None:
        """Return the keyed entry that accepts a rule on an object, its link or its peer."""
        if not self._keyed:
            return None
        for target in _targets(instance):
            for ignore in self._in_force(target):
                if ignore.rule in (rule.id, rule.name):
                    return ignore
        return None

    def _at_place(self, rule: Rule, location: Location | None) -> InlineIgnore | None:
        """Return the comment that accepts a rule at a place."""
        if location is None or not self._inline:
            return None
        for ignore in self._inline.get((location.file, location.line), ()):
            if rule.id in ignore.rules or rule.name in ignore.rules:
                return ignore
        return None

    def _maintained(self, instance: Instance) -> Maintenance | None:
        """Return the mark in force on an object, its link or its peer."""
        if not self._marks:
            return None
        marks = (m for target in _targets(instance) for m in self._suppressions.maintenance(target))
        return next((mark for mark in marks if mark.until >= self._today), None)

    def _known(self, rule: Rule, saying: Saying, instance: Instance) -> Known | None:
        if self._baseline is None:
            return None
        pairs = [instance.here]
        if instance.link is not None and instance.there is not None:
            pairs.append(instance.there)
        objects = [device if port is None else f"{device}:{port}" for device, port in pairs]
        return KNOWN if self._baseline.accepts(rule.id, *saying, objects) else None

    def use(self, rule: Rule, reason: Reason) -> Suppression:
        """Note that something accepted a finding, and return what the report says of it."""
        if isinstance(reason, Known):
            return Suppression("baseline", reason.reason)
        if isinstance(reason, Maintenance):
            place = self._provenance.locate(Target(), reason.path)
            return Suppression(
                "maintenance", f"maintenance until {reason.until}: {reason.reason}", place
            )
        for named in (rule.id, rule.name):
            self._used.add((_identity(reason), named))
        if isinstance(reason, KeyedIgnore):
            place = self._provenance.locate(Target(), reason.path)
            return Suppression("keyed", reason.reason, place)
        return Suppression("inline", reason.reason, reason.location)

    def complaints(
        self,
        asked: Mapping[str, Rule],
        known: Callable[[str], bool],
        close: Callable[[str], list[str]],
    ) -> Iterator[Complaint]:
        """Yield what is wrong with suppressions.

        `asked` holds the rules of this run by id and by name: a suppression of a rule that nobody
        asked is not unused.
        """
        for ignore, named, field, location in self._entries():
            for rule, fault in self._complaints(ignore, named, asked, known, close):
                yield Complaint(rule, fault, field, location)
        for mark in self._marks:
            if mark.until < self._today:
                place = self._provenance.locate(Target(), mark.path)
                for fault in _faults(maintenance_expired.check(str(mark.until), mark.reason)):
                    yield Complaint(maintenance_expired, fault, mark.path, place)

    def _complaints(
        self,
        ignore: KeyedIgnore | InlineIgnore,
        named: str,
        asked: Mapping[str, Rule],
        known: Callable[[str], bool],
        close: Callable[[str], list[str]],
    ) -> Iterator[tuple[Rule, Fault]]:
        if named not in asked and not known(named):
            rule, faults = unknown_suppression, unknown_suppression.check(named, close(named))
        elif named in asked and (_identity(ignore), named) not in self._used:
            rule, faults = unused_suppression, unused_suppression.check(named, ignore.reason)
        else:
            return
        yield from ((rule, fault) for fault in _faults(faults))

    def _entries(
        self,
    ) -> Iterator[tuple[KeyedIgnore | InlineIgnore, str, str | None, Location | None]]:
        for keyed in self._keyed:
            place = self._provenance.locate(Target(), keyed.path)
            yield keyed, keyed.rule, keyed.path, place
        for ignores in self._inline.values():
            for ignore in ignores:
                for named in ignore.rules:
                    yield ignore, named, None, ignore.location

    def _in_force(self, target: Target) -> tuple[KeyedIgnore, ...]:
        found = self._seen.get(target)
        if found is None:
            found = self._seen[target] = tuple(self._suppressions.keyed(target))
        return found


def _faults(answers: Iterable[Answer]) -> Iterator[Fault]:
    return (answer for answer in answers if isinstance(answer, Fault))


def _identity(ignore: KeyedIgnore | InlineIgnore) -> object:
    return ignore.path if isinstance(ignore, KeyedIgnore) else ignore.location


def _targets(instance: Instance) -> Iterator[Target]:
    yield instance.where
    if instance.where != Target():
        yield Target(*instance.here)
    if instance.link is not None:
        yield Target(link=instance.link)
        if instance.there is not None:
            yield Target(*instance.there)
