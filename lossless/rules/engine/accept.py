"""What the inventory accepts: matching suppressions, and reporting those that do nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from lossless.findings import (
    InlineIgnore,
    KeyedIgnore,
    Location,
    Provenance,
    Suppression,
    Suppressions,
    Target,
)
from lossless.rules.declare import Fault, Rule
from lossless.rules.engine.members import Instance
from lossless.rules.own import unknown_suppression, unused_suppression


class Complaint(NamedTuple):
    """Something wrong with a suppression itself."""

    rule: Rule
    fault: Fault
    field: str | None
    location: Location | None


class Acceptance:
    """The suppressions of an inventory during one run.

    That each has a reason is seen to where the inventory is read.
    """

    def __init__(self, suppressions: Suppressions, provenance: Provenance) -> None:
        self._suppressions = suppressions
        self._provenance = provenance
        self._inline: dict[tuple[str, int], list[InlineIgnore]] = {}
        for ignore in suppressions.inline():
            self._inline.setdefault((ignore.location.file, ignore.covers), []).append(ignore)
        self._keyed = tuple(suppressions.all_keyed())
        self._seen: dict[Target, tuple[KeyedIgnore, ...]] = {}
        self._used: set[tuple[object, str]] = set()

    def keyed(self, rule: Rule, instance: Instance) -> KeyedIgnore | None:
        """Return the keyed entry that accepts a rule on an object, its link or its peer."""
        if not self._keyed:
            return None
        for target in _targets(instance):
            for ignore in self._in_force(target):
                if ignore.rule in (rule.id, rule.name):
                    return ignore
        return None

    def inline(self, rule: Rule, location: Location | None) -> InlineIgnore | None:
        """Return the comment that accepts a rule at a place."""
        if location is None:
            return None
        for ignore in self._inline.get((location.file, location.line), ()):
            if rule.id in ignore.rules or rule.name in ignore.rules:
                return ignore
        return None

    def use(self, rule: Rule, ignore: KeyedIgnore | InlineIgnore) -> Suppression:
        """Note that a suppression accepted something, and return what the report says of it."""
        for named in (rule.id, rule.name):
            self._used.add((_identity(ignore), named))
        if isinstance(ignore, KeyedIgnore):
            place = self._provenance.locate(Target(), ignore.path)
            return Suppression("keyed", ignore.reason, place)
        return Suppression("inline", ignore.reason, ignore.location)

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
        yield from ((rule, fault) for fault in faults if isinstance(fault, Fault))

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
