"""Writing a snapshot: built aside, then put in place whole."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from lossless.findings import InputError, Location, Problem
from lossless.snapshot.format import (
    DEVICE,
    FORMAT,
    MANIFEST,
    TIME,
    Capture,
    Shown,
    Snapshot,
    Taken,
)

_LONGEST: Final = 40


def write(root: Path, devices: Mapping[str, Taken], taken: str, version: str) -> None:
    """Write a snapshot, in place of the one that stands at `root` already.

    `taken` is the time in UTC ("2026-01-31T12:00:00Z"), `version` that of the tool.  The same
    input gives the same bytes.  Raises `ValueError` for a time or a device's name that a manifest
    cannot hold, and `InputError` where something else than a snapshot stands at `root` or nothing
    can be written there.
    """
    if TIME.fullmatch(taken) is None:
        raise ValueError(f"{taken!r} is not a time such as 2026-01-31T12:00:00Z")
    for name in devices:
        if DEVICE.fullmatch(name) is None:
            raise ValueError(f"{name!r} cannot be the name of a directory")
    _refuse_other(root)
    try:
        _replace(root, _files(devices, taken, version))
    except OSError as error:
        message = f"the snapshot cannot be written: {error.strerror}"
        raise InputError([Problem(message, Location(str(root), 1, 1))]) from error


def held(devices: Mapping[str, Taken], taken: str) -> Snapshot:
    """Return what was taken as a snapshot that is kept nowhere: its files are names alone."""
    shown = {
        name: Shown(
            name,
            tuple(
                Capture(a.command, a.text, f"live:{_file(name, n, a.command)}", a.complete, a.exit)
                for n, a in enumerate(told.answers, 1)
            ),
            told.platforms,
            told.version,
            told.model,
            told.error,
        )
        for name, told in devices.items()
    }
    return Snapshot("live:", shown, taken)


def _file(device: str, number: int, command: str) -> str:
    return f"{device}/{number:02}{_slug(command)}.txt"


def _refuse_other(root: Path) -> None:
    if not root.exists() or (root / MANIFEST).is_file():
        return
    if not root.is_dir() or any(root.iterdir()):
        problem = Problem(
            "something else than a snapshot stands here, and is not replaced",
            Location(str(root), 1, 1),
            "name a directory that is empty or does not exist",
        )
        raise InputError([problem])


def _files(devices: Mapping[str, Taken], taken: str, version: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    rows: dict[str, Any] = {}
    for name, told in sorted(devices.items()):
        outputs = []
        for number, answer in enumerate(told.answers, 1):
            file = _file(name, number, answer.command)
            files[file] = answer.text.encode("utf-8")
            outputs.append(
                {
                    "command": answer.command,
                    "file": file,
                    "sha256": hashlib.sha256(files[file]).hexdigest(),
                    "complete": answer.complete,
                    "exit": answer.exit,
                }
            )
        rows[name] = {
            "platforms": list(told.platforms),
            "version": told.version,
            "model": told.model,
            "error": told.error,
            "outputs": outputs,
        }
    manifest = {
        "format": FORMAT,
        "tool": {"name": "lossless", "version": version},
        "taken": taken,
        "devices": rows,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    return {**files, MANIFEST: text.encode("utf-8")}


def _slug(command: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", command.lower()).strip("-")[:_LONGEST].strip("-")
    return f"-{words}" if words else ""


def _replace(root: Path, files: Mapping[str, bytes]) -> None:
    """Build the directory beside its place, then swap the two; what was there goes last."""
    root.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=root.parent, prefix=f".{root.name}."))
    try:
        new, old = made / "new", made / "old"
        new.mkdir()
        for name, content in files.items():
            path = new / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        if root.exists():
            os.replace(root, old)
        try:
            os.replace(new, root)
        except OSError:
            if old.exists():
                os.replace(old, root)
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
