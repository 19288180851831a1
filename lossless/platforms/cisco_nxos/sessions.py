"""Which command a text answers, and where one answer ends and the next begins.

A text may be one answer, a configuration, or a whole session: commands at a prompt
(`switch# show …`), or headers of a collector (`=== show … ===`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lossless.platforms.contract import Output

_HEADER: Final = re.compile(r"^=== (?P<command>.+?) ===\s*$")
_PROMPT: Final = re.compile(
    r"^[A-Za-z0-9_.-]*(?:\([a-z0-9-]+\))?[#>] ?(?P<command>sh(?:ow)? .+?)\s*$"
)
_PIPE: Final = re.compile(r"\s*\|\s*(?:no-more|json(?:-pretty)?(?: native)?)\s*")
_WHOLE: Final = re.compile(r"show running-config(?: all)?")
_COMMAND: Final = re.compile(r"^\s*!\s*Command: (show (?:running|startup)-config.*?)\s*$", re.M)
_BANNER: Final = re.compile(r"^banner (?:motd|exec) (\S)(.*)$")

RUNNING: Final = "show running-config"
EVERYTHING: Final = "show running-config all"
IPQOS: Final = "show running-config ipqos"
PFC: Final = "show interface priority-flow-control"
QUEUING: Final = "show queuing interface"
WATCHDOG: Final = "show queuing pfc-queue detail"
STATUS: Final = "show interface status"
NETWORK: Final = "show policy-map system type network-qos"
VERSION: Final = "show version"

_SHORT: Final = (
    (re.compile(r"^sh(?:ow)?\b"), "show"),
    (re.compile(r"\brun(?:ning-config)?\b"), "running-config"),
    (re.compile(r"\bint(?:erface)?\b"), "interface"),
)

#: What an answer without a known command is told by.
_LOOKS: Final = (
    (re.compile(r"^Port +Mode +Oper\(VL bmap\)", re.M), PFC),
    (re.compile(r"^(?:Egress|Ingress) Queuing for \S+", re.M), QUEUING),
    (re.compile(r"^\S+ Interface PFC watchdog:", re.M), WATCHDOG),
    (re.compile(r"^Port +Name +Status +Vlan +Duplex +Speed", re.M), STATUS),
    (re.compile(r"^\s*Type (?:network-)?qos policy-maps", re.M), "show policy-map system"),
    (re.compile(r"^\s*Type queuing policy-maps", re.M), "show policy-map system"),
    (re.compile(r"^\s*Service-policy \((?:queuing|qos)\) \w+:", re.M), "show policy-map interface"),
    (re.compile(r"^Cisco Nexus Operating System", re.M), VERSION),
    (re.compile(r'^\s*\{.*"TABLE_(?:module|queuing_interface|pfc_interface)"', re.S), "json"),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one command.  `start`: lines of the file that stand before it."""

    command: str
    text: str
    file: str | None
    start: int = 0


def command_of(spelled: str) -> str:
    """Write a command in full and without pipes that do not change what is told."""
    command = " ".join(_PIPE.sub("", spelled).split())
    for pattern, word in _SHORT:
        command = pattern.sub(word, command)
    return command


def answers(output: Output) -> Iterator[Answer]:
    """Yield the answers that an output holds."""
    if output.command.strip():
        yield Answer(command_of(output.command), output.text, output.file)
        return
    lines = output.text.split("\n")
    heads = [(i, found) for i, line in enumerate(lines) if (found := _head(line)) is not None]
    if not heads:
        yield _unnamed(Answer("", output.text, output.file))
        return
    if heads[0][0] > 0:
        before = "\n".join(lines[: heads[0][0]])
        if before.strip():
            yield _unnamed(Answer("", before, output.file))
    for position, (index, command) in enumerate(heads):
        end = heads[position + 1][0] if position + 1 < len(heads) else len(lines)
        body = "\n".join(lines[index + 1 : end])
        yield Answer(command_of(command), body, output.file, index + 1)


def _head(line: str) -> str | None:
    found = _HEADER.match(line) or _PROMPT.match(line)
    return None if found is None else found["command"]


def _unnamed(answer: Answer) -> Answer:
    for pattern, command in _LOOKS:
        if pattern.search(answer.text):
            return Answer(command, answer.text, answer.file, answer.start)
    return answer


def is_configuration(answer: Answer) -> bool:
    """Say whether an answer is a configuration, or part of one."""
    if re.search(r"\| *(?:i|inc|include|grep|egrep|e|exclude|count|diff)\b", answer.command):
        return False  # lines torn out of their contexts
    return not answer.command or "running-config" in answer.command


def stated_command(answer: Answer) -> str:
    """Return the command that a configuration answers: as asked, or as its own header says."""
    found = _COMMAND.search(answer.text)
    asked = answer.command if "running-config" in answer.command else ""
    if "|" in asked:
        return asked  # the header, where there is one, does not speak of the filter
    return command_of(found[1]) if found is not None else asked


def is_whole(command: str) -> bool:
    """Say whether a command shows the whole running configuration."""
    return _WHOLE.fullmatch(command) is not None


def without_banners(text: str) -> str:
    """Blank the text of banners: it may hold anything, and is no configuration."""
    out: list[str] = []
    end: str | None = None
    for line in text.split("\n"):
        if end is not None:
            if end in line:
                end = None
            out.append("")
            continue
        found = _BANNER.match(line)
        if found is not None and found[1] not in found[2]:
            end = found[1]
        out.append(line)
    return text if end is not None else "\n".join(out)


_LOG: Final = re.compile(
    r"^(?:\d{4} )?[A-Z][a-z]{2} +\d{1,2} (?:\d{4} )?\d\d:\d\d:\d\d\S* "
    r".*%[A-Z0-9_-]+-[0-7]-[A-Z0-9_]+: "
)


def without_logs(text: str) -> tuple[str, list[int]]:
    """Blank log messages that a terminal mixed in; return the text and the numbers of their lines.

    The form is `2026 Jul 23 11:11:12 leaf1 %ETHPORT-5-IF_UP: …`.
    """
    lines = text.split("\n")
    found = [number for number, line in enumerate(lines, 1) if _LOG.match(line)]
    for number in found:
        lines[number - 1] = ""
    return ("\n".join(lines) if found else text), found
