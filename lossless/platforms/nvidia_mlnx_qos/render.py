"""From operations to files: one script for all NICs of a host, and the unit that runs it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lossless.findings import InputError, Problem
from lossless.model.device import Device
from lossless.model.operation import Op, Verb
from lossless.model.pfc import DcbOwner
from lossless.platforms.contract import Rendered
from lossless.platforms.macros import Macros
from lossless.platforms.nvidia_mlnx_qos import words
from lossless.platforms.nvidia_mlnx_qos.reads import NAME, rdma_of

SCRIPT: Final = "lossless-nic"
_ALGORITHMS: Final = ("ets", "strict", "vendor")
UNIT: Final = "lossless-nic@.service"


@dataclass(frozen=True, slots=True)
class _Nic:
    """What the frame needs of one NIC: its names, its calls, and what could be made persistent."""

    name: str
    rdma: str
    pci: str
    lines: tuple[str, ...]
    persistent: tuple[str, ...]


def render(
    ops: Sequence[Op], device: Device, templates: Path | None = None
) -> tuple[Rendered, ...]:
    """Write the script and the unit.  Nothing where there is nothing to do.

    Raises `InputError` where a name cannot be that of an interface or RDMA device, or where a
    template fails.
    """
    if not ops:
        return ()
    _judge(ops, device)
    macros = Macros(NAME, templates, _FILTERS)
    nics = _nics(ops, device, macros)
    script = macros.render(
        "script.j2", nics=nics, host=device.name, largest_cell=words.LARGEST_CELL
    )
    unit = macros.render("lossless-nic.service.j2", nics=nics)
    return Rendered(SCRIPT, script, 0o755), Rendered(UNIT, unit)


def _judge(ops: Sequence[Op], device: Device) -> None:
    names = dict.fromkeys(op.key[0] for op in ops)
    faults = [f"{n!r} cannot be the name of a network interface" for n in names if _bad_name(n)]
    for port in (port for port in device.ports if port.name in names):
        rdma = rdma_of(device, port)
        if rdma is not None and not words.valid_rdma(rdma):
            faults.append(f"{rdma!r} cannot be the name of an RDMA device")
        if port.pci is not None and not words.valid_pci(port.pci):
            faults.append(f"{port.pci!r} is not a PCI address")
    parameters = (op.key[1] for op in ops if op.object == "cc_parameter")
    faults += [f"no parameter {name!r}" for name in parameters if name not in words.PARAMETERS]
    if faults:
        raise InputError([_problem(device, fault) for fault in faults])


def _bad_name(name: object) -> bool:
    return not (isinstance(name, str) and words.valid_netdev(name))


def _problem(device: Device, text: str) -> Problem:
    hint = "letters, digits, dot, dash and underscore; an interface has at most 15 of them"
    return Problem(f"{_remark(device.name)}: {text}", hint=hint)


def _nics(ops: Sequence[Op], device: Device, macros: Macros) -> list[_Nic]:
    ports = {port.name: port for port in device.ports}
    nics = []
    for name in dict.fromkeys(op.key[0] for op in ops):
        mine = [op for op in ops if op.key[0] == name]
        port = ports.get(name)
        lines = tuple(
            line for op in mine for line in macros.lines(f"{op.verb.value}_{op.object}", op)
        )
        rdma, pci = (rdma_of(device, port), port.pci) if port is not None else (None, None)
        nics.append(_Nic(name, rdma or "", pci or "BDF", lines, _persistent(mine)))
    return nics


def _persistent(ops: Sequence[Op]) -> tuple[str, ...]:
    """Give the NV parameters that keep the same (mstflint mlxconfig dictionary, port 1)."""
    told = {op.object: op.new for op in ops if op.verb is Verb.SET}
    found = []
    if "notification_point" in told and told["notification_point"] == told.get("reaction_point"):
        mask = sum(1 << priority for priority in told["notification_point"])
        found.append(f"ROCE_CC_PRIO_MASK_P1={mask}")
    for name, parameter in (("cnp_dscp", "CNP_DSCP_P1"), ("cnp_priority", "CNP_802P_PRIO_P1")):
        if name in told:
            found.append(f"{parameter}={told[name]}")
    return tuple(found)


def _number(value: Any) -> str:
    """Write a number.  Anything else never reaches a shell: raises `ValueError`."""
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a number from 0 upwards")
    return str(value)


def _bits(priorities: frozenset[int]) -> str:
    return ",".join("1" if p in priorities else "0" for p in range(words.PRIORITIES))


def _eight(values: Sequence[Any]) -> str:
    told = list(values) + [None] * (words.PRIORITIES - len(values))
    return ",".join("x" if v is None else v if v in _ALGORITHMS else _number(v) for v in told)


def _gigabits(rates: Sequence[int | None]) -> list[int | None]:
    return [None if rate is None else rate // words.GBIT for rate in rates]


def _onoff(switch: Any) -> str:
    return "x" if switch is None else "on" if switch is True else "off"


def _owner(owner: DcbOwner) -> str:
    return "fw" if owner is DcbOwner.FIRMWARE else "os"


def _remark(text: str) -> str:
    """Make a text fit for a comment: printable characters on one line."""
    return re.sub(r"[^\x20-\x7e]", "?", str(text))[:120]


_FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "number": _number,
    "sh": shlex.quote,
    "bits": _bits,
    "eight": _eight,
    "gigabits": _gigabits,
    "onoff": _onoff,
    "owner": _owner,
    "remark": _remark,
}
