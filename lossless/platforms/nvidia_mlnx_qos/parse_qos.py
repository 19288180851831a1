"""From a `mlnx_qos` printout to classification, PFC, scheduling and buffers of a NIC."""

from __future__ import annotations

from typing import Any, Final

from lossless.model.classification import Trust
from lossless.model.pfc import DcbOwner, PfcMode
from lossless.model.scheduling import Algorithm, QueueScheduling
from lossless.model.units import Bandwidth, BandwidthKind, Cap
from lossless.model.values import OFF, number_map
from lossless.platforms.contract import Diagnostic, Output, Unread
from lossless.platforms.nvidia_mlnx_qos import qos_text, words
from lossless.platforms.nvidia_mlnx_qos.reader import Reader, port_of

_ALGORITHMS: Final = {
    "strict": Algorithm.STRICT,
    "ets": Algorithm.ETS,
    "vendor": Algorithm.VENDOR,
}


def read(reader: Reader, output: Output, subject: str | None) -> bool:
    """Read one printout; says whether it is one."""
    found, port = qos_text.read(output.text), port_of(output, subject)
    for line, fault in found.faults:
        reader.damaged(output, line, f"{port}: {fault}")
    reader.unread += [Unread(t, n, output.file, (f"mlnx_qos {port}",)) for n, t in found.unread]
    if not found.understood:
        return False
    for facet, fields in (
        ("classification", _classification(reader, output, port, found)),
        ("pfc", _pfc(found)),
        ("dcb", _owner(found)),
        ("ets", _ets(found)),
        ("buffers", _buffers(found)),
    ):
        reader.tell(port, facet, **fields)
    _remember(reader, output, port, found)
    if found.lldpad:
        reader.tell(port, "dcb", agents=frozenset({"lldpad"}))
    if found.whole and not found.faults and not found.unread:
        reader.coverage.add(output.command or f"mlnx_qos -i {port}")
    return True


def _classification(
    reader: Reader, output: Output, port: str, found: qos_text.QosText
) -> dict[str, Any]:
    trusts = {"dscp": Trust.DSCP, "pcp": Trust.PCP, "none": Trust.NONE}
    fields: dict[str, Any] = {"trust": trusts.get(found.trust or "")}
    told = {p: tc for tc, row in found.classes.items() for p in row.priorities}
    fields["priority_to_tc"] = number_map(words.PRIORITIES, told if found.whole else None)
    if found.trust == "dscp" and found.mapped and found.dscp:
        # An entry that is not in the table was deleted, and its packets go to priority 0.
        full = tuple(found.dscp.get(dscp, OFF) for dscp in range(words.DSCPS))
        fields["dscp_to_priority"] = full
        lost = [dscp for dscp in range(words.DSCPS) if dscp not in found.dscp]
        if lost:
            text = f"{port}: no priority for DSCP {', '.join(map(str, lost))}"
            line = found.lines.get("mapping")
            reader.diagnostics.append(Diagnostic("device_exception", text, line, output.file))
    return fields


def _pfc(found: qos_text.QosText) -> dict[str, Any]:
    priorities = frozenset(p for p, bit in enumerate(found.pfc) if bit)
    mode: Any = PfcMode.ON if priorities else OFF
    if found.owner == "Firmware":
        mode = PfcMode.AUTO
    return {"send": priorities, "honour": priorities, "mode": mode}


def _owner(found: qos_text.QosText) -> dict[str, Any]:
    owners = {"OS": DcbOwner.OS, "Firmware": DcbOwner.FIRMWARE}
    return {"owner": owners.get(found.owner or "")}


def _ets(found: qos_text.QosText) -> dict[str, Any]:
    queues = {}
    for tc, row in sorted(found.classes.items()):
        algorithm = _ALGORITHMS.get(row.algorithm or "")
        share: Any = OFF if algorithm not in (Algorithm.ETS, None) else None
        if row.share is not None:
            share = Bandwidth(BandwidthKind.ETS, row.share * 10_000)
        cap: Any = None if row.rate is None else Cap(rate=row.rate) if row.rate else OFF
        queues[tc] = QueueScheduling(algorithm=algorithm, bandwidth=share, cap=cap)
    return {"queues": tuple(queues.items())}


def _buffers(found: qos_text.QosText) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "priority_to_buffer": number_map(8, dict(enumerate(found.buffers))),
        "sizes": tuple(enumerate(found.sizes)),
    }
    if found.cable is not None:
        fields["cable"] = found.cable * 1000
    return fields


_PATHS: Final = {
    "owner": (("dcb", "owner"),),
    "trust": (("classification", "trust"),),
    "cable": (("buffers", "cable"),),
    "sizes": tuple(("buffers", "sizes", n) for n in range(8)),
    "buffers": tuple(("buffers", "priority_to_buffer", n) for n in range(8)),
    "pfc": (("pfc", "send"), ("pfc", "honour"), ("pfc", "mode")),
    "lldpad": (("dcb", "agents"),),
}


def _remember(reader: Reader, output: Output, port: str, found: qos_text.QosText) -> None:
    for name, paths in _PATHS.items():
        if name in found.lines:
            for path in paths:
                reader.seen(output, found.lines[name], port, *path)
    for dscp, line in found.dscp_lines.items():
        reader.seen(output, line, port, "classification", "dscp_to_priority", dscp)
    for tc, row in found.classes.items():
        for leaf in ("algorithm", "bandwidth", "cap"):
            reader.seen(output, row.line, port, "ets", "queues", tc, leaf)
        for priority in row.priorities:
            reader.seen(output, row.line, port, "classification", "priority_to_tc", priority)
    if found.total is not None:
        reader.fact(port, "buffer_total", str(found.total))
