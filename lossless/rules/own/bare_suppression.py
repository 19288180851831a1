"""INV902: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Fault, Scope, rule


@rule(
    "INV902",
    name="suppression-without-reason",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("system",),
    sources=("this tool: an acceptance without a reason cannot be reviewed",),
)
def bare_suppression(named: str) -> Iterator[Fault]:
    """A suppression gives no reason, and therefore suppresses nothing."""
    yield Fault(
        message=f"this suppression of {named} gives no reason, so it suppresses nothing",
        actual=named,
    )
