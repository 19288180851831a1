"""INV900: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Fault, Scope, rule


@rule(
    "INV900",
    name="unused-suppression",
    severity=Severity.INFO,
    scope=Scope.FABRIC,
    needs=("system",),
    sources=("this tool: an acceptance that accepts nothing hides the next mistake",),
)
def unused_suppression(named: str, reason: str) -> Iterator[Fault]:
    """A suppression accepts nothing."""
    yield Fault(
        message=f"nothing is left for this suppression of {named} to accept; remove it",
        actual=f"{named} {reason}",
    )
