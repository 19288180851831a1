"""Findings as JSON: the shape that every other format derives from."""

from __future__ import annotations

import json
from typing import Any

from lossless.findings import Finding, Location, NotChecked, Report, Severity
from lossless.report.context import Context, plain, relative

SCHEMA_NUMBER = 1


def render(report: Report, context: Context) -> str:
    """Return the report as one JSON document."""
    return json.dumps(document(report, context), indent=2, ensure_ascii=False) + "\n"


def document(report: Report, context: Context) -> dict[str, Any]:
    """Return the report as plain data; described by `lossless schema findings`."""
    return {
        "schema": SCHEMA_NUMBER,
        "tool": {"name": "lossless", "version": context.version},
        "summary": _summary(report),
        "findings": [finding_object(f) for f in report.findings],
        "not_checked": [_gap(gap) for gap in report.not_checked],
        "not_applicable": [_gap(gap) for gap in report.not_applicable],
    }


def _summary(report: Report) -> dict[str, int]:
    return {
        "error": report.count(Severity.ERROR),
        "warning": report.count(Severity.WARNING),
        "info": report.count(Severity.INFO),
        "suppressed": sum(1 for f in report.findings if f.suppressed),
        "not_checked": len(report.not_checked),
        "devices": report.summary.devices,
        "ports": report.summary.ports,
        "links": report.summary.links,
    }


def location_object(location: Location | None) -> dict[str, Any] | None:
    """Return a location as plain data."""
    if location is None:
        return None
    return {"file": relative(location.file), "line": location.line, "column": location.column}


def finding_object(finding: Finding) -> dict[str, Any]:
    """Return one finding as plain data."""
    edit, suppressed = finding.edit, finding.suppressed
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.word,
        "message": finding.message,
        "objects": list(finding.objects),
        "count": finding.count,
        "field": finding.field,
        "expected": plain(finding.expected),
        "actual": plain(finding.actual),
        "location": location_object(finding.location),
        "related": [
            {**(location_object(r.location) or {}), "message": r.message} for r in finding.related
        ],
        "confidence": finding.confidence.value,
        "touches": list(finding.touches),
        "fix": None
        if edit is None
        else {
            "description": edit.description,
            "safe": edit.safe,
            "edit": {"path": edit.path, "value": plain(edit.value)},
        },
        "fingerprint": finding.fingerprint,
        "suppressed": None
        if suppressed is None
        else {
            "kind": suppressed.kind,
            "reason": suppressed.reason,
            "location": location_object(suppressed.location),
        },
    }


def _gap(gap: NotChecked) -> dict[str, Any]:
    return {
        "rule": gap.rule,
        "objects": list(gap.objects),
        "missing": list(gap.missing),
        "count": gap.count,
    }
