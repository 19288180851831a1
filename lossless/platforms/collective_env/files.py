"""The files that carry the environment of collective libraries, and the grammar of each.

`/etc/nccl.conf`: NCCL (and RCCL, which shares the code) sets each `KEY=VALUE` line as an
environment variable unless the process already has it, so that the first of two lines wins; a line
that begins with "#" is a remark, blanks and quotes belong to name and value (NCCL
`src/misc/param.cc`, setEnvFile).  `ucx.conf` is an INI file whose entries an environment variable
overrides (UCX FAQ, "UCX configuration file").  HCCL, NVSHMEM and others read nothing but their
process's environment, which a login shell takes from a file in `/etc/profile.d`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}\Z")
_HEADER: Final = re.compile(r"==> (/\S+) <==$")
_MISSING: Final = re.compile(r"(?:head|cat): (?:cannot open )?'?(/[^' :]+)'?.*No such file")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: a variable, or anything else as it stands (`name` is `None`)."""

    text: str
    name: str | None = None
    value: str | None = None
    read: bool = True  # False: neither a variable nor a remark


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of file.  `rank` says which wins where two set one variable (higher first)."""

    object: str  # the planner's word; its macro is `set_<object>`
    path: str
    rendered: str
    rank: int
    first_wins: bool
    source: str
    line: Callable[[str], Line]


def _nccl(text: str) -> Line:
    text = text.rstrip("\r")
    if text.startswith("#") or not text.strip():
        return Line(text)
    name, equals, value = text.partition("=")
    if equals and NAME.match(name):
        return Line(text, name, value)
    return Line(text, read=False)


def _ucx(text: str) -> Line:
    bare = text.strip()
    if not bare or bare[0] in "#;":
        return Line(text)
    name, equals, value = bare.partition("=")
    if equals and NAME.match(name.strip()):
        told = re.split(r"\s;", value, maxsplit=1)[0].strip()
        return Line(text, name.strip(), told)
    return Line(text, read=False)


def _shell(text: str) -> Line:
    bare = text.strip()
    if not bare or bare.startswith("#"):
        return Line(text)
    try:
        words = shlex.split(bare)
    except ValueError:
        return Line(text, read=False)
    if words[:1] == ["export"] and len(words) == 2:
        name, equals, value = words[1].partition("=")
        # What the shell would expand is not known here.
        if equals and NAME.match(name) and not re.search(r"[$`\\]", bare):
            return Line(text, name, value)
        if equals and NAME.match(name) and shlex.quote(value) == bare.partition("=")[2]:
            return Line(text, name, value)
    return Line(text, read=False)


NCCL: Final = Kind(
    "nccl_conf",
    "/etc/nccl.conf",
    "nccl.conf",
    1,
    True,
    "NCCL src/misc/param.cc, setEnvFile; NCCL user guide, environment variables",
    _nccl,
)
UCX: Final = Kind(
    "ucx_conf",
    "/etc/ucx/ucx.conf",
    "ucx.conf",
    1,
    False,
    "UCX FAQ, UCX configuration file",
    _ucx,
)
SHELL: Final = Kind(
    "environment_sh",
    "/etc/profile.d/lossless-collectives.sh",
    "environment.sh",
    2,
    False,
    "bash(1), invocation of a login shell reads /etc/profile",
    _shell,
)
KINDS: Final = (NCCL, UCX, SHELL)


def kind_of(name: str) -> Kind:
    """Return where a variable belongs: the library's own file, or else the login environment."""
    if name.startswith("NCCL_"):
        return NCCL
    return UCX if name.startswith("UCX_") else SHELL


def by_path(path: str | None) -> Kind | None:
    """Return the kind of a file by its path, or by the name under which it is rendered."""
    if path is None:
        return None
    last = path.rsplit("/", 1)[-1]
    for kind in KINDS:
        if path == kind.path or last in (kind.rendered, kind.path.rsplit("/", 1)[-1]):
            return kind
    return None


def by_text(text: str) -> Kind | None:
    """Recognise a file that nobody named by its first variable."""
    for line in text.splitlines():
        for prefix, kind in (("NCCL_", NCCL), ("UCX_", UCX), ("export ", SHELL)):
            if line.startswith(prefix) and kind.line(line).name is not None:
                return kind
    return None


def blocks(text: str) -> Iterator[tuple[str, list[str] | None, int]]:
    """Split `head -v` output into (path, lines, first line); `None` for a file that is missing."""
    path, lines, first = "", list[str](), 1
    for number, line in enumerate(text.splitlines(), 1):
        if missing := _MISSING.match(line):
            yield missing[1], None, number
        elif header := _HEADER.match(line):
            if path:
                yield path, _without_last_blank(lines), first
            path, lines, first = header[1], [], number + 1
        else:
            lines.append(line)
    if path:
        yield path, lines, first


def _without_last_blank(lines: list[str]) -> list[str]:
    """`head -v` puts an empty line between two files."""
    return lines[:-1] if lines and not lines[-1] else lines
