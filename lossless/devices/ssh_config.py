"""OpenSSH's client configuration, as far as it says how a device is reached (ssh_config(5)).

Read are Host, Match (without `exec`), Include, HostName, HostKeyAlias, User, Port, IdentityFile,
IdentitiesOnly, ProxyJump, UserKnownHostsFile and GlobalKnownHostsFile.  `ProxyCommand` and
`Match exec` would start programs that nobody named here: they are refused where they apply.
`StrictHostKeyChecking` is not honoured: host keys are verified unless the command line says else.
"""

from __future__ import annotations

import fnmatch
import functools
import getpass
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lossless.findings import InputError, Location, Problem

_DEPTH: Final = 16  # of files that include files, as in OpenSSH's readconf.c
_LINE: Final = re.compile(r"(?P<key>[A-Za-z]+)(?:\s*=\s*|\s+)(?P<value>.*)")
_MANY: Final = {"identityfile"}
_READ: Final = {
    "hostname",
    "hostkeyalias",
    "user",
    "port",
    "identityfile",
    "identitiesonly",
    "proxyjump",
    "proxycommand",
    "userknownhostsfile",
    "globalknownhostsfile",
}


@dataclass(frozen=True, slots=True)
class Stanza:
    """A Host or Match line and what stands below it; `kind` is "host" or "match"."""

    kind: str
    words: tuple[str, ...]
    place: Location
    settings: list[tuple[str, str, Location]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Host:
    """What the configuration says of one host; `None` and empty where it does not.

    `proxy_command` is the place where one stands.
    """

    hostname: str
    port: int | None = None
    user: str | None = None
    identities: tuple[str, ...] = ()
    identities_only: bool = False
    jump: str | None = None
    key_alias: str | None = None
    user_known_hosts: tuple[str, ...] | None = None
    global_known_hosts: tuple[str, ...] | None = None
    proxy_command: Location | None = None


class SshConfig:
    """A configuration that was read.  `host` answers for one name."""

    def __init__(self, stanzas: list[Stanza]) -> None:
        self._stanzas = stanzas
        self._plain: dict[str, list[int]] = {}
        self._others: list[int] = []
        for number, stanza in enumerate(stanzas):
            if stanza.kind == "host" and not any(c in w for w in stanza.words for c in "*?!"):
                for word in stanza.words:
                    self._plain.setdefault(word.lower(), []).append(number)
            else:
                self._others.append(number)

    def host(self, name: str, user: str | None = None) -> Host:
        """Return what is said of a host.  Raises `InputError` for what cannot be honoured."""
        found: dict[str, list[tuple[str, Location]]] = {}
        numbers = sorted({*self._plain.get(name.lower(), ()), *self._others})
        for stanza in (self._stanzas[number] for number in numbers):
            if not _applies(stanza, name, user, found):
                continue
            for key, value, place in stanza.settings:
                if key in _MANY or key not in found:
                    found.setdefault(key, []).append((value, place))
        return _host(name, found)


def load(path: str | None) -> SshConfig:
    """Read a configuration, or the user's and then the system's where `path` is `None`.

    Raises `InputError` where a file that was named cannot be read, or says what is not understood.
    """
    if path is not None:
        return _load((str(Path(path).expanduser()),), (_stamp(path),), named=True)
    files = (str(Path("~/.ssh/config").expanduser()), "/etc/ssh/ssh_config")
    return _load(files, tuple(_stamp(file) for file in files), named=False)


def _stamp(path: str) -> tuple[int, int]:
    try:
        stat = Path(path).expanduser().stat()
    except OSError:
        return (0, 0)
    return stat.st_mtime_ns, stat.st_size


@functools.lru_cache(maxsize=8)
def _load(files: tuple[str, ...], stamps: tuple[tuple[int, int], ...], *, named: bool) -> SshConfig:
    del stamps  # part of the key: a file that changed is read again
    stanzas: list[Stanza] = []
    for file in files:
        if named or os.path.isfile(file):
            start = Stanza("host", ("*",), Location(file, 1, 1))
            stanzas.append(start)
            _read(file, stanzas, 0)
    return SshConfig(stanzas)


def _read(file: str, stanzas: list[Stanza], depth: int) -> None:
    for number, line in enumerate(_text(file).splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        place = Location(file, number, len(line) - len(line.lstrip()) + 1)
        found = _LINE.fullmatch(stripped)
        if found is None:
            raise _wrong(place, f"{stripped!r} is not a setting", "write a keyword and its value")
        key, value = found["key"].lower(), found["value"]
        if key in {"host", "match"}:
            stanzas.append(Stanza(key, tuple(_words(value, place)), place))
        elif key == "include":
            _include(value, place, stanzas, depth)
        elif key in _READ:
            stanzas[-1].settings.append((key, value, place))


def _include(value: str, place: Location, stanzas: list[Stanza], depth: int) -> None:
    """Read included files; below them goes on what stood before (readconf.c)."""
    if depth >= _DEPTH:
        raise _wrong(place, "files include each other too deeply", f"at most {_DEPTH} levels")
    around = stanzas[-1]
    for word in _words(value, place):
        for file in _files(word, place.file):
            _read(file, stanzas, depth + 1)
    if stanzas[-1] is not around:
        stanzas.append(Stanza(around.kind, around.words, place))


def _files(word: str, file: str) -> Iterator[str]:
    """Yield the files that a pattern names; relative ones stand beside the file that says so.

    OpenSSH looks in ~/.ssh and /etc/ssh, which are where its own two files stand.
    """
    path = Path(word).expanduser()
    path = path if path.is_absolute() else Path(file).parent / path
    root = Path(path.anchor)
    yield from sorted(str(p) for p in root.glob(str(path.relative_to(root))) if p.is_file())


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError([Problem(f"{file} cannot be read: {said}")]) from None


def _words(value: str, place: Location) -> list[str]:
    try:
        return shlex.split(value, comments=False)
    except ValueError as error:
        raise _wrong(
            place, f"{value!r} cannot be split into words: {error}", "close the quotes"
        ) from None


def _applies(
    stanza: Stanza,
    name: str,
    user: str | None,
    found: Mapping[str, list[tuple[str, Location]]],
) -> bool:
    if stanza.kind == "host":
        return _matches(stanza.words, name)
    words = iter(stanza.words)
    for word in words:
        negated = word.startswith("!")
        criterion = word.lstrip("!").lower()
        if criterion == "exec":
            raise _wrong(stanza.place, "Match exec is not run", "write a Host for what it selects")
        if criterion in {"all", "final", "canonical"}:
            holds = criterion != "canonical"
        else:
            said = _subject(criterion, name, user, found)
            patterns = next(words, None)
            if said is None or patterns is None:
                raise _wrong(
                    stanza.place,
                    f"Match {criterion} is not understood",
                    "all, final, host, originalhost, user and localuser are",
                )
            holds = _matches(patterns.split(","), said)
        if holds == negated:
            return False
    return True


def _subject(
    criterion: str,
    name: str,
    user: str | None,
    found: Mapping[str, list[tuple[str, Location]]],
) -> str | None:
    """Return what a criterion of Match is about; `None` for an unknown one."""
    if criterion == "host":
        return _first(found, "hostname") or name
    if criterion == "originalhost":
        return name
    if criterion == "user":
        return user or _first(found, "user") or getpass.getuser()
    return getpass.getuser() if criterion == "localuser" else None


def _matches(patterns: list[str] | tuple[str, ...], name: str) -> bool:
    """Match as OpenSSH does: one pattern must match, and none that is negated (PATTERNS)."""
    hit = False
    for pattern in patterns:
        plain = pattern.removeprefix("!").replace("[", "[[]")  # "[" has no meaning there
        if fnmatch.fnmatchcase(name.lower(), plain.lower()):
            if pattern.startswith("!"):
                return False
            hit = True
    return hit


def _first(found: Mapping[str, list[tuple[str, Location]]], key: str) -> str | None:
    said = found.get(key)
    return None if said is None else _unquoted(said[0][0])


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def _host(name: str, found: dict[str, list[tuple[str, Location]]]) -> Host:
    hostname = (_first(found, "hostname") or name).replace("%h", name).replace("%%", "%")
    port = _port(found)
    user = _first(found, "user")
    tokens = {
        "%%": "%",
        "%h": hostname,
        "%n": name,
        "%p": str(port or 22),
        "%r": user or getpass.getuser(),
        "%u": getpass.getuser(),
        "%d": str(Path.home()),
    }
    jump, command = found.get("proxyjump"), found.get("proxycommand")
    return Host(
        hostname=hostname,
        port=port,
        user=user,
        identities=tuple(
            _expanded(_unquoted(value), tokens)
            for value, _ in found.get("identityfile", ())
            if value.lower() != "none"
        ),
        identities_only=(_first(found, "identitiesonly") or "").lower() == "yes",
        jump=None if jump is None else _expanded(_unquoted(jump[0][0]), tokens, home=False),
        key_alias=_first(found, "hostkeyalias"),
        user_known_hosts=_known(found, "userknownhostsfile", tokens),
        global_known_hosts=_known(found, "globalknownhostsfile", tokens),
        proxy_command=_proxy_command(jump, command),
    )


def _proxy_command(
    jump: list[tuple[str, Location]] | None, command: list[tuple[str, Location]] | None
) -> Location | None:
    """Return where the command stands that would be run; ProxyJump goes before one below it."""
    if command is None or command[0][0].lower() == "none":
        return None
    place = command[0][1]
    if jump is None:
        return place
    above = jump[0][1]
    same = above.file == place.file
    return place if same and place.line < above.line else None


def _known(
    found: Mapping[str, list[tuple[str, Location]]], key: str, tokens: Mapping[str, str]
) -> tuple[str, ...] | None:
    said = found.get(key)
    if said is None:
        return None
    value, place = said[0]
    return tuple(_expanded(word, tokens) for word in _words(value, place) if word.lower() != "none")


def _port(found: Mapping[str, list[tuple[str, Location]]]) -> int | None:
    said = found.get("port")
    if said is None:
        return None
    value, place = said[0]
    if not value.isdecimal() or not 0 < int(value) < 65536:
        raise _wrong(place, f"{value!r} is not a port", "a number from 1 to 65535")
    return int(value)


def _expanded(value: str, tokens: Mapping[str, str], *, home: bool = True) -> str:
    """Replace the tokens of ssh_config, and the home directory."""
    text = re.sub("%.", lambda m: tokens.get(m[0], m[0]), value)
    return os.path.expanduser(text) if home else text


def _wrong(place: Location, message: str, hint: str) -> InputError:
    return InputError([Problem(message, location=place, hint=hint)])
