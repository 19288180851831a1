"""JSON Schema of the findings document, and the program that writes it to `schemas/`.

Run `python -m lossless.report.findings_schema` after a change; a test compares the two.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lossless.findings import Confidence, Severity
from lossless.report.json_format import SCHEMA_NUMBER

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_COUNTED = ("error", "warning", "info", "suppressed", "not_checked", "devices", "ports", "links")
_TEXTS = {"type": "array", "items": _TEXT}


def _object(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **more,
    }


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def json_schema() -> dict[str, Any]:
    """Return the schema (draft 2020-12) of what `lint --format json` writes."""
    place = {
        "file": {**_TEXT, "description": "Relative to the working directory where it lies below."},
        "line": {"type": "integer", "minimum": 1},
        "column": {"type": "integer", "minimum": 1},
    }
    gap = _object(
        {
            "rule": _TEXT,
            "objects": _TEXTS,
            "missing": {**_TEXTS, "description": "What would have to be told."},
            "count": _COUNT,
        }
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:lossless:findings:1",
        "title": "Findings of lossless",
        **_object(
            {
                "schema": {"const": SCHEMA_NUMBER},
                "tool": _object({"name": {"const": "lossless"}, "version": _TEXT}),
                "summary": _object(dict.fromkeys(_COUNTED, _COUNT)),
                "findings": {"type": "array", "items": _finding(place)},
                "not_checked": {
                    "type": "array",
                    "items": gap,
                    "description": "Questions that could not be asked: never a pass.",
                },
                "not_applicable": {"type": "array", "items": gap},
            }
        ),
    }


def _finding(place: dict[str, Any]) -> dict[str, Any]:
    location = _object(place)
    edit = _object({"path": _TEXT, "value": {}})
    return _object(
        {
            "rule": {**_TEXT, "pattern": "^[A-Z]{2,4}[0-9]{3}$"},
            "name": _TEXT,
            "severity": {"enum": [s.word for s in Severity]},
            "message": _TEXT,
            "objects": {**_TEXTS, "description": "Folded names, such as leaf[01-02]:Ethernet1/1."},
            "count": {**_COUNT, "description": "How many objects the folded names stand for."},
            "field": _or_null(_TEXT),
            "expected": {},
            "actual": {},
            "location": _or_null(location),
            "related": {"type": "array", "items": _object({**place, "message": _TEXT})},
            "confidence": {"enum": [c.value for c in Confidence]},
            "touches": _TEXTS,
            "fix": _or_null(
                _object({"description": _TEXT, "safe": {"type": "boolean"}, "edit": edit})
            ),
            "fingerprint": {**_TEXT, "pattern": "^[0-9a-f]{32}$"},
            "suppressed": _or_null(
                _object(
                    {
                        "kind": {"enum": ["inline", "keyed", "maintenance", "baseline"]},
                        "reason": _TEXT,
                        "location": _or_null(location),
                    }
                )
            ),
        }
    )


def main() -> None:
    """Write the schema where it is checked in."""
    target = Path(__file__).parents[2] / "schemas" / "findings.schema.json"
    target.write_text(json.dumps(json_schema(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
