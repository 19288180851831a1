"""Findings about running state, placed where the captured line stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from lossless.findings import Finding, Location, Related, Report
from lossless.model.fabric import Fabric
from lossless.nodeset import expand
from lossless.rules.own import unmet_baseline, unused_suppression
from lossless.running.gather import Seen
from lossless.running.words import paths_of, placed

#: What a declaration accepts and what runs need not agree.
_DECLARED_ONLY: Final = frozenset({unused_suppression.id, unmet_baseline.id})
#: So many objects are looked at for captured places, and so many further places are told.
_LOOKED_AT, _TOLD = 16, 3


def located(report: Report, fabric: Fabric, seen: Mapping[str, Seen]) -> Report:
    """Return a report whose findings point into the captures.

    The place in the inventory becomes a related one.  Changes of the inventory are not proposed:
    the device is what differs from it, or both are wrong and lint of the declaration says so.
    """
    findings = tuple(
        _located(finding, fabric, seen)
        for finding in report.findings
        if finding.rule not in _DECLARED_ONLY
    )
    return replace(report, findings=findings)


def _located(finding: Finding, fabric: Fabric, seen: Mapping[str, Seen]) -> Finding:
    places = list(dict.fromkeys(_captured(finding, fabric, seen)))
    if not places:
        return replace(finding, edit=None)
    first, *more = places
    related = [Related(place, f"also on {name}") for place, name in more[:_TOLD]]
    if finding.location is not None:
        related.insert(0, Related(finding.location, "declared here"))
    return replace(finding, location=first[0], related=(*related, *finding.related), edit=None)


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
    for folded in finding.objects:
        for name in expand(folded):
            if count == _LOOKED_AT:
                return
            count += 1
            yield name
