"""RATE001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import LinkView
from lossless.rules.words import rate


@rule(
    "RATE001",
    name="speed-mismatch",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("link", "place"),
    sources=("IEEE 802.3-2022 (both ends of a link run at one rate)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """The two ends of a link are declared with different speeds."""
    if link.b is None or not (in_use(link.a) and in_use(link.b)):
        yield NotApplicable("one end is outside the fabric or not in use")
        return
    speeds = [value(end.link.speed) for end in (link.a, link.b)]
    for end, speed in zip((link.a, link.b), speeds, strict=True):
        if speed is None:
            yield Missing(("speed",), at=end)
    a, b = speeds
    if a is not None and b is not None and a != b:
        yield Fault(
            message=f"{{here}} is {rate(a)} and {{there}}, at the other end, is {rate(b)}",
            field="speed",
            expected=rate(b),
            actual=rate(a),
            at=link.a,
            peer=link.b,
            peer_field="speed",
            restore=("speed",),
        )
