"""SARIF 2.1.0 (OASIS), as code-scanning services read it.

Plain dictionaries, checked against the official schema in the tests.  Fingerprints do not depend
on line numbers, so that a service can follow a finding through edits.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from lossless.findings import Finding, Location, Report, Severity
from lossless.report.context import Context, as_uri
from lossless.rules.declare import Rule

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(report: Report, context: Context) -> str:
    """Return the report as one SARIF log with one run."""
    used = sorted({f.rule for f in report.findings} | set(context.rules))
    index = {rule: number for number, rule in enumerate(used)}
    names = {f.rule: f.name for f in report.findings}
    run = {
        "tool": {
            "driver": {
                "name": "lossless",
                "version": context.version,
                "semanticVersion": context.version,
                "rules": [_rule(rule, names.get(rule), context) for rule in used],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(f, index) for f in report.findings],
        "invocations": [
            {
                "executionSuccessful": not report.internal,
                "toolConfigurationNotifications": list(_notifications(report)),
            }
        ],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(rule_id: str, name: str | None, context: Context) -> dict[str, Any]:
    rule: Rule | None = context.rules.get(rule_id)
    if rule is None:
        said = name or rule_id
        return {"id": rule_id, "name": said, "shortDescription": {"text": said}}
    described: dict[str, Any] = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVEL[rule.severity]},
        "properties": {
            "tags": [rule.family, rule.scope.value, rule.status.value],
            "sources": list(rule.sources),
        },
    }
    if context.page is not None:
        described["help"] = {"text": rule.summary, "markdown": context.page(rule.id)}
    return described


def _result(finding: Finding, index: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVEL[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding.location, finding.objects)],
        "partialFingerprints": {"lossless/v1": finding.fingerprint},
        "properties": {"confidence": finding.confidence.value, "touches": list(finding.touches)},
    }
    if finding.related:
        result["relatedLocations"] = [
            {**_physical(r.location), "id": number, "message": {"text": r.message}}
            for number, r in enumerate(finding.related, 1)
        ]
    if finding.suppressed is not None:
        kind = "external" if finding.suppressed.kind == "baseline" else "inSource"
        result["suppressions"] = [{"kind": kind, "justification": finding.suppressed.reason}]
    return result


def _location(location: Location | None, objects: Iterable[str]) -> dict[str, Any]:
    logical = [{"fullyQualifiedName": name, "kind": "resource"} for name in objects]
    return {**(_physical(location) if location else {}), "logicalLocations": logical}


def _physical(location: Location) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": as_uri(location.file)},
            "region": {"startLine": location.line, "startColumn": location.column},
        }
    }


def _notifications(report: Report) -> Iterable[dict[str, Any]]:
    for gap in report.not_checked:
        said = f"{gap.rule} was not checked on {', '.join(gap.objects)}: not told: "
        yield {
            "level": "note",
            "message": {"text": said + ", ".join(gap.missing)},
            "associatedRule": {"id": gap.rule},
        }
