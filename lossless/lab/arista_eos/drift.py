"""What people change on an EOS switch by hand, and forget to write down.

Each change is what somebody types for a reason of theirs: one port gets another MTU after a repair,
a profile loses its no-drop priority in a trial, thresholds are halved.  Most forget to save it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from lossless.lab.contract import Change

if TYPE_CHECKING:
    from lossless.lab.arista_eos.box import Eos
    from lossless.lab.arista_eos.configuration import Block, Path

Kind = Callable[["Eos"], Iterator[Change]]


def make(box: Eos, chance: random.Random) -> Change | None:
    """Choose one of the kinds that are possible now, one place for it, and type it."""
    possible = [changes for kind in _KINDS if (changes := list(kind(box)))]
    if not possible:
        return None
    change = chance.choice(chance.choice(possible))
    mode: Path = ()
    for line in change.lines:
        mode = box.running.enter(line, mode)
    return change


def _interfaces(box: Eos) -> Iterator[tuple[str, Mapping[str, str]]]:
    for opened, block in box.running.top.blocks.items():
        if opened.startswith("interface Ethernet"):
            yield opened.removeprefix("interface "), block.lines


def _profiles(box: Eos) -> Iterator[tuple[str, Block, tuple[str, ...]]]:
    """Yield the profiles that are in use, and the ports that use them."""
    for opened, block in box.running.top.blocks.items():
        if opened.startswith("qos profile "):
            ports = tuple(box.running.attached(opened.removeprefix("qos profile ")))
            if ports:
                yield opened, block, ports


def _on_port(
    box: Eos, kind: str, field: str, port: str, line: str, *, before: str = "", after: str = ""
) -> Change:
    lines = (f"interface {port}", line)
    return Change(kind, box.plate.name, field, lines, port, before=before, after=after)


def _mtu(box: Eos) -> Iterator[Change]:
    for port, held in _interfaces(box):
        now = held.get("mtu", "")
        if now != "mtu 1500":
            yield _on_port(
                box, "small-frames", "mtu.native", port, "mtu 1500", before=now, after="mtu 1500"
            )


def _speed(box: Eos) -> Iterator[Change]:
    for port, held in _interfaces(box):
        now = held.get("speed", "")
        word = "speed forced 100gfull"
        if now and now != word:
            yield _on_port(box, "speed-forced", "link.speed", port, word, before=now, after=word)


def _fec(box: Eos) -> Iterator[Change]:
    word = "error-correction encoding fire-code"
    for port, held in _interfaces(box):
        now = held.get("error-correction encoding", "")
        if now and now != word:
            yield _on_port(box, "other-fec", "link.fec", port, word, before=now, after=word)


def _detached(box: Eos) -> Iterator[Change]:
    for port, held in _interfaces(box):
        now = held.get("service-profile", "")
        if now:
            yield _on_port(box, "profile-taken-off", "pfc.mode", port, f"no {now}", before=now)


def _pause(box: Eos) -> Iterator[Change]:
    word = "flowcontrol receive on"
    for port, held in _interfaces(box):
        now = held.get("flowcontrol receive", "")
        if now != word:
            yield _on_port(
                box, "pause-of-links", "link.pause_honour", port, word, before=now, after=word
            )


def _in_profile(
    box: Eos,
    found: tuple[str, Block, tuple[str, ...]],
    kind: str,
    field: str,
    lines: tuple[str, ...],
    before: str,
    after: str,
    key: int | None = None,
) -> Change:
    opened, _, ports = found
    return Change(
        kind,
        box.plate.name,
        field,
        (opened, *lines),
        key=key,
        before=before,
        after=after,
        ports=ports,
    )


def _priority_off(box: Eos) -> Iterator[Change]:
    for found in _profiles(box):
        for key, line in found[1].lines.items():
            if re.fullmatch(r"priority-flow-control priority \d", key) and "no-drop" in line:
                yield _in_profile(
                    box, found, "priority-off", "pfc.send", (f"no {key}",), line, "", int(key[-1])
                )


def _priority_more(box: Eos) -> Iterator[Change]:
    for found in _profiles(box):
        key = "priority-flow-control priority 4"
        if "priority-flow-control" in found[1].lines and key not in found[1].lines:
            word = f"{key} no-drop"
            yield _in_profile(box, found, "priority-added", "pfc.send", (word,), "", word, 4)


def _trust(box: Eos) -> Iterator[Change]:
    for found in _profiles(box):
        now = found[1].lines.get("qos trust", "")
        if now == "qos trust dscp":
            word = "qos trust cos"
            yield _in_profile(box, found, "other-trust", "classification.trust", (word,), now, word)


def _watchdog(box: Eos) -> Iterator[Change]:
    key = "priority-flow-control pause watchdog"
    for found in _profiles(box):
        if "priority-flow-control" in found[1].lines and key not in found[1].lines:
            word = f"no {key}"
            yield _in_profile(box, found, "watchdog-off", "watchdog.enabled", (word,), "", word)


def _queues(box: Eos, key: str) -> Iterator[tuple[tuple[str, Block, tuple[str, ...]], str, str]]:
    for found in _profiles(box):
        for queue, held in found[1].blocks.items():
            if key in held.lines:
                yield found, queue, held.lines[key]


def _share(box: Eos) -> Iterator[Change]:
    for found, queue, now in _queues(box, "bandwidth percent"):
        share = int(now.rsplit(maxsplit=1)[-1])
        if share > 10:
            word = f"bandwidth percent {share - 10}"
            number = int(queue.rsplit(maxsplit=1)[-1])
            yield _in_profile(
                box, found, "other-share", "ets.queues", (queue, word), now, word, number
            )


def _thresholds(box: Eos) -> Iterator[Change]:
    for found, queue, now in _queues(box, "random-detect ecn minimum-threshold"):
        low, unit = now.split()[3:5]
        if int(low) > 1:
            word = now.replace(f"threshold {low} {unit}", f"threshold {int(low) // 2} {unit}", 1)
            number = int(queue.rsplit(maxsplit=1)[-1])
            yield _in_profile(
                box, found, "marks-earlier", "ecn.queues", (queue, word), now, word, number
            )


def _marks(box: Eos) -> Iterator[Change]:
    key = "random-detect ecn minimum-threshold"
    for found, queue, now in _queues(box, key):
        number = int(queue.rsplit(maxsplit=1)[-1])
        yield _in_profile(
            box, found, "no-marks", "ecn.queues", (queue, f"no {key}"), now, "", number
        )


def _dscp(box: Eos) -> Iterator[Change]:
    for key, now in box.running.top.lines.items():
        found = re.fullmatch(r"qos map dscp (\d+)", key)
        if found and int(now.split()[6]) > 1:
            word = f"{key} to traffic-class 1"
            yield Change(
                "dscp-moved",
                box.plate.name,
                "classification.dscp_to_priority",
                (word,),
                key=int(found[1]),
                before=now,
                after=word,
                ports=box.ports,
            )


_KINDS: Final[tuple[Kind, ...]] = (
    _mtu,
    _speed,
    _fec,
    _detached,
    _pause,
    _priority_off,
    _priority_more,
    _trust,
    _watchdog,
    _share,
    _thresholds,
    _marks,
    _dscp,
)
