"""From the lines of a configuration to a `Box`.

Every line is read into a slot, kept (known, and outside the model), irrelevant (it stands in no
context of ours), or unread: in a context that matters, and not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.platforms.cisco_nxos import grammar
from lossless.platforms.cisco_nxos.box import (
    Box,
    ClassMap,
    Holder,
    Interface,
    Kept,
    Place,
    Policy,
    PolicyClass,
    Slot,
    Where,
)
from lossless.platforms.cisco_nxos.grammar import FORMS, SILENT, read_line
from lossless.platforms.cisco_nxos.names import expand
from lossless.platforms.contract import Diagnostic, Unread
from lossless.platforms.tree import Node, Tree

#: Kinds of policy and class map that concern us; "control-plane" and others do not.
KINDS: Final = ("qos", "network-qos", "queuing")
#: Words that open a line of an interface or of the box which concerns us.
_OURS: Final = re.compile(
    r"(?:no |default )?(?:priority-flow-control\b|service-policy type (?:qos|queuing|network-qos)\b"
    r"|flowcontrol (?:send|receive)\b|mtu \d|lldp (?:dcbx|tlv-select dcbxp)\b|hardware qos\b"
    r"|platform qos\b|wred-queue\b|feature (?:qos|dcbxp?)\b|random-detect\b|queue-limit\b"
    r"|network-qos\b|qos (?:copy|dscp|map|trust)\b|hardware profile pfc\b|speed \S+$"
    r"|switchport(?: mode .*| access vlan .*| trunk (?:native|allowed) vlan .*)?$)"
)
#: Lines that begin like ours and are known to concern something else.
_IRRELEVANT: Final = re.compile(
    r"no switchport (?:host|block .*|monitor|dot1q .*|priority .*)"
    r"|no priority-flow-control override-interface.*"
)
_IN_SYSTEM_QOS: Final = re.compile(r"fex queue-limit")


@dataclass(slots=True)
class Reading:
    """What came of one or several texts of one device."""

    box: Box = field(default_factory=Box)
    facts: dict[str, str] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    file: str | None = None
    start: int = 0  # lines of the file that stand before the text at hand
    relevant: int = 0

    def where(self, node: Node) -> Where:
        """Return where a line stands."""
        return self.file, self.start + node.line

    def say(self, kind: str, text: str, where: Where) -> None:
        """Note a fact about the text itself."""
        self.diagnostics.append(Diagnostic(kind, text, where[1], where[0]))

    def miss(self, node: Node, context: tuple[str, ...] = ()) -> None:
        """Note a line, and all below it, as not understood."""
        self.relevant += 1
        self.unread.append(Unread(node.text, self.start + node.line, self.file, context))
        for child in node.children:
            self.miss(child, (*context, node.text))


def read(tree: Tree, out: Reading) -> None:
    """Read the lines of a configuration into what was read before."""
    for node in _spoken(tree.nodes):
        _top(node, out)


def _spoken(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield lines but those that only lead back: they stand in files that are typed in."""
    for node in nodes:
        if node.text not in ("exit", "end"):
            node.children = list(_spoken(node.children))
            yield node


def _top(node: Node, out: Reading) -> None:
    text = node.text
    if text.startswith("interface "):
        _interface(node, out)
    elif text == "system qos":
        _system_qos(node, out)
    elif found := grammar.CLASS_MAP.fullmatch(text):
        _class_map(node, found, out)
    elif found := grammar.POLICY_MAP.fullmatch(text):
        _policy_map(node, found, out)
    else:
        _system(node, out)


def _system(node: Node, out: Reading) -> None:
    text = node.text
    box = out.box
    if found := re.fullmatch(r"(?:hostname|switchname) (\S+)", text):
        out.facts["hostname"] = found[1]
    elif found := re.fullmatch(r"version (\d+\.\d+\(\S+?\)\S*)(?: Bios:.*)?", text):
        out.facts["version"] = found[1]
    elif text.startswith(("% ", "ERROR:")):
        out.say("device_exception", text, out.where(node))
    elif (read_ := read_line(grammar.SYSTEM, text)) is not None:
        _put(box.system, read_, node, out, "the box")
    elif grammar.RAW.fullmatch(text):
        out.relevant += 1
        box.raw[text] = out.where(node)
    elif _ours(text):
        out.miss(node)
    elif text == "configure terminal":
        for child in node.children:
            _top(child, out)


def _ours(text: str) -> bool:
    return _OURS.match(text) is not None and _IRRELEVANT.fullmatch(text) is None


# --- interfaces and attachments ------------------------------------------------------------------


def _interface(node: Node, out: Reading) -> None:
    names = expand(node.text.removeprefix("interface "))
    if not names:
        _other_interface(node, out)
        return
    for position, name in enumerate(names):
        held = out.box.interfaces.setdefault(name, Interface(name=name))
        quiet = out if position == 0 else Reading(file=out.file, start=out.start)
        for child in node.children:  # what a range says is told once
            _interface_line(child, node.text, held, quiet)


def _other_interface(node: Node, out: Reading) -> None:
    """A range that cannot be expanded; sub-interfaces and others carry no settings of ours."""
    if re.match(r"interface (?:[Ee]th|port-channel)", node.text) and "." not in node.text:
        out.miss(node)


