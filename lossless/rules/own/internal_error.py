"""INT001: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Fault, Rule, Scope, rule


@rule(
    "INT001",
    name="internal-error",
    severity=Severity.ERROR,
    scope=Scope.FABRIC,
    needs=("system",),
    sources=("this tool: a rule that fails must not look like a pass",),
)
def internal_error(asked: Rule, what: str) -> Iterator[Fault]:
    """A rule failed, so what it checks was not checked."""
    yield Fault(
        message=f"rule {asked.id} ({asked.name}) failed on {{here}}: {what}", actual=asked.id
    )
