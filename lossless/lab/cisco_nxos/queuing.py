"""`show queuing interface`: the tables that a Nexus 9332D-GX2B prints with NX-OS 10.4(3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lossless.lab.cisco_nxos.nexus import Nexus

_RULE: Final = "-" * 78
_BOX: Final = "+" + "-" * 61 + "+"
#: Buffer, pause and resume thresholds that the box takes by itself, in bytes, up to a speed in
#: bit/s: of a 100G port of a 9300 (zartbot), and of a 200G port of the GX2B.
_ROOM: Final = ((100 * 10**9, (348608, 77376, 75712)), (10**13, (524352, 340704, 336672)))
_COUNTERS: Final = (
    "Tx Pkts",
    "Tx Byts",
    "WRED/AFD & Tail Drop Pkts",
    "WRED/AFD & Tail Drop Byts",
    "ECN Pkts",
    "ECN Byts",
    "Q Depth Byts",
)


def interface(box: Nexus, ports: Iterable[str]) -> list[str]:
    """Return the tables of ports."""
    out = ["slot  1", "=======", ""]
    for name in ports:
        out += [
            "",
            *_egress(box, name),
            *_counters(),
            "",
            *_ingress(box, name),
            *_pauses(box, name),
        ]
    return [*out, ""]


def summary(box: Nexus, ports: Iterable[str]) -> list[str]:
    """Return `show queuing summary`: the tables of what leaves."""
    out = ["", "slot  1", "=======", ""]
    for name in ports:
        out += ["", *_egress(box, name)]
    return out


def _egress(box: Nexus, name: str) -> Iterator[str]:
    _, own = box.out_policy(name)
    yield f"Egress Queuing for {name} [{'Interface' if own else 'System'}]"
    yield _RULE
    yield "QoS-Group# Bandwidth% PrioLevel                Shape                   QLimit"
    yield "                                   Min          Max        Units   "
    yield _RULE
    queues, lossless = box.queue(name), _lossless(box, name)
    for group in range(7, -1, -1):
        held = queues.get(group, {})
        level = held.get("priority", "-").split()[-1]
        share = held.get("remaining", held.get("percent", "- 0")).split()[-1]
        limit = "(N/A)" if group in lossless else _limit(held.get("limit"))
        yield (
            f"{group:>7}{share if level == '-' else '-':>14}{level:>10}{'-':>12}{'-':>13}{'-':>6}"
            f"{limit:>16}"
        )


def _limit(line: str | None) -> str:
    if line is None:
        return "9(D)"
    words = line.split()
    return f"{words[2]}(D)" if words[1] == "dynamic" else f"{words[1]}(S)"


def _lossless(box: Nexus, name: str) -> dict[int, set[int]]:
    """Return the groups that are no-drop at a port: paused in the box, where PFC is on."""
    return box.paused() if box.pauses(name) else {}


def _counters() -> Iterator[str]:
    for group in range(8):
        yield from (_BOX, f"|{f'QOS GROUP {group}':>41}{'':20}|", _BOX)
        yield from (f"|{'':27}|  Unicast       |Multicast       |", _BOX)
        yield from (f"|{title:>26} |{0:>16}|{0:>16}|" for title in _COUNTERS)
    yield _BOX


def _ingress(box: Nexus, name: str) -> Iterator[str]:
    rule = "-" * 56
    yield from ("", f"Ingress Queuing for {name}", rule)
    yield "QoS-Group#                 Pause                    "
    yield from ("           Buff Size       Pause Th      Resume Th  ", rule)
    stated, lossless = box.room(name), _lossless(box, name)
    own = next(room for speed, room in _ROOM if box.speeds.get(name, 200 * 10**9) <= speed)
    for group in range(7, -1, -1):
        size, pause, resume = stated.get(group, own) if group in lossless else ("-", "-", "-")
        yield f"{group:>7}{size:>15}{pause:>13}{resume:>13} "


def _pauses(box: Nexus, name: str) -> Iterator[str]:
    groups = {cos: group for group, held in _lossless(box, name).items() for cos in held}
    yield from ("", "PFC Statistics", _RULE)
    yield f"TxPPP: {0:>20},   RxPPP: {0:>20}"
    yield _RULE
    yield "PFC_COS QOS_Group   TxPause             TxCount   RxPause             RxCount"
    for cos in range(8):
        yield f"{cos:>7}{groups.get(cos, 0):>10}  Inactive{0:>20}  Inactive{0:>20}"
    yield _RULE
