"""What NVUE's configuration tree may hold under quality of service, and since which release.

Paths are those of the newest release; `spelled` turns them into an older release's words and
`settled` turns an older release's words into these.  Ids (profiles, interfaces, code points) are
written `*`.  The ranges and words are those of NVIDIA's published OpenAPI documents, 5.0 to 5.18
(PyPI nvueschema).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

ConfigPath: TypeAlias = tuple[str, ...]
#: A configuration: each leaf by its path; the value of an item that is only there is `HERE`.
Config: TypeAlias = dict[ConfigPath, str]

HERE: Final = ""
GLOBAL: Final = "default-global"
NEWEST: Final = 18

_ALPHA: Final = (
    "alpha_0 alpha_1_128 alpha_1_64 alpha_1_32 alpha_1_16 alpha_1_8 alpha_1_4 alpha_1_2 alpha_1 "
    "alpha_2 alpha_4 alpha_8 alpha_16 alpha_32 alpha_64 alpha_infinity"
)
_SWITCH: Final = "enable disable"
_STATE: Final = "enabled disabled"
_BYTES: Final = "0-4294967295"
_ANY: Final = "*"

#: path, first release, what it holds: words, a range, `*` (a name) or nothing (an item).
_TABLE: Final = f"""
qos.roce.state 0 {_STATE}
qos.roce.mode 0 lossy lossless
qos.roce.mode 12 lossless-single-ipool
qos.roce.mode 14 lossy-multi-tc
qos.roce.mode 18 dci-1 dci-custom
qos.mapping.*.trust 3 l2 l3 port both
qos.mapping.*.port-default-sp 3 0-7
qos.mapping.*.pcp.*.switch-priority 3 0-7
qos.mapping.*.dscp.*.switch-priority 3 0-7
qos.remark.*.rewrite 4 l2 l3 both
qos.remark.*.switch-priority.*.dscp 4 0-63
qos.remark.*.switch-priority.*.pcp 4 0-7
qos.egress-queue-mapping.*.switch-priority.*.traffic-class 3 0-7
qos.egress-scheduler.*.traffic-class.*.mode 3 dwrr strict
qos.egress-scheduler.*.traffic-class.*.bw-percent 3 0-100
qos.egress-shaper.*.mode 16 kbps pps
qos.egress-shaper.*.port-max-rate 4 0-2147483647
qos.egress-shaper.*.traffic-class.*.max-rate 4 0-2147483647
qos.egress-shaper.*.traffic-class.*.min-rate 4 0-2147483647
qos.congestion-control.*.traffic-class.*.ecn 3 {_SWITCH}
qos.congestion-control.*.traffic-class.*.red 3 {_SWITCH}
qos.congestion-control.*.traffic-class.*.min-threshold 3 1-
qos.congestion-control.*.traffic-class.*.max-threshold 3 1-
qos.congestion-control.*.traffic-class.*.probability 3 0-100
qos.congestion-control.*.traffic-class.*.mode 17 absolute relative
qos.congestion-control.*.traffic-class.*.min-threshold-percent 17 0-100
qos.congestion-control.*.traffic-class.*.max-threshold-percent 17 0-100
qos.pfc.*.switch-priority.* 3
qos.pfc.*.rx 3 {_SWITCH}
qos.pfc.*.tx 3 {_SWITCH}
qos.pfc.*.cable-length 0 1-100000
qos.pfc.*.port-buffer 3 1-
qos.pfc.*.xoff-threshold 3 1-
qos.pfc.*.xon-threshold 3 1-
qos.pfc.*.small-packet-probability 17 0-100
qos.pfc-watchdog.polling-interval 6 100-5000
qos.pfc-watchdog.robustness 6 1-1000
qos.link-pause.*.rx 4 {_SWITCH}
qos.link-pause.*.tx 4 {_SWITCH}
qos.link-pause.*.cable-length 4 1-100000
qos.link-pause.*.port-buffer 4 1-
qos.link-pause.*.xoff-threshold 4 1-
qos.link-pause.*.xon-threshold 4 1-
qos.traffic-pool.*.memory-percent 3 1-100
qos.traffic-pool.*.switch-priority.* 3
interface.*.qos.mapping.profile 3 {_ANY}
interface.*.qos.pfc.profile 3 {_ANY}
interface.*.qos.congestion-control.profile 3 {_ANY}
interface.*.qos.egress-scheduler.profile 3 {_ANY}
interface.*.qos.remark.profile 4 {_ANY}
interface.*.qos.egress-shaper.profile 4 {_ANY}
interface.*.qos.link-pause.profile 4 {_ANY}
interface.*.qos.pfc-watchdog.state 6 {_SWITCH}
interface.*.qos.headroom.lossy.extra-threshold 16 192-1236480
interface.*.qos.shared-headroom-pool 17 {_STATE}
interface.*.link.mtu 0 552-9216
interface.*.link.speed 0 auto 10M 100M 1G 10G 25G 40G 50G 100G 200G 400G
interface.*.link.speed 2 800G
interface.*.link.fec 0 auto baser off rs driver-auto
interface.*.link.auto-negotiate 0 {_STATE}
interface.*.link.state.up 0
interface.*.link.state.down 0
interface.*.lldp.dcbx-pfc-tlv 1 {_STATE}
interface.*.lldp.dcbx-ets-config-tlv 1 {_STATE}
interface.*.lldp.dcbx-ets-recomm-tlv 1 {_STATE}
"""
_POOLS: Final = f"""
infinite 4 true false
memory-percent 4 0-100
mode 4 static dynamic
reserved 4 {_BYTES}
shared-alpha 4 {_ALPHA}
shared-bytes 4 {_BYTES}
"""
_ADVANCED: Final = f"""
egress-lossless-buffer.reserved 4 {_BYTES}
egress-lossless-buffer.service-pool 4 0-7
egress-lossless-buffer.shared-alpha 4 {_ALPHA}
egress-lossless-buffer.shared-bytes 4 {_BYTES}
egress-lossy-buffer.multicast-port.reserved 4 {_BYTES}
egress-lossy-buffer.multicast-port.shared-bytes 4 {_BYTES}
egress-lossy-buffer.multicast-switch-priority.*.reserved 4 {_BYTES}
egress-lossy-buffer.multicast-switch-priority.*.service-pool 4 0-7
egress-lossy-buffer.multicast-switch-priority.*.shared-alpha 4 {_ALPHA}
egress-lossy-buffer.multicast-switch-priority.*.shared-bytes 4 {_BYTES}
egress-lossy-buffer.traffic-class.*.reserved 4 {_BYTES}
egress-lossy-buffer.traffic-class.*.service-pool 4 0-7
egress-lossy-buffer.traffic-class.*.shared-alpha 4 {_ALPHA}
egress-lossy-buffer.traffic-class.*.shared-bytes 4 {_BYTES}
ingress-lossless-buffer.service-pool 4 0-7
ingress-lossless-buffer.shared-alpha 4 {_ALPHA}
ingress-lossless-buffer.shared-bytes 4 {_BYTES}
ingress-lossy-buffer.priority-group.*.name 4 {_ANY}
ingress-lossy-buffer.priority-group.*.reserved 4 {_BYTES}
ingress-lossy-buffer.priority-group.*.service-pool 4 0-7
ingress-lossy-buffer.priority-group.*.shared-alpha 4 {_ALPHA}
ingress-lossy-buffer.priority-group.*.shared-bytes 4 {_BYTES}
ingress-lossy-buffer.priority-group.*.switch-priority.* 4
ingress-lossy-buffer.priority-group.*.headroom 10 {_BYTES}
egress-mgmt-buffer.reserved 10 {_BYTES}
egress-mgmt-buffer.service-pool 10 0-7
egress-mgmt-buffer.shared-alpha 10 {_ALPHA}
egress-mgmt-buffer.shared-bytes 10 {_BYTES}
ingress-mgmt-buffer.headroom 10 {_BYTES}
ingress-mgmt-buffer.reserved 10 {_BYTES}
ingress-mgmt-buffer.service-pool 10 0-7
ingress-mgmt-buffer.shared-alpha 10 {_ALPHA}
ingress-mgmt-buffer.shared-bytes 10 {_BYTES}
shared-headroom.exclusive-headroom-per-pg 17 19456-2621440
shared-headroom.oversubscription-ratio 17 1-256
shared-headroom.required-headroom-per-pg 17 19456-2621440
"""


@dataclass(slots=True)
class Leaf:
    """What one leaf holds: words by the release that brought them, a range, a name, or nothing."""

    since: int
    words: dict[str, int]
    low: int | None = None
    high: int | None = None
    named: bool = False

    @property
    def item(self) -> bool:
        """Say whether it is an item of a collection, that holds nothing but is there."""
        return not self.words and self.low is None and not self.named

    @property
    def number(self) -> bool:
        """Say whether it holds an integer."""
        return self.low is not None


_RANGE: Final = re.compile(r"(\d+)-(\d*)")
_NUMBER: Final = re.compile(r"[0-9]{1,12}")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def _read(table: str, below: str = "") -> dict[ConfigPath, Leaf]:
    found: dict[ConfigPath, Leaf] = {}
    for line in table.split("\n"):
        if not line:
            continue
        name, since, *held = line.split()
        path = tuple((below + name).split("."))
        leaf = found.setdefault(path, Leaf(int(since), {}))
        ends = _RANGE.fullmatch(held[0]) if len(held) == 1 else None
        if ends is not None:
            leaf.low, leaf.high = int(ends[1]), int(ends[2]) if ends[2] else None
        elif held == [_ANY]:
            leaf.named = True
        else:
            leaf.words.update(dict.fromkeys(held, int(since)))
    return found


LEAVES: Final[Mapping[ConfigPath, Leaf]] = {
    **_read(_TABLE),
    **_read(_ADVANCED, "qos.advance-buffer-config.*."),
    **_read(_POOLS, "qos.advance-buffer-config.*.ingress-service-pool.*."),
    **_read(_POOLS, "qos.advance-buffer-config.*.egress-service-pool.*."),
}


def _grow() -> dict[str, dict]:  # type: ignore[type-arg]
    root: dict[str, dict] = {}  # type: ignore[type-arg]
    for path in LEAVES:
        node = root
        for step in path:
            node = node.setdefault(step, {})
    return root


_TREE: Final = _grow()


def pattern(path: ConfigPath) -> ConfigPath | None:
    """Return the path with its ids as `*`; `None` where NVUE has no such place."""
    node, made = _TREE, []
    for step in path:
        word = step if step in node else "*"
        if word not in node:
            return None
        node = node[word]
        made.append(word)
    return tuple(made)


def leaf(path: ConfigPath) -> Leaf | None:
    """Return what a leaf holds; `None` where there is no such leaf."""
    found = pattern(path)
    return None if found is None else LEAVES.get(found)


def takes(path: ConfigPath, value: str, release: int = NEWEST) -> bool:
    """Say whether a release takes a value at a path."""
    held = leaf(path)
    if held is None or held.since > release or not _ids(path):
        return False
    if held.item:
        return value == HERE
    if held.number:
        number = int(value) if _NUMBER.fullmatch(value) else -1
        return number >= (held.low or 0) and (held.high is None or number <= held.high)
    if held.named:
        return _NAME.fullmatch(value) is not None
    return held.words.get(value, NEWEST + 1) <= release


_CODE_POINTS: Final = {
    "dscp": 63,
    "pcp": 7,
    "switch-priority": 7,
    "traffic-class": 7,
    "ingress-service-pool": 7,
    "egress-service-pool": 7,
    "multicast-switch-priority": 7,
}


def _ids(path: ConfigPath) -> bool:
    """Say whether the ids of a path are code points in range, or names."""
    found = pattern(path) or ()
    for above, word, step in zip(("", *found), found, path, strict=False):
        if word != "*":
            continue
        if above in _CODE_POINTS:
            if not _NUMBER.fullmatch(step) or int(step) > _CODE_POINTS[above]:
                return False
        elif not _NAME.fullmatch(step):
            return False
    return True


# --- releases ------------------------------------------------------------------------------------

_OLD_SWITCH: Final = {"enabled": "on", "disabled": "off"}
_NEW_SWITCH: Final = {old: new for new, old in _OLD_SWITCH.items()}
#: Leaves whose words were `on` and `off` before 5.15.
_SWITCHED: Final = frozenset(
    {
        ("qos", "roce", "state"),
        ("interface", "*", "link", "auto-negotiate"),
        ("interface", "*", "lldp", "dcbx-pfc-tlv"),
        ("interface", "*", "lldp", "dcbx-ets-config-tlv"),
        ("interface", "*", "lldp", "dcbx-ets-recomm-tlv"),
    }
)
_STATE_SINCE: Final = 15
_POOL_SINCE: Final = 11
_PROFILE_SINCE: Final = 3
_CABLE: Final = ("qos", "pfc", GLOBAL, "cable-length")


def spelled(path: ConfigPath, value: str, release: int) -> tuple[ConfigPath, str]:
    """Return a leaf in the words of a release."""
    if release < _STATE_SINCE and pattern(path) in _SWITCHED:
        value = _OLD_SWITCH.get(value, value)
        if path == ("qos", "roce", "state"):
            path = ("qos", "roce", "enable")
    if release < _POOL_SINCE and path[1:2] == ("advance-buffer-config",):
        path = tuple(step.replace("-service-pool", "-pool") for step in path)
    if release < _PROFILE_SINCE and path == _CABLE:
        path = ("qos", "roce", "cable-length")
    return path, value


def settled(path: ConfigPath, value: str) -> tuple[ConfigPath, str]:
    """Return a leaf, in the words of any release, in those of the newest."""
    if path == ("qos", "roce", "enable"):
        path = ("qos", "roce", "state")
    elif path == ("qos", "roce", "cable-length"):
        path = _CABLE
    elif path[1:2] == ("advance-buffer-config",):
        path = tuple(_POOL_NAMES.get(step, step) for step in path)
    if pattern(path) in _SWITCHED:
        value = _NEW_SWITCH.get(value, value)
    return path, value


_POOL_NAMES: Final = {
    "ingress-pool": "ingress-service-pool",
    "egress-pool": "egress-service-pool",
}
_VERSION: Final = re.compile(r"(?<![\d.])5\.(\d{1,2})(?!\d)")


def release_of(version: str | None) -> int | None:
    """Return the minor release of a version ("Cumulus Linux 5.14.0" is 14)."""
    found = _VERSION.search(version or "")
    return min(int(found[1]), NEWEST) if found else None
