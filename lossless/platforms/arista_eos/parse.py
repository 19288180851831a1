"""From what an EOS box printed to a state, with what was and was not understood."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from lossless.model.buffers import Buffers
from lossless.model.device import DeviceState
from lossless.model.effective import Path
from lossless.model.profile import Profile
from lossless.platforms.arista_eos.hear import hear_port, hear_system
from lossless.platforms.arista_eos.places import port_places, system_places
from lossless.platforms.arista_eos.reader import Reading, read
from lossless.platforms.arista_eos.slots import Native, Section, Slots, in_force, stated
from lossless.platforms.contract import Diagnostic, Output, Parsed
from lossless.platforms.tree import Tree, read_tree

RUNNING: Final = "show running-config"
EVERYTHING: Final = "show running-config all"
VERSION: Final = "show version | json"
_PIPES: Final = re.compile(r"\s*\|\s*(?:no-more|json)\s*")
_COMMAND: Final = re.compile(r"Command: (show running-config.*)")
_DEVICE: Final = re.compile(r"device: (\S+) \(([^,()]+), EOS-([^()]+)\)")
_WRITTEN: Final = re.compile(r"\S+: arista_eos, written by lossless")
_KNOWN: Final = re.compile(r"show (?:running-config(?: all)?|version)")
_MARKS: Final = (
    re.compile(r"^! device: \S+ \([^()]*EOS-", re.M),
    re.compile(r"^!RANCID-CONTENT-TYPE: arista", re.M),
    re.compile(r"^qos profile \S+$", re.M),
    re.compile(r"^ +service-profile \S+$", re.M),
    re.compile(
        r"^qos map (?:dscp|cos|traffic-class) [\d ]+ to (?:traffic-class|tx-queue) \d", re.M
    ),
    re.compile(r"^platform (?:trident|sand) ", re.M),
    re.compile(r"^ +(?:uc-|mc-)?tx-queue \d+$", re.M),
    re.compile(r"^\s*priority-flow-control (?:on|priority \d no-drop)$", re.M),
    re.compile(r'"mfgName": *"Arista'),
)
_OTHERS: Final = re.compile(
    r"^policy-map type (?:network-qos|queuing)|^feature \w+$|^system qos", re.M
)


def recognises(text: str) -> bool:
    """Say whether a text looks like EOS: two of its turns of phrase, or one that names it."""
    hits = [index for index, mark in enumerate(_MARKS) if mark.search(text)]
    named = any(index in (0, 1, len(_MARKS) - 1) for index in hits)
    return named or (bool(hits) and _OTHERS.search(text) is None)


def parse(outputs: Sequence[Output], profile: Profile | None = None) -> Parsed:
    """Read a device.  Of several running configurations the last wholly seen one counts."""
    del profile  # EOS prints units and words; nothing needs the hardware to be read
    facts: dict[str, str] = {}
    best: Parsed | None = None
    for output in outputs:
        command = _PIPES.sub("", output.command).strip()
        as_json = _json(output.text)
        if as_json is not None and not _configuration(as_json):
            facts.update(_facts(as_json))
            continue
        if command and not _KNOWN.fullmatch(command.split(" section")[0]):
            continue
        found = _running(command, _text(as_json, output.text), output.file, as_json is not None)
        if best is None or found.coverage or not best.coverage:
            best = found
    if best is None:
        return Parsed(DeviceState(), native=Native(), facts=facts, understood=bool(facts))
    return dataclasses.replace(best, facts={**best.facts, **facts})


# --- JSON ----------------------------------------------------------------------------------------


def _json(text: str) -> Mapping[str, Any] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict) else None


def _configuration(held: Mapping[str, Any]) -> bool:
    return isinstance(held.get("cmds"), dict)


def _facts(held: Mapping[str, Any]) -> dict[str, str]:
    """Read `show version | json` (keys as AMD's node-scraper and NAPALM read them)."""
    names = {"modelName": "model", "version": "version", "hostname": "hostname"}
    return {
        name: str(held[key])
        for key, name in names.items()
        if isinstance(held.get(key), str) and held[key]
    }


def _text(held: Mapping[str, Any] | None, text: str) -> str:
    """Write the nested commands of `show running-config | json` as the text they stand for.

    Experimental: the shape (`cmds`, each with `cmds` of its own or null) is not verified on a box.
    """
    if held is None:
        return text
    lines: list[str] = []
    stack: list[tuple[int, Any]] = [(0, iter(held["cmds"].items()))]
    while stack and len(lines) < 1_000_000:
        depth, rest = stack[-1]
        found = next(rest, None)
        if found is None:
            stack.pop()
            continue
        lines.append("   " * depth + str(found[0]))
        inner = found[1].get("cmds") if isinstance(found[1], dict) else None
        if isinstance(inner, dict):
            stack.append((depth + 1, iter(inner.items())))
    return "\n".join([*lines, ""])


# --- running configuration -----------------------------------------------------------------------


def _running(command: str, text: str, file: str | None, structured: bool) -> Parsed:
    tree = read_tree(text, keep="!!")
    reading = read(tree, file)
    facts, header = _header(tree)
    damage = _damage(tree, header or command, text, file, structured)
    said = header or command or RUNNING
    native = reading.native
    native.everything = said.startswith(EVERYTHING)
    understood = _substance(reading) or _ours(tree)
    native.whole = not damage and said in (RUNNING, EVERYTHING) and understood
    if reading.hostname is not None:
        facts["hostname"] = reading.hostname
    _cut(reading, damage)
    return Parsed(
        state=_state(native),
        native=native,
        coverage=frozenset({RUNNING, said}) if native.whole else frozenset(),
        unread=tuple(sorted(reading.unread, key=lambda u: u.line)),
        diagnostics=tuple(sorted([*damage, *reading.diagnostics], key=lambda d: d.line or 0)),
        facts=facts,
        lines=_lines(native, file),
        understood=understood,
    )


def _substance(reading: Reading) -> bool:
    native = reading.native
    return bool(reading.relevant or native.interfaces or native.raw or reading.hostname)


def _ours(tree: Tree) -> bool:
    """Say whether this tool wrote the text: it may have had nothing to say."""
    return any(_WRITTEN.fullmatch(comment.text) for comment in tree.comments[:1])


def _header(tree: Tree) -> tuple[dict[str, str], str]:
    facts: dict[str, str] = {}
    command = ""
    for comment in tree.comments[:20]:
        if found := _COMMAND.fullmatch(comment.text):
            command = _PIPES.sub("", found[1]).strip()
        if found := _DEVICE.fullmatch(comment.text):
            facts |= {"hostname": found[1], "model": found[2].strip(), "version": found[3].strip()}
    return facts, command


def _damage(
    tree: Tree, command: str, text: str, file: str | None, structured: bool
) -> list[Diagnostic]:
    words = {
        "pager": "a pager's prompt was removed: the text may lack lines",
        "control characters": "control characters were removed",
        "torn": "an indented line without the line that it belongs to: text is missing before it",
    }
    found = [Diagnostic("damaged", words[d.kind], d.line, file) for d in tree.damage]
    ends = bool(tree.nodes) and tree.nodes[-1].text == "end"
    if command and not structured and not ends:
        message = "the text of a running configuration ends with `end`, and this one does not"
        found.append(Diagnostic("damaged", message, tree.lines, file))
    elif text and not text.endswith("\n") and not structured and not ends:
        message = "the last line is not ended: the text may be cut off"
        found.append(Diagnostic("damaged", message, tree.lines, file))
    return found


def _cut(reading: Reading, damage: Sequence[Diagnostic]) -> None:
    """Mark the block in which a damaged text ended: what it states of sets may be incomplete."""
    for section in reading.last if damage else ():
        section.cut = True


def _state(native: Native) -> DeviceState:
    ports = {}
    for name, section in native.interfaces.items():
        slots, cut = _port_slots(native, section)
        settings = hear_port(_sound(slots) if cut else slots, native.whole)
        ports[name] = settings
    active = native.active_mmu
    pool = native.mmu.get(active) if active is not None else None
    seen = native.whole and (active is None or pool is not None)
    slots = dict(native.system.slots)
    system = hear_system(slots, pool.slots if pool else {}, native.whole, tuple(native.raw))
    if native.whole and not seen:  # applied, and nobody saw what it says
        system = _without_buffers(system)
    return DeviceState(system, ports)


def _without_buffers(system: Any) -> Any:
    settings = dataclasses.replace(system.settings, buffers=Buffers())
    return dataclasses.replace(system, settings=settings)


def _port_slots(native: Native, section: Section) -> tuple[Slots, bool]:
    profile = native.profiles.get(section.profile) if section.profile is not None else None
    cut = section.cut or (profile is not None and profile.cut)
    return in_force(section, profile, native.everything), cut


def _sound(slots: Slots) -> Slots:
    """Leave out what only a whole block tells: which priorities are lossless."""
    return {slot: held for slot, held in slots.items() if slot[0] != "no_drop"}


# --- lines ---------------------------------------------------------------------------------------


def _lines(native: Native, file: str | None) -> dict[Path, tuple[str | None, int]]:
    found: dict[Path, tuple[str | None, int]] = {}
    for name, section in native.interfaces.items():
        profile = native.profiles.get(section.profile) if section.profile is not None else None
        inherited = dict(profile.lines) if profile is not None else {}
        shadowed = stated(section.slots) if profile is not None else section.slots
        own = {s: n for s, n in section.lines.items() if s in shadowed or s not in inherited}
        for slot, line in {**inherited, **own}.items():
            _put(found, ("ports", name), port_places(slot), file, line)
    active = native.mmu.get(native.active_mmu or "")
    for slot, line in {**native.system.lines, **(active.lines if active else {})}.items():
        _put(found, ("system",), system_places(slot), file, line)
    return found


def _put(
    found: dict[Path, tuple[str | None, int]],
    place: Path,
    paths: Iterable[Path],
    file: str | None,
    line: int,
) -> None:
    for path in paths:
        found[(*place, *path)] = (file, line)
