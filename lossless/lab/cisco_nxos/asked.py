"""Which `show` commands there are, in full or shortened, and what a pipe leaves of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from lossless.lab.cisco_nxos import checkpoints, queuing, running, shows
from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import Refused

Ports = list[str]

_WORDS: Final = (
    "show", "running-config", "startup-config", "interface", "priority-flow-control", "status",
    "version", "hostname", "queuing", "summary", "pfc-queue", "detail", "policy-map", "system",
    "type", "network-qos", "qos", "class-map", "checkpoint", "diff", "rollback-patch", "ipqos",
)  # fmt: skip
_SHORTEST: Final = 2
#: First words that a box knows: the caret stands below the second word then.
_KNOWN: Final = {"show", "terminal", "copy", "checkpoint", "rollback", "configure"}
_CONFIGURED: Final = {
    "class-map", "policy-map", "interface", "system", "priority-flow-control", "no", "mtu", "set",
    "service-policy", "switchport", "bandwidth", "random-detect", "class", "match", "pause",
    "feature", "lldp", "hostname", "flowcontrol", "priority", "queue-limit",
}  # fmt: skip


def answer(box: Nexus, words: str) -> list[str] | None:
    """Return what a `show` command prints; `None`: it is not one.  Raises `Refused`."""
    command, *pipes = (part.strip() for part in words.split(" | "))
    full = _in_full(command)
    if not full.startswith("show"):
        return None
    lines = _shown(box, full)
    for pipe in pipes:
        lines = _piped(lines, pipe)
    return lines


def _in_full(command: str) -> str:
    out = []
    for word in command.split():
        fits = [full for full in _WORDS if len(word) >= _SHORTEST and full.startswith(word)]
        out.append(word if word in _WORDS or not fits else fits[0])
    return " ".join(out)


def _shown(box: Nexus, command: str) -> list[str]:
    for form, show in _SHOWS:
        if found := re.fullmatch(form, command):
            named = found.groupdict().get("port")
            return show(box, found, _ports(box, named))
    raise Refused(command, marker=True)


def _ports(box: Nexus, named: str | None) -> Ports:
    if named is None:
        return shows.physical(box)
    ports = shows.ports_named(box.ports, named)
    if not ports:
        raise Refused(named, marker=True)
    return ports


def _running(box: Nexus, found: re.Match[str], ports: Ports) -> list[str]:
    rest = found["rest"] or ""
    body = running.whole(box)
    command = "show running-config"
    if rest == "ipqos":
        body, command = running.ipqos(box), f"{command} ipqos"
    elif found["port"] is not None:
        body, command = running.interface(box, ports[0]), f"{command} interface {ports[0]}"
    return [*running.header(command, box.release), *body, ""]


def _startup(box: Nexus, found: re.Match[str], ports: Ports) -> list[str]:
    del found, ports
    return box.startup.split("\n")[:-1] if box.startup else ["No startup configuration"]


def _plain(show: Callable[[Nexus], list[str]]) -> Callable[..., list[str]]:
    return lambda box, found, ports: show(box)


def _of_ports(show: Callable[[Nexus, Iterable[str]], list[str]]) -> Callable[..., list[str]]:
    return lambda box, found, ports: show(box, ports)


def _policies(box: Nexus, found: re.Match[str], ports: Ports) -> list[str]:
    del ports
    return list(shows.definitions(box, found["kind"]))


def _system(box: Nexus, found: re.Match[str], ports: Ports) -> list[str]:
    del ports
    return shows.system(box, found["kind"])


def _patch(box: Nexus, found: re.Match[str], ports: Ports) -> list[str]:
    del ports
    return checkpoints.patch(box, found["name"])


def _name(box: Nexus, found: re.Match[str], ports: Ports) -> list[str]:
    del found, ports
    return [f"{box.hostname} "]


_SHOWS: Final[tuple[tuple[str, Callable[..., list[str]]], ...]] = (
    (r"show running-config(?: (?P<rest>ipqos|interface (?P<port>\S+(?: \d\S*)?)))?", _running),
    (r"show startup-config", _startup),
    (r"show version", _plain(shows.version)),
    (r"show hostname", _name),
    (r"show interface(?: (?P<port>\S+))? priority-flow-control", _of_ports(shows.flow_control)),
    (r"show interface(?: (?P<port>\S+))? status", _of_ports(shows.status)),
    (r"show queuing interface(?: (?P<port>\S+))?", _of_ports(queuing.interface)),
    (r"show queuing summary", _of_ports(queuing.summary)),
    (r"show queuing pfc-queue(?: interface (?P<port>\S+))?(?: detail)?", _of_ports(shows.watchdog)),
    (r"show policy-map system(?: type (?P<kind>qos|network-qos|queuing))?", _system),
    (r"show policy-map interface(?: (?P<port>\S+))?", _of_ports(shows.interface_policies)),
    (r"show policy-map type (?P<kind>qos|network-qos|queuing)", _policies),
    (r"show checkpoint summary", _plain(checkpoints.summary)),
    (
        r"show diff rollback-patch checkpoint (?P<name>[A-Za-z0-9_.-]{1,80}) running-config",
        _patch,
    ),
)


def _piped(lines: list[str], pipe: str) -> list[str]:
    word, _, rest = pipe.partition(" ")
    pattern = rest.strip().strip('"')
    if word == "no-more" and not rest:
        return lines
    if word in ("section", "sec") and pattern:
        return running.section(lines, pattern)
    if word in ("include", "inc", "i") and pattern:
        alternatives = pattern.split("|")
        return [line for line in lines if any(each in line for each in alternatives)]
    raise Refused(pipe, marker=True)


def odd_word(typed: str, *, configuring: bool) -> int:
    """Return the column of the word that a box does not know, for the caret below it."""
    words = list(re.finditer(r"\S+", typed))
    known = _KNOWN | (_CONFIGURED if configuring else set())
    first = _in_full(words[0][0]) if words else ""
    position = 1 if first in known and len(words) > 1 else 0
    return words[position].start() if words else 0
