"""From what an NX-OS box printed to a state, with what was and was not understood."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from lossless.model.device import DeviceState
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.platforms.cisco_nxos import sessions, shows
from lossless.platforms.cisco_nxos.box import Box
from lossless.platforms.cisco_nxos.hear import hear
from lossless.platforms.cisco_nxos.names import expand
from lossless.platforms.cisco_nxos.places import lines_of
from lossless.platforms.cisco_nxos.reader import Reading, read
from lossless.platforms.cisco_nxos.references import references
from lossless.platforms.cisco_nxos.sessions import Answer
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.tree import Tree, read_tree

_INTERFACE: Final = re.compile(r"show running-config interface (.+)")
_MARKS: Final = (
    re.compile(r"^!RANCID-CONTENT-TYPE: cisco-nx", re.M),
    re.compile(r"^\s*Cisco Nexus Operating System", re.M),
    re.compile(r"^\s*(?:policy|class)-map type (?:network-qos|queuing) \S+", re.M),
    re.compile(r"^system qos\s*$", re.M),
    re.compile(r"^ *class type (?:network-qos|queuing) \S+", re.M),
    re.compile(r"^ +set qos-group [0-7]\s*$", re.M),
    re.compile(r"^class-map type qos match-(?:any|all) \S+", re.M),
    re.compile(r"^ +priority-flow-control mode (?:auto|on|off)", re.M),
    re.compile(r"^\s*priority-flow-control watch-dog-interval (?:on|off)", re.M),
    re.compile(r"^Port +Mode +Oper\(VL bmap\)", re.M),
    re.compile(r"^Egress Queuing for \S+ \[", re.M),
    re.compile(r"^\S+ Interface PFC watchdog:", re.M),
    re.compile(r"^\s*Class-map \(queuing\): ", re.M),
    re.compile(r"^version \d+\.\d+\(\S+\) Bios:version", re.M),
    re.compile(r"^% Invalid command at '\^' marker", re.M),
)
#: What NX-OS shares words with prints beside them: OS10's queues and maps (Dell's references for
#: Azure Local), EOS's profiles and names (Arista's AVD).
_OTHERS: Final = (
    re.compile(r"^ +match queue \d", re.M),
    re.compile(r"^(?:trust dot1p-map|trust dscp-map|qos-map traffic-class) \S", re.M),
    re.compile(r"^! Version 10\.\d", re.M),
    re.compile(r"^qos profile \S", re.M),
    re.compile(r"^(?:class-map|policy-map) type (?:pbr|quality-of-service|copp) \S", re.M),
)
_DAMAGE: Final = {
    "pager": "a pager's prompt was removed: the text may lack lines",
    "control characters": "control characters were removed",
    "torn": "an indented line without the line that it belongs to: text is missing before it",
}


def recognises(text: str) -> bool:
    """Say whether a text looks like NX-OS."""
    if any(other.search(text) for other in _OTHERS):
        return False
    return any(mark.search(text) for mark in _MARKS)


def parse(outputs: Sequence[Output], profile: Profile | None = None) -> Parsed:
    """Read a device.  What several outputs show of it is put together."""
    del profile  # NX-OS prints units and words; nothing needs the hardware to be read
    out = Reading()
    coverage: set[str] = set()
    shown = shows.Shown()
    for output in outputs:
        for answer in sessions.answers(output):
            if sessions.is_configuration(answer):
                coverage |= _configuration(answer, out)
            else:
                coverage |= shows.read_show(answer, shown, out)
    references(out)
    box = out.box
    return Parsed(
        state=hear(box),
        native=box,
        coverage=frozenset(coverage),
        unread=tuple(sorted(out.unread, key=lambda u: (u.file or "", u.line))),
        diagnostics=tuple(
            sorted(out.diagnostics, key=lambda d: (d.file or "", d.line or 0, d.text))
        ),
        facts=out.facts,
        lines=lines_of(box),
        understood=bool(out.relevant or out.facts or box.interfaces or shown.relevant),
        operational=operational(shown),
    )


def operational(shown: shows.Shown) -> DeviceState | None:
    """Return what `show` commands told of what runs; `None` where none did."""
    if not shown.relevant:
        return None
    state = shown.state()
    if shown.network is None:
        return state
    settings = overlay(hear(shown.network).system.settings, state.system.settings)
    return DeviceState(replace(state.system, settings=settings), state.ports)


def _configuration(answer: Answer, out: Reading) -> frozenset[str]:
    """Read a configuration or part of one; return what was wholly seen by it."""
    out.file, out.start = answer.file, answer.start
    text, logged = sessions.without_logs(sessions.without_banners(answer.text))
    for number in logged:
        out.say(
            "damaged", "a log message between the lines was removed", (out.file, out.start + number)
        )
    tree = read_tree(text)
    before = (out.relevant, len(out.box.interfaces), len(out.facts))
    read(tree, out)
    damaged = _damage(tree, answer, out) or bool(logged)
    substance = before != (out.relevant, len(out.box.interfaces), len(out.facts))
    command = sessions.stated_command(answer)
    if damaged or not command or not substance or refused(answer.text):
        return frozenset()
    _see(out.box, command)
    return frozenset({command})


def refused(text: str) -> bool:
    """Say whether a box did not take the command."""
    return re.search(r"^% (?:Invalid|Incomplete|Ambiguous) command", text, re.M) is not None


def _see(box: Box, command: str) -> None:
    """Mark what silence means from now on."""
    if sessions.is_whole(command):
        box.whole = box.policies_seen = True
    elif command.startswith(sessions.IPQOS):
        box.policies_seen = True
    elif found := _INTERFACE.fullmatch(command.partition("|")[0].strip()):
        names = expand(found[1]) if "|" not in command else ()
        for name in names:
            if name in box.interfaces:
                box.interfaces[name].seen = True


def _damage(tree: Tree, answer: Answer, out: Reading) -> bool:
    found = tree.damage
    if refused(answer.text):  # the caret below a line that was not taken is no torn line
        found = tuple(damage for damage in found if damage.kind != "torn")
    for damage in found:
        # A collector that strips its answers leaves the first line without its indentation.
        out.say("damaged", _DAMAGE[damage.kind], (out.file, out.start + damage.line))
    return bool(found)
