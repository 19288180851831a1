"""Which lines of NX-OS set which slots.

Sources of the forms: sessions of a Nexus 9332D-GX2B (NX-OS 10.4(3),
highopes/pd-disaggregation-demo), `nxos_config_roce.py` of P. Gupta (Cisco), Microsoft's reference
configurations for Nexus 93180 and Nexus 3132, interfaces with all defaults shown (Batfish's test
data, 6.0(2) and 7.0(3)), and the names and ranges of Cisco's own Terraform provider.  Forms that
none of them prints are marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from lossless.model.link import VlanMode
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Quantity, Unit
from lossless.model.values import OFF
from lossless.platforms.cisco_nxos.box import NO_DROP, Detect, PauseBuffer, PfcLine, Slot

Match = re.Match[str]

#: What a line says that puts a slot back to the platform's default, which is not printed.
SILENT: Final = object()
PERCENT: Final = 10_000  # parts per million in one per cent

_N: Final = r"[0-9]{1,12}"  # longer numbers are damage; Python refuses thousands of digits
_LIST: Final = r"([0-9a-z,\- ]{1,400})"
UNITS: Final[Mapping[str, Unit]] = {
    "kbytes": Unit.KBYTES,  # the only unit that configurations show; the others are not verified
    "bytes": Unit.BYTES,
    "mbytes": Unit.MBYTES,
    "packets": Unit.PACKETS,
}
_SIZE: Final = rf"({_N}) ({'|'.join(UNITS)})"

#: RFC 2474 and 3246 code points by the names that NX-OS takes for them.
_DSCP_NAMES: Final[Mapping[str, int]] = {
    "default": 0,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{c}{d}": 8 * c + 2 * d for c in range(1, 5) for d in range(1, 4)},
    "ef": 46,
}


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a line: the words, the slot it sets, its value, and what `no` in front means.

    A value of `None` says that the line is understood and that the model has no words for it.
    """

    words: re.Pattern[str]
    slot: Slot
    read: Callable[[Match], Any]
    no: re.Pattern[str]
    absent: Any = SILENT


def numbers(spelled: str, size: int, names: Mapping[str, int] | None = None) -> frozenset[int]:
    """Read a list of code points (`24-31`, `18,20,22`, `cs3`); empty where it is not one."""
    found: set[int] = set()
    for part in spelled.replace(" ", "").split(","):
        if names and part in names:
            found.add(names[part])
            continue
        ends = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", part)
        if ends is None:
            return frozenset()
        low, high = int(ends[1]), int(ends[2] or ends[1])
        if not 0 <= low <= high < size:
            return frozenset()
        found.update(range(low, high + 1))
    return frozenset(found)


def dscps(spelled: str) -> frozenset[int]:
    """Read a list of DSCPs, numbers or names."""
    return numbers(spelled, 64, _DSCP_NAMES)


def quantity(number: str, unit: str) -> Quantity:
    """Return a size in the unit that the line names."""
    return Quantity(Fraction(int(number)), UNITS[unit])


def vlans(spelled: str) -> frozenset[int] | None:
    """Read a VLAN list (`10,20-29`, `none`); `None` where it is not one."""
    if spelled == "none":
        return frozenset()
    return (numbers(spelled, 4095) - {0}) or None


def _form(
    words: str, slot: str, read: Callable[[Match], Any], no: str = "", absent: Any = SILENT
) -> Form:
    return Form(re.compile(words), (slot,), read, re.compile(no or rf"{words}"), absent)


def _number(words: str, slot: str, default: int | None = None) -> Form:
    def read(m: Match) -> Any:
        return SILENT if int(m[1]) == default else int(m[1])

    return _form(rf"{words} ({_N})", slot, read, rf"{words}(?: {_N})?")


def _onoff(words: str, slot: str) -> Form:
    """`… on` and `… off`, of which off is what a port does anyway."""
    return _form(
        rf"{words} (on|off)",
        slot,
        lambda m: True if m[1] == "on" else SILENT,
        rf"{words}(?: (?:on|off))?",
    )


# --- an interface --------------------------------------------------------------------------------

_MODES: Final = {"access": SILENT, "trunk": VlanMode.TRUNK}


