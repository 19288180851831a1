"""RATE002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView
from lossless.rules.words import rate


@rule(
    "RATE002",
    name="cable-below-speed",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("cable", "link", "place"),
    sources=("NCCL issue 307 (a 200G adapter on a 100G cable)",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """A cable is rated below the speed of an end."""
    rated = value(link.cable.rated)
    ends = [link.a] if link.b is None else [link.a, link.b]
    speeds = [s for end in ends if in_use(end) and (s := value(end.link.speed)) is not None]
    if rated is None or not speeds:
        yield NotApplicable("the cable's rating, or the speed of its ends, is not declared")
    elif rated < max(speeds):
        yield Fault(
            message=f"the cable is rated {rate(rated)}, and its ends are {rate(max(speeds))}",
            field="rated",
            expected=rate(max(speeds)),
            actual=rate(rated),
            fix=rate(max(speeds)),
            fix_safe=False,  # the cable may really be a slower one
        )
