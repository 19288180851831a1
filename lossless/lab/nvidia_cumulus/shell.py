"""The shell of a Cumulus switch: `nv`, and a few words beside it.

Commands run one after the other (`;`, `&&`, `||`), may be piped into `grep`, `head`, `tail`,
`wc -l`, `cat` and `base64 -d`, and may be redirected into a file of the switch.
"""

from __future__ import annotations

import base64
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lossless.lab.contract import Screen
from lossless.lab.nvidia_cumulus import commands

if TYPE_CHECKING:
    from lossless.lab.nvidia_cumulus.box import Cumulus

_JOINS: Final = (";", "&&", "||")
_HERE: Final = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


@dataclass(slots=True)
class Done:
    """What a command gave; `ask` is a question that it waits with."""

    out: str = ""
    errors: str = ""
    status: int = 0
    ask: str | None = None


class Login:
    """One login at the shell."""

    page = 0
    more = ""

    def __init__(self, box: Cumulus, user: str) -> None:
        self._box = box
        self._user = user
        self._asked: str | None = None
        self._here: tuple[str, str, list[str]] | None = None

    @property
    def prompt(self) -> str:
        """The prompt, as in `cumulus@leaf01:mgmt:~$ `; `> ` within a file that is typed in."""
        if self._here is not None:
            return "> "
        return f"{self._user}@{self._box.hostname}:mgmt:~{'#' if self._user == 'root' else '$'} "

    def feed(self, line: str) -> Screen:
        """Run a line; see `contract.Session`."""
        if self._asked is not None:
            command, self._asked = self._asked, None
            yes = line.strip().lower() in ("y", "yes")
            return run(
                self._box, f"{command} {'--assume-yes' if yes else '--assume-no'}", self._user
            )
        if self._here is not None:
            return self._typed(line, *self._here)
        if line.strip() in ("exit", "logout"):
            return Screen(closed=True)
        found = _HERE.search(line)
        if found is not None:
            self._here = (line[: found.start()] + line[found.end() :], found[2], [])
            return Screen()
        if not line.strip():
            return Screen()
        screen = run(self._box, line, self._user, typed=True)
        self._asked = line if screen.ask is not None else None
        return screen

    def _typed(self, line: str, command: str, end: str, lines: list[str]) -> Screen:
        if line.strip() != end:
            lines.append(line)
            return Screen()
        self._here = None
        return run(self._box, command, self._user, given="".join(f"{one}\n" for one in lines))

    def close(self) -> None:
        """A pending revision stays where it is."""


