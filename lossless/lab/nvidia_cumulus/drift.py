"""What people change on a Cumulus switch by hand, and forget to write down.

Each change is what somebody types for a reason of theirs and applies: a port gets small frames
after a repair, the RoCE macro is switched to lossy in a trial, a profile loses its priority.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from lossless.lab.contract import Change
from lossless.lab.nvidia_cumulus import tree
from lossless.lab.nvidia_cumulus.running import GLOBAL, mode, running

if TYPE_CHECKING:
    from lossless.lab.nvidia_cumulus.box import Cumulus

#: Who types; nobody else's pending revision goes along.
_WHO: Final = "operator"
_QOS: Final = ("pfc.", "ecn.", "ets.", "classification.", "buffers.", "dcb.", "macro")


def make(box: Cumulus, chance: random.Random) -> Change | None:
    """Choose one of the kinds that are possible now, one place for it, type it and apply it."""
    possible = [changes for kind in _KINDS if (changes := list(kind(box)))]
    if not possible:
        return None
    change = chance.choice(chance.choice(possible))
    for line in change.lines:
        box.execute(line, _WHO)
    return change


def _change(box: Cumulus, kind: str, field: str, line: str, **more: Any) -> Change:
    lines = (line, "nv config apply -y")
    return Change(kind, box.plate.name, field, lines, **more)


def _links(box: Cumulus, leaf: str) -> Iterator[tuple[str, str]]:
    """Yield the ports of which a leaf of the link is stated, with what it holds."""
    for port in box.ports:
        held = tree.at(box.applied, "interface", port, "link", leaf)
        if isinstance(held, str):
            yield port, held


def _on_port(
    box: Cumulus, kind: str, field: str, port: str, what: str, before: str, after: str
) -> Change:
    line = f"nv set interface {port} {what} {after}"
    return _change(box, kind, field, line, port=port, before=before, after=after)


def _mtu(box: Cumulus) -> Iterator[Change]:
    for port, held in _links(box, "mtu"):
        if held != "1500":
            yield _on_port(box, "small-frames", "mtu.native", port, "link mtu", held, "1500")


def _speed(box: Cumulus) -> Iterator[Change]:
    for port, held in _links(box, "speed"):
        if held != "100G":
            yield _on_port(box, "speed-forced", "link.speed", port, "link speed", held, "100G")


def _fec(box: Cumulus) -> Iterator[Change]:
    for port, held in _links(box, "fec"):
        if held != "baser":
            yield _on_port(box, "other-fec", "link.fec", port, "link fec", held, "baser")


def _watchdog(box: Cumulus) -> Iterator[Change]:
    for port in box.ports:
        held = tree.at(box.applied, "interface", port, "qos", "pfc-watchdog", "state")
        if held == "enable":
            what = "qos pfc-watchdog state"
            yield _on_port(box, "watchdog-off", "watchdog.enabled", port, what, held, "disable")


# --- the macro -----------------------------------------------------------------------------------


def _all(box: Cumulus) -> tuple[str, ...]:
    return box.ports


def _macro(box: Cumulus) -> Iterator[Change]:
    held = mode(box.applied)
    if held in ("lossless", "lossless-single-ipool"):
        yield _change(
            box,
            "macro-lossy",
            "pfc.",
            "nv set qos roce mode lossy",
            before=held,
            after="lossy",
            also=("macro", "buffers."),
            ports=_all(box),
        )


def _macro_off(box: Cumulus) -> Iterator[Change]:
    held = mode(box.applied)
    if held is not None:
        yield _change(
            box, "macro-off", "macro", "nv unset qos roce",
            before=held, also=_QOS, ports=_all(box),
        )  # fmt: skip


# --- profiles ------------------------------------------------------------------------------------


def _users(box: Cumulus, feature: str) -> dict[str, tuple[str, ...]]:
    """Return the profiles of a feature that are in use, with their ports.

    Under the macro the box's own profile counts too: it refines the macro on every port that has
    none of its own.
    """
    found: dict[str, tuple[str, ...]] = {}
    alone = []
    for port in box.ports:
        name = tree.at(box.applied, "interface", port, "qos", feature, "profile")
        if name in (None, GLOBAL):
            alone.append(port)
        else:
            found[name] = (*found.get(name, ()), port)
    if alone and (mode(box.applied) or tree.at(box.applied, "qos", feature, GLOBAL)):
        found[GLOBAL] = tuple(alone)
    return found


def _in_profile(
    box: Cumulus, kind: str, field: str, place: tuple[str, ...], after: str, **more: Any
) -> Change:
    line = f"nv set qos {' '.join(place)} {after}".rstrip()
    before = tree.at(box.applied, "qos", *place)
    said = before if isinstance(before, str) else ""
    return _change(box, kind, field, line, before=said, after=after, **more)


def _detached(box: Cumulus) -> Iterator[Change]:
    for feature, field in (("pfc", "pfc."), ("congestion-control", "ecn.")):
        for name, ports in _users(box, feature).items():
            for port in ports if name != GLOBAL else ():
                if running(box.applied, port) != running(_without(box, port, feature), port):
                    yield _change(
                        box, "profile-taken-off", field,
                        f"nv unset interface {port} qos {feature}",
                        port=port, before=name, also=("buffers.",),
                    )  # fmt: skip


def _without(box: Cumulus, port: str, feature: str) -> tree.Tree:
    import copy

    held = copy.deepcopy(box.applied)
    tree.take(held, ("interface", port, "qos", feature))
    return held


def _more(box: Cumulus) -> Iterator[Change]:
    for name, ports in _users(box, "pfc").items():
        runs = running(box.applied, ports[0])
        if runs.paused and 4 not in runs.paused:
            place = ("pfc", name, "switch-priority", "4")
            if name == GLOBAL and tree.at(box.applied, "qos", "pfc", GLOBAL) is None:
                continue  # the box's own profile would take the macro's priority away
            yield _in_profile(
                box, "priority-added", "pfc.send", place, "", key=4, ports=ports, also=("pfc.",)
            )


def _fewer(box: Cumulus) -> Iterator[Change]:
    for name, ports in _users(box, "pfc").items():
        held = tree.at(box.applied, "qos", "pfc", name, "switch-priority") or {}
        for priority in held:
            line = f"nv unset qos pfc {name} switch-priority {priority}"
            yield _change(
                box, "priority-off", "pfc.send", line,
                before=priority, key=int(priority), ports=ports, also=("pfc.", "buffers."),
            )  # fmt: skip


def _lossless(box: Cumulus, port: str) -> set[int]:
    """Return the traffic classes of what is paused: those that somebody surely declared."""
    runs = running(box.applied, port)
    return {runs.maps["switch-priority"][priority] for priority in runs.paused}


def _thresholds(box: Cumulus) -> Iterator[Change]:
    for name, ports in _users(box, "congestion-control").items():
        lossless = _lossless(box, ports[0])
        for queue, curve in running(box.applied, ports[0]).curves.items():
            if curve.relative or curve.low < 2 or queue not in lossless:
                continue
            place = ("congestion-control", name, "traffic-class", str(queue), "min-threshold")
            after = str(curve.low // 2)
            yield _in_profile(
                box, "marks-earlier", "ecn.queues", place, after, key=queue, ports=ports
            )


def _marks(box: Cumulus) -> Iterator[Change]:
    for name, ports in _users(box, "congestion-control").items():
        lossless = _lossless(box, ports[0])
        for queue, curve in running(box.applied, ports[0]).curves.items():
            if curve.ecn and queue in lossless:
                place = ("congestion-control", name, "traffic-class", str(queue), "ecn")
                yield _in_profile(
                    box, "no-marks", "ecn.queues", place, "disable", key=queue, ports=ports
                )


def _share(box: Cumulus) -> Iterator[Change]:
    for name, ports in _users(box, "egress-scheduler").items():
        lossless = _lossless(box, ports[0])
        for queue, (kind, share) in running(box.applied, ports[0]).served.items():
            if kind == "dwrr" and share > 10 and queue in lossless:
                place = ("egress-scheduler", name, "traffic-class", str(queue), "bw-percent")
                after = str(share - 10)
                yield _in_profile(
                    box, "other-share", "ets.queues", place, after, key=queue, ports=ports
                )


def _trust(box: Cumulus) -> Iterator[Change]:
    for name, ports in _users(box, "mapping").items():
        if running(box.applied, ports[0]).trust in ("l3", "both"):
            place = ("mapping", name, "trust")
            yield _in_profile(box, "other-trust", "classification.trust", place, "l2", ports=ports)


def _dscp(box: Cumulus) -> Iterator[Change]:
    for name, ports in _users(box, "mapping").items():
        runs = running(box.applied, ports[0])
        for point, priority in runs.maps["dscp"].items():
            if priority in runs.paused:
                place = ("mapping", name, "dscp", str(point), "switch-priority")
                field = "classification.dscp_to_priority"
                yield _in_profile(box, "dscp-moved", field, place, "1", key=point, ports=ports)


_KINDS: Final[tuple[Callable[[Cumulus], Iterator[Change]], ...]] = (
    _mtu,
    _speed,
    _fec,
    _watchdog,
    _macro,
    _macro_off,
    _detached,
    _more,
    _fewer,
    _thresholds,
    _marks,
    _share,
    _trust,
    _dscp,
)
