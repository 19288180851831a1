"""INV904: see the page beside this module."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.declare import Fault, Scope, rule


@rule(
    "INV904",
    name="device-not-read",
    severity=Severity.ERROR,
    scope=Scope.DEVICE,
    needs=("system",),
    sources=("this tool: what nobody saw is neither right nor wrong",),
)
def device_not_read(why: str) -> Iterator[Fault]:
    """A device was not seen, or what it showed is damaged or not understood."""
    yield Fault(message=f"{{here}} was not wholly read: {why}", actual=why)
