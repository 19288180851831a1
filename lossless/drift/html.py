"""Drift as one HTML file, made from its JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from lossless.report.context import shown
from lossless.report.html import Card, Page, Section, Tile, written
from lossless.rules.words import rate

_TONES: Final = {"harmful": "error", "harmless": "info", "not judged": "warning"}


def html(document: Mapping[str, Any]) -> str:
    """Return drift as HTML.  A device that was not read stands before everything else."""
    summary, devices = document["summary"], document["devices"]
    unread = len(summary["not_read"])
    rows = document["differences"]
    taken = f", asked {document['taken']}" if document["taken"] else ""
    page = Page(
        title=_title(len(rows), unread),
        under=f"{summary['devices']} devices{taken}",
        version=document["tool"]["version"],
        tiles=[
            Tile(summary["harmful"], "harmful", "error" if summary["harmful"] else "good"),
            Tile(summary["harmless"], "harmless"),
            Tile(summary["not_judged"], "not judged"),
            Tile(unread, "not wholly read", "error" if unread else "good"),
            Tile(summary["not_checked"], "not checked"),
        ],
        sections=[
            Section("Not wholly read", list(_faults(devices))),
            Section("Differences", [_card(row) for row in rows]),
            Section("What would mend them", list(_mending(devices))),
            Section("Not checked", [_gap(row) for row in document["not_checked"]]),
        ],
    )
    return written(page)


def _title(differences: int, unread: int) -> str:
    if differences:
        return "Drift"
    return "Not everything was read" if unread else "No drift"


def _faults(devices: Mapping[str, Any]) -> Iterator[Card]:
    for name, told in devices.items():
        for fault in told["faults"]:
            place = fault["location"]
            facts = [] if place is None else [("at", _place(place))]
            yield Card("error", "not read", name, fault["message"], facts=facts)


def _card(row: Mapping[str, Any]) -> Card:
    first, second = ("declared", "running")
    if row["kind"] == "not in force":
        first, second = ("configured", "operational")
    facts = [
        (first, _side(row, "wanted")),
        (second, _side(row, "found")),
    ]
    if len(row["devices"]) > 1:
        facts.append(("devices", str(len(row["devices"]))))
    facts += [(f["rule"], f["message"]) for f in row["findings"]]
    head = f"{', '.join(row['objects'])}: {row['field']}"
    return Card(_TONES[row["verdict"]], row["verdict"], head, facts=facts)


def _gap(row: Mapping[str, Any]) -> Card:
    return Card("", "not seen", f"{', '.join(row['objects'])}: {row['field']}")


def _mending(devices: Mapping[str, Any]) -> Iterator[Card]:
    for name, told in devices.items():
        mending = told["mending"]
        if mending is not None:
            files = mending["files"]
            script = any(text.startswith("#!") for text in files.values())
            lines = mending["operations"] if script else files.values()
            yield Card(
                "info", f"impact: {mending['impact']}", name, code="\n".join(lines).rstrip("\n")
            )


def _side(row: Mapping[str, Any], side: str) -> str:
    value, place = row[side], row[f"{side}_location"]
    told = "not told" if value is None else shown(value)
    if type(value) is int and row["leaves"].endswith("speed"):
        told = rate(value)
    return told if place is None else f"{told}   ({_place(place)})"


def _place(place: Mapping[str, Any]) -> str:
    return f"{place['file']}:{place['line']}:{place['column']}"
