"""What a simulated EOS shows, written from its state (EOS User Manual; shapes as NAPALM reads)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lossless.lab.line_mode import include

if TYPE_CHECKING:
    from lossless.lab.arista_eos.box import Eos
    from lossless.lab.arista_eos.configuration import Block, Configuration


class NoJson(Exception):  # noqa: N818 - EOS's own words follow
    """There is no structured form of a command."""


def running(box: Eos, held: Configuration, command: str = "show running-config") -> str:
    """Print a configuration with the remarks that EOS puts above it."""
    head = f"! Command: {command}\n! device: {box.hostname} ({model(box)}, EOS-{version(box)})\n!\n"
    return head + held.text()


def interface(box: Eos, name: str) -> str:
    """Print one interface's lines; nothing where there is none."""
    block = box.running.top.blocks.get(f"interface {name}")
    if block is None:
        return ""
    return "\n".join([f"interface {name}", *block.text(1), ""])


def model(box: Eos) -> str:
    """Return the model that the plate tells, or that of the virtual switch."""
    return box.plate.model or "vEOS-lab"


def version(box: Eos) -> str:
    """Return the software's version that the plate tells."""
    return box.plate.version or "4.33.1F"


def version_json(box: Eos) -> dict[str, Any]:
    """Return `show version` as data."""
    return {
        "mfgName": "Arista",
        "modelName": model(box),
        "hardwareRevision": "11.00",
        "serialNumber": f"LAB{sum(box.plate.name.encode()):08d}",
        "version": version(box),
        "architecture": "x86_64",
        "uptime": round(box.clock(), 2),
        "memTotal": 32458980,
        "memFree": 24511204,
    }


def version_text(box: Eos) -> str:
    """Print `show version`."""
    told = version_json(box)
    return (
        f"Arista {told['modelName']}\nHardware version: {told['hardwareRevision']}\n"
        f"Serial number: {told['serialNumber']}\n\n"
        f"Software image version: {told['version']}\nArchitecture: {told['architecture']}\n\n"
        f"Total memory: {told['memTotal']} kB\nFree memory: {told['memFree']} kB\n\n"
    )


def structured(held: Configuration) -> dict[str, Any]:
    """Return a configuration as nested commands."""

    def of(block: Block) -> dict[str, Any]:
        lines: dict[str, Any] = dict.fromkeys(block.lines.values())
        modes = {name: {"cmds": of(b), "comments": []} for name, b in block.blocks.items()}
        return {**lines, **modes}

    return {"cmds": of(held.top)}


def flow_control(box: Eos) -> str:
    """Print `show priority-flow-control`: what is on, by interface."""
    stopped = "priority-flow-control all off" in box.running.top.lines
    lines = [
        "The hardware supports PFC on priorities 0 1 2 3 4 5 6 7",
        f"PFC receive processing is {'disabled' if stopped else 'enabled'} on priorities 0-7",
        "",
        "Port           Enabled Priorities Active Note",
    ]
    for name, held in box.interfaces():
        if name.startswith("Ethernet"):
            on = held.get("priority-flow-control") == "priority-flow-control on"
            kept = [p for p in range(8) if held.get(f"priority-flow-control priority {p}", "")
                    .endswith("no-drop")]  # fmt: skip
            active = "Yes" if on and kept and not stopped else "No"
            told = "".join(map(str, kept)) if on else ""
            lines.append(f"{name:<14} {'Yes' if on else 'No':<7} {told:<10} {active}")
    return "\n".join([*lines, ""])


def status(box: Eos) -> str:
    """Print `show interfaces status`."""
    lines = [
        "Port       Name   Status       Vlan     Duplex Speed  Type            Flags Encapsulation"
    ]
    speeds = {port.name: port.speed for port in box.plate.ports}
    for name, held in box.interfaces():
        short = re.sub(r"^Ethernet", "Et", name)
        up = "disabled" if "shutdown" in held else "connected"
        word = held.get("speed", "").removeprefix("speed ").removeprefix("forced ").split("-")[0]
        rate = speeds.get(name)
        speed = word.upper() or (f"{rate // 10**9}G" if rate else "unconf")
        lines.append(f"{short:<10}        {up:<12} 1        full   {speed:<6} 400GBASE-CR8")
    return "\n".join([*lines, ""])


def sessions(box: Eos) -> dict[str, Any]:
    """Return `show configuration sessions detail` as data (keys as NAPALM reads them)."""
    told: dict[str, Any] = {
        "sessions": {name: {"state": "pending", "instances": {}} for name in box.pending},
        "maxSavedSessions": 1,
        "maxOpenSessions": 5,
    }
    if box.timer is not None and box.clock() < box.timer.end:
        told["sessions"][box.timer.name] = {
            "state": "pendingCommitTimer",
            "instances": {},
            "commitBy": box.timer.end,
        }
        told["commitTimerSessionName"] = box.timer.name
        told["commitTimerExpireTime"] = box.timer.end
    return told


def sessions_text(box: Eos) -> str:
    """Print `show configuration sessions`."""
    rows = "".join(
        f"  {name:<18} {told['state']}\n" for name, told in sessions(box)["sessions"].items()
    )
    head = "Maximum number of completed sessions: 1\nMaximum number of pending sessions: 5\n\n"
    title = "  Name               State\n  ------------------ --------------\n"
    return f"{head}{title}{rows}"


def piped(text: str, data: Any, pipes: Iterable[str]) -> str:
    """Send an answer through pipes.  Raises `NoJson`, and `ValueError` for an unknown pipe."""
    for pipe in pipes:
        word, _, rest = pipe.strip().partition(" ")
        if word == "json" and not rest:
            if data is None:
                raise NoJson
            text = json.dumps(data, indent=4) + "\n"
        elif word in ("include", "exclude") and rest:
            text = include(text, rest.strip('"'), keep=word == "include")
        elif word == "section" and rest:
            text = section(text, rest.strip('"'))
        elif word == "begin" and rest:
            found = re.search(rest.strip('"'), text, re.I)
            text = text[text.rfind("\n", 0, found.start()) + 1 :] if found else ""
        elif pipe.strip() != "no-more":
            raise ValueError(pipe)
    return text


def section(text: str, pattern: str) -> str:
    """Return the blocks of which a line at the margin matches."""
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if not line.startswith(" "):
            inside = re.search(pattern, line, re.I) is not None
        if inside:
            kept.append(line)
    return "".join(kept)
