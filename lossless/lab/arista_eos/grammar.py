"""Which lines a simulated EOS takes, and what each of them sets.

Forms are those of the EOS User Manual ("Quality of Service", "Traffic Management", "Ethernet
Ports"), of public running configurations of DCS-7260CX and DCS-7260CX3, and of AVD's templates.
A line is known by what it sets, so that another value replaces it; `no` needs no value.
"""

from __future__ import annotations

import re
from typing import Final

_N: Final = r"\d{1,12}"
_SIZE: Final = rf"{_N} (?:segments|bytes|kbytes|mbytes|milliseconds|microseconds)"
_SECONDS: Final = rf"{_N}(?:\.{_N})?"
_MEMORY: Final = rf"(?:(?:bytes|cells) )?{_N}"
_ALPHA: Final = rf"{_N}(?:/{_N})?"
_WEIGHT: Final = rf"(?: weight {_N})?"
_RANGE: Final = rf"minimum-threshold {_SIZE} maximum-threshold {_SIZE}"
_VLANS: Final = r"(?:none|all|(?:add |remove )?[\d,-]+)"
_ACTION: Final = r"(?:drop|errdisable|notify-only)"

_TIMER: Final = (
    rf"timeout {_SECONDS} polling-interval (?:auto|{_SECONDS}) recovery-time {_SECONDS}"
    r"(?: forced)?"
)

#: What a line sets, and what may stand behind it ("" where it is whole).
SYSTEM: Final = (
    (r"hostname", r"[A-Za-z0-9._-]{1,63}"),
    (r"qos rewrite dscp", ""),
    (r"qos rewrite cos", ""),
    (r"qos random-detect ecn global-buffer", _RANGE + _WEIGHT),
    (r"qos random-detect ecn allow non-ect", r"(?:chip-based)?"),
    (r"qos tx-queue [0-7] scheduler profile responsive", ""),
    (r"qos tx-queue shape rate percent adaptive", ""),
    (r"hardware counter feature ecn out", ""),
    (r"platform sand qos map traffic-class [0-7]", r"to network-qos \d{1,2}"),
    (r"priority-flow-control pause watchdog default timeout", _SECONDS),
    (r"priority-flow-control pause watchdog default recovery-time", _SECONDS),
    (r"priority-flow-control pause watchdog default polling-interval", _SECONDS),
    (r"priority-flow-control pause watchdog action", _ACTION),
    (r"priority-flow-control pause watchdog override action", r"drop"),
    (r"priority-flow-control all off", ""),
    (r"platform trident mmu headroom-pool limit", _MEMORY),
)
PORT: Final = (
    (r"qos trust", r"(?:dscp|cos)"),
    (r"qos cos", r"[0-7]"),
    (r"qos dscp", r"\d{1,2}"),
    (r"priority-flow-control priority [0-7]", r"(?:no-)?drop"),
    (r"priority-flow-control pause watchdog port action", _ACTION),
    (
        r"priority-flow-control pause watchdog port timer",
        _TIMER,
    ),
    (r"priority-flow-control pause watchdog(?= |$)", ""),
    (r"priority-flow-control(?= on$|$)", r"on"),
)
INTERFACE: Final = (
    *PORT,
    (r"shutdown", ""),
    (r"description", r".{1,240}"),
    (r"mtu", r"\d{2,5}"),
    (r"l2 mtu", r"\d{2,5}"),
    (r"speed", r"(?:auto|(?:auto |forced )?\d{1,5}(?:\.\d)?[gtm]?(?:full|half)?(?:-\d)?)"),
    (r"error-correction encoding", r"(?:reed-solomon|fire-code)"),
    (r"phy link training", ""),
    (r"switchport mode", r"(?:access|trunk|dot1q-tunnel|tap|tool)"),
    (r"switchport access vlan", r"\d{1,4}"),
    (r"switchport trunk native vlan", r"(?:\d{1,4}|tag)"),
    (r"switchport trunk allowed vlan", _VLANS),
    (r"switchport$", ""),
    (r"flowcontrol send", r"(?:on|off|desired)"),
    (r"flowcontrol receive", r"(?:on|off|desired)"),
    (r"dcbx mode", r"(?:ieee|cee)"),
    (r"service-profile", r"\S{1,100}"),
    (r"service-policy type qos input", r"\S{1,100}"),
    (r"random-detect ecn delay threshold", rf"{_N} (?:milliseconds|microseconds)"),
    (r"ip address", r"[\d.]+/\d{1,2}(?: secondary)?"),
    (r"channel-group", r"\d{1,4} mode (?:active|passive|on)"),
)
QUEUE: Final = (
    (r"priority(?= strict$|$)", r"strict"),
    (r"bandwidth percent", r"\d{1,3}"),
    (r"bandwidth guaranteed", rf"(?:percent \d{{1,3}}|{_N}(?: kbps)?)"),
    (r"shape rate", rf"{_N}(?: (?:percent|kbps|pps))?"),
    (r"random-detect ecn count", ""),
    (
        r"random-detect ecn minimum-threshold",
        rf"{_SIZE} maximum-threshold {_SIZE}(?: max-mark-probability {_N})?{_WEIGHT}",
    ),
    (
        r"random-detect drop drop-precedence [0-2]",
        rf"{_RANGE}(?: drop-probability {_N})?{_WEIGHT}",
    ),
    (r"random-detect drop(?! drop-)", rf"{_RANGE}(?: drop-probability {_N})?{_WEIGHT}"),
)
MMU: Final = (
    (r"ingress priority-group [0-7] (?:reserved|headroom|resume)", _MEMORY),
    (r"ingress priority-group [0-7] threshold", _ALPHA),
    (r"ingress (?:reserved|headroom|resume)", _MEMORY),
    (r"ingress threshold", _ALPHA),
    (r"egress unicast queue [0-7] reserved", _MEMORY),
    (r"egress unicast queue [0-7] threshold", _ALPHA),
    (r"egress unicast queue [0-7] drop-precedence [12] drop-threshold", _ALPHA),
    (r"egress multicast queue [0-7] reserved", _MEMORY),
    (r"egress multicast queue [0-7] threshold", _ALPHA),
)
COMMENT: Final = (r"!!.*", "")

