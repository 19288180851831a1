"""PFC001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import honoured, sent
from lossless.rules.views import LinkView, PortView
from lossless.rules.words import priorities


@rule(
    "PFC001",
    name="pfc-priority-mismatch",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("intent", "place", "pfc"),
    sources=(
        "IEEE 802.1Q-2022 clause 36 (priority-based flow control acts between two link partners)",
        "C. Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016",
    ),
)
def check(link: LinkView) -> Iterator[Answer]:
    """An end of a link does not pause the priority of a lossless class that crosses it."""
    if link.b is None:
        if carries(link.a) and lossless_classes(link.a):
            yield Missing(("external",), at=link.a)
        return
    if not (carries(link.a) and carries(link.b)):
        yield NotApplicable("no lossless traffic is meant to cross this link")
        return
    names = shared_classes(link.a, link.b)
    if not names:
        yield NotApplicable("no lossless class is declared at both ends")
        return
    for here, there in link.sides():
        yield from _end(here, there, names)


def shared_classes(a: PortView, b: PortView) -> frozenset[str]:
    """Return the lossless classes that both ends declare and, beside a host, that it uses."""
    names = {name for name, _, _ in lossless_classes(a)}
    names &= {name for name, _, _ in lossless_classes(b)}
    for end in (a, b):
        used = {name for _, name in end.intent.sends}
        if used & names:
            names &= used
    return frozenset(names)


def _end(here: PortView, there: PortView, names: frozenset[str]) -> Iterator[Answer]:
    needed = {p: name for name, _, p in lossless_classes(here) if name in names}
    sends, honours = sent(here.pfc), honoured(here.pfc)
    if sends is None or honours is None:
        untold = {"pfc.send": sends, "pfc.honour": honours}
        yield Missing(tuple(f for f, found in untold.items() if found is None), at=here)
        return
    silent, deaf = needed.keys() - sends, needed.keys() - honours
    if not silent and not deaf:
        return
    wanted = _mended(frozenset(needed), here, sends | honours)
    field = _field(here, silent, deaf)
    yield Fault(
        message=_message(here, there, needed, silent, deaf),
        field=field,
        or_fields=("pfc.priorities", "pfc.send", "pfc.honour", "pfc.mode", "pfc"),
        expected=wanted,
        actual="off" if here.pfc.mode is OFF else sorted(sends & honours),
        at=here,
        peer=there,
        peer_field="pfc.priorities",
        fix=wanted if field == "pfc.priorities" else None,
    )


def _mended(needed: frozenset[int], here: PortView, found: frozenset[int]) -> list[int]:
    """Return what the set should be: an extra priority stays where it stood beside a needed one."""
    every = frozenset(p for _, _, p in lossless_classes(here))
    return sorted(needed | (found & every) | (found if found & needed else frozenset()))


def _field(here: PortView, silent: set[int], deaf: set[int]) -> str:
    if here.pfc.mode is OFF:
        return "pfc.mode"
    if silent == deaf:
        return "pfc.priorities"
    return "pfc.send" if silent else "pfc.honour"


def _message(
    here: PortView, there: PortView, needed: dict[int, str], silent: set[int], deaf: set[int]
) -> str:
    if here.pfc.mode is OFF:
        what = f"has PFC off, and {_of(needed, silent | deaf)} must be paused"
    elif silent == deaf:
        both = (sent(here.pfc) or frozenset()) | (honoured(here.pfc) or frozenset())
        what = f"pauses {priorities(both)}, and {_of(needed, silent)} must be paused"
    elif silent:
        what = f"never asks its peer to pause {_of(needed, silent)}"
    else:
        what = f"does not pause {_of(needed, deaf)} when it is asked to"
    beyond = honoured(there.pfc)
    return f"{{here}} {what}" + (f"; {{there}} has {sorted(beyond)}" if beyond is not None else "")


def _of(needed: dict[int, str], lacking: set[int]) -> str:
    return " and ".join(f"priority {p} (class {needed[p]})" for p in sorted(lacking))
