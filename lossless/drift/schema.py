"""JSON Schema of the drift document."""

from __future__ import annotations

from typing import Any, Final

SCHEMA_NUMBER: Final = 1

_TEXT: Final = {"type": "string"}
_TOLD: Final = {"type": ["string", "null"]}
_COUNT: Final = {"type": "integer", "minimum": 0}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_PLACE: Final = {"$ref": "#/$defs/place"}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _several(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _row(more: dict[str, Any]) -> dict[str, Any]:
    return _object(
        {
            "kind": {
                "enum": ["different", "not in force", "not checked"],
                "description": "Not in force: configured so, and the device does otherwise.",
            },
            "field": {**_TEXT, "description": "The inventory's word for what differs."},
            "leaves": {**_TEXT, "description": "Paths of the model, folded."},
            "objects": {**_TEXTS, "description": "Folded names of devices and ports."},
            "devices": _TEXTS,
            "count": {**_COUNT, "description": "How many objects there are."},
            "wanted": {"description": "As declared; as configured where it is not in force."},
            "found": {"description": "As it runs."},
            "wanted_location": _PLACE,
            "found_location": _PLACE,
            **more,
        }
    )


def json_schema() -> dict[str, Any]:
    """Return the schema (draft 2020-12) of what `drift --format json` writes."""
    finding = _object({"rule": _TEXT, "severity": {"enum": ["warning", "error"]}, "message": _TEXT})
    fault = _object({"message": _TEXT, "location": _PLACE})
    unread = _object({"file": _TOLD, "line": {"type": "integer"}, "text": _TEXT})
    mending = _object(
        {
            "impact": {**_TEXT, "description": "The worst that traffic notices of it."},
            "operations": _TEXTS,
            "files": {"type": "object", "additionalProperties": _TEXT},
        }
    )
    device = _object(
        {
            "read": {"type": "boolean", "description": "False: nothing of it was read."},
            "faults": {**_several(fault), "description": "Why it was not wholly read."},
            "notes": _several(fault),
            "undeclared_ports": _TEXTS,
            "unread": _several(unread),
            "mending": {"anyOf": [mending, {"type": "null"}]},
        }
    )
    counted = ("differences", "harmful", "harmless", "not_judged", "not_checked", "devices")
    verdict = {
        "verdict": {"enum": ["harmful", "harmless", "not judged"]},
        "findings": {
            **_several(finding),
            "description": "What the rules would find, were the difference declared.",
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:lossless:drift:{SCHEMA_NUMBER}",
        "title": "Drift as lossless tells it",
        **_object(
            {
                "schema": {"const": SCHEMA_NUMBER},
                "tool": _object({"name": {"const": "lossless"}, "version": _TEXT}),
                "taken": {**_TOLD, "description": "When the devices were asked, in UTC."},
                "summary": _object({**dict.fromkeys(counted, _COUNT), "not_read": _TEXTS}),
                "differences": _several(_row(verdict)),
                "not_checked": _several(_row({})),
                "devices": {"type": "object", "additionalProperties": device},
            }
        ),
        "$defs": {
            "place": {
                "anyOf": [
                    _object(
                        {
                            "file": _TEXT,
                            "line": {"type": "integer", "minimum": 1},
                            "column": {"type": "integer", "minimum": 1},
                        }
                    ),
                    {"type": "null"},
                ]
            }
        },
    }
