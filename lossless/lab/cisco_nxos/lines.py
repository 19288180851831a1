"""Which lines an interface, a class of a policy and the box itself take."""

from __future__ import annotations

import re
from typing import Final

from lossless.lab.cisco_nxos.state import QUEUES, Holder

#: Interface lines: form, what it sets, and the form that is not printed.
SETTINGS: Final = (
    (r"mtu (?:1500|[2-8]\d{3}|1[5-9]\d\d|9[01]\d\d|92(?:0\d|1[0-6]))", "mtu", "mtu 1500"),
    (
        r"priority-flow-control mode (?:auto|on|off)(?: send-tlv)?",
        "pfc",
        "priority-flow-control mode auto",
    ),
    (
        r"priority-flow-control watch-dog-interval (?:on|off)",
        "dog",
        "priority-flow-control watch-dog-interval off",
    ),
    (r"flowcontrol send (?:on|off)", "fs", "flowcontrol send off"),
    (r"flowcontrol receive (?:on|off)", "fr", "flowcontrol receive off"),
    (r"lldp dcbx version (?:auto|cee|ieee)", "dcbx", "lldp dcbx version auto"),
    (r"switchport mode (?:access|trunk)", "mode", "switchport mode access"),
    (r"switchport access vlan \d{1,4}", "access", "switchport access vlan 1"),
    (r"switchport trunk native vlan \d{1,4}", "native", "switchport trunk native vlan 1"),
    (
        r"switchport trunk allowed vlan (?:none|[\d,-]+)",
        "allowed",
        "switchport trunk allowed vlan 1-4094",
    ),
    (r"switchport", "l2", None),
    (r"shutdown", "shut", None),
    (r"description \S.{0,253}", "description", None),
)
#: In which order an interface's lines are printed (sessions of a Nexus 9332D-GX2B, 10.4(3)).
ORDER: Final = (
    "description", "l2", "mode", "access", "native", "allowed", "pfc", "dog", "dcbx", "mtu", "fs",
    "fr",
)  # fmt: skip
#: What begins each line, for a `no` without the value.
_STEMS: Final = {
    "mtu": "mtu",
    "pfc": "priority-flow-control mode",
    "dog": "priority-flow-control watch-dog-interval",
    "fs": "flowcontrol send",
    "fr": "flowcontrol receive",
    "dcbx": "lldp dcbx version",
    "mode": "switchport mode",
    "access": "switchport access vlan",
    "native": "switchport trunk native vlan",
    "allowed": "switchport trunk allowed vlan",
    "description": "description",
}
#: Lines of the box that stand for themselves.
RAW: Final = (
    r"hardware profile pfc mmu buffer-reservation \d{1,3}",
    r"platform qos ing-pg-share",
    r"priority-flow-control (?:auto|fixed)-restore multiplier \d{1,3}",
)
_SIZE: Final = r"\d{1,9} (?:bytes|kbytes|mbytes|packets)"
_CURVE: Final = (
    rf"random-detect minimum-threshold {_SIZE} maximum-threshold {_SIZE} "
    r"drop-probability (?:100|[1-9]\d?) weight (?:1[0-5]|\d)(?: ecn)?"
)
_IN_CLASS: Final = {
    "qos": ((r"set qos-group [0-7]", "group"),),
    "network-qos": (
        (r"mtu (?:57[6-9]|5[89]\d|[6-9]\d\d|[1-8]\d{3}|9[01]\d\d|92(?:0\d|1[0-6]))", "mtu"),
        (r"pause pfc-cos [0-7](?:[,-][0-7])*", "pause"),
    ),
    "output": (
        (r"priority level [1-8]", "priority"),
        (r"bandwidth remaining percent (?:100|\d{1,2})", "remaining"),
        (r"bandwidth percent (?:100|\d{1,2})", "percent"),
        (_CURVE, "detect"),
        (rf"queue-limit (?:dynamic \d{{1,3}}|{_SIZE})", "limit"),
    ),
    "input": (
        (r"pause buffer-size \d{1,9} pause-threshold \d{1,9} resume-threshold \d{1,9}", "buffer"),
    ),
}
#: In which order a class's lines are printed: MTU before pause, whatever was typed first.
CLASS_ORDER: Final = (
    "mtu", "pause", "group", "priority", "remaining", "percent", "limit", "detect", "buffer",
)  # fmt: skip


def class_slot(kind: str, cls: str, body: str) -> str | None:
    """Return what a line of a policy's class sets; `None` where it is not taken."""
    forms = kind if kind != "queuing" else "output" if cls in QUEUES else "input"
    return next((slot for form, slot in _IN_CLASS[forms] if re.fullmatch(form, body)), None)


def interface_line(held: Holder, words: str) -> bool:
    """Apply a line of an interface; say whether it is one."""
    prefix, _, rest = words.partition(" ")
    if prefix in ("no", "default"):
        return _undo(held, prefix, words, rest)
    for form, slot, silent in SETTINGS:
        if re.fullmatch(form, words):
            held.lines[slot] = words
            if words == silent:
                del held.lines[slot]
            return True
    return False


def _undo(held: Holder, prefix: str, words: str, body: str) -> bool:
    for form, slot, _ in SETTINGS:
        if slot in ("l2", "shut"):
            if body != form:
                continue
            held.lines[slot] = words
            if prefix == "default":
                del held.lines[slot]
            return True
        if body == _STEMS[slot] or re.fullmatch(form, body):
            held.lines.pop(slot, None)
            return True
    return False
