"""What `show` commands tell of what runs: operational settings by port, and who the box is.

Layouts: sessions of a Nexus 9332D-GX2B (NX-OS 10.4(3)), a Nexus 9000 at 9.2(2), a Nexus 9332PQ
and a Nexus 5000, and the test data of OpenTelemetry's Cisco receiver for the watchdog.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from lossless.model.classification import Classification
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import LinkSettings, VlanMode, VlanSettings
from lossless.model.overlay import overlay
from lossless.model.pfc import Pfc, PfcMode, Watchdog
from lossless.model.scheduling import Ecn, Ets
from lossless.model.settings import NOTHING, Settings
from lossless.model.values import OFF, number_map
from lossless.platforms.cisco_nxos import sessions
from lossless.platforms.cisco_nxos.box import NETWORK, Box, Slots
from lossless.platforms.cisco_nxos.contents import DETECT
from lossless.platforms.cisco_nxos.grammar import QUEUING, SILENT, read_line
from lossless.platforms.cisco_nxos.hear_queues import marking, scheduling
from lossless.platforms.cisco_nxos.names import full_name, is_port, system_class
from lossless.platforms.cisco_nxos.reader import Reading, read
from lossless.platforms.cisco_nxos.sessions import Answer
from lossless.platforms.contract import Unread
from lossless.platforms.tree import read_tree


@dataclass(slots=True)
class Shown:
    """What was shown of what runs.  `network` is the network-qos policy in force."""

    ports: dict[str, Settings] = field(default_factory=dict)
    network: Box | None = None
    relevant: int = 0

    def tell(self, port: str, settings: Settings, *, weak: bool = False) -> None:
        """Add what was shown of a port; `weak`: what another command told counts more."""
        self.relevant += 1
        known = self.ports.get(port, NOTHING)
        self.ports[port] = overlay(settings, known) if weak else overlay(known, settings)

    def state(self) -> DeviceState:
        """Return the ports' operational settings."""
        return DeviceState(ports=dict(self.ports))


def read_show(answer: Answer, shown: Shown, out: Reading) -> frozenset[str]:
    """Read an answer; return the command, where it was understood."""
    from lossless.platforms.cisco_nxos import shows_json, shows_queuing

    if answer.text.lstrip().startswith("{"):
        return shows_json.read_json(answer, shown, out)
    readers: Mapping[str, Callable[[Answer, Shown, Reading], bool]] = {
        sessions.PFC: _pfc,
        sessions.QUEUING: shows_queuing.queuing,
        "show queuing summary": shows_queuing.queuing,
        "show queuing pfc-queue": _watchdog,
        sessions.STATUS: _status,
        "show policy-map system": _system_policies,
        "show policy-map interface": _interface_policies,
        "show policy-map": _definitions,
        "show class-map": _definitions,
        sessions.VERSION: _version,
        "show hostname": _hostname,
    }
    for command, reader in readers.items():
        if answer.command == command or answer.command.startswith(command + " "):
            done = reader(answer, shown, out)
            return frozenset({answer.command}) if done else frozenset()
    return frozenset()


def lines(answer: Answer) -> Iterable[tuple[int, str]]:
    """Yield the lines of an answer with their numbers in the file."""
    for number, line in enumerate(answer.text.split("\n"), answer.start + 1):
        yield number, re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line).rstrip()


def miss(out: Reading, answer: Answer, number: int, text: str) -> None:
    """Note a line of a table that was not understood."""
    out.unread.append(Unread(text.strip(), number, answer.file, (answer.command,)))


# --- show interface priority-flow-control --------------------------------------------------------

_PFC_ROW: Final = re.compile(
    r"(?P<port>\S+)\s+(?P<mode>Auto|On|Off)\s+(?P<oper>On|Off)"
    r"(?:\s+\((?P<map>[0-9a-fA-F]{1,2})\))?\s+(?P<rx>\d+)\s+(?P<tx>\d+)"
)
_PORTLIKE: Final = re.compile(r"(?:Ethernet|Eth|port-channel|Po)\d\S*")
MODES: Final[Mapping[str, PfcMode]] = {"on": PfcMode.ON, "auto": PfcMode.AUTO}


