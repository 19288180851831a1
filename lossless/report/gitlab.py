"""GitLab's Code Quality report (the CodeClimate subset that GitLab documents).

Each entry needs a path and a line; a finding that is written nowhere is put on line 1 of the first
file that any finding names, since GitLab drops entries without one.
"""

from __future__ import annotations

import json
from typing import Any

from lossless.findings import Finding, Report, Severity
from lossless.report.context import Context, relative

_SEVERITY = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def render(report: Report, context: Context) -> str:
    """Return the report as a JSON array."""
    live = [f for f in report.findings if f.suppressed is None]
    fallback = next((relative(f.location.file) for f in live if f.location), "inventory")
    entries = [_entry(f, fallback) for f in live]
    return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"


def _entry(finding: Finding, fallback: str) -> dict[str, Any]:
    where = finding.location
    return {
        "description": f"{finding.rule}: {finding.message}",
        "check_name": f"{finding.rule} {finding.name}",
        "fingerprint": finding.fingerprint,
        "severity": _SEVERITY[finding.severity],
        "location": {
            "path": relative(where.file) if where else fallback,
            "lines": {"begin": where.line if where else 1},
        },
    }
