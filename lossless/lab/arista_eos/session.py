"""The command line of a simulated EOS: modes, prompts, and what each line answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lossless.lab.arista_eos import shows
from lossless.lab.arista_eos.configuration import Path, Refused
from lossless.lab.contract import Screen
from lossless.lab.line_mode import AmbiguousError, spell_out

if TYPE_CHECKING:
    from lossless.lab.arista_eos.box import Eos
    from lossless.lab.arista_eos.configuration import Configuration

_INVALID: Final = "% Invalid input\n"
_LENGTH: Final = 24
_FORMS: Final = (
    "enable", "disable", "exit", "end", "logout", "quit",
    "terminal length <n>", "terminal width <n>",
    "configure", "configure terminal",
    "configure session <name>", "configure session <name> commit",
    "configure session <name> commit timer <time>", "configure session <name> abort",
    "no configure session <name>",
    "write", "write memory", "copy running-config startup-config",
)  # fmt: skip
_SESSION_FORMS: Final = ("commit", "commit timer <time>", "abort", "rollback clean-config")
_SHOWS: Final = (
    "show running-config", "show running-config all", "show running-config interfaces <name>",
    "show running-config section <...>",
    "show startup-config", "show version", "show hostname", "show privilege",
    "show priority-flow-control", "show priority-flow-control status",
    "show interfaces status", "show session-config", "show session-config diffs",
    "show session-config named <name>", "show session-config named <name> diffs",
    "show configuration sessions", "show configuration sessions detail",
)  # fmt: skip
_PUBLIC: Final = re.compile(r"show (?:version|hostname|privilege|interfaces|priority)")
_TIME: Final = re.compile(r"(\d{1,2}):([0-5]\d):([0-5]\d)")


class EosSession:
    """One login."""

    more = " --More-- "

    def __init__(self, box: Eos, *, privileged: bool) -> None:
        self._box = box
        self.page = _LENGTH
        self._privileged = privileged
        self._configuring = False
        self._candidate: str | None = None
        self._mode: Path = ()

    @property
    def prompt(self) -> str:
        """The prompt, as in `leaf01(config-if-Et1/1)#`."""
        mark = "#" if self._privileged else ">"
        if not self._configuring:
            return f"{self._box.hostname}{mark}"
        words = ["config", *(["s", self._candidate] if self._candidate else [])]
        for opened in self._mode:
            kind, _, name = opened.partition(" ")
            short = {"interface": "if", "qos": "qos", "uc-tx-queue": "uc-txq", "tx-queue": "txq"}
            words.append(f"{short.get(kind, kind)}-{_short(name)}")
        return f"{self._box.hostname}({'-'.join(words)[:40]})#"

    def close(self) -> None:
        """A candidate stays pending, as on a box, until it is committed or aborted."""

    def feed(self, line: str) -> Screen:
        """Take a line; see `contract.Session`."""
        words = " ".join(line.split())
        if not words or (words.startswith("!") and not words.startswith("!!")):
            return Screen()
        try:
            return self._do(words)
        except AmbiguousError:
            return Screen("% Ambiguous command\n")
        except shows.NoJson:
            return Screen("% This is an unconverted command\n")
        except Refused as why:
            known = str(why).startswith(("Maximum", "Session", "A commit"))
            return Screen(f"% {why}\n" if known else _INVALID)
        except (ValueError, re.error):
            return Screen(_INVALID)

    def _do(self, words: str) -> Screen:
        command, *pipes = words.split(" | ")
        if "show".startswith(command.split()[0]) and len(command) > 1:
            return self._shown(command.removeprefix("do "), pipes)
        if self._candidate is not None and (full := spell_out(words, _SESSION_FORMS)):
            return self._finish(self._candidate, full)
        full = spell_out(words, _FORMS)
        if full is not None:
            return self._exec(full)
        if not self._configuring:
            return Screen(_INVALID)
        self._mode = self._entered(words)
        return Screen()

    def _entered(self, words: str) -> Path:
        """Enter a configuration line here, or else in a mode above, as EOS does."""
        held = self._held()
        for depth in range(len(self._mode), 0, -1):
            try:
                return held.enter(words, self._mode[:depth])
            except Refused:
                continue
        return held.enter(words, ())

    def _held(self) -> Configuration:
        box = self._box
        return box.running if self._candidate is None else box.candidate(self._candidate).held

    # -- modes -------------------------------------------------------------------------------

    def _exec(self, full: str) -> Screen:
        first, *rest = full.split()
        if first in ("logout", "quit"):
            return Screen(closed=True)
        if first in ("exit", "end"):
            return self._leave(everything=first == "end")
        if first == "terminal":
            return self._terminal(rest[0], rest[1])
        if first in ("enable", "disable"):
            self._privileged = first == "enable"
            return Screen()
        if not self._privileged:
            return Screen("% Invalid input (privileged mode required)\n")
        if first == "configure" and len(rest) > 1 and rest[0] == "session":
            return self._configure_session(rest[1], " ".join(rest[2:]))
        if first == "configure":
            self._configuring, self._candidate, self._mode = True, None, ()
            return Screen()
        if first == "no":
            self._box.abort(rest[-1])
            return Screen()
        self._box.save()
        return Screen("Copy completed successfully.\n")

    def _leave(self, *, everything: bool) -> Screen:
        if not self._configuring:
            return Screen(_INVALID) if everything else Screen(closed=True)
        if self._mode and not everything:
            self._mode = self._mode[:-1]
        else:
            self._configuring, self._candidate, self._mode = False, None, ()
        return Screen()

    def _terminal(self, what: str, number: str) -> Screen:
        value = int(number)
        if what == "width":
            return Screen(f"Width set to {value} columns.\n")
        self.page = value
        said = "Pagination disabled.\n" if not value else f"Pagination set to {value} lines.\n"
        return Screen(said)

    # -- configuration sessions ----------------------------------------------------------------

    def _configure_session(self, name: str, then: str) -> Screen:
        if then:
            return self._finish(name, then)
        self._box.candidate(name)
        self._configuring, self._candidate, self._mode = True, name, ()
        return Screen()

    def _finish(self, name: str, what: str) -> Screen:
        if what == "rollback clean-config":
            candidate = self._box.candidate(name)
            candidate.held = type(candidate.held)(ports=self._box.ports)
            self._mode = ()
            return Screen()
        if what == "abort":
            self._box.abort(name)
        else:
            self._box.commit(name, _seconds(what))
        if self._candidate == name:
            self._configuring, self._candidate, self._mode = False, None, ()
        return Screen()

    # -- show ----------------------------------------------------------------------------------

    def _shown(self, command: str, pipes: list[str]) -> Screen:
        full = spell_out(command, _SHOWS)
        if full is None:
            return Screen(_INVALID)
        if not self._privileged and not _PUBLIC.match(full):
            return Screen("% Invalid input (privileged mode required)\n")
        text, data = self._answer(full)
        return Screen(shows.piped(text, data, pipes))

    def _answer(self, full: str) -> tuple[str, Any]:
        box = self._box
        if full.startswith("show session-config"):
            return self._session_config(full.split()), None
        if full.startswith("show running-config interfaces "):
            name = full.rsplit(maxsplit=1)[-1]
            return shows.interface(
                box, re.sub(r"(?i)^eth?(?:ernet)?(?=\d)", "Ethernet", name)
            ), None
        if full.startswith("show running-config section "):
            pattern = full.removeprefix("show running-config section ")
            return shows.section(box.running.text(), pattern), None
        return _ANSWERS[full](box, self._privileged)

    def _session_config(self, words: list[str]) -> str:
        diffs = words[-1] == "diffs" and len(words) != 4  # "named diffs" is a name
        name = words[3] if len(words) > 3 else self._candidate
        if name is None:
            raise Refused("show session-config: no session")
        if diffs:
            return self._box.diffs(name)
        if name not in self._box.pending:
            raise Refused(f"Session {name} does not exist")
        return shows.running(self._box, self._box.pending[name].held, "show session-config")


_Answer = tuple[str, Any]
_ANSWERS: Final[dict[str, Callable[[Any, bool], _Answer]]] = {
    "show running-config": lambda box, _: (
        shows.running(box, box.running),
        shows.structured(box.running),
    ),
    "show running-config all": lambda box, _: (
        shows.running(box, box.running, "show running-config all"),
        None,
    ),
    "show startup-config": lambda box, _: (
        shows.running(box, box.startup, "show startup-config"),
        shows.structured(box.startup),
    ),
    "show version": lambda box, _: (shows.version_text(box), shows.version_json(box)),
    "show hostname": lambda box, _: (
        f"Hostname: {box.hostname}\nFQDN:     {box.hostname}\n",
        {"hostname": box.hostname, "fqdn": box.hostname},
    ),
    "show privilege": lambda _, high: (f"Current privilege level is {15 if high else 1}\n", None),
    "show priority-flow-control": lambda box, _: (shows.flow_control(box), None),
    "show priority-flow-control status": lambda box, _: (shows.flow_control(box), None),
    "show interfaces status": lambda box, _: (shows.status(box), None),
    "show configuration sessions": lambda box, _: (shows.sessions_text(box), shows.sessions(box)),
    "show configuration sessions detail": lambda box, _: (
        shows.sessions_text(box),
        shows.sessions(box),
    ),
}


def _short(name: str) -> str:
    return name.replace("Ethernet", "Et").removeprefix("profile ").replace(" ", "-")


def _seconds(what: str) -> float | None:
    """Read `commit` or `commit timer HH:MM:SS`.  Raises `ValueError`."""
    if what == "commit":
        return None
    found = _TIME.fullmatch(what.removeprefix("commit timer "))
    if found is None:
        raise ValueError(what)
    hours, minutes, seconds = (int(part) for part in found.groups())
    return float(hours * 3600 + minutes * 60 + seconds)