#: Lines whose "no" is shown, because it is not what the box does by itself.
SHOWN_NO: Final = re.compile(
    r"switchport|qos trust|priority|priority-flow-control pause watchdog|qos rewrite cos"
    r"|error-correction encoding"
)
#: Lines that say what the box does anyway and that it therefore does not show.
HIDDEN: Final = re.compile(r"switchport|priority-flow-control pause watchdog|no shutdown")

INDEXED_MAP: Final = re.compile(
    r"qos map (dscp|cos|exp) ([\d ]+?)(?: to (traffic-class [0-7](?: drop-precedence \d)?))?"
)
CLASS_MAP: Final = re.compile(r"qos map traffic-class ([\d ]+?) to (tx-queue|dscp|cos)(?: (\d+))?")
MMU_PROFILE: Final = re.compile(r"platform trident mmu queue profile (\S+)( apply)?")
OPENS: Final = re.compile(
    r"interface \S+|qos profile \S+|platform trident mmu queue profile \S+$"
    r"|(?:uc-|mc-)?tx-queue [0-7]"
)
_SHORT: Final = {"Et": "Ethernet", "Po": "Port-Channel", "Ma": "Management", "Vl": "Vlan"}
_INTERFACE: Final = re.compile(r"(?i)interface ([a-z-]+) ?(\d[\d/.]*)")


def of_mode(mode: str | None) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return the lines of a mode by the line that opens it; `None`: the top."""
    if mode is None:
        return _FORMS["system"]
    if mode.startswith("interface"):
        return _FORMS["interface"]
    if "tx-queue" in mode:
        return _FORMS["queue"]
    return _FORMS["port" if mode.startswith("qos profile") else "mmu"]


def spelt(line: str) -> str:
    """Write an interface's name in full ("interface Et1/1" → "interface Ethernet1/1")."""
    found = _INTERFACE.fullmatch(line)
    if found is None:
        return line
    for short, full in _SHORT.items():
        if full.lower().startswith(found[1].lower()) and len(found[1]) >= len(short):
            return f"interface {full}{found[2]}"
    return line


def _compiled(
    forms: tuple[tuple[str, str], ...],
) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((re.compile(sets), re.compile(rest)) for sets, rest in (*forms, COMMENT))


_FORMS: Final = {
    "system": _compiled(SYSTEM),
    "interface": _compiled(INTERFACE),
    "port": _compiled(PORT),
    "queue": _compiled(QUEUE),
    "mmu": _compiled(MMU),
}
