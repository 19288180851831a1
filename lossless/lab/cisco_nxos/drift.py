"""What people change on a Nexus by hand, and forget to write down.

Each change is what somebody types at the prompt for a reason of theirs; the box takes it as it
takes any line.  `changes` lists those that a box can have now, in a fixed order, so that a seed
chooses the same ones every time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import Config


@dataclass(frozen=True, slots=True)
class Change:
    """A change by hand.

    `port` is the interface that it was typed at; `None`: the whole box.  `field` is the statement
    that no longer holds ("pfc.mode"), `queue` the qos-group, where one alone is meant, and `also`
    what the same line says beside it: a PFC line without `send-tlv` also tells peers nothing.
    """

    kind: str
    lines: tuple[str, ...]
    field: str
    port: str | None = None
    queue: int | None = None
    also: tuple[str, ...] = ()


def changes(box: Config) -> list[Change]:
    """Return every change that would alter what the box does."""
    return [change for each in _KINDS for change in each(box)]


def make(box: Nexus, change: Change) -> None:
    """Type a change.  Raises `Refused` where the box no longer takes it."""
    box.type("\n".join(change.lines))


_TOLD: Final = ("dcb.advertise",)


def _at(name: str, *lines: str) -> tuple[str, ...]:
    return (f"interface {name}", *lines)


def _pfc_taken_back(box: Config) -> Iterator[Change]:
    """Taking the line away gives `auto`, not off (nobody answers, so that it stops)."""
    for name in _pausing(box):
        words = _at(name, "no priority-flow-control mode")
        yield Change("pfc-taken-back", words, "pfc.mode", name, also=_TOLD)


def _pfc_off(box: Config) -> Iterator[Change]:
    for name in _pausing(box):
        words = _at(name, "priority-flow-control mode off")
        yield Change("pfc-off", words, "pfc.mode", name, also=_TOLD)


def _pausing(box: Config) -> list[str]:
    return [name for name in box.ports if box.pauses(name)]


def _watchdog_of_the_port(box: Config) -> Iterator[Change]:
    line = "priority-flow-control watch-dog-interval off"
    for name, held in box.ports.items():
        if "dog" in held.lines:
            yield Change("watchdog-of-a-port", _at(name, line), "watchdog.enabled", name)


def _watchdog_of_the_box(box: Config) -> Iterator[Change]:
    if "dog" in box.system.lines:
        line = "priority-flow-control watch-dog-interval off"
        yield Change("watchdog-of-the-box", (line,), "watchdog.enabled")


def _small_frames(box: Config) -> Iterator[Change]:
    for name, held in box.ports.items():
        if "mtu" in held.lines:
            yield Change("small-frames", _at(name, "no mtu"), "mtu.native", name)


def _not_sorted(box: Config) -> Iterator[Change]:
    for name, held in box.ports.items():
        policy = held.policies.get(("qos", "input"))
        if policy is not None:
            line = f"no service-policy type qos input {policy}"
            yield Change("not-sorted", _at(name, line), "classification.trust", name)


def _pause_of_links(box: Config) -> Iterator[Change]:
    for name, held in box.ports.items():
        if box.pauses(name) and "fr" not in held.lines:
            line = "flowcontrol receive on"
            yield Change("pause-of-links", _at(name, line), "link.pause_honour", name)


def _in_use(box: Config) -> Iterator[tuple[str, str, int, dict[str, str]]]:
    """Yield the classes of output policies that are attached: policy, class, group, lines."""
    for (kind, name), classes in box.policies.items():
        if kind == "queuing" and box.users(kind, name):
            for cls, held in classes.items():
                if found := re.fullmatch(r"c-out-8q-q(\d|-default)", cls):
                    yield name, cls, 0 if found[1] == "-default" else int(found[1]), held


def _in_class(policy: str, cls: str, *lines: str) -> tuple[str, ...]:
    return (f"policy-map type queuing {policy}", f"class type queuing {cls}", *lines)


def _marks_of_a_laboratory(box: Config) -> Iterator[Change]:
    line = (
        "random-detect minimum-threshold 10 kbytes maximum-threshold 30 kbytes "
        "drop-probability 7 weight 0 ecn"
    )
    for name, cls, group, held in _in_use(box):
        if held.get("detect", line) != line:
            words = _in_class(name, cls, line)
            yield Change("marks-of-a-laboratory", words, "ecn.queues", queue=group)


def _no_marks(box: Config) -> Iterator[Change]:
    for name, cls, group, held in _in_use(box):
        if held.get("detect", "").endswith(" ecn"):
            words = _in_class(name, cls, f"no {held['detect']}")
            yield Change("no-marks", words, "ecn.queues", queue=group)


def _another_share(box: Config) -> Iterator[Change]:
    """Somebody makes a class smaller by ten, and gives the rest to nobody."""
    for name, cls, group, held in _in_use(box):
        share = int(held.get("remaining", "0").split()[-1])
        if share > 10:
            words = _in_class(name, cls, f"bandwidth remaining percent {share - 10}")
            yield Change("another-share", words, "ets.queues", queue=group)


def _class_of_small_frames(box: Config) -> Iterator[Change]:
    name = box.system.policies.get(("network-qos", ""))
    for cls, held in box.network().items():
        if "pause" in held and held.get("mtu") not in (None, "mtu 2240"):
            words = (
                f"policy-map type network-qos {name}",
                f"class type network-qos {cls}",
                "mtu 2240",
            )
            group = int(cls[-1]) if cls[-1].isdecimal() else 0
            yield Change("class-of-small-frames", words, "mtu.per_class", queue=group)


_KINDS: Final[tuple[Callable[[Config], Iterator[Change]], ...]] = (
    _pfc_taken_back,
    _pfc_off,
    _watchdog_of_the_port,
    _watchdog_of_the_box,
    _small_frames,
    _not_sorted,
    _pause_of_links,
    _marks_of_a_laboratory,
    _no_marks,
    _another_share,
    _class_of_small_frames,
)
