"""VND305."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classification import PRIORITIES
from lossless.model.values import is_value
from lossless.platforms.sonic.rules.boxes import pauses
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView

ALL = frozenset(range(PRIORITIES))


@rule(
    "VND305",
    name="sonic-asymmetric-pfc",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("pfc", "place", "profile"),
    sources=(
        "sonic-net/sonic-swss, orchagent/portsorch.cpp (pfc_asym)",
        "sonic-net/SONiC issue 481, sonic-net/sonic-swss issue 1128",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """PFC is to honour more, or other, priorities than are sent; SONiC can only honour all."""
    sends, honours = port.pfc.send, port.pfc.honour
    if not pauses(port) or not carries(port) or not is_value(sends) or not is_value(honours):
        yield NotApplicable("PFC is not on here on SONiC, or not told for both directions")
        return
    if honours == sends:
        return
    whole = honours == ALL
    message = (
        "{here} honours pauses for every priority (pfc_asym): lossy classes can be stopped, and "
        "the watchdog does not look at them"
        if whole
        else "{here} is to honour other priorities than it sends; pfc_asym honours all eight"
    )
    yield Fault(
        message=message,
        field="pfc.honour",
        or_fields=("pfc",),
        expected=sorted(sends),
        actual=sorted(honours),
        severity=Severity.WARNING if whole else None,
    )
