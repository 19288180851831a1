"""Tables of `nv show`: what runs, and what profiles say.

Columns are told by the dashes beneath their heads, since values hold blanks; widths follow the
content.  Sizes are shown with two decimals in units of 1024 and keep number and unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from lossless.model.classification import Trust
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.pfc import DcbOwnership, PfcMode
from lossless.model.scheduling import Algorithm
from lossless.model.settings import Settings, System
from lossless.model.units import Bandwidth, BandwidthKind, Quantity, Unit
from lossless.model.values import OFF
from lossless.platforms.nvidia_cumulus import leafs
from lossless.platforms.nvidia_cumulus.box import MACRO
from lossless.platforms.nvidia_cumulus.leafs import Leaves, Path
from lossless.platforms.nvidia_cumulus.schema import HERE, ConfigPath, leaf
from lossless.platforms.nvidia_cumulus.show_tables import Pair, Table, block_of, tables_of
from lossless.platforms.nvidia_cumulus.text import Found
from lossless.platforms.nvidia_cumulus.tree import ids

_SIZE: Final = re.compile(r"(\d{1,12}(?:\.\d{1,6})?) (B|Bytes|KB|MB)")
_WEIGHT: Final = re.compile(r"dwrr-(\d{1,3})%", re.IGNORECASE)
_UNITS: Final = {"B": Unit.BYTES, "Bytes": Unit.BYTES, "KB": Unit.KBYTES, "MB": Unit.MBYTES}
_TRUSTS: Final = {
    "pcp,dscp": Trust.BOTH,
    "pcp": Trust.PCP,
    "dscp": Trust.DSCP,
    "port": Trust.PORT,
    "l2": Trust.PCP,
    "l3": Trust.DSCP,
    "both": Trust.BOTH,
}
_YES: Final = ("enabled", "enable", "yes", "on")
_PPM: Final = 10_000
#: What is no setting: counters, occupancy.
_LEFT: Final = re.compile(
    r"nv show (?:interface \S+ (?:counters\b.*|qos (?:counters\b.*|roce counters|buffer .*|"
    r"roce status pool-map))|interface qos-roce-(?:counters|status-pool-map)|qos buffer.*)"
)
_PORT: Final = re.compile(r"nv show interface (\S+) qos (.+)")
_PROFILE: Final = re.compile(r"nv show qos (\S+) (\S+)(?: (.+))?")
_ROCE: Final = re.compile(r"nv show qos roce\b.*")


@dataclass(slots=True)
class Told:
    """What commands told of what runs."""

    macro: Any = None
    box: Leaves = field(default_factory=dict)
    ports: dict[str, Leaves] = field(default_factory=dict)
    applications: dict[str, dict[str, int]] = field(default_factory=dict)
    exceptions: list[tuple[str, int | None]] = field(default_factory=list)
    seen: bool = False

    @property
    def anything(self) -> bool:
        """Say whether a command was understood."""
        return self.seen or self.macro is not None or bool(self.box or self.ports)

    def state(self) -> DeviceState | None:
        """Return what runs; `None` where no command told of it."""
        if self.macro is None and not self.box and not self.ports:
            return None
        ports = {name: self._settings(name, told) for name, told in self.ports.items()}
        return DeviceState(System(settings=self._settings("", self.box), macro=self.macro), ports)

    def _settings(self, name: str, told: Leaves) -> Settings:
        made = leafs.assemble(told)
        offered = self.applications.get(name)
        return replace(made, dcb=DcbOwnership(applications=table(offered))) if offered else made


def read(command: str, lines: list[tuple[int, str]], found: Found, told: Told) -> None:
    """Read what followed one `nv show`; what is not understood is listed as unread."""
    if _LEFT.fullmatch(command):
        told.seen = True
        return
    tables, loose = tables_of(lines)
    roce = any("RoCE PCP/DSCP->SP" in t.title or "RoCE SP->TC" in t.title for t in tables)
    port, profile = _PORT.fullmatch(command), _PROFILE.fullmatch(command)
    if port is not None:
        _interface(port[1], port[2], tables, told)
    elif _ROCE.fullmatch(command) or (not command and roce):
        _roce(tables, found, told, "")
    elif profile is not None:
        _config(profile, tables, found)
        told.seen = True
    else:
        found.unread += [(text.strip(), n) for n, text in lines if text.strip()]
        return
    found.unread += [(text, n) for n, text in loose]


# --- tables --------------------------------------------------------------------------------------


def size(text: str) -> Quantity | None:
    """Read a size as it is shown."""
    found = _SIZE.fullmatch(text)
    return None if found is None else Quantity(Fraction(found[1]), _UNITS[found[2]])


def _points(text: str, top: int) -> list[int]:
    return [int(one) for one in ids(text) if re.fullmatch(r"[0-9]{1,2}", one) and int(one) <= top]


# --- RoCE ----------------------------------------------------------------------------------------


def _roce(tables: list[Table], found: Found, told: Told, port: str) -> None:
    block = block_of(tables)
    leaves = told.ports.setdefault(port, {}) if port else told.box
    told.seen = told.seen or bool(block)
    _mode(block, found, told, port)
    for reader in (_flow_control, _curves, _trusted):
        reader(block, leaves)
    _offered(block, told, port)
    for held in tables:
        if "DSCP->SP" in held.title:
            _maps(held, leaves)
        elif "SP->TC" in held.title:
            _queues(held, leaves)
        elif held.title == "Exception List":
            told.exceptions += [
                (" ".join(filter(None, map(str.strip, cells[1:]))) or cells[0], line)
                for line, cells in held.rows
            ]


def _mode(block: dict[tuple[str, ...], Pair], found: Found, told: Told, port: str) -> None:
    mode, state = block.get(("mode",)), block.get(("state",)) or block.get(("enable",))
    if mode is not None and mode.running:
        told.macro = MACRO + mode.running
    if port:
        return
    if state is not None and state.applied:
        word = "state" if ("state",) in block else "enable"
        found.learn(("qos", "roce", word), state.applied, state.line, f"{word} {state.applied}")
        if state.running in ("off", "disabled"):
            told.macro = OFF
    if mode is not None and mode.applied:
        found.learn(("qos", "roce", "mode"), mode.applied, mode.line, f"mode {mode.applied}")


def _flow_control(block: dict[tuple[str, ...], Pair], leaves: Leaves) -> None:
    priorities = block.get(("pfc", "pfc-priority"))
    if priorities is None:
        return
    held = frozenset(_points(priorities.either, 7))
    leaves["pfc", "mode"] = PfcMode.ON if held else OFF
    for name, word in (("send", "tx-enabled"), ("honour", "rx-enabled")):
        switch = block.get(("pfc", word))
        if switch is not None:
            leaves["pfc", name] = held if switch.either in _YES else frozenset()
        elif not held:
            leaves["pfc", name] = frozenset()
    length = block.get(("pfc", "cable-length")) or block.get(("cable-length",))
    if length is not None and re.fullmatch(r"[0-9]{1,6}", length.either):
        leaves[leafs.CABLE] = int(length.either) * 1000


def _curves(block: dict[tuple[str, ...], Pair], leaves: Leaves) -> None:
    queues = block.get(("congestion-control", "enabled-tc"))
    if queues is None:
        return
    mode = block.get(("congestion-control", "congestion-mode"))
    marked = _points(queues.either, 7)
    for queue in leafs.QUEUES:
        at: Path = ("ecn", "queues", queue)
        leaves[(*at, "enabled")] = OFF
        if queue not in marked:
            continue
        leaves[(*at, "enabled")] = True if mode and "ecn" in mode.either.lower() else None
        for name, word in (("minimum", "min-threshold"), ("maximum", "max-threshold")):
            held = block.get(("congestion-control", word))
            if held is not None:
                leaves[(*at, name)] = size(held.either)
        chance = block.get(("congestion-control", "probability"))
        if chance is not None and re.fullmatch(r"[0-9]{1,3}", chance.either):
            leaves[(*at, "probability")] = int(chance.either) * _PPM


def _trusted(block: dict[tuple[str, ...], Pair], leaves: Leaves) -> None:
    held = block.get(("trust", "trust-mode"))
    if held is not None and held.either in _TRUSTS:
        leaves[leafs.TRUST] = _TRUSTS[held.either]


def _offered(block: dict[tuple[str, ...], Pair], told: Told, port: str) -> None:
    keys = ("selector", "protocol-id", "priority")
    held = [block.get(("lldp-app-tlv", key)) for key in keys]
    selector, protocol, priority = (pair.either if pair else "" for pair in held)
    if selector and protocol.isdigit() and re.fullmatch(r"[0-7]", priority):
        told.applications[port] = {f"{selector.lower()} {protocol}": int(priority)}


def _maps(held: Table, leaves: Leaves) -> None:
    for _, row in held.records():
        priority = _points(row.get("switch-prio", ""), 7)
        for name, top in (("pcp", 7), ("dscp", 63)):
            for point in _points(row.get(name, ""), top):
                if priority:
                    leaves["classification", f"{name}_to_priority", point] = priority[0]


def _queues(held: Table, leaves: Leaves) -> None:
    for _, row in held.records():
        priority = _points(row.get("switch-prio", ""), 7)
        queue = _points(row.get("traffic-class", ""), 7)
        if not priority or not queue:
            continue
        leaves["classification", "priority_to_tc", priority[0]] = queue[0]
        weight = row.get("scheduler-weight", "").lower()
        shared = _WEIGHT.fullmatch(weight)
        if shared is not None:
            _served(leaves, queue[0], "dwrr", shared[1])
        elif weight.startswith("strict"):
            _served(leaves, queue[0], "strict", "")


def _served(leaves: Leaves, queue: int, mode: str, share: str) -> None:
    at: Path = ("ets", "queues", queue)
    if mode == "strict":
        leaves[(*at, "algorithm")], leaves[(*at, "bandwidth")] = Algorithm.STRICT, OFF
    elif mode == "dwrr" and re.fullmatch(r"[0-9]{1,3}", share):
        leaves[(*at, "algorithm")] = Algorithm.DWRR
        leaves[(*at, "bandwidth")] = Bandwidth(BandwidthKind.ETS, int(share) * _PPM)


# --- one feature of one interface ----------------------------------------------------------------


def _interface(port: str, feature: str, tables: list[Table], told: Told) -> None:
    if feature in {"roce status", "roce"}:
        _roce(tables, Found(), told, port)
        return
    leaves = told.ports.setdefault(port, {})
    block = block_of(tables)
    word = feature.split(maxsplit=1)[0]
    if word in (leafs.PFC, leafs.PAUSE):
        _directions(word, block, leaves)
    elif word == leafs.MAPPING:
        _port_mapping(block, leaves)
    elif word == "pfc-watchdog":
        held = block.get(("state",))
        if held is not None and held.either:
            leaves["watchdog", "enabled"] = True if held.either in _YES else OFF
        _storms(port, tables, told)
    for one in tables:
        for _, row in one.records():
            _row(row, leaves)


def _directions(feature: str, block: dict[tuple[str, ...], Pair], leaves: Leaves) -> None:
    held = {word: pair.either in _YES for word in ("rx", "tx") if (pair := block.get((word,)))}
    if feature == leafs.PAUSE:
        for name, word in (("pause_honour", "rx"), ("pause_send", "tx")):
            if word in held:
                leaves["link", name] = True if held[word] else OFF
        return
    both = frozenset(
        n
        for path, pair in block.items()
        if path[0] == "[switch-priority]"
        for n in _points(pair.either, 7)
    )
    for name, word in (("honour", "rx"), ("send", "tx")):
        if word in held and (both or not held[word]):
            leaves["pfc", name] = both if held[word] else frozenset()
    if held and not any(held.values()):
        leaves["pfc", "mode"] = OFF
    elif both:
        leaves["pfc", "mode"] = PfcMode.ON


def _port_mapping(block: dict[tuple[str, ...], Pair], leaves: Leaves) -> None:
    trust, default = block.get(("trust",)), block.get(("port-default-sp",))
    if trust is not None and trust.either in _TRUSTS:
        leaves[leafs.TRUST] = _TRUSTS[trust.either]
    if default is not None and re.fullmatch(r"[0-7]", default.either):
        leaves["classification", "default_priority"] = int(default.either)


def _row(row: dict[str, str], leaves: Leaves) -> None:
    queue = _points(row.get("traffic-class", ""), 7)
    priority = _points(row.get("switch-priority", ""), 7)
    if queue and "ECN" in row:
        at: Path = ("ecn", "queues", queue[0])
        leaves[(*at, "enabled")] = True if row["ECN"] in _YES else OFF
        leaves[(*at, "wred")] = True if row.get("RED") in _YES else OFF
        leaves[(*at, "minimum")] = size(row.get("Min Th", ""))
        leaves[(*at, "maximum")] = size(row.get("Max Th", ""))
        if re.fullmatch(r"[0-9]{1,3}", row.get("Probability", "")):
            leaves[(*at, "probability")] = int(row["Probability"]) * _PPM
    elif queue and "mode" in row:
        _served(leaves, queue[0], row["mode"], row.get("bw-percent", ""))
    elif queue and priority:
        leaves["classification", "priority_to_tc", priority[0]] = queue[0]
    elif priority:
        _points_of(row, priority[0], leaves)


def _points_of(row: dict[str, str], priority: int, leaves: Leaves) -> None:
    for head, name, top in (("802.1p", "pcp", 7), ("dscp", "dscp", 63), ("pcp", "pcp", 7)):
        for point in _points(row.get(head, ""), top):
            if "switch-priority" in row and next(iter(row)) == "switch-priority":
                leaves["classification", f"rewrite_{name}", priority] = point
            else:
                leaves["classification", f"{name}_to_priority", point] = priority


def _storms(port: str, tables: list[Table], told: Told) -> None:
    for one in tables:
        for line, row in one.records():
            if row.get("status") == "DEADLOCK":
                queue = next(iter(row.values())).strip()
                text = f"the watchdog of {port} holds traffic class {queue} in deadlock"
                told.exceptions.append((text, line))


# --- profiles ------------------------------------------------------------------------------------


def _config(command: re.Match[str], tables: list[Table], found: Found) -> None:
    """Read what a profile says, as configuration."""
    root: ConfigPath = ("qos", command[1], command[2], *(command[3] or "").split())
    for (name, *_), pair in block_of(tables).items():
        item = re.fullmatch(r"\[([a-z-]+)\]", name)
        held = pair.applied or pair.running
        if item is not None:
            _learn(found, (*root, item[1], held), HERE, pair.line)
        elif held:
            _learn(found, (*root, name), held.removesuffix(" B"), pair.line)
    for one in tables:
        for line, row in one.records():
            if not {"operational", "applied"} & set(row):
                _profile_row(root, row, line, found)


_HEADS: Final = {
    "ECN": "ecn",
    "RED": "red",
    "Min Th": "min-threshold",
    "Max Th": "max-threshold",
    "Probability": "probability",
}


def _profile_row(root: ConfigPath, row: dict[str, str], line: int, found: Found) -> None:
    (first, index), *rest = row.items()
    name = first.strip()
    place = (*root, index.strip()) if name == "Pool-Id" else (*root, name, index.strip())
    for head, value in rest:
        path = (*place, _HEADS.get(head, head))
        if value and leaf(path) is not None:
            _learn(found, path, value.removesuffix(" B"), line)


def _learn(found: Found, path: ConfigPath, value: str, line: int) -> None:
    found.learn(path, value, line, " ".join((*path[1:], value)))