def run(box: Cumulus, command: str, user: str, given: str = "", *, typed: bool = False) -> Screen:
    """Run a command line; `typed`: there is a person who can be asked."""
    command, given = _here(command, given)
    lexer = shlex.shlex(command, posix=True, punctuation_chars=";&|<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError as error:
        return Screen(errors=f"-bash: syntax error: {error}\n", status=2)
    out, errors, done = "", "", Done()
    for join, pipeline in _pipelines(words):
        if (join == "&&" and done.status) or (join == "||" and not done.status):
            continue
        done = _pipeline(box, pipeline, user, given, typed)
        out, errors = out + done.out, errors + done.errors
    return Screen(out, errors, done.status, ask=done.ask)


def _here(command: str, given: str) -> tuple[str, str]:
    """Take a file that stands in the command itself out of it."""
    first, *rest = command.split("\n")
    found = _HERE.search(first)
    if found is None or found[2] not in rest:
        return command, given
    end = rest.index(found[2])
    after = "; ".join(line for line in rest[end + 1 :] if line.strip())
    line = first[: found.start()] + first[found.end() :]
    told = "".join(f"{one}\n" for one in rest[:end])
    return (f"{line}; {after}" if after else line), told


def _pipelines(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = [(";", [])]
    for word in words:
        if word in _JOINS:
            found.append((word, []))
        else:
            found[-1][1].append(word)
    return [(join, told) for join, told in found if told]


def _pipeline(box: Cumulus, words: Sequence[str], user: str, given: str, typed: bool) -> Done:
    done = Done(given)
    errors = ""
    command: list[str] = []
    for word in [*words, "|"]:
        if word != "|":
            command.append(word)
            continue
        done = _redirected(box, command, user, done.out, typed)
        errors, command = errors + done.errors, []
    return Done(done.out, errors, done.status, done.ask)


def _redirected(box: Cumulus, words: Sequence[str], user: str, given: str, typed: bool) -> Done:
    plain: list[str] = []
    rest, targets = list(words), list[tuple[str, str, str]]()
    while rest:
        word = rest.pop(0)
        if word in (">", ">>", ">&") and rest:
            stream = plain.pop() if plain and plain[-1] in ("1", "2") else "1"
            targets.append((stream, word, rest.pop(0)))
        else:
            plain.append(word)
    done = _command(box, plain, user, given, typed)
    for stream, how, target in targets:
        _send(box, done, stream, how, target)
    return done


def _send(box: Cumulus, done: Done, stream: str, how: str, target: str) -> None:
    if how == ">&":
        done.out, done.errors = done.out + done.errors, ""
        return
    text = done.out if stream == "1" else done.errors
    if target != "/dev/null":
        box.files[target] = (box.files.get(target, "") if how == ">>" else "") + text
    if stream == "1":
        done.out = ""
    else:
        done.errors = ""


def _command(box: Cumulus, words: Sequence[str], user: str, given: str, typed: bool) -> Done:
    while words and "=" in words[0] and words[0].split("=")[0].isidentifier():
        words = words[1:]
    if not words:
        return Done()
    name, args = words[0].rsplit("/", 1)[-1], list(words[1:])
    if name == "sudo":
        return _command(box, [a for a in args if a not in ("-n", "--")], "root", given, typed)
    if name == "nv":
        done = commands.run(box, args, user, typed=typed)
        return Done(*done)
    if name in _FILTERS:
        return _FILTERS[name](box, args, given)
    if name in _SAYS:
        return Done(_SAYS[name](box, args))
    return Done(errors=f"-bash: {words[0]}: command not found\n", status=127)


# --- a few words ---------------------------------------------------------------------------------


def _file(box: Cumulus, path: str) -> str | None:
    if path == "/etc/nvue.d/startup.yaml":
        return commands.whole(box, box.startup)
    if path == "/etc/lsb-release":
        return f'DISTRIB_ID="Cumulus Linux"\nDISTRIB_RELEASE={box.version}\n'
    return box.files.get(path)


def _cat(box: Cumulus, args: Sequence[str], given: str) -> Done:
    done = Done()
    for path in args:
        text = _file(box, path)
        if text is None:
            done.errors += f"cat: {path}: No such file or directory\n"
            done.status = 1
        done.out += text or ""
    return done if args else Done(given)


def _tee(box: Cumulus, args: Sequence[str], given: str) -> Done:
    for path in (arg for arg in args if not arg.startswith("-")):
        box.files[path] = (box.files.get(path, "") if "-a" in args else "") + given
    return Done(given)


def _grep(box: Cumulus, args: Sequence[str], given: str) -> Done:
    rest = [arg for arg in args if not arg.startswith("-")]
    text = given if len(rest) < 2 else "".join(_file(box, path) or "" for path in rest[1:])
    try:
        kept = [
            x for x in text.splitlines(True) if bool(re.search(rest[0], x)) is not ("-v" in args)
        ]
    except (re.error, IndexError):
        return Done(errors="grep: invalid expression\n", status=2)
    return Done("" if "-q" in args else "".join(kept), status=0 if kept else 1)


def _part(box: Cumulus, args: Sequence[str], given: str, *, last: bool) -> Done:
    numbers = re.findall(r"\d+", " ".join(args))
    count = int(numbers[0]) if numbers else 10
    lines = given.splitlines(True)
    return Done("".join(lines[-count:] if last else lines[:count]))


def _base64(box: Cumulus, args: Sequence[str], given: str) -> Done:
    if "-d" not in args and "--decode" not in args:
        return Done(base64.b64encode(given.encode()).decode() + "\n")
    try:
        return Done(base64.b64decode(given, validate=False).decode())
    except ValueError:
        return Done(errors="base64: invalid input\n", status=1)


def _remove(box: Cumulus, args: Sequence[str], given: str) -> Done:
    for path in (arg for arg in args if not arg.startswith("-")):
        box.files.pop(path, None)
    return Done()


_FILTERS: Final[dict[str, Callable[[Any, Sequence[str], str], Done]]] = {
    "cat": _cat,
    "tee": _tee,
    "grep": _grep,
    "head": lambda box, args, given: _part(box, args, given, last=False),
    "tail": lambda box, args, given: _part(box, args, given, last=True),
    "wc": lambda box, args, given: Done(f"{given.count(chr(10))}\n"),
    "base64": _base64,
    "rm": _remove,
    "test": lambda box, args, given: Done(status=0 if _file(box, args[-1]) is not None else 1),
    "false": lambda box, args, given: Done(status=1),
}
_SAYS: Final[dict[str, Callable[[Any, Sequence[str]], str]]] = {
    "hostname": lambda box, args: f"{box.hostname}\n",
    "uname": lambda box, args: "Linux\n",
    "echo": lambda box, args: " ".join(args) + "\n",
    "true": lambda box, args: "",
    "export": lambda box, args: "",
    "sleep": lambda box, args: "",
}
