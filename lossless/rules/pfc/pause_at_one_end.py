"""PFC011."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.pausing import paused
from lossless.rules.views import LinkView


@rule(
    "PFC011",
    name="pause-at-one-end",
    severity=Severity.WARNING,
    scope=Scope.LINK,
    needs=("link", "pfc", "place"),
    sources=("IEEE 802.3-2022 annex 31B (PAUSE)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """One end sends link-wide pause (802.3x), and the other does not honour it."""
    if link.b is None or not (in_use(link.a) and in_use(link.b)):
        yield NotApplicable("one end is outside the fabric or not in use")
        return
    if paused(link.a.pfc) or paused(link.b.pfc):
        yield NotApplicable("PFC is on, and pause beside it is a fault of its own")
        return
    for here, there in link.sides():
        if here.link.pause_send is True and there.link.pause_honour is OFF:
            yield Fault(
                message="{here} does not honour the link-wide pause that {there} sends",
                field="pause.honour",
                or_fields=("pause",),
                expected="on",
                actual="off",
                at=there,
                peer=here,
                peer_field="pause.send",
            )
