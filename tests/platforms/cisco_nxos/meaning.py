"""What a state wants of a port, told in a box's own terms: an oracle apart from the platform."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import points
from lossless.model.classification import Trust
from lossless.model.link import VlanMode
from lossless.model.pfc import PfcMode
from lossless.model.scheduling import Algorithm
from lossless.model.settings import Settings
from lossless.model.units import BandwidthKind, Quantity
from lossless.model.values import DEFAULT, OFF, is_value, value

Claim = tuple[str, Any, Any]  # what is claimed, what is wanted, what the box does


def claims(box: Nexus, name: str, told: Settings) -> Iterator[Claim]:
    """Yield what a port's settings want, beside what the box does there."""
    yield from _port(box, name, told)
    yield from _vlans(box, name, told)
    yield from _sorting(box, name, told)
    for queue, row in told.ets.queues:
        yield from _scheduling(box.queue(name).get(queue, {}), f"queue {queue}", row)
    for queue, row in told.ecn.queues:
        yield from _marking(box.queue(name).get(queue, {}), f"queue {queue}", row)
    for queue, row in told.buffers.queues:
        line = box.queue(name).get(queue, {}).get("limit")
        if is_value(row.limit):
            yield f"limit {queue}", f"queue-limit {_size(row.limit)}", line
        elif is_value(row.alpha):
            yield f"limit {queue}", f"queue-limit dynamic {row.alpha.index}", line


def _port(box: Nexus, name: str, told: Settings) -> Iterator[Claim]:
    lines = box.ports[name].lines
    mode = re.search(r"mode (\w+)", lines.get("pfc", "mode auto"))[1]  # type: ignore[index]
    words = {PfcMode.ON: "on", PfcMode.AUTO: "auto", OFF: "off", DEFAULT: "auto"}
    if told.pfc.mode is not None:
        yield "pfc mode", words[told.pfc.mode], mode
    if told.pfc.mode is PfcMode.ON and told.pfc.send is not None:
        held = frozenset().union(*box.paused().values())
        yield "paused", value(told.pfc.send) or frozenset(), held
    if told.dcb.advertise is not None and told.pfc.mode is PfcMode.ON:
        yield "send-tlv", told.dcb.advertise is True, "send-tlv" in lines.get("pfc", "")
    for slot, switch in (
        ("dog", told.watchdog.enabled),
        ("fs", told.link.pause_send),
        ("fr", told.link.pause_honour),
    ):
        if switch is not None:
            yield slot, switch is True, slot in lines
    if told.watchdog.enabled is True:
        yield "the box's watchdog", True, "dog" in box.system.lines
    if told.link.admin_up is not None:
        yield "shut", told.link.admin_up is OFF, lines.get("shut") == "shutdown"
    if told.mtu.native is not None:
        size = 1500 if told.mtu.native is DEFAULT else told.mtu.native
        yield "mtu", size, int(lines.get("mtu", "mtu 1500").split()[1])
    for group, size in told.mtu.per_class:
        if is_value(size):
            yield f"class mtu {group}", size, _class_mtu(box, group)


def _class_mtu(box: Nexus, group: int) -> int | None:
    name = box.system.policies.get(("network-qos", ""))
    tail = "-default" if group == 0 else str(group)
    lines = box.policies.get(("network-qos", name or ""), {}).get(f"c-8q-nq{tail}", {})
    return int(lines["mtu"].split()[1]) if "mtu" in lines else None


def _vlans(box: Nexus, name: str, told: Settings) -> Iterator[Claim]:
    lines, vlans = box.ports[name].lines, told.vlans
    if is_value(vlans.mode):
        routed = lines.get("l2") == "no switchport"
        yield "routed", vlans.mode is VlanMode.ROUTED, routed
        if not routed:
            yield "trunk", vlans.mode is VlanMode.TRUNK, "mode" in lines
    for slot, held in (("access", vlans.access), ("native", vlans.native)):
        if held is not None:
            yield slot, 1 if held is DEFAULT else held, int(lines.get(slot, "1").split()[-1])
    native = int(lines.get("native", "1").split()[-1])
    if vlans.tagged is not None and vlans.tagged is not DEFAULT:
        spelled = lines.get("allowed", "1-4094").split()[-1]
        found = set() if spelled == "none" else points(spelled)
        yield "tagged", (value(vlans.tagged) or frozenset()) - {native}, found - {native}


def _sorting(box: Nexus, name: str, told: Settings) -> Iterator[Claim]:
    maps, found = told.classification, box.sorts(name)
    rest = found.get(("rest", 0), 0)
    if maps.trust in (Trust.NONE, Trust.PORT, DEFAULT):
        yield "untrusted", True, all(kind == "rest" for kind, _ in found)
    if maps.trust in (None, Trust.DSCP, Trust.BOTH):
        for point, group in enumerate(maps.dscp_to_priority):
            if is_value(group):
                yield f"dscp {point}", group, found.get(("dscp", point), rest)
    if maps.trust in (Trust.PCP, Trust.BOTH):
        for point, group in enumerate(maps.pcp_to_priority):
            if is_value(group):
                yield f"cos {point}", group, found.get(("cos", point), rest)


def _scheduling(lines: dict[str, str], what: str, row: Any) -> Iterator[Claim]:
    if row.algorithm is not None:
        yield f"{what} strict", row.algorithm is Algorithm.STRICT, "priority" in lines
    if is_value(row.level):
        yield f"{what} level", f"priority level {row.level}", lines.get("priority")
    if is_value(row.bandwidth):
        slot = "percent" if row.bandwidth.kind is BandwidthKind.LINE else "remaining"
        words = "bandwidth percent" if slot == "percent" else "bandwidth remaining percent"
        yield f"{what} share", f"{words} {row.bandwidth.amount // 10_000}", lines.get(slot)
    elif row.bandwidth is OFF:
        yield f"{what} share", [], [k for k in ("percent", "remaining") if k in lines]


def _marking(lines: dict[str, str], what: str, row: Any) -> Iterator[Claim]:
    line = lines.get("detect", "")
    if row.enabled is not None:
        yield f"{what} ecn", row.enabled is True, line.endswith(" ecn")
    if row.wred is not None and row.enabled is not True:
        yield f"{what} wred", row.wred is True, bool(line)
    if is_value(row.minimum):
        begins = (
            f"random-detect minimum-threshold {_size(row.minimum)} "
            f"maximum-threshold {_size(row.maximum)} drop-probability {row.probability // 10_000} "
        )
        yield f"{what} curve", True, line.startswith(begins)
    if is_value(row.weight):
        yield f"{what} weight", True, f" weight {row.weight}" in line


def _size(held: Quantity) -> str:
    return f"{held.number} {held.unit.value}"
