"""INV901: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lossless.findings import Severity
from lossless.rules.declare import Fault, Scope, rule


@rule(
    "INV901",
    name="unknown-rule-in-suppression",
    severity=Severity.WARNING,
    scope=Scope.FABRIC,
    needs=("system",),
    sources=("this tool: a misspelt rule id suppresses nothing",),
)
def unknown_suppression(named: str, close: Sequence[str]) -> Iterator[Fault]:
    """A suppression names a rule that does not exist."""
    hint = f"; did you mean {close[0]}?" if close else "; `lossless rules` lists them"
    yield Fault(message=f"there is no rule {named!r} to suppress{hint}", actual=named)