def _interface_line(node: Node, context: str, held: Interface, out: Reading) -> None:
    text = node.text
    if text.startswith("service-policy "):
        _attach(node, (context,), held, out)
    elif more := grammar.MORE_VLANS.fullmatch(text):
        before = held.slots.get(("allowed",), frozenset())
        added = grammar.vlans(more[1])
        if added is not None and isinstance(before, frozenset):
            held.slots[("allowed",)] = before | added
    elif _IRRELEVANT.fullmatch(text):
        return
    elif (found := read_line(grammar.INTERFACE, text)) is not None:
        _put(held, found, node, out, held.name)
        if found[1] is None:
            out.miss(node, (context,))
    elif _ours(text):
        out.miss(node, (context,))


def _system_qos(node: Node, out: Reading) -> None:
    out.relevant += 1
    out.box.system.slots[("system_qos",)] = True
    for child in node.children:
        if not _IN_SYSTEM_QOS.fullmatch(child.text):
            _attach(child, (node.text,), out.box.system, out)


def _attach(node: Node, context: tuple[str, ...], held: Holder, out: Reading) -> None:
    text = node.text
    removes = text.startswith("no ")
    found = grammar.SERVICE.fullmatch(text.removeprefix("no "))
    if found is None:
        if not re.match(r"service-policy (?:type (?:pbr|control-plane|dce)|input|output)", text):
            out.miss(node, context)
        return
    out.relevant += 1
    way = "" if found["kind"] == "network-qos" else found["way"] or "input"
    place: Place = (found["kind"], way)
    if removes:
        held.attached.pop(place, None)
        return
    held.attached[place] = found["name"]
    held.lines[("attach", *place)] = out.where(node)


def _put(
    held: Holder | PolicyClass, found: tuple[Slot, Any], node: Node, out: Reading, who: str
) -> None:
    out.relevant += 1
    slot, value = found
    if slot in held.slots and held.slots[slot] != value and value is not SILENT:
        line = held.lines.get(slot, (None, 0))[1]
        out.say(
            "duplicate", f"{who}: `{node.text}` replaces what line {line} said", out.where(node)
        )
    if value is SILENT:
        held.slots.pop(slot, None)
    else:
        held.slots[slot] = value
    held.lines[slot] = out.where(node)


# --- class maps and policy maps ------------------------------------------------------------------


def _class_map(node: Node, header: re.Match[str], out: Reading) -> None:
    kind = header["kind"] or "qos"
    if kind not in KINDS:
        return
    out.relevant += 1
    key = (kind, header["name"])
    match_all = None if header["match"] is None else header["match"] == "all"
    held = out.box.class_maps.setdefault(
        key, ClassMap(kind, header["name"], match_all, where=out.where(node))
    )
    for child in node.children:
        _match(child, node.text, held, out)


def _match(node: Node, context: str, held: ClassMap, out: Reading) -> None:
    text = node.text
    if grammar.REMARK.fullmatch(text):
        return
    if grammar.MATCH_OTHER.fullmatch(text):
        out.relevant += 1
        held.foreign = True
        return
    found = grammar.MATCH.fullmatch(text)
    read_ = _code_points(found[1], found[2]) if found else frozenset()
    if found is None or not read_:
        held.foreign = True
        out.miss(node, (context,))
        return
    out.relevant += 1
    if found[1] == "cos":
        held.cos |= read_
    elif found[1] == "qos-group":
        held.groups |= read_
    else:
        held.dscp |= read_


def _code_points(what: str, spelled: str) -> frozenset[int]:
    if what == "dscp":
        return grammar.dscps(spelled)
    found = grammar.numbers(spelled, 8)
    if what == "precedence":  # the upper three bits of a DSCP (RFC 2474 §4.2.2)
        return frozenset(8 * n + low for n in found for low in range(8))
    return found


def _policy_map(node: Node, header: re.Match[str], out: Reading) -> None:
    kind = header["kind"] or "qos"
    if kind not in KINDS:
        return
    out.relevant += 1
    key = (kind, header["name"])
    held = out.box.policies.setdefault(key, Policy(kind, header["name"], where=out.where(node)))
    for child in node.children:
        found = grammar.CLASS.fullmatch(child.text)
        if found is not None:
            _policy_class(child, found[1], node.text, held, out)
        elif grammar.REMARK.fullmatch(child.text):
            held.kept.append(Kept(child.text))
        else:
            held.kept.append(Kept(child.text, known=False))
            out.miss(child, (node.text,))


def _policy_class(node: Node, name: str, context: str, policy: Policy, out: Reading) -> None:
    held = policy.classes.setdefault(name, PolicyClass(name, where=out.where(node)))
    forms: Sequence[grammar.Form] = FORMS[policy.kind]
    for child in node.children:
        text = child.text
        found = read_line(forms, text)
        if found is not None and found[1] is not None:
            _put(held, found, child, out, f"{policy.name}, class {name}")
        elif grammar.KEPT[policy.kind].fullmatch(text):
            out.relevant += 1
            held.kept.append(Kept(text))
        elif not _shown_only(policy.kind, text):
            held.kept.append(Kept(text, known=False))
            out.miss(child, (context, node.text))


def _shown_only(kind: str, text: str) -> bool:
    """`show policy-map system` prints the qos-group of each class; a configuration does not."""
    return kind == "network-qos" and re.fullmatch(r"match qos-group [0-7]", text) is not None
