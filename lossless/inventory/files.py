"""Which files an inventory consists of, and their bytes: checked before YAML sees them."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lossless.findings import InputError, Location, Problem

#: The largest file, and the longest line, in bytes.
LARGEST_FILE: Final = 512_000_000
LONGEST_LINE: Final = 1_000_000

STDIN: Final = "<stdin>"
_SUFFIXES: Final = (".yaml", ".yml")
_WIDE_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """One file: its name as given, and its bytes, which are valid UTF-8 without NUL."""

    name: str
    data: bytes


def read_files(paths: Sequence[Path | str]) -> list[File]:
    """Return every file that the paths name; a directory stands for all YAML below it.

    Raises `InputError` with everything that cannot be read.
    """
    problems: list[Problem] = []
    found: dict[object, Path | None] = {}
    for path in paths:
        if str(path) == "-":
            found[STDIN] = None
        else:
            for name in _find(Path(path), problems):
                found.setdefault(_identity(name), name)
    if not found and not problems:
        problems.append(Problem("nothing to read", None, "name a file or a directory of YAML"))
    files = [file for path in found.values() if (file := _load(path, problems)) is not None]
    if problems:
        raise InputError(problems)
    return files


def _identity(path: Path) -> object:
    try:
        known = path.stat()
    except OSError:
        return path
    return known.st_dev, known.st_ino


def _at(name: str | Path, message: str, hint: str | None = None) -> Problem:
    return Problem(message, Location(str(name), 1, 1), hint)


def _find(path: Path, problems: list[Problem]) -> list[Path]:
    if not path.is_dir():
        return [path]
    before = len(problems)
    files = sorted(_walk(path, problems))
    if not files and len(problems) == before:
        hint = "an inventory is one or more files ending in .yaml; `lossless init DIR` writes one"
        problems.append(_at(path, "the directory holds no YAML file", hint))
    return files


def _walk(top: Path, problems: list[Problem]) -> Iterator[Path]:
    """Yield the YAML files below a directory, hidden ones excepted."""

    def unreadable(error: OSError) -> None:
        why = f"the directory cannot be read: {error.strerror}"
        problems.append(_at(error.filename, why, "check its permissions"))

    above: dict[str, frozenset[object]] = {str(top): frozenset((_identity(top),))}
    for folder, names, files in os.walk(top, onerror=unreadable, followlinks=True):
        chain = above.pop(folder, frozenset())
        keep = []
        for name in sorted(n for n in names if not n.startswith(".")):
            below = os.path.join(folder, name)
            who = _identity(Path(below))
            if who in chain:
                problems.append(_at(below, "the directory leads back to itself", "remove the link"))
            else:
                above[below] = chain | {who}
                keep.append(name)
        names[:] = keep
        yield from (
            Path(folder, n) for n in files if n.endswith(_SUFFIXES) and not n.startswith(".")
        )


def _load(path: Path | None, problems: list[Problem]) -> File | None:
    name = STDIN if path is None else str(path)
    try:
        data = _bytes(path)
    except OSError as error:
        problems.append(_at(name, f"cannot be read: {error.strerror or error}", _advice(error)))
        return None
    wrong = check_bytes(name, data)
    if wrong is not None:
        problems.append(wrong)
        return None
    return File(name, data)


def _advice(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "check its permissions"
    if isinstance(error, FileNotFoundError):
        return "check the path"
    return "name a YAML file, or - and pipe it in"


def _bytes(path: Path | None) -> bytes:
    if path is None:
        return sys.stdin.buffer.read(LARGEST_FILE + 1)
    known = path.stat()
    if not stat.S_ISREG(known.st_mode):
        raise OSError(0, "it is not a regular file")
    with path.open("rb") as file:
        return file.read(LARGEST_FILE + 1)


def check_bytes(name: str, data: bytes) -> Problem | None:
    """Return what keeps bytes from being read as YAML text at all."""
    if len(data) > LARGEST_FILE:
        limit = LARGEST_FILE // 1_000_000
        return _at(name, f"the file is larger than {limit} MB", "split it, or use node sets")
    if data[:2] in _WIDE_MARKS:
        return _at(name, "the file is written in UTF-16", "save it as UTF-8")
    nul = data.find(b"\0")
    if nul >= 0:
        return Problem(
            "the file holds a NUL byte: it is binary, not YAML",
            place(name, data, nul),
            "name a text file",
        )
    return _check_text(name, data) or _check_lines(name, data)


def _check_text(name: str, data: bytes) -> Problem | None:
    if data.isascii():
        return None
    try:
        data.decode()
    except UnicodeDecodeError as error:
        wrong = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return Problem(wrong, place(name, data, error.start), "save the file as UTF-8")
    return None


def _check_lines(name: str, data: bytes) -> Problem | None:
    """A line above the limit covers an aligned window of half of it, which is quick to look for."""
    window = LONGEST_LINE // 2
    for start in range(0, len(data) - window + 1, window):
        if data.find(b"\n", start, start + window) < 0:
            first = data.rfind(b"\n", 0, start) + 1
            last = data.find(b"\n", start)
            length = (len(data) if last < 0 else last) - first
            if length > LONGEST_LINE:
                wrong = f"a line of {length} bytes; the limit is {LONGEST_LINE}"
                return Problem(wrong, place(name, data, first), "break the line")
    return None


def place(name: str, data: bytes, offset: int) -> Location:
    """Return the place of a byte."""
    first = data.rfind(b"\n", 0, offset) + 1
    line = data.count(b"\n", 0, offset) + 1
    return Location(name, line, len(data[first:offset].decode(errors="replace")) + 1)
