"""Reading a snapshot, or a plain directory of outputs, with everything that is wrong with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lossless.findings import InputError, Location, Problem
from lossless.snapshot.format import DEVICE, FILE, FORMAT, MANIFEST, TIME, Capture, Shown, Snapshot

#: Files of a directory without a manifest that are taken for outputs.
SUFFIXES: Final = (".txt", ".cfg", ".conf", ".json", ".log", ".sh")
#: And those taken only in a device's own folder: elsewhere they are inventories.
TREES: Final = (".yaml", ".yml")


def read(root: Path) -> Snapshot:
    """Read a snapshot, or a directory `ROOT/<device>/<file>` or `ROOT/<device>.<suffix>`.

    Raises `InputError` with every fault: no directory, nothing to read, a manifest of another
    format, files that are missing.  A file whose bytes are not those that were written is told in
    `warnings`.
    """
    if not root.is_dir():
        message = "there is no such directory" if not root.exists() else "this is no directory"
        raise InputError([Problem(message, Location(str(root), 1, 1), "name a snapshot")])
    if (root / MANIFEST).is_file():
        return _Manifest(root).snapshot()
    return _plain(root)


def _plain(root: Path) -> Snapshot:
    devices: dict[str, list[Path]] = {}
    for path in sorted(root.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            files = [f for f in sorted(path.iterdir()) if _is_output(f, SUFFIXES + TREES)]
            if files:
                devices.setdefault(path.name, []).extend(files)
        elif _is_output(path):
            devices.setdefault(path.stem, []).append(path)
    if not devices:
        hint = f"a snapshot has a {MANIFEST}; without one, files are named DIR/<device>/<file>"
        hint += f" with one of {', '.join(SUFFIXES + TREES)}"
        message = "nothing to read: no manifest, and no output of a device"
        raise InputError([Problem(message, Location(str(root), 1, 1), hint)])
    problems: list[Problem] = []
    shown = {
        name: Shown(name, tuple(c for f in files if (c := _capture(f, problems)) is not None))
        for name, files in devices.items()
    }
    if problems:
        raise InputError(problems)
    return Snapshot(str(root), shown)


def _is_output(path: Path, suffixes: tuple[str, ...] = SUFFIXES) -> bool:
    return path.suffix in suffixes and not path.name.startswith(".") and path.is_file()


def _capture(path: Path, problems: list[Problem]) -> Capture | None:
    content = _content(path, problems)
    return None if content is None else Capture("", _text(content), str(path))


def _content(path: Path, problems: list[Problem]) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError as error:
        problems.append(Problem(f"cannot be read: {error.strerror}", Location(str(path), 1, 1)))
        return None


def _text(content: bytes) -> str:
    return content.decode("utf-8", errors="replace")


class _Manifest:
    """Reads one manifest and the files that it names, and gathers what is wrong."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._here = Location(str(root / MANIFEST), 1, 1)
        self._problems: list[Problem] = []
        self._warnings: list[Problem] = []

    def snapshot(self) -> Snapshot:
        data = self._data()
        devices = self._table(data, "devices", "the manifest")
        shown = {}
        for name, row in devices.items():
            if DEVICE.fullmatch(name) is None:
                self._wrong(f"{name!r} is not the name of a device")
            elif not isinstance(row, dict):
                self._wrong(f"{name}: expected an object, found {row!r}")
            else:
                shown[name] = self._device(name, row)
        if self._problems:
            raise InputError(self._problems)
        self._strangers(devices)
        return Snapshot(str(self._root), shown, data["taken"], tuple(self._warnings))

    def _data(self) -> dict[str, Any]:
        content = _content(self._root / MANIFEST, self._problems)
        if content is None:
            raise InputError(self._problems)
        try:
            data = json.loads(_text(content))
        except json.JSONDecodeError as error:
            place = Location(self._here.file, error.lineno, error.colno)
            raise InputError([Problem(f"not JSON: {error.msg}", place)]) from error
        except RecursionError as error:
            raise InputError([Problem("nested too deeply", self._here)]) from error
        if not isinstance(data, dict):
            raise InputError([Problem("expected an object", self._here)])
        if data.get("format") != FORMAT or isinstance(data.get("format"), bool):
            message = f"format {data.get('format')!r}; this version reads format {FORMAT}"
            hint = "a newer snapshot needs a newer lossless"
            raise InputError([Problem(message, self._here, hint)])
        if not isinstance(data.get("taken"), str) or TIME.fullmatch(data["taken"]) is None:
            self._wrong(f"taken: expected a time in UTC, found {data.get('taken')!r}")
        return data

    def _device(self, name: str, row: dict[str, Any]) -> Shown:
        captures = []
        for number, output in enumerate(self._list(row, "outputs", name), 1):
            if isinstance(output, dict):
                captures.append(self._output(name, number, output))
            else:
                self._wrong(f"{name}: output {number}: expected an object")
        platforms = self._list(row, "platforms", name)
        if not all(isinstance(platform, str) for platform in platforms):
            self._wrong(f"{name}: platforms: expected names")
        return Shown(
            name,
            tuple(capture for capture in captures if capture is not None),
            tuple(str(platform) for platform in platforms),
            self._told(row, "version", name),
            self._told(row, "model", name),
            self._told(row, "error", name),
        )

    def _output(self, device: str, number: int, row: dict[str, Any]) -> Capture | None:
        where = f"{device}: output {number}"
        command, file, digest = row.get("command"), row.get("file"), row.get("sha256")
        complete, status = row.get("complete"), row.get("exit")
        if not isinstance(command, str) or not isinstance(digest, str):
            self._wrong(f"{where}: expected a command and a sha256")
            return None
        if not isinstance(complete, bool) or not (status is None or type(status) is int):
            self._wrong(f"{where}: complete is true or false, exit a number or null")
            return None
        # Another name could lead out of the snapshot.
        named = isinstance(file, str) and FILE.fullmatch(file) is not None
        if not named or not str(file).startswith(f"{device}/"):
            self._wrong(f"{where}: {file!r} is not a file of this device such as 01-show.txt")
            return None
        path = self._root / str(file)
        if path.is_symlink() or not path.is_file():
            hint = "restore the file, or take the snapshot again"
            problem = Problem(f"{where}: the file is missing", Location(str(path), 1, 1), hint)
            self._problems.append(problem)
            return None
        content = _content(path, self._problems)
        if content is None:
            return None
        edited = hashlib.sha256(content).hexdigest() != digest
        if edited:
            message = "the text is not what was taken: somebody changed it since"
            self._warnings.append(Problem(message, Location(str(path), 1, 1)))
        return Capture(command, _text(content), str(path), complete, status, edited)

    def _strangers(self, devices: dict[str, Any]) -> None:
        """Tell of files that nobody listed: they are not read."""
        listed = {output["file"] for row in devices.values() for output in row.get("outputs", ())}
        for path in self._unlisted(listed):
            message = "the manifest does not list it: it is not read"
            self._warnings.append(Problem(message, Location(str(path), 1, 1)))

    def _unlisted(self, listed: set[str]) -> Iterator[Path]:
        for folder in sorted(self._root.iterdir()):
            if folder.is_dir() and not folder.name.startswith("."):
                for path in sorted(folder.iterdir()):
                    if path.is_file() and f"{folder.name}/{path.name}" not in listed:
                        yield path

    def _table(self, row: dict[str, Any], key: str, where: str) -> dict[str, Any]:
        held = row.get(key)
        if isinstance(held, dict):
            return held
        self._wrong(f"{where}: {key}: expected an object, found {held!r}")
        return {}

    def _list(self, row: dict[str, Any], key: str, where: str) -> list[Any]:
        held = row.get(key)
        if isinstance(held, list):
            return held
        self._wrong(f"{where}: {key}: expected a list, found {held!r}")
        return []

    def _told(self, row: dict[str, Any], key: str, where: str) -> str | None:
        held = row.get(key)
        if held is None or isinstance(held, str):
            return held
        self._wrong(f"{where}: {key}: expected text or null, found {held!r}")
        return None

    def _wrong(self, message: str) -> None:
        self._problems.append(Problem(message, self._here))
