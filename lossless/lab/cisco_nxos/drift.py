"""What people change on a Nexus by hand, and forget to write down.

Each change is what somebody types at the prompt for a reason of theirs; the box takes it as it
takes any line.  `changes` lists those that a box can have now, in a fixed order, so that a seed
chooses the same ones every time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import Config, group_of
from lossless.lab.contract import Change


def changes(box: Config) -> list[Change]:
    """Return every change that would alter what the box does."""
    return [change for each in _KINDS for change in each(box)]


def make(box: Nexus, change: Change) -> None:
    """Type a change.  Raises `Refused` where the box no longer takes it."""
    box.type("\n".join(change.lines))


#: A PFC line without `send-tlv` also tells peers nothing.
_TOLD: Final = ("dcb.advertise",)
_PFC: Final = "priority-flow-control mode"
_DOG: Final = "priority-flow-control watch-dog-interval"


def _on_port(box: Config, name: str, kind: str, field: str, *said: str) -> Change:
    """Return a change of one port.  `said`: what is typed, and the lines before and after."""
    line, before, after = said
    return Change(
        kind=kind,
        device=box.hostname,
        field=field,
        lines=(f"interface {name}", line),
        port=name,
        before=before,
        after=after,
        also=_TOLD if field == "pfc.mode" else (),
    )


def _pfc_taken_back(box: Config) -> Iterator[Change]:
    """Taking the line away gives `auto`, not off (nobody answers, so that it stops)."""
    for name in _pausing(box):
        said = (f"no {_PFC}", box.ports[name].lines["pfc"], f"{_PFC} auto")
        yield _on_port(box, name, "pfc-taken-back", "pfc.mode", *said)


def _pfc_off(box: Config) -> Iterator[Change]:
    for name in _pausing(box):
        said = (f"{_PFC} off", box.ports[name].lines["pfc"], f"{_PFC} off")
        yield _on_port(box, name, "pfc-off", "pfc.mode", *said)


def _pausing(box: Config) -> list[str]:
    return [name for name in box.ports if box.pauses(name)]


def _watchdog_of_the_port(box: Config) -> Iterator[Change]:
    for name, held in box.ports.items():
        if "dog" in held.lines:
            said = (f"{_DOG} off", held.lines["dog"], "")
            yield _on_port(box, name, "watchdog-of-a-port", "watchdog.enabled", *said)


def _watchdog_of_the_box(box: Config) -> Iterator[Change]:
    if "dog" in box.system.lines:
        yield Change(
            kind="watchdog-of-the-box",
            device=box.hostname,
            field="watchdog.enabled",
            lines=(f"{_DOG} off",),
            before=box.system.lines["dog"],
            ports=tuple(name for name, held in box.ports.items() if "dog" in held.lines),
        )


def _small_frames(box: Config) -> Iterator[Change]:
    for name, held in box.ports.items():
        if "mtu" in held.lines:
            said = ("no mtu", held.lines["mtu"], "mtu 1500")
            yield _on_port(box, name, "small-frames", "mtu.native", *said)


def _not_sorted(box: Config) -> Iterator[Change]:
    for name, held in box.ports.items():
        policy = held.policies.get(("qos", "input"))
        if policy is not None:
            line = f"service-policy type qos input {policy}"
            said = (f"no {line}", line, "")
            yield _on_port(box, name, "not-sorted", "classification.trust", *said)


def _pause_of_links(box: Config) -> Iterator[Change]:
    for name in _pausing(box):
        if "fr" not in box.ports[name].lines:
            line = "flowcontrol receive on"
            yield _on_port(box, name, "pause-of-links", "link.pause_honour", line, "", line)


Class = tuple[str, str, int, dict[str, str]]  # policy, class, group, lines


def _in_use(box: Config) -> Iterator[Class]:
    """Yield the classes of output policies that are attached."""
    for (kind, name), classes in box.policies.items():
        if kind == "queuing" and box.users(kind, name):
            for cls, held in classes.items():
                if re.fullmatch(r"c-out-8q-q(\d|-default)", cls):
                    yield name, cls, group_of(cls), held


def _on_class(box: Config, found: Class, kind: str, field: str, *said: str) -> Change:
    """Return a change of a queue.  `said`: what is typed, and the lines before and after."""
    policy, cls, group, _ = found
    line, before, after = said
    return Change(
        kind=kind,
        device=box.hostname,
        field=field,
        lines=(f"policy-map type queuing {policy}", f"class type queuing {cls}", line),
        key=group,
        before=before,
        after=after,
        ports=tuple(name for name in box.ports if box.out_policy(name)[0] == policy),
    )


def _marks_of_a_laboratory(box: Config) -> Iterator[Change]:
    line = (
        "random-detect minimum-threshold 10 kbytes maximum-threshold 30 kbytes "
        "drop-probability 7 weight 0 ecn"
    )
    for found in _in_use(box):
        before = found[3].get("detect", line)
        if before != line:
            said = (line, before, line)
            yield _on_class(box, found, "marks-of-a-laboratory", "ecn.queues", *said)


def _no_marks(box: Config) -> Iterator[Change]:
    for found in _in_use(box):
        before = found[3].get("detect", "")
        if before.endswith(" ecn"):
            yield _on_class(box, found, "no-marks", "ecn.queues", f"no {before}", before, "")


def _another_share(box: Config) -> Iterator[Change]:
    """Somebody makes a class smaller by ten, and gives the rest to nobody."""
    for found in _in_use(box):
        before = found[3].get("remaining", "bandwidth remaining percent 0")
        share = int(before.split()[-1])
        if share > 10:
            line = f"bandwidth remaining percent {share - 10}"
            yield _on_class(box, found, "another-share", "ets.queues", line, before, line)


def _class_of_small_frames(box: Config) -> Iterator[Change]:
    name = box.system.policies.get(("network-qos", ""))
    for cls, held in box.network().items():
        if "pause" in held and held.get("mtu") not in (None, "mtu 2240"):
            yield Change(
                kind="class-of-small-frames",
                device=box.hostname,
                field="mtu.per_class",
                lines=(
                    f"policy-map type network-qos {name}",
                    f"class type network-qos {cls}",
                    "mtu 2240",
                ),
                key=group_of(cls),
                before=held["mtu"],
                after="mtu 2240",
                ports=tuple(box.ports),
            )


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
