"""INV903: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Fault, Scope, rule


@rule(
    "INV903",
    name="maintenance-expired",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("system",),
    sources=("this tool: what was accepted for a time must come back",),
)
def maintenance_expired(until: str, reason: str) -> Iterator[Fault]:
    """A mark of maintenance has run out."""
    yield Fault(
        message=f"this maintenance ended on {until} ({reason}); remove the mark, or move its date",
        actual=until,
    )
