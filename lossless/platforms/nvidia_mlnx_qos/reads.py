"""What to ask a host about its NICs, and which answer belongs to which question.

Every read is free of side effects.  Kernel files are read with `head -v`, which prints each
file's name even where it is empty: an empty `traffic_class` says that nothing is forced, a
missing one that this driver cannot.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lossless.model.device import Device, Port
from lossless.platforms.contract import Command, Output
from lossless.platforms.nvidia_mlnx_qos import qos_text, words

NAME: Final = "nvidia_mlnx_qos"
MAPPING: Final = "ls -d /sys/class/infiniband/*/device/net/*"
LINKS: Final = "ip -j -d link show"
PROCESSES: Final = "ps -e -o comm="
GIDS: Final = "show_gids"


def ecn_files(netdev: str) -> tuple[str, ...]:
    """Name the files of congestion control (MLNX_OFED en_ecn.c; absent in the inbox driver)."""
    root = f"/sys/class/net/{netdev}/ecn"
    switches = [f"{root}/roce_{end}/enable/{p}" for end in ("np", "rp") for p in range(8)]
    receiver = [f"{root}/roce_np/{n}" for n in ("cnp_dscp", "cnp_802p_prio")]
    interval = f"{root}/roce_np/min_time_between_cnps"
    return (*switches, *receiver, interval, *(f"{root}/roce_rp/{n}" for n in words.PARAMETERS))


def tclass_file(rdma: str) -> str:
    """Name the file that forces the traffic class of verbs queue pairs (MLNX_OFED only)."""
    return f"/sys/class/infiniband/{rdma}/tc/1/traffic_class"


def commands(device: Device) -> tuple[Command, ...]:
    """List the reads for each of a host's NICs of this platform, then those for the whole host.

    A NIC whose name could not be handed to a shell as it is is left out.
    """
    mine = [p for p in device.ports if p.platform in (None, NAME) and words.valid_netdev(p.name)]
    asked = [command for port in mine for command in _of_nic(port, rdma_of(device, port))]
    host = (
        Command(LINKS, needed=False),
        Command(MAPPING, needed=False),
        Command(GIDS, needed=False),
        Command(PROCESSES, needed=False),
    )
    return tuple(dict.fromkeys((*asked, *host))) if mine else ()


def rdma_of(device: Device, port: Port) -> str | None:
    """Return the RDMA device of a port: its own, or that of the bond it is a member of."""
    bonds = (bond.rdma for bond in device.aggregates if bond.name == port.bond)
    return port.rdma or next(bonds, None)


def _of_nic(port: Port, rdma: str | None) -> list[Command]:
    name = port.name
    asked = [
        Command(f"mlnx_qos -i {name} -a", privileged=True),
        Command(f"ethtool {name}", needed=False),
        Command(f"ethtool -a {name}", needed=False),
        Command(f"ethtool -i {name}", needed=False),
        Command(f"head -v -n 64 {' '.join(ecn_files(name))}", needed=False),
    ]
    if rdma is not None and words.valid_rdma(rdma):
        asked += [
            Command(f"head -v -n 64 {tclass_file(rdma)}", needed=False),
            Command(f"cma_roce_tos -d {rdma} -p 1", needed=False, privileged=True),
            Command(f"cma_roce_mode -d {rdma} -p 1", needed=False, privileged=True),
            Command(f"ibv_devinfo -d {rdma}", needed=False),
        ]
    if port.pci is not None and words.valid_pci(port.pci):
        asked.append(Command(f"mlxconfig -d {port.pci} -e query", needed=False, privileged=True))
    return asked


@dataclass(frozen=True, slots=True)
class Question:
    """What an output answers: the kind of read, and the NIC, RDMA or PCI device asked about."""

    kind: str
    subject: str | None = None


_W: Final = r"([^\s;|&<>]+)"
_COMMANDS: Final = (
    ("qos", re.compile(rf"mlnx_qos\b.*(?:-i\s*|--interface[= ]){_W}")),
    ("pause", re.compile(rf"ethtool\s+(?:-a|--show-pause)\s+{_W}")),
    ("driver", re.compile(rf"ethtool\s+(?:-i|--driver)\s+{_W}")),
    ("speed", re.compile(rf"ethtool\s+(?!-){_W}\s*$")),
    ("links", re.compile(r"ip\s+(?:-\S+\s+)*link\b")),
    ("tos", re.compile(rf"cma_roce_tos\b(?:.*-d\s*{_W})?")),
    ("mode", re.compile(rf"cma_roce_mode\b(?:.*-d\s*{_W})?")),
    ("verbs", re.compile(r"ibv_devinfo\b")),
    ("netdevs", re.compile(r"ibdev2netdev\b")),
    ("gids", re.compile(r"show_gids\b")),
    ("nv", re.compile(rf"(?:mlxconfig|mstconfig)\b.*-d\s*{_W}")),
    ("processes", re.compile(r"ps\s+-e\b")),
    ("mapping", re.compile(r"ls\s+-d\s+/sys/class/infiniband/")),
    ("files", re.compile(r"(?:head|tail)\s+-v\b.*\s/sys/class/")),
    ("file", re.compile(rf"cat\s+(/sys/class/{_W[1:-1]})\s*$")),
)
_TEXTS: Final = (
    ("files", re.compile(r"==> /sys/class/\S+ <==")),
    ("tclass", re.compile(r"\s*Global tclass=")),
    ("links", re.compile(r"\s*\[\s*\{.*\"ifname\"|[0-9]+: \S+: <[A-Z_,]+> mtu ", re.DOTALL)),
    ("pause", re.compile(r"Pause parameters for ")),
    ("speed", re.compile(r"Settings for \S+:")),
    ("driver", re.compile(r"driver: mlx5_core")),
    ("verbs", re.compile(r"hca_id:\s")),
    ("gids", re.compile(r"DEV\s+PORT\s+INDEX\s+GID\s")),
    ("netdevs", re.compile(r"\S+ port [0-9]+ ==> \S+ \(")),
    ("mapping", re.compile(r"/sys/class/infiniband/[^/\s]+/device/net/")),
    (
        "nv",
        re.compile(r"(?:.*\n)*?\s*\*?\s*(?:ROCE_CC_PRIO_MASK|CNP_DSCP|RPG_BYTE_RESET)_P[1-4]\s"),
    ),
)


def question(output: Output) -> Question | None:
    """Say what an output answers, from its command or else from its text."""
    command = re.sub(r"^\s*(?:sudo\s+)?(?:/\S*/)?", "", output.command)
    for kind, pattern in _COMMANDS:
        if match := pattern.match(command):
            return Question(kind, match[1] if match.groups() else None)
    if command:
        return None
    if qos_text.looks_like(output.text):
        return Question("qos")
    for kind, pattern in _TEXTS:
        if pattern.match(output.text):
            return Question(kind)
    return None