def _pfc(m: Match) -> Any:
    return SILENT if m[1] == "auto" else PfcLine(m[1], bool(m[2]))


def _allowed(m: Match) -> Any:
    found = vlans(m[1])
    return SILENT if found is not None and len(found) == 4094 else found


_PFC: Final = "priority-flow-control"
INTERFACE: Final = (
    _number("mtu", "mtu", 1500),
    _form(rf"{_PFC} mode (auto|on|off)( send-tlv)?", "pfc", _pfc, rf"{_PFC} mode(?: .*)?"),
    _onoff(rf"{_PFC} watch-dog-interval", "watchdog"),
    _onoff("flowcontrol send", "flow_send"),
    _onoff("flowcontrol receive", "flow_receive"),
    _form(
        "lldp dcbx version (auto|cee|ieee)",
        "dcbx",
        lambda m: SILENT if m[1] == "auto" else m[1],
        "lldp dcbx version.*",
    ),
    _form("shutdown", "shutdown", lambda _: True, absent=OFF),
    _form("switchport", "switchport", lambda _: True, absent=OFF),
    _form(r"switchport mode (\S+)", "mode", lambda m: _MODES.get(m[1]), "switchport mode.*"),
    _number("switchport access vlan", "access", 1),
    _number("switchport trunk native vlan", "native", 1),
    _form(
        rf"switchport trunk allowed vlan {_LIST}",
        "allowed",
        _allowed,
        "switchport trunk allowed vlan.*",
    ),
    _form("speed auto", "speed", lambda _: SILENT),
    _form(rf"speed ({_N})", "speed", lambda m: int(m[1]) * 10**6, "speed.*"),
    _form("negotiate auto", "negotiate", lambda _: SILENT, absent=OFF),
)
#: `switchport trunk allowed vlan add …` continues the line before it.
MORE_VLANS: Final = re.compile(rf"switchport trunk allowed vlan add {_LIST}")

# --- the whole box -------------------------------------------------------------------------------

SYSTEM: Final = (
    _onoff(rf"{_PFC} watch-dog-interval", "watchdog"),
    _form("feature lldp", "lldp", lambda _: True),
    _form(
        r"lldp tlv-select dcbxp(?: (egress-queuing))?",
        "dcbxp",
        lambda m: m[1] or SILENT,  # every TLV is selected unless somebody says otherwise
        r"lldp tlv-select dcbxp.*",
        absent=OFF,
    ),
)
#: Lines of the whole box that are known, stand outside the model, and are kept as they are.
#: `pfc mmu buffer-reservation`: a Nexus 3132; `platform qos`, `wred-queue`: Cisco's NX-API guide;
#: the watchdog's multipliers: the same guide and Cisco's QoS guide 10.5 (which times they stand for
#: is not verified).
RAW: Final = re.compile(
    r"hardware profile pfc mmu buffer-reservation [0-9]{1,3}"
    r"|platform qos ing-pg-share"
    r"|wred-queue qos-group-map queue-only [0-7]"
    rf"|{_PFC} (?:fixed-restore|auto-restore) multiplier [0-9]{{1,3}}"
    rf"|{_PFC} watch-dog (?:internal-interface|shutdown)-multiplier [0-9]{{1,2}}"
    rf"|{_PFC} watch-dog interval [0-9]{{1,5}}"
)

SERVICE: Final = re.compile(
    r"service-policy type (?P<kind>qos|queuing|network-qos)(?: (?P<way>input|output))?"
    r" (?P<name>\S+)(?: no-stats)?"
)

# --- class maps ----------------------------------------------------------------------------------

CLASS_MAP: Final = re.compile(
    r"class-map(?: type (?P<kind>[a-z-]+))?(?: match-(?P<match>any|all))? (?P<name>\S+)"
)
MATCH: Final = re.compile(rf"match (dscp|cos|precedence|qos-group) {_LIST}")
#: Matches and remarks that are known, and by which no map of the model is made.
MATCH_OTHER: Final = re.compile(
    r"match (?:access-group|protocol|ip rtp|exception|redirect|mpls|packet length|not) .*"
)
REMARK: Final = re.compile(r"description .*")

# --- classes of policy maps ----------------------------------------------------------------------

