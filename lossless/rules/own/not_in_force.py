"""INV905: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lossless.findings import Severity
from lossless.rules.declare import Fault, Scope, rule


@rule(
    "INV905",
    name="setting-not-in-force",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("system",),
    sources=("this tool: what a device says of its own two states",),
)
def not_in_force(field: str, configured: Any, operational: Any) -> Iterator[Fault]:
    """A device is configured one way and runs another."""
    yield Fault(
        message=f"{field} on {{here}} is configured and not in force",
        field=field,
        expected=configured,
        actual=operational,
    )
