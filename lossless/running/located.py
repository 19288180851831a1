"""Findings about running state, placed where the captured line stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from lossless.findings import Finding, Location, Provenance, Related, Report, Target
from lossless.model.effective import Path
from lossless.model.fabric import Fabric
from lossless.nodeset import expand
from lossless.rules.declare import Fault as Said
from lossless.rules.engine import own_finding
from lossless.rules.engine.extent import from_pairs, names
from lossless.rules.engine.fold import plain
from lossless.rules.own import (
    device_not_read,
    not_in_force,
    unmet_baseline,
    unused_suppression,
)
from lossless.running.differences import Kind, against_declared
from lossless.running.folding import folded
from lossless.running.gather import Fault, Seen
from lossless.running.words import fields_of, paths_of, placed

#: What a declaration accepts and what runs need not agree.
_DECLARED_ONLY: Final = frozenset({unused_suppression.id, unmet_baseline.id})
#: So many objects are looked at for captured places, and so many further places are told.
_LOOKED_AT, _TOLD = 16, 3


def located(
    report: Report, fabric: Fabric, seen: Mapping[str, Seen], provenance: Provenance
) -> Report:
    """Return a report whose findings point into the captures.

    The place in the inventory becomes a related one.  Changes of the inventory are not proposed:
    the device is what differs from it, or both are wrong and lint of the declaration says so.
    """
    findings = tuple(
        _located(finding, fabric, seen, provenance)
        for finding in report.findings
        if finding.rule not in _DECLARED_ONLY
    )
    return replace(report, findings=findings)


def amiss(fabric: Fabric, seen: Mapping[str, Seen]) -> tuple[Finding, ...]:
    """Return findings about the devices themselves: not read, or not doing what they were told."""
    return (*_unread(seen), *_idle(fabric, seen))


def _unread(seen: Mapping[str, Seen]) -> Iterator[Finding]:
    causes: dict[Fault, list[str]] = {}
    for name, there in seen.items():
        for fault in there.faults:
            causes.setdefault(fault, []).append(name)
    for fault, devices in causes.items():
        who = names(from_pairs([(name, None) for name in devices]))
        for said in device_not_read.check(fault.text):
            if isinstance(said, Said):
                made = own_finding(device_not_read, said, who, len(devices))
                yield replace(made, location=fault.location)


def _idle(fabric: Fabric, seen: Mapping[str, Seen]) -> Iterator[Finding]:
    found = [
        leaf
        for name, there in seen.items()
        if name in fabric.devices
        for leaf in against_declared(fabric.devices[name], there)
        if leaf.kind is Kind.NOT_IN_FORCE
    ]

    def locate(where: tuple[str, str | None], path: Path) -> tuple[str | None, None]:
        return next(fields_of(path, fabric.devices[where[0]], where[1]), None), None

    for one in folded(found, seen, locate):
        for said in not_in_force.check(one.field, one.wanted, one.found):
            if isinstance(said, Said):
                made = own_finding(not_in_force, said, one.objects, one.count)
                values = {"expected": plain(one.wanted), "actual": plain(one.found)}
                yield replace(made, field=one.field, location=one.captured, **values)


def _located(
    finding: Finding, fabric: Fabric, seen: Mapping[str, Seen], provenance: Provenance
) -> Finding:
    places = list(dict.fromkeys(_captured(finding, fabric, seen)))
    # Of both ends of a link, the one at which the finding was placed is at fault.
    places.sort(key=lambda pair: _declared(finding, pair[1], provenance) != finding.location)
    if not places:
        return replace(finding, edit=None)
    first, *more = places
    related = [Related(place, f"also on {name}") for place, name in more[:_TOLD]]
    if finding.location is not None:
        related.insert(0, Related(finding.location, "declared here"))
    return replace(finding, location=first[0], related=(*related, *finding.related), edit=None)


def _declared(finding: Finding, name: str, provenance: Provenance) -> Location | None:
    device, _, port = name.partition(":")
    return provenance.locate(Target(device, port or None), finding.field or "")


def _captured(
    finding: Finding, fabric: Fabric, seen: Mapping[str, Seen]
) -> Iterator[tuple[Location, str]]:
    """Yield the place of the field on each object, one for each place."""
    if finding.field is None:
        return
    known: set[Location] = set()
    for name in _objects(finding):
        device_name, _, port_name = name.partition(":")
        device, there = fabric.devices.get(device_name), seen.get(device_name)
        if device is None or there is None:
            continue
        place = placed(there.lines, port_name or None, paths_of(finding.field, device, port_name))
        if place is not None and place not in known:
            known.add(place)
            yield place, name


def _objects(finding: Finding) -> Iterator[str]:
    count = 0
    for names_ in finding.objects:
        for name in expand(names_):
            if count == _LOOKED_AT:
                return
            count += 1
            yield name