POLICY_MAP: Final = re.compile(r"policy-map(?: type (?P<kind>[a-z-]+))? (?P<name>\S+)")
CLASS: Final = re.compile(
    r"class(?: type (?:qos|queuing|network-qos))? (\S+)(?: insert-before .*)?"
)


def _cos(m: Match) -> Any:
    return numbers(m[1], 8) or None


def _buffer(m: Match) -> PauseBuffer | None:
    held = PauseBuffer(int(m[1]), int(m[2]), int(m[3]))
    return held if held.resume <= held.pause <= held.size else None


def _detect(m: Match) -> Detect:
    return Detect(quantity(m[1], m[2]), quantity(m[3], m[4]), int(m[5]), int(m[6]), ecn=bool(m[7]))


def _share(kind: BandwidthKind) -> Callable[[Match], Any]:
    return lambda m: Bandwidth(kind, int(m[1]) * PERCENT) if int(m[1]) <= 100 else None


_BUFFER: Final = rf"pause buffer-size ({_N}) pause-threshold ({_N}) resume-threshold ({_N})"
QOS: Final = (_form(r"set qos-group ([0-7])", "group", lambda m: int(m[1]), r"set qos-group.*"),)
NETWORK: Final = (
    _number("mtu", "mtu"),
    _form(rf"pause pfc-cos {_LIST}", "pause", _cos, r"pause pfc-cos.*"),
    _form("pause no-drop", "pause", lambda _: NO_DROP, r"pause(?: no-drop)?"),
    _form("no-drop", "pause", lambda _: NO_DROP),
)
QUEUING: Final = (
    _form(r"priority(?: level ([1-8]))?", "priority", lambda m: int(m[1] or 1), r"priority.*"),
    _form(
        rf"bandwidth remaining percent ({_N})",
        "bandwidth",
        _share(BandwidthKind.REMAINING),
        r"bandwidth remaining.*",
    ),
    _form(
        rf"bandwidth percent ({_N})",
        "bandwidth",
        _share(BandwidthKind.LINE),
        r"bandwidth percent.*",
    ),
    _form(
        rf"random-detect minimum-threshold {_SIZE} maximum-threshold {_SIZE} "
        rf"drop-probability ({_N}) weight ({_N})( ecn)?",
        "detect",
        _detect,
        r"random-detect.*",
    ),
    # Not seen on a box: the presets of Cisco's QoS guide, whose thresholds the platform chooses.
    _form(
        r"random-detect threshold (burst-optimized|mesh-optimized)( ecn)?",
        "detect",
        lambda m: Detect(preset=m[1], ecn=bool(m[2])),
        r"random-detect.*",
    ),
    # Not seen in a configuration; `show queuing interface` prints the dynamic form as `9(D)`.
    _form(
        rf"queue-limit dynamic ({_N})", "limit", lambda m: Alpha(index=int(m[1])), "queue-limit.*"
    ),
    _form(rf"queue-limit {_SIZE}", "limit", lambda m: quantity(m[1], m[2]), "queue-limit.*"),
    _form(_BUFFER, "buffer", _buffer, r"pause buffer-size.*"),
)
#: Lines of a class that are known and have no place in the model.
KEPT: Final[Mapping[str, re.Pattern[str]]] = {
    "qos": REMARK,
    "network-qos": re.compile(
        rf"description .*|(?:no )?congestion-control (?:tail-drop|random-detect).*|{_BUFFER}.*"
    ),
    "queuing": re.compile(
        rf"description .*|burst-detect rise-threshold {_N} percent fall-threshold {_N} percent"
        r"|shape .*|afd .*|queue-limit .*"
    ),
}
FORMS: Final[Mapping[str, Sequence[Form]]] = {
    "qos": QOS,
    "network-qos": NETWORK,
    "queuing": QUEUING,
}


def read_line(forms: Iterable[Form], text: str) -> tuple[Slot, Any] | None:
    """Return the slot that a line sets and its value, or `None` where no form fits."""
    body = " ".join(text.split())
    for form in forms:
        if found := form.words.fullmatch(body):
            return form.slot, form.read(found)
    prefix, _, rest = body.partition(" ")
    if prefix in ("no", "default"):
        for form in forms:
            if form.no.fullmatch(rest):
                return form.slot, form.absent if prefix == "no" else SILENT
    return None