def bitmap(hexadecimal: str) -> frozenset[int]:
    """Return the priorities of a bitmap: `(8)` is priority 3, `(18)` are 3 and 4."""
    bits = int(hexadecimal, 16)
    return frozenset(n for n in range(8) if bits >> n & 1)


def pfc_settings(mode: str, oper: str, priorities: frozenset[int] | None) -> Settings:
    """Return PFC as it runs: with no priority where it was not agreed or none is no-drop."""
    found = priorities if oper.lower() == "on" else frozenset()
    told = None if found is None else found or OFF
    return Settings(pfc=Pfc(mode=MODES.get(mode.lower(), OFF), send=told, honour=told))


def _pfc(answer: Answer, shown: Shown, out: Reading) -> bool:
    done = False
    for number, line in lines(answer):
        found = _PFC_ROW.fullmatch(line.strip())
        if found is None:
            if _PORTLIKE.match(line.strip()):
                miss(out, answer, number, line)
            continue
        done = True
        name = full_name(found["port"])
        if is_port(name):
            told = None if found["map"] is None else bitmap(found["map"])
            shown.tell(name, pfc_settings(found["mode"], found["oper"], told))
    return done


# --- show queuing pfc-queue ----------------------------------------------------------------------

_DOG: Final = re.compile(r"(?P<port>\S+) Interface PFC watchdog: \[(?P<on>Enabled|Disabled)\]")
_WATCHED: Final = re.compile(
    r"\|\s*QOS GROUP (?P<group>[0-7]) \[(?P<state>\w+)\]\s+PFC \[(?P<on>YES|NO)\]\s+"
    r"PFC-COS \[(?P<cos>[0-7])\]\s*\|?"
)


def _watchdog(answer: Answer, shown: Shown, out: Reading) -> bool:
    port, watched = None, dict[str, set[int]]()
    for number, line in lines(answer):
        if found := _DOG.fullmatch(line.strip()):
            port = full_name(found["port"])
            watched[port] = set()
            on = found["on"] == "Enabled"
            shown.tell(port, Settings(watchdog=Watchdog(enabled=True if on else OFF)))
        elif found := _WATCHED.fullmatch(line.strip()):
            if port is not None and found["on"] == "YES":
                watched[port].add(int(found["cos"]))
        elif re.match(r"\|\s*QOS GROUP", line.strip()):
            miss(out, answer, number, line)
    for name, cos in watched.items():
        if cos:
            shown.tell(name, Settings(watchdog=Watchdog(priorities=frozenset(cos))))
    return bool(watched)


# --- show interface status -----------------------------------------------------------------------

_COLUMNS: Final = ("Port", "Name", "Status", "Vlan", "Duplex", "Speed", "Type")


def _status(answer: Answer, shown: Shown, out: Reading) -> bool:
    starts: list[int] = []
    done = False
    for number, line in lines(answer):
        if all(word in line for word in _COLUMNS):
            starts = [line.index(word) for word in _COLUMNS]
        elif starts and _PORTLIKE.match(line):
            cells = [line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)]
            name = full_name(cells[0])
            if not is_port(name) or not cells[5]:
                miss(out, answer, number, line)
                continue
            done = True
            shown.tell(name, _status_settings(cells[2], cells[3], cells[5]))
    return done


def _status_settings(status: str, vlan: str, speed: str) -> Settings:
    rate = re.fullmatch(r"(?:a-)?(\d{1,7})(G)?", speed)
    modes = {"routed": VlanMode.ROUTED, "trunk": VlanMode.TRUNK}
    access = int(vlan) if re.fullmatch(r"\d{1,4}", vlan) else None
    return Settings(
        link=LinkSettings(
            speed=None if rate is None else int(rate[1]) * (10**9 if rate[2] else 10**6),
            admin_up=OFF if status.startswith("disabled") else True,
        ),
        vlans=VlanSettings(
            mode=modes.get(vlan, None if access is None else VlanMode.ACCESS), access=access
        ),
    )


# --- policies ------------------------------------------------------------------------------------

