"""The command line of a simulated Nexus 9000: prompts, modes, and what each line answers.

A terminal belongs to one session; several may share a box.  `answer` takes a typed line and
returns what the box prints, without the echo and the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from lossless.lab.cisco_nxos import asked, checkpoints
from lossless.lab.cisco_nxos.grammar import Mode, enter
from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import Refused
from lossless.lab.contract import Screen

_PROMPTS: Final = {
    "class-map": "config-cmap-qos",
    "policy": "config-pmap-{kind}",
    "policy-class": "config-pmap-c-{kind}",
    "system": "config-sys-qos",
    "interface": "config-if",
}
_KINDS: Final = {"qos": "qos", "network-qos": "nqos", "queuing": "que"}
_NAME: Final = r"([A-Za-z0-9_.-]{1,80})"
_HOW: Final = r"(?:atomic|best-effort|stop-at-first-failure)"
#: Lines of a screen, where nobody said otherwise.
_LENGTH: Final = 24


@dataclass
class Terminal:
    """One session at a box's command line.

    `page` is the screen's length (0: no pager).  `configuring` says whether it is in configuration
    mode, and `mode` where there.  `closed` becomes true when the session was left, and
    `refused` tells whether the last line was not taken.
    """

    box: Nexus
    page: int = _LENGTH
    more: str = "--More--"
    refused: bool = False
    configuring: bool = False
    mode: Mode = field(default_factory=list)
    closed: bool = False

    @property
    def prompt(self) -> str:
        """Return the prompt, as in `leaf1(config-if)# `."""
        return f"{self.box.hostname}{self._where()}# "

    def _where(self) -> str:
        if not self.configuring:
            return ""
        if not self.mode:
            return "(config)"
        kind = self.mode[-1][1] if len(self.mode[-1]) > 1 else ""
        words = _PROMPTS[self.mode[-1][0]].format(kind=_KINDS.get(kind, ""))
        return f"({words})"

    def answer(self, typed: str) -> str:
        """Return what the box prints for a line: nothing, or text that ends with a newline."""
        words = " ".join(typed.split())
        self.refused = False
        if not words or words.startswith("!"):
            return ""
        try:
            lines = self._do(words)
        except Refused as refused:
            self.refused = True
            lines = self._refusal(typed, refused)
        return "".join(f"{line}\n" for line in lines)

    def feed(self, line: str) -> Screen:
        """Take a line, as `contract.Session` wants it."""
        text = self.answer(line)
        return Screen(text=text, status=int(self.refused), closed=self.closed)

    def close(self) -> None:
        """The login is over; NX-OS has no candidate that could be forgotten."""
        self.closed = True

    def _do(self, words: str) -> list[str]:
        for form, act in _EXEC:
            if found := re.fullmatch(form, words):
                return act(self, found)
        spoken = asked.answer(self.box, words)
        if spoken is not None:
            return spoken
        if not self.configuring:
            raise Refused(words, marker=True)
        enter(self.box, self.mode, words)
        return []

    def _refusal(self, typed: str, refused: Refused) -> list[str]:
        if not refused.marker:
            return [f"ERROR: {refused}", ""]
        column = len(self.prompt) + asked.odd_word(typed, configuring=self.configuring)
        return [" " * column + "^", "% Invalid command at '^' marker."]


def _leave(terminal: Terminal, found: re.Match[str]) -> list[str]:
    if not terminal.configuring:
        if found[0] == "end":
            raise Refused("end", marker=True)
        terminal.closed = True
    elif found[0] == "exit" and terminal.mode:
        terminal.mode.pop()
    else:
        terminal.configuring, terminal.mode = False, []
    return []


def _configure(terminal: Terminal, found: re.Match[str]) -> list[str]:
    del found
    terminal.configuring, terminal.mode = True, []
    return ["Enter configuration commands, one per line. End with CNTL/Z."]


def _length(terminal: Terminal, found: re.Match[str]) -> list[str]:
    terminal.page = int(found[1])
    return []


def _nothing(terminal: Terminal, found: re.Match[str]) -> list[str]:
    del terminal, found
    return []


def _save(terminal: Terminal, found: re.Match[str]) -> list[str]:
    del found
    terminal.box.save()
    bar = "#" * 40
    return [
        f"[{bar}] 100%",
        "Copy complete, now saving to disk (please wait)...",
        "Copy complete.",
    ]


def _checkpoint(terminal: Terminal, found: re.Match[str]) -> list[str]:
    return checkpoints.make(terminal.box, found[1])


def _forget(terminal: Terminal, found: re.Match[str]) -> list[str]:
    return checkpoints.forget(terminal.box, found[1])


def _rollback(terminal: Terminal, found: re.Match[str]) -> list[str]:
    lines = checkpoints.rollback(terminal.box, found[1])
    terminal.mode = []
    return lines


_EXEC: Final[tuple[tuple[str, Callable[[Terminal, re.Match[str]], list[str]]], ...]] = (
    (r"exit|end|quit|logout", _leave),
    (r"conf(?:i|ig|igu|igur|igure)?(?: t(?:e|er|erm|ermi|ermin|ermina|erminal)?)?", _configure),
    (r"term(?:i|in|ina|inal)? len(?:g|gt|gth)? (\d{1,3})", _length),
    (r"term(?:i|in|ina|inal)? wid(?:t|th)? \d{1,3}", _nothing),
    (r"(?:no )?terminal dont-ask", _nothing),
    (r"copy run(?:ning-config)? start(?:up-config)?", _save),
    (rf"checkpoint {_NAME}", _checkpoint),
    (rf"no checkpoint {_NAME}", _forget),
    (
        rf"rollback running-config checkpoint {_NAME}(?: {_HOW})?(?: verbose)?",
        _rollback,
    ),
)
