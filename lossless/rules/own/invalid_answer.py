"""INT002: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Fault, Rule, Scope, rule


@rule(
    "INT002",
    name="invalid-answer",
    severity=Severity.ERROR,
    scope=Scope.FABRIC,
    needs=("system",),
    sources=("this tool: an answer that cannot be reported must not be dropped",),
)
def invalid_answer(asked: Rule, what: str) -> Iterator[Fault]:
    """A rule gave an answer that means nothing, so what it checks was not checked."""
    yield Fault(
        message=f"rule {asked.id} ({asked.name}) asked about {{here}}: {what}", actual=asked.id
    )