_TITLE: Final = re.compile(r"\s*(?:Type \S+ (?:policy|class)-maps?|=+)\s*")


def _as_configuration(answer: Answer) -> str:
    kept = ["" if _TITLE.fullmatch(line) else line for line in answer.text.split("\n")]
    return textwrap.dedent("\n".join(kept))


def _definitions(answer: Answer, shown: Shown, out: Reading) -> bool:
    """Class maps and policy maps, printed as they are configured."""
    del shown
    out.file, out.start = answer.file, answer.start
    before = out.relevant
    read(read_tree(_as_configuration(answer)), out)
    return out.relevant > before


def _system_policies(answer: Answer, shown: Shown, out: Reading) -> bool:
    apart = Reading(file=answer.file, start=answer.start)
    read(read_tree(_as_configuration(answer)), apart)
    out.unread += apart.unread
    names = [name for kind, name in apart.box.policies if kind == "network-qos"]
    if not names:
        return False
    apart.box.system.attached[NETWORK] = names[0]
    shown.network = apart.box
    shown.relevant += 1
    return True


_CLASS: Final = re.compile(r"\s*Class-map \(queuing\):\s+(\S+) \(match-\w+\)")
_COUNTER: Final = re.compile(
    r"\s*(?:queue (?:dropped pkts|depth in bytes)|Aggregate forwarded|SNMP Policy Index|"
    r"Global statistics status|Service-policy|Class-map|match |\d+ packets|.*\bpackets;).*|"
    r"\s*|.*#.*"
)


def _interface_policies(answer: Answer, shown: Shown, out: Reading) -> bool:
    port, group = None, None
    rows: dict[str, dict[int, Slots]] = {}
    for number, line in lines(answer):
        text = line.strip()
        if is_port(full_name(text)):
            port, group = full_name(text), None
        elif found := _CLASS.fullmatch(line):
            known = system_class(found[1])
            group = None if known is None else known.group
            if port is not None and group is not None:
                rows.setdefault(port, {})[group] = {}
        elif port is not None and group is not None and not _COUNTER.fullmatch(line):
            read_ = read_line(QUEUING, text)
            if read_ is None or read_[1] in (None, SILENT):
                miss(out, answer, number, line)
            else:
                rows[port][group][read_[0]] = read_[1]
    for name, queues in rows.items():
        ets = table({queue: scheduling(slots) for queue, slots in queues.items()})
        ecn = table({queue: marking(slots.get(DETECT)) for queue, slots in queues.items()})
        shown.tell(name, Settings(ets=Ets(queues=ets), ecn=Ecn(queues=ecn)))
    return bool(rows)


# --- who the box is ------------------------------------------------------------------------------

_VERSION: Final = re.compile(r"^\s*(?:NXOS|system):\s+version (\S+)", re.M)
_MODEL: Final = re.compile(r"^\s*cisco Nexus\s?(\d)\d* (\S+) (?:Chassis|chassis)", re.M)
_NAME: Final = re.compile(r"^\s*Device name: (\S+)", re.M)


def _version(answer: Answer, shown: Shown, out: Reading) -> bool:
    del shown
    if found := _VERSION.search(answer.text):
        out.facts["version"] = found[1]
    if found := _MODEL.search(answer.text):
        part = found[2] if re.match(r"N\dK-", found[2]) else f"N{found[1]}K-{found[2]}"
        out.facts["model"] = part
    if found := _NAME.search(answer.text):
        out.facts["hostname"] = found[1]
    return "version" in out.facts


def _hostname(answer: Answer, shown: Shown, out: Reading) -> bool:
    del shown
    found = re.fullmatch(r"\s*([A-Za-z0-9][A-Za-z0-9_.-]*)\s*(?:\n.*)?", answer.text, re.S)
    if found is None:
        return False
    out.facts["hostname"] = found[1]
    return True


def classes_of_pauses(groups: Mapping[int, int]) -> Classification:
    """Return which group each CoS pauses, from the statistics of PFC."""
    entries = number_map(8, dict(groups))
    return Classification(pfc_priority_to_queue=entries, pfc_priority_to_group=entries)
