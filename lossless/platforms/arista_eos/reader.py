"""From the text of a running configuration to sections of slots.

Every line is either read into a slot, kept (known, and outside the model), irrelevant (it stands
in no context of ours), or unread: in a context that matters, and not understood.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.platforms.arista_eos import grammar
from lossless.platforms.arista_eos.forms import Form, read_line
from lossless.platforms.arista_eos.names import expand
from lossless.platforms.arista_eos.slots import Kept, Native, Section, Slot
from lossless.platforms.contract import Diagnostic, Unread
from lossless.platforms.tree import Node, Tree

_QUEUE: Final = re.compile(r"(tx-queue|uc-tx-queue) ([0-9]{1,2})")
_MULTICAST: Final = re.compile(r"mc-tx-queue [0-9]{1,2}")
_MMU: Final = re.compile(r"platform trident mmu queue profile (\S+)")
_ATTACH: Final = re.compile(r"service-profile (\S+)")
_POLICY: Final = re.compile(r"policy-map type (?:qos|quality-of-service) (\S+)")
_USES: Final = re.compile(r"service-policy type qos input (\S+)")

#: Words that open a line which concerns us wherever it stands.
_OURS: Final = re.compile(
    r"(?:no |default )?(?:qos |priority-flow-control|dcbx |flowcontrol |service-profile|"
    r"service-policy |random-detect |shape rate|mtu |l2 mtu|speed |switchport(?: mode.*| access "
    r"vlan.*| trunk (?:native|allowed) vlan.*)?$|error-correction |phy link training|"
    r"(?:uc-|mc-)?tx-queue |platform trident mmu |platform sand qos |"
    r"hardware counter feature ecn|class-map type qos |policy-map type (?:qos|quality-of-service) )"
)
#: Lines that begin like ours and are known to concern something else.
IRRELEVANT: Final = re.compile(
    r"(?:no |default )?(?:service-policy type (?:pdp|pbr|control-plane)\b.*"
    r"|error-correction reed-solomon bypass"
    r"|switchport trunk (?:native vlan tag|private-vlan secondary))"
)
#: Lines of a port, a queue or an MMU profile that are known and have no place in the model.
_KEPT: Final = re.compile(
    r"!!.*"
    r"|(?:no |default )?shape rate(?: .*)?"
    r"|egress multicast queue [0-7] .*"
    r"|egress unicast queue [0-7] drop-precedence [12] drop-threshold \S+"
)


@dataclass(slots=True)
class Reading:
    """What came of one text.  `last` are the sections of its last block."""

    native: Native = field(default_factory=Native)
    hostname: str | None = None
    unread: list[Unread] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    policies: dict[str, int] = field(default_factory=dict)
    uses: list[tuple[str, str, int]] = field(default_factory=list)
    file: str | None = None
    relevant: int = 0
    last: list[Section] = field(default_factory=list)


def index(forms: Iterable[Form]) -> Mapping[str, Sequence[Form]]:
    """Sort forms by the first word of their lines, so that few are tried per line."""
    sorted_by: dict[str, list[Form]] = defaultdict(list)
    for form in forms:
        word = re.match(r"[a-z0-9-]+", form.no.pattern)
        sorted_by[word[0] if word else ""].append(form)
    return sorted_by


_SYSTEM = index(grammar.SYSTEM)
_PORT = index(grammar.PORT)
_INTERFACE = index((*grammar.INTERFACE, *grammar.PORT))
_IN_QUEUE = index(grammar.QUEUE)
_IN_MMU = index(grammar.MMU)


def read(tree: Tree, file: str | None = None) -> Reading:
    """Read a whole configuration."""
    out = Reading(file=file)
    for node in tree.nodes:
        _top(node, out)
    _references(out)
    return out


def _top(node: Node, out: Reading) -> None:
    text = node.text
    out.last = []
    if text.startswith("interface "):
        _interface(node, out)
    elif text.startswith("qos profile "):
        _profile(node, out)
    elif text.startswith("hostname "):
        out.hostname = text.split(None, 1)[1]
    elif (found := _MMU.fullmatch(text)) is not None:
        _mmu(node, found[1], out)
    elif (found := _POLICY.fullmatch(text)) is not None:
        out.policies[found[1]] = node.line
        _unread_block(node, out)
    else:
        _system(node, out)


def _system(node: Node, out: Reading) -> None:
    found = _lookup(_SYSTEM, node.text)
    if found is not None:
        _put(out.native.system, found, node, out)
        if any(held is None for _, held in found):
            _unread(node, (), out)
    elif grammar.RAW.fullmatch(node.text):
        out.native.raw[node.text] = node.line
        out.relevant += 1
    elif _ours(node.text):
        _unread_block(node, out)
    if node.text.startswith("% "):
        _say(out, "device_exception", node.text, node.line)


def _interface(node: Node, out: Reading) -> None:
    names = expand(node.text.removeprefix("interface "))
    if not names:
        _other_interface(node, out)
        return
    for position, name in enumerate(names):
        section = out.native.interfaces.setdefault(name, Section(name, node.line))
        out.last.append(section)
        quiet = out if position == 0 else Reading()  # what a range says is told once
        for child in node.children:
            _port_line(child, (node.text,), section, _INTERFACE, quiet)


def _other_interface(node: Node, out: Reading) -> None:
    """A range that cannot be expanded, or `interface defaults`, which moves the defaults."""
    if node.text == "interface defaults":
        for context, child in node.walk():
            if _ours(child.text):
                _unread(child, context, out)
    elif re.match(r"interface (?:Et|Po)", node.text) and "." not in node.text:
        _unread(node, (), out)


def _profile(node: Node, out: Reading) -> None:
    name = node.text.removeprefix("qos profile ").strip()
    if name in out.native.profiles:
        _say(out, "duplicate", f"qos profile {name} is written twice", node.line)
    section = out.native.profiles.setdefault(name, Section(name, node.line))
    out.last.append(section)
    out.relevant += 1
    for child in node.children:
        _port_line(child, (node.text,), section, _PORT, out, ours=True)


def _port_line(
    node: Node,
    context: tuple[str, ...],
    section: Section,
    forms: Mapping[str, Sequence[Form]],
    out: Reading,
    ours: bool = False,
) -> None:
    text = node.text
    if queue := _QUEUE.fullmatch(text):
        _queue(node, queue[1], int(queue[2]), context, section, out)
    elif attach := _ATTACH.fullmatch(text):
        section.profile = attach[1]
        section.lines[("profile",)] = node.line
        out.relevant += 1
    elif _MULTICAST.fullmatch(text) or (_KEPT.fullmatch(text) and not text.startswith("!!")):
        _keep(node, (), section)
    elif (found := _lookup(forms, text)) is not None:
        _put(section, found, node, out)
        if any(held is None for _, held in found):
            _unread(node, context, out)
    elif ours or _ours(text):
        _keep(node, (), section)
        _policy_use(text, context, node.line, out)
        if not re.fullmatch(r"!!.*|no service-profile.*|no service-policy.*", text):
            _unread_block(node, out, context)


def _queue(
    node: Node,
    kind: str,
    number: int,
    context: tuple[str, ...],
    section: Section,
    out: Reading,
) -> None:
    if number not in grammar.QUEUE_NUMBERS:
        _unread_block(node, out, context)
        return
    if section.kinds.setdefault(number, kind) != kind:
        _say(out, "duplicate", f"{section.name}: queue {number} is written twice", node.line)
    out.relevant += 1
    for child in node.children:
        found = _lookup(_IN_QUEUE, child.text)
        if found is None:
            _keep(child, (node.text,), section)
            if not _KEPT.fullmatch(child.text):
                _unread_block(child, out, (*context, node.text))
            continue
        _put(section, [(("queue", number, *slot), held) for slot, held in found], child, out)
        if any(held is None for _, held in found):
            _keep(child, (node.text,), section)


def _mmu(node: Node, name: str, out: Reading) -> None:
    section = out.native.mmu.setdefault(name, Section(name, node.line))
    out.relevant += 1
    for child in node.children:
        found = _lookup(_IN_MMU, child.text)
        if found is not None:
            _put(section, found, child, out)
            continue
        _keep(child, (), section)
        if not _KEPT.fullmatch(child.text):
            _unread_block(child, out, (node.text,))


def _lookup(forms: Mapping[str, Sequence[Form]], text: str) -> list[tuple[Slot, Any]] | None:
    words = text.split(None, 2)
    first = words[1] if words[0] in ("no", "default") and len(words) > 1 else words[0]
    return read_line(forms.get(first, ()), text)


def _put(section: Section, found: list[tuple[Slot, Any]], node: Node, out: Reading) -> None:
    out.relevant += 1
    for slot, held in found:
        if slot in section.slots and section.slots[slot] != held:
            where = section.name if section.name != "system" else "the box"
            before = section.lines.get(slot)
            _say(
                out,
                "duplicate",
                f"{where}: `{node.text}` replaces what line {before} said",
                node.line,
            )
        section.slots[slot] = held
        section.lines[slot] = node.line


def _keep(node: Node, context: tuple[str, ...], section: Section) -> None:
    """Keep a line, or the lines of a block: a mode is entered where they are written again."""
    blocks = [(context, node), *(((*context, *above), child) for above, child in node.walk())]
    section.kept += [Kept(c, n.text, n.line) for c, n in blocks if not n.children]


def kept_slots(line: Kept) -> tuple[Slot, ...]:
    """Return the slots that a kept line of a profile speaks of in words outside the model."""
    if not line.context:
        return tuple(slot for slot, _ in _lookup(_PORT, line.text) or ())
    queue = _QUEUE.fullmatch(line.context[-1])
    found = _lookup(_IN_QUEUE, line.text) if queue is not None else None
    if queue is None or found is None:
        return ()
    return tuple(("queue", int(queue[2]), *slot) for slot, _ in found)


def _ours(text: str) -> bool:
    return _OURS.match(text) is not None and IRRELEVANT.fullmatch(text) is None


def _unread(node: Node, context: tuple[str, ...], out: Reading) -> None:
    out.relevant += 1
    out.unread.append(Unread(node.text, node.line, out.file, context))


def _unread_block(node: Node, out: Reading, context: tuple[str, ...] = ()) -> None:
    _unread(node, context, out)
    for above, child in node.walk():
        _unread(child, (*context, *above), out)


def _policy_use(text: str, context: tuple[str, ...], line: int, out: Reading) -> None:
    if found := _USES.fullmatch(text):
        out.uses.append((found[1], context[0], line))


def _say(out: Reading, kind: str, text: str, line: int) -> None:
    out.diagnostics.append(Diagnostic(kind, text, line, out.file))


def _references(out: Reading) -> None:
    """Tell of names that are used and not defined, and of objects that nobody uses."""
    native = out.native
    attached = {s.profile for s in native.interfaces.values() if s.profile is not None}
    for section in native.interfaces.values():
        if section.profile is not None and section.profile not in native.profiles:
            line = section.lines[("profile",)]
            text = f"{section.name} attaches qos profile {section.profile}, which is not defined"
            _say(out, "dangling_reference", text, line)
    for name, section in native.profiles.items():
        if name not in attached:
            _say(out, "unattached_object", f"qos profile {name} is attached nowhere", section.line)
    _mmu_references(out)
    for name, where, line in out.uses:
        if name not in out.policies:
            text = f"{where} uses policy-map {name}, which is not defined"
            _say(out, "dangling_reference", text, line)
    used = {name for name, _, _ in out.uses}
    for name, line in out.policies.items():
        if name not in used:
            _say(out, "unattached_object", f"policy-map {name} is attached nowhere", line)


def _mmu_references(out: Reading) -> None:
    native, active = out.native, out.native.active_mmu
    if active is not None and active not in native.mmu:
        line = native.system.lines[("mmu_active",)]
        text = f"MMU queue profile {active} is applied and not defined"
        _say(out, "dangling_reference", text, line)
    for name, section in native.mmu.items():
        if name != active:
            text = f"MMU queue profile {name} is not applied"
            _say(out, "unattached_object", text, section.line)
