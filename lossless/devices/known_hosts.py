"""Host keys that are known: OpenSSH's known_hosts files (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).

Names may be hashed, be patterns, and carry a port ("[192.0.2.1]:2222"); `@revoked` keys are
refused.  Keys of certificate authorities are passed over: certificates of hosts are not verified.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import enum
import fnmatch
import functools
import hashlib
import hmac
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_writing = threading.Lock()
_HASHED: Final = "|1|"


class Verdict(enum.Enum):
    """What is to be thought of a host's key."""

    KNOWN = "known"
    UNKNOWN = "unknown"
    CHANGED = "changed"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that holds a key.  `marker` is "@revoked", or empty."""

    file: str
    line: int
    marker: str
    names: tuple[str, ...]
    kind: str
    key: bytes


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, and the line that it rests on, where there is one."""

    verdict: Verdict
    entry: Entry | None = None


class KnownHosts:
    """The keys of some files."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._plain: dict[str, list[int]] = {}
        self._others: list[int] = []
        for number, entry in enumerate(entries):
            if any(n.startswith(_HASHED) or n[0] == "!" or set(n) & set("*?") for n in entry.names):
                self._others.append(number)
            else:
                for name in entry.names:
                    self._plain.setdefault(name.lower(), []).append(number)

    def kinds(self, name: str) -> tuple[str, ...]:
        """Return the kinds of key that are known of a host: those it should be asked for."""
        return tuple(dict.fromkeys(e.kind for e in self._of(name) if not e.marker))

    def judge(self, name: str, kind: str, key: bytes) -> Judgement:
        """Say what is to be thought of a host's key.

        A host that is known by keys of other kinds only has changed as well: whoever stands in
        its place could show a kind of key that is not known.
        """
        mine = list(self._of(name))
        for entry in mine:
            if entry.marker and entry.key == key:
                return Judgement(Verdict.REVOKED, entry)
        held = [entry for entry in mine if not entry.marker]
        for entry in held:
            if entry.kind == kind and hmac.compare_digest(entry.key, key):
                return Judgement(Verdict.KNOWN, entry)
        held.sort(key=lambda entry: entry.kind != kind)
        return Judgement(Verdict.CHANGED, held[0]) if held else Judgement(Verdict.UNKNOWN)

    def _of(self, name: str) -> Iterator[Entry]:
        wanted = name.lower()
        maybe = (n for n in self._others if _named(self._entries[n].names, wanted))
        return (self._entries[n] for n in sorted({*self._plain.get(wanted, ()), *maybe}))


def name_of(host: str, port: int) -> str:
    """Return the name that a host goes by: with its port where that is not SSH's own."""
    return host.lower() if port == 22 else f"[{host.lower()}]:{port}"


def read(files: Sequence[str]) -> KnownHosts:
    """Read the files that are there; lines that are not understood hold no key."""
    stamps: list[tuple[str, int, int]] = []
    for file in files:
        with contextlib.suppress(OSError):
            stat = os.stat(file)
            stamps.append((file, stat.st_mtime_ns, stat.st_size))
    return _hosts(tuple(stamps))


def remember(files: Sequence[str], name: str, kind: str, key: bytes) -> Judgement:
    """Write the key of an unknown host to the first file, and return the verdict after that.

    Judged again under a lock, so that of several threads that meet a host one writes its key, and
    a host that shows them different keys is found out.  Raises `OSError`.
    """
    with _writing:
        judgement = read(files).judge(name, kind, key)
        if judgement.verdict is not Verdict.UNKNOWN:
            return judgement
        path = Path(files[0])
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        line = f"{name} {kind} {base64.b64encode(key).decode()}\n".encode()
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(handle).st_size
            whole = size == 0 or os.pread(handle, 1, size - 1) == b"\n"
            os.write(handle, line if whole else b"\n" + line)
        finally:
            os.close(handle)
        _hosts.cache_clear()
        return Judgement(Verdict.KNOWN)


def fingerprint(key: bytes) -> str:
    """Return a key's fingerprint as OpenSSH prints it."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip("=")


@functools.lru_cache(maxsize=16)
def _hosts(stamps: tuple[tuple[str, int, int], ...]) -> KnownHosts:
    """Read files; their times and sizes are part of the key, so that changed ones are read anew."""
    return KnownHosts([entry for file, _, _ in stamps for entry in _entries(file)])


def _entries(file: str) -> tuple[Entry, ...]:
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    found = (_entry(file, number, line) for number, line in enumerate(text.splitlines(), 1))
    return tuple(entry for entry in found if entry is not None)


def _entry(file: str, number: int, line: str) -> Entry | None:
    words = line.split()
    marker = words.pop(0) if words and words[0].startswith("@") else ""
    if len(words) < 3 or words[0].startswith("#") or marker not in {"", "@revoked"}:
        return None
    try:
        key = base64.b64decode(words[2], validate=True)
    except (binascii.Error, ValueError):
        return None
    names = tuple(name for name in words[0].split(",") if name)
    return Entry(file, number, marker, names, words[1], key)


def _named(names: tuple[str, ...], name: str) -> bool:
    hit = False
    for pattern in names:
        if pattern.startswith(_HASHED):
            hit = hit or _hashed(pattern, name)
            continue
        negated = pattern.startswith("!")
        plain = pattern.removeprefix("!").lower()
        if plain == name or (any(c in plain for c in "*?") and _like(plain, name)):
            if negated:
                return False
            hit = True
    return hit


def _like(pattern: str, name: str) -> bool:
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))


def _hashed(pattern: str, name: str) -> bool:
    try:
        salt, digest = (base64.b64decode(part) for part in pattern[len(_HASHED) :].split("|"))
    except (ValueError, binascii.Error):
        return False
    return hmac.compare_digest(hmac.digest(salt, name.encode(), "sha1"), digest)
