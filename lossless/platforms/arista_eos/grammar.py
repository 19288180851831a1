"""Which lines of EOS set which slots.

Forms are those that `show running-config` prints (running configurations of DCS-7260CX and
DCS-7260CX3 at 4.19.1F and 4.22.3M with defaults shown, Apache-2.0, from Batfish's test data) and
that AVD writes (Arista's own generator: schema and templates of pyavd 6.4).  The older spelling
`priority-flow-control mode on` is that of EOS 4.13 (Intel's ice driver README).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from lossless.model.classification import Trust
from lossless.model.link import VlanMode
from lossless.model.pfc import WatchdogAction
from lossless.model.scheduling import Algorithm
from lossless.model.units import Cap
from lossless.model.values import OFF
from lossless.platforms.arista_eos.forms import (
    ALPHA,
    MEMORY,
    SECONDS,
    SIZE,
    Form,
    Match,
    N,
    Pairs,
    always,
    form,
    nanoseconds,
    number,
    numbers,
    quantity,
    single,
    switch,
    vlans,
)
from lossless.platforms.arista_eos.slots import Curve, DscpTarget, Slot, Speed, Timer

ACTIONS: Final[Mapping[str, WatchdogAction]] = {
    "drop": WatchdogAction.DROP,
    "errdisable": WatchdogAction.ERRDISABLE,
    "notify-only": WatchdogAction.ALERT,
}

# --- whole box -----------------------------------------------------------------------------------

_LIST = rf"({N}(?: {N})*)"


def _map(word: str, name: str, size: int) -> Form:
    def read(m: Match) -> Pairs:
        target: Any = int(m[2])
        if name == "dscp":
            target = DscpTarget(target, int(m[3]) if m[3] else None)
        return [((name, index), target) for index in numbers(m[1]) if index < size]

    return form(
        rf"qos map {word} {_LIST} to traffic-class ([0-7])(?: drop-precedence ([0-9]))?",
        read,
        rf"qos map {word} {_LIST}(?: to .*)?",
        lambda m: [(name, index) for index in numbers(m[1]) if index < size],
    )


def _tc_map(word: str, name: str) -> Form:
    return form(
        rf"qos map traffic-class {_LIST} to {word} ({N})",
        lambda m: [((name, tc), int(m[2])) for tc in numbers(m[1]) if tc < 8],
        rf"qos map traffic-class {_LIST} to {word}(?: {N})?",
        lambda m: [(name, tc) for tc in numbers(m[1]) if tc < 8],
    )


def _watchdog_default(word: str, slot: str) -> Form:
    words = rf"priority-flow-control pause watchdog default {word}"
    return form(
        rf"{words} {SECONDS}",
        single((slot,), lambda m: nanoseconds(m[1])),
        rf"{words}.*",
        (slot,),
    )


_MMU = r"platform trident mmu"
SYSTEM: Final = (
    _map("dscp", "dscp", 64),
    _map("cos", "cos", 8),
    _tc_map("tx-queue", "tx_queue"),
    _tc_map("dscp", "rewrite_dscp_to"),
    _tc_map("cos", "rewrite_cos_to"),
    switch("qos rewrite dscp", ("rewrite_dscp",)),
    switch("qos rewrite cos", ("rewrite_cos",)),
    form(
        rf"qos random-detect ecn global-buffer minimum-threshold {SIZE} "
        rf"maximum-threshold {SIZE}",
        single(("ecn_global",), lambda m: Curve(quantity(m[1], m[2]), quantity(m[3], m[4]))),
        r"qos random-detect ecn global-buffer.*",
        ("ecn_global",),
        OFF,
    ),
    form(
        r"qos random-detect ecn allow non-ect( chip-based)?",
        single(("non_ect",), lambda m: "chip-based" if m[1] else "plain"),
        r"qos random-detect ecn allow non-ect.*",
        ("non_ect",),
        OFF,
    ),
    switch("priority-flow-control all off", ("pfc_stopped",)),
    _watchdog_default("timeout", "watchdog_timeout"),
    _watchdog_default("recovery-time", "watchdog_recovery"),
    _watchdog_default("polling-interval", "watchdog_poll"),
    form(
        r"priority-flow-control pause watchdog action (\S+)",
        single(("watchdog_action",), lambda m: ACTIONS.get(m[1])),
        r"priority-flow-control pause watchdog action.*",
        ("watchdog_action",),
    ),
    switch("priority-flow-control pause watchdog override action drop", ("watchdog_override",)),
    form(
        rf"{_MMU} headroom-pool limit {MEMORY}",
        single(("headroom_limit",), lambda m: quantity(m[2], m[1] or "bytes")),
        rf"{_MMU} headroom-pool limit.*",
        ("headroom_limit",),
    ),
    form(
        rf"{_MMU} queue profile (\S+) apply",
        single(("mmu_active",), lambda m: m[1]),
        rf"{_MMU} queue profile \S+ apply",
        ("mmu_active",),
        OFF,
    ),
)

#: Lines of the whole box that are known, stand outside the model, and are kept as they are.
RAW: Final = re.compile(
    r"qos tx-queue [0-7] scheduler profile responsive"
    r"|qos tx-queue shape rate percent adaptive"
    r"|qos map exp [0-7](?: [0-7])* to traffic-class [0-7]"
    r"|hardware counter feature ecn out"
    r"|platform sand qos map traffic-class [0-7] to network-qos \d{1,2}"
)

# --- a port, in a profile or on the interface ----------------------------------------------------

_TRUST: Final = {"dscp": Trust.DSCP, "cos": Trust.PCP}


def _timer(m: Match) -> Timer:
    poll = None if m[2] == "auto" else nanoseconds(m[2])
    return Timer(nanoseconds(m[1]), poll, nanoseconds(m[3]), bool(m[4]))


PORT: Final = (
    Form(
        re.compile(r"qos trust (dscp|cos)"),
        lambda m: ((("trust",), _TRUST[m[1]]),),
        re.compile(r"qos trust(?: dscp| cos)?"),
        always(("trust",)),
        Trust.PORT,  # `no qos trust` is a statement: the port's own default classifies
    ),
    number("qos cos", ("port_cos",)),
    number("qos dscp", ("port_dscp",)),
    form(
        r"priority-flow-control (?:mode )?on",
        single(("pfc",), lambda _: True),
        r"priority-flow-control(?: mode)?(?: on)?",
        ("pfc",),
        OFF,
    ),
    form(
        r"priority-flow-control priority ([0-7]) (no-)?drop",
        lambda m: ((("no_drop", int(m[1])), True if m[2] else "drop"),),
        r"priority-flow-control priority ([0-7])(?: no-drop| drop)?",
        lambda m: (("no_drop", int(m[1])),),
        OFF,
    ),
    switch("priority-flow-control pause watchdog", ("watchdog",)),
    form(
        r"priority-flow-control pause watchdog port action (\S+)",
        single(("watchdog_port_action",), lambda m: ACTIONS.get(m[1])),
        r"priority-flow-control pause watchdog port action.*",
        ("watchdog_port_action",),
    ),
    form(
        rf"priority-flow-control pause watchdog port timer timeout {SECONDS} "
        rf"polling-interval (auto|{N}(?:\.{N})?) recovery-time {SECONDS}( forced)?",
        single(("watchdog_timer",), _timer),
        r"priority-flow-control pause watchdog port timer.*",
        ("watchdog_timer",),
    ),
)

# --- an interface alone --------------------------------------------------------------------------


def _speed(m: Match) -> Speed:
    scale = {"g": 10**9, "t": 10**12}.get(m[3] or "m", 10**6)
    lanes = int(m[4]) if m[4] else None
    return Speed(int(Fraction(m[2]) * scale), lanes, m[1] == "auto ")


def _pause(word: str, slot: str) -> Form:
    def read(m: Match) -> Pairs:
        return (((slot,), {"on": True, "off": OFF}.get(m[1])),)

    words = rf"flowcontrol {word}"
    return form(rf"{words} (on|off|desired)", read, rf"{words}(?: \w+)?", (slot,), OFF)


_FEC = r"error-correction encoding"
_MODES: Final = {"access": VlanMode.ACCESS, "trunk": VlanMode.TRUNK}
INTERFACE: Final = (
    number("mtu", ("mtu",)),
    number("l2 mtu", ("l2_mtu",)),
    form(
        rf"speed (auto |forced )?({N}(?:\.{N})?)([gtm])?(?:full)?(?:-([0-9]))?",
        single(("speed",), _speed),
        r"speed.*",
        ("speed",),
    ),
    form(r"speed auto", single(("speed",), lambda _: Speed(None, None, True)), "speed", ("speed",)),
    form(r"speed \S.*half", single(("speed",), lambda _: None), "speed", ("speed",)),
    form(
        rf"{_FEC} (reed-solomon|fire-code)",
        single(("fec",), lambda m: m[1]),
        _FEC,
        ("fec",),
        "none",
    ),
    switch("phy link training", ("training",)),
    switch("shutdown", ("shutdown",)),
    _pause("send", "flow_send"),
    _pause("receive", "flow_receive"),
    switch("switchport", ("switchport",)),
    form(
        r"switchport mode (\S+)",
        single(("mode",), lambda m: _MODES.get(m[1])),
        r"switchport mode.*",
        ("mode",),
    ),
    number("switchport access vlan", ("access_vlan",)),
    number("switchport trunk native vlan", ("native_vlan",)),
    form(
        r"switchport trunk allowed vlan (\S+)",
        single(("trunk_vlans",), lambda m: vlans(m[1])),
        r"switchport trunk allowed vlan.*",
        ("trunk_vlans",),
    ),
    form(
        r"dcbx mode (ieee|cee)",
        single(("dcbx",), lambda m: m[1]),
        r"dcbx mode.*",
        ("dcbx",),
        OFF,
    ),
    form(
        rf"random-detect ecn delay threshold ({N}) (milliseconds|microseconds)",
        single(("ecn_delay",), lambda m: quantity(m[1], m[2])),
        r"random-detect ecn delay.*",
        ("ecn_delay",),
    ),
)

# --- a queue (`tx-queue N`, `uc-tx-queue N`); slots here lack the ("queue", N) in front -----------


def _curve(m: Match) -> Curve:
    weight, probability = m["weight"], m["probability"]
    return Curve(
        quantity(m["min"], m["min_unit"]),
        quantity(m["max"], m["max_unit"]),
        int(probability) if probability else None,
        int(weight) if weight else None,
    )


def _thresholds(word: str) -> str:
    low = SIZE.replace("(", "(?P<min>", 1).replace(" (", " (?P<min_unit>", 1)
    high = low.replace("<min", "<max")
    return (
        rf"minimum-threshold {low} maximum-threshold {high}"
        rf"(?: {word} (?P<probability>{N}))?(?: weight (?P<weight>{N}))?"
    )


def _shape(m: Match) -> Cap | None:
    number, unit = int(m[1]), m[2]
    if unit == "percent":
        return Cap(share=number * 10_000)
    return Cap(rate=number * 1000) if unit in (None, "kbps") else None


QUEUE_NUMBERS: Final = range(8)
QUEUE: Final = (
    form(
        r"priority strict",
        single(("priority",), lambda _: Algorithm.STRICT),
        r"priority(?: strict)?",
        ("priority",),
        Algorithm.WRR,  # `no priority` is the statement that the queue takes its turn
    ),
    form(
        rf"bandwidth percent ({N})",
        single(("bandwidth",), lambda m: int(m[1])),
        r"bandwidth percent.*",
        ("bandwidth",),
    ),
    form(
        rf"bandwidth guaranteed percent ({N})",
        single(("guaranteed",), lambda m: int(m[1])),
        r"bandwidth guaranteed.*",
        ("guaranteed",),
    ),
    form(
        rf"bandwidth guaranteed {N}(?: kbps)?",
        single(("guaranteed",), lambda _: None),
        r"bandwidth guaranteed.*",
        ("guaranteed",),
    ),
    form(
        rf"shape rate ({N})(?: (percent|kbps|pps))?",
        single(("shape",), _shape),
        r"shape rate.*",
        ("shape",),
    ),
    form(
        rf"random-detect ecn {_thresholds('max-mark-probability')}",
        single(("ecn",), _curve),
        r"random-detect ecn(?: minimum-threshold.*)?",
        ("ecn",),
        OFF,
    ),
    switch("random-detect ecn count", ("count",)),
    form(
        rf"random-detect drop (?:drop-precedence (?P<dp>[0-2]) )?{_thresholds('drop-probability')}",
        lambda m: ((("drop", int(m["dp"]) if m["dp"] else "all"), _curve(m)),),
        r"random-detect drop(?: drop-precedence ([0-2]).*)?",
        lambda m: (("drop", int(m[1]) if m[1] else "all"),),
        OFF,
    ),
)

# --- an MMU queue profile ------------------------------------------------------------------------


def _memory(words: str, slot: Callable[[Match], Slot]) -> Form:
    return form(
        rf"{words} {MEMORY}",
        lambda m: ((slot(m), quantity(m[m.re.groups], m[m.re.groups - 1] or "bytes")),),
        rf"{words}.*",
        lambda m: (slot(m),),
    )


def _threshold(words: str, slot: Callable[[Match], Slot]) -> Form:
    return form(
        rf"{words} {ALPHA}",
        lambda m: ((slot(m), Fraction(m[m.re.groups])),),
        rf"{words}.*",
        lambda m: (slot(m),),
    )


MMU: Final = (
    _memory("ingress reserved", lambda _: ("pg", "all", "reserved")),
    _threshold("ingress threshold", lambda _: ("pg", "all", "alpha")),
    _memory("ingress headroom", lambda _: ("pg", "all", "headroom")),
    _memory("ingress resume", lambda _: ("pg", "all", "resume")),
    _memory("ingress priority-group ([0-7]) reserved", lambda m: ("pg", int(m[1]), "reserved")),
    _threshold("ingress priority-group ([0-7]) threshold", lambda m: ("pg", int(m[1]), "alpha")),
    _memory("egress unicast queue ([0-7]) reserved", lambda m: ("eq", int(m[1]), "reserved")),
    _threshold("egress unicast queue ([0-7]) threshold", lambda m: ("eq", int(m[1]), "alpha")),
)
