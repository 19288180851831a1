"""Grammars of the smaller tools: kernel files, ethtool, ip, RDMA tools and NV configuration.

Each function takes a text and gives plain data; what it cannot read it leaves out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeGuard

_HEADER: Final = re.compile(r"==> (/\S+) <==$")
_TCLASS: Final = re.compile(r"Global tclass=([0-9]{1,3})$")
_PAUSE: Final = re.compile(r"(RX|TX):\s+(on|off)$")
_SPEED: Final = re.compile(r"\s*Speed:\s*([0-9]{1,9})Mb/s$")
_PLAIN_LINK: Final = re.compile(r"[0-9]+: ([^:@\s]+)(?:@\S+)?: <([A-Z_,0-9-]*)> mtu ([0-9]{1,6})\b")
_MAPPED: Final = re.compile(r"/sys/class/infiniband/([^/\s]+)/device/net/([^/\s]+)$")
_IBDEV: Final = re.compile(r"(\S+) port ([0-9]+) ==> (\S+) \((\w+)\)$")
_GID: Final = re.compile(
    r"(\S+)\s+([0-9]+)\s+([0-9]+)\s+([0-9a-f:]{39})\s+(?:([0-9.]{7,15})\s+)?(v[12])(?:\s+(\S+))?$"
)
_NV: Final = re.compile(r"\s*\*?\s*([A-Z][A-Z0-9_]*(?:\[[0-9.]+\])?)\s+(\S.*)$")
_VERB: Final = re.compile(r"\s*(\w+):\s+(.+)$")


def blocks(text: str) -> Iterator[tuple[str, list[str], int]]:
    """Split `head -v` output into (path, lines, number of the first line)."""
    path, lines, first = None, list[str](), 1
    for number, line in enumerate(text.splitlines(), 1):
        match = _HEADER.match(line)
        if match is None:
            if not line.startswith(("head: ", "tail: ")):  # a file that is not there
                lines.append(line)
            continue
        if path is not None:
            yield path, lines, first
        path, lines, first = match[1], [], number + 1
    if path is not None:
        yield path, lines, first


def number(lines: list[str]) -> int | None:
    """Read a kernel file that holds one decimal number."""
    told = [line.strip() for line in lines if line.strip()]
    if len(told) != 1 or not re.fullmatch(r"[0-9]{1,10}", told[0]):
        return None
    return int(told[0])


def tclass(line: str) -> int | None:
    """Read the line of the forced traffic class (0–255)."""
    match = _TCLASS.match(line.strip())
    return int(match[1]) if match and int(match[1]) <= 255 else None


def pause(text: str) -> dict[str, tuple[bool, int]]:
    """Read `ethtool -a`: RX and TX, each with its line."""
    found: dict[str, tuple[bool, int]] = {}
    for where, line in enumerate(text.splitlines(), 1):
        if match := _PAUSE.match(line.strip()):
            found.setdefault(match[1], (match[2] == "on", where))
    return found


def speed(text: str) -> int | None:
    """Read the speed in bit/s out of `ethtool IF`; `None` where the link is down."""
    for line in text.splitlines():
        if match := _SPEED.match(line):
            return int(match[1]) * 1_000_000
    return None


def driver(text: str) -> dict[str, str]:
    """Read `ethtool -i`: driver, version, firmware, PSID and PCI address."""
    told = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    firmware = re.match(r"\s*(\S+)(?:\s+\((\S+)\))?", told.get("firmware-version", ""))
    facts = {
        "driver": told.get("driver", "").strip(),
        "driver_version": told.get("version", "").strip(),
        "firmware": firmware[1] if firmware else "",
        "psid": (firmware[2] or "") if firmware else "",
        "pci": told.get("bus-info", "").strip(),
    }
    return {name: value for name, value in facts.items() if value}


def links(text: str) -> list[dict[str, Any]]:
    """Read `ip -j link`, or the plain text of `ip link`, as rows of ifname, mtu, flags and more."""
    if text.lstrip().startswith("["):
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            return []
        rows = [row for row in told if isinstance(row, dict)] if isinstance(told, list) else []
        return [row for row in rows if isinstance(row.get("ifname"), str)]
    found = []
    for line in text.splitlines():
        if match := _PLAIN_LINK.match(line):
            flags = match[2].split(",")
            found.append({"ifname": match[1], "flags": flags, "mtu": int(match[3])})
    return found


def egress_map(row: dict[str, Any]) -> tuple[str, int, dict[int, int]] | None:
    """Read a VLAN sub-interface: its parent, its id, and the PCP by socket priority."""
    info = row.get("linkinfo")
    data = info.get("info_data") if isinstance(info, dict) else None
    if not isinstance(info, dict) or info.get("info_kind") != "vlan" or not isinstance(data, dict):
        return None
    parent, vlan, pairs = row.get("link"), data.get("id"), data.get("egress_qos", [])
    if not isinstance(parent, str) or type(vlan) is not int or not isinstance(pairs, list):
        return None
    told = [(p.get("from"), p.get("to")) for p in pairs if isinstance(p, dict)]
    return parent, vlan, {f: t for f, t in told if _low(f) and _low(t)}


def _low(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= 7


def rdma_netdevs(text: str) -> dict[str, str]:
    """Read which interface stands before each RDMA device, from a listing or `ibdev2netdev`."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if match := _MAPPED.match(line.strip()):
            found.setdefault(match[1], match[2])
        elif (match := _IBDEV.match(line.strip())) and match[2] == "1":
            found.setdefault(match[1], match[3])
    return found


def ports(text: str) -> dict[str, str]:
    """Read the link states out of `ibdev2netdev`, by interface."""
    matches = (_IBDEV.match(line.strip()) for line in text.splitlines())
    return {m[3]: m[4] for m in matches if m}


def gids(text: str) -> dict[tuple[str, str, str], str]:
    """Read `show_gids`: by device, port and index, a line of version, address and interface."""
    found: dict[tuple[str, str, str], str] = {}
    for line in text.splitlines():
        if match := _GID.match(line.strip()):
            device, port, index, gid, address, version, netdev = match.groups()
            told = (version, address or gid, netdev)
            found[device, port, index] = " ".join(word for word in told if word)
    return found


def verbs(text: str) -> dict[str, dict[str, str]]:
    """Read `ibv_devinfo`: facts by RDMA device (of its first port)."""
    wanted = ("transport", "fw_ver", "board_id", "state", "max_mtu", "active_mtu", "link_layer")
    found: dict[str, dict[str, str]] = {}
    facts: dict[str, str] = {}
    for line in text.splitlines():
        match = _VERB.match(line)
        if match is None:
            continue
        if match[1] == "hca_id":
            facts = found.setdefault(match[2].strip(), {})
        elif match[1] in wanted:
            facts.setdefault(match[1], match[2].split("(")[0].strip())
    return found


def nv(text: str) -> dict[str, str]:
    """Read `mlxconfig query`: the value by parameter; default, current and next where shown."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        match = _NV.match(line)
        if match is None or ":" in line:
            continue
        values = match[2].split()
        if len(values) == 3:
            for which, value in zip(("default", "current", "next"), values, strict=True):
                found[f"{match[1]}.{which}"] = value
        elif len(values) == 1:
            found[match[1]] = values[0]
    return found
