"""INV902: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lossless.findings import Severity
from lossless.rules.declare import Fault, Scope, rule


@rule(
    "INV902",
    name="unmet-baseline-entry",
    severity=Severity.INFO,
    scope=Scope.FABRIC,
    needs=("system",),
    sources=("this tool: an acceptance that accepts nothing hides the next mistake",),
)
def unmet_baseline(named: str, field: str | None, actual: Any) -> Iterator[Fault]:
    """The baseline accepts a finding that is no longer there."""
    value = "" if field is None else f" ({field} {actual})"
    yield Fault(
        message=f"the baseline accepts {named}{value} on {{here}}, where it is no longer found; "
        "write the baseline anew",
        actual=named,
    )
