"""A shell that knows a few words: enough to ask a host, and to write a file of it.

Commands run one after the other (`;`, `&&`, `||`), may be piped into `tee`, `grep`, `head`, `cat`
or `wc -l`, and may be redirected.  Nothing runs on the machine that serves the lab.
"""

from __future__ import annotations

import fnmatch
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lossless.lab.contract import Screen
from lossless.lab.linux_host import nics

if TYPE_CHECKING:
    from lossless.lab.linux_host.box import LinuxHost

_JOINS: Final = (";", "&&", "||")


@dataclass(slots=True)
class Done:
    """What a command gave."""

    out: str = ""
    errors: str = ""
    status: int = 0


def run(host: LinuxHost, command: str, user: str) -> Screen:
    """Run a command line as a user."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=";&|<>")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError as error:
        return Screen(errors=f"bash: -c: syntax error: {error}\n", status=2)
    out, errors, status = "", "", 0
    for join, pipeline in _pipelines(words):
        if (join == "&&" and status) or (join == "||" and not status):
            continue
        done = _pipeline(host, pipeline, user)
        out, errors, status = out + done.out, errors + done.errors, done.status
    return Screen(out, errors, status)


def _pipelines(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = [(";", [])]
    for word in words:
        if word in _JOINS:
            found.append((word, []))
        else:
            found[-1][1].append(word)
    return [(join, told) for join, told in found if told]


def _pipeline(host: LinuxHost, words: Sequence[str], user: str) -> Done:
    given, errors = "", ""
    done = Done()
    command: list[str] = []
    for word in [*words, "|"]:
        if word != "|":
            command.append(word)
            continue
        done = _redirected(host, command, user, given)
        given, errors, command = done.out, errors + done.errors, []
    return Done(done.out, errors, done.status)


def _redirected(host: LinuxHost, words: Sequence[str], user: str, given: str) -> Done:
    """Run one command, and send its streams where its redirections say."""
    plain: list[str] = []
    targets: list[tuple[str, str, str]] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in (">", ">>", ">&") and rest:
            stream = plain.pop() if plain and plain[-1] in ("1", "2") else "1"
            targets.append((stream, word, rest.pop(0)))
        else:
            plain.append(word)
    done = _command(host, plain, user, given)
    for stream, how, target in targets:
        _send(host, done, stream, how, target)
    return done


def _send(host: LinuxHost, done: Done, stream: str, how: str, target: str) -> None:
    text = done.out if stream == "1" else done.errors
    if how == ">&":
        done.out, done.errors = (done.out + done.errors, "") if stream == "2" else ("", text)
        return
    if target != "/dev/null":
        before = host.file(target) or "" if how == ">>" else ""
        host.write(target, before + text)
    if stream == "1":
        done.out = ""
    else:
        done.errors = ""


def _command(host: LinuxHost, words: Sequence[str], user: str, given: str) -> Done:
    while words and "=" in words[0] and words[0].split("=")[0].isidentifier():
        words = words[1:]
    if not words:
        return Done()
    name, args = words[0].rsplit("/", 1)[-1], list(words[1:])
    if name == "sudo":
        return _command(host, [arg for arg in args if arg not in ("-n", "--")], "root", given)
    if name in nics.TOOLS and name != "tee":
        return _tool(host, name, args, user, given)
    if (builtin := _BUILTINS.get(name)) is not None:
        return builtin(host, args, given)
    if name in ("bash", "sh") or host.file(words[0]) is not None:
        return _script(host, args[:] if name in ("bash", "sh") else [words[0], *args])
    return Done(errors=f"bash: line 1: {words[0]}: command not found\n", status=127)


_ROOT_ONLY: Final = ("mlnx_qos", "cma_roce_tos", "cma_roce_mode", "mlxconfig", "modprobe")


def _tool(host: LinuxHost, name: str, args: Sequence[str], user: str, given: str) -> Done:
    if name in _ROOT_ONLY and user != "root":
        return Done(errors=f"{name}: Permission denied: root is needed\n", status=1)
    status, text = nics.run(host.state, name, args, given)
    if not status:
        return Done(text)
    return Done(errors=text + ("\n" if text and not text.endswith("\n") else ""), status=status)


def _script(host: LinuxHost, args: Sequence[str]) -> Done:
    """Run the NIC script, where a file is one."""
    text = host.file(args[0]) if args else None
    if text is None:
        return Done(errors=f"bash: {args[0] if args else ''}: No such file\n", status=127)
    out, status = host.run_script(text, check="--check" in args)
    return Done(out if not status else "", out if status else "", status)


def _head(host: LinuxHost, args: Sequence[str], given: str) -> Done:
    count, titled = 10, "-v" in args
    rest = [arg for arg in args if arg != "-v"]
    if "-n" in rest:
        at = rest.index("-n")
        count = int(rest[at + 1])
        del rest[at : at + 2]
    if not rest:
        return Done("".join(given.splitlines(keepends=True)[:count]))
    done, shown = Done(), 0
    for path in rest:
        text = host.file(path)
        if text is None:
            done.errors += f"head: cannot open '{path}' for reading: No such file or directory\n"
            done.status = 1
            continue
        blank = "\n" if shown else ""
        done.out += f"{blank}==> {path} <==\n" if titled or len(rest) > 1 else ""
        done.out += "".join(text.splitlines(keepends=True)[:count])
        shown += 1
    return done


def _cat(host: LinuxHost, args: Sequence[str], given: str) -> Done:
    done = Done() if args else Done(given)
    for path in args:
        text = host.file(path)
        if text is None:
            done.errors += f"cat: {path}: No such file or directory\n"
            done.status = 1
        else:
            done.out += text
    return done


def _ls(host: LinuxHost, args: Sequence[str], given: str) -> Done:
    done = Done()
    for pattern in (arg for arg in args if not arg.startswith("-")):
        found = sorted(p for p in host.paths() if _matches(p, pattern.rstrip("/")))
        if not found:
            done.errors += f"ls: cannot access '{pattern}': No such file or directory\n"
            done.status = 2
        done.out += "".join(f"{path}\n" for path in found)
    return done


def _matches(path: str, pattern: str) -> bool:
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


def _tee(host: LinuxHost, args: Sequence[str], given: str) -> Done:
    for path in (arg for arg in args if not arg.startswith("-")):
        why = host.write(path, given)
        if why:
            return Done(given, f"{why}\n", 1)
    return Done(given)


def _grep(host: LinuxHost, args: Sequence[str], given: str) -> Done:
    import re

    rest = [arg for arg in args if not arg.startswith("-")]
    text = given if len(rest) < 2 else "".join(host.file(path) or "" for path in rest[1:])
    drop = "-v" in args
    try:
        kept = [x for x in text.splitlines(True) if bool(re.search(rest[0], x)) is not drop]
    except (re.error, IndexError):
        return Done(errors="grep: invalid expression\n", status=2)
    return Done("" if "-q" in args else "".join(kept), status=0 if kept else 1)


def _says(text: Callable[[Any], str]) -> Callable[[LinuxHost, Sequence[str], str], Done]:
    return lambda host, args, given: Done(text(host))


def _echo(host: LinuxHost, args: Sequence[str], given: str) -> Done:
    return Done(" ".join(args) + "\n")


def _test(host: LinuxHost, args: Sequence[str], given: str) -> Done:
    there = len(args) > 1 and args[1].rstrip("/") in host.paths()
    return Done(status=0 if there else 1)


def _remove(host: LinuxHost, args: Sequence[str], given: str) -> Done:
    for path in (arg for arg in args if not arg.startswith("-")):
        host.files.pop(path, None)
    return Done()


def _processes(host: LinuxHost) -> str:
    lldpad = "lldpad\n" if host.state["lldpad"] else ""
    return f"systemd\nsshd\n{lldpad}"


_BUILTINS: Final[dict[str, Callable[[Any, Sequence[str], str], Done]]] = {
    "cat": _cat,
    "head": _head,
    "ls": _ls,
    "tee": _tee,
    "grep": _grep,
    "echo": _echo,
    "test": _test,
    "rm": _remove,
    "ps": _says(_processes),
    "hostname": _says(lambda host: f"{host.plate.name}\n"),
    "uname": _says(lambda host: "Linux\n"),
    "true": _says(lambda host: ""),
    "export": _says(lambda host: ""),
    "systemctl": _says(lambda host: ""),
    "wc": lambda host, args, given: Done(f"{given.count(chr(10))}\n"),
}
