"""The format of a snapshot: what is in its manifest, and what a reader gives back.

A snapshot is a directory of raw outputs, `<device>/<number>-<command>.txt`, beside a
`manifest.json` that says which command each file answers, whether the answer is whole, and the
SHA-256 of its bytes.  Nothing in it depends on the machine it is read on, so that it can be kept
in version control and compared by it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.findings import Problem

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"

#: The name of a device, which is a directory's as well.
DEVICE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}")
#: The name of an output's file, below the snapshot.
FILE: Final = re.compile(rf"{DEVICE.pattern}/[0-9]{{2,5}}(?:-[a-z0-9-]{{1,80}})?\.txt")
#: A time in UTC, to the second.
TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a device answered to one command, before it is written.

    `complete` is false where the answer is known to be cut off; `exit` is the command's exit
    status where there is one.
    """

    command: str
    text: str
    complete: bool = True
    exit: int | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken of one device.  `error` says why it did not answer, where it did not."""

    answers: tuple[Answer, ...] = ()
    platforms: tuple[str, ...] = ()
    version: str | None = None
    model: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Capture:
    """One output as it was read: `file` is the path to it; `command` is "" where nobody said.

    `edited`: its bytes are not those that were written.
    """

    command: str
    text: str
    file: str
    complete: bool = True
    exit: int | None = None
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """What one device showed.  `platforms` is empty where the snapshot does not tell."""

    device: str
    captures: tuple[Capture, ...] = ()
    platforms: tuple[str, ...] = ()
    version: str | None = None
    model: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot that was read.

    `taken` is the time in UTC, `None` for a directory without a manifest; `warnings` tell of what
    is odd and does not keep it from being read.
    """

    root: str
    devices: Mapping[str, Shown] = field(default_factory=dict)
    taken: str | None = None
    warnings: tuple[Problem, ...] = ()


def json_schema() -> dict[str, Any]:
    """Return the schema (draft 2020-12) of a manifest."""
    text = {"type": "string"}
    told = {"type": ["string", "null"]}
    output = _object(
        {
            "command": {**text, "minLength": 1},
            "file": {
                **text,
                "pattern": f"^{FILE.pattern}$",
                "description": "Relative to the manifest.",
            },
            "sha256": {**text, "pattern": "^[0-9a-f]{64}$"},
            "complete": {"type": "boolean", "description": "False: known to be cut off."},
            "exit": {
                "type": ["integer", "null"],
                "description": "Exit status, where there is one.",
            },
        }
    )
    device = _object(
        {
            "platforms": {"type": "array", "items": text},
            "version": told,
            "model": told,
            "error": {**told, "description": "Why the device did not answer."},
            "outputs": {"type": "array", "items": output},
        }
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:lossless:snapshot:{FORMAT}",
        "title": "Manifest of a snapshot of lossless",
        **_object(
            {
                "format": {"const": FORMAT},
                "tool": _object({"name": {"const": "lossless"}, "version": text}),
                "taken": {**text, "pattern": f"^{TIME.pattern}$", "description": "UTC."},
                "devices": {
                    "type": "object",
                    "propertyNames": {"pattern": f"^{DEVICE.pattern}$"},
                    "additionalProperties": device,
                },
            }
        ),
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
