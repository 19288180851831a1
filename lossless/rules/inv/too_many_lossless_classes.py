"""INV005."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import carries, lossless_classes, lossless_priorities
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView


@rule(
    "INV005",
    name="too-many-lossless-classes",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("intent", "place", "profile"),
    sources=("The platforms' manuals, as its `limits.lossless_priorities` fact cites them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """More lossless classes are declared than the platform can keep lossless."""
    needed = lossless_priorities(port)
    if not carries(port) or not needed:
        yield NotApplicable("no lossless class crosses this port")
        return
    if len(needed) == 1:
        return  # every platform for RoCE keeps one
    limit = None if port.profile is None else port.profile.limits.lossless_priorities
    if limit is None:
        yield Missing(("platform",))
    elif len(needed) > limit:
        names = [name for name, _, _ in lossless_classes(port)]
        yield Fault(
            message=f"{len(needed)} lossless classes ({', '.join(names)}) cross {{here}}, and its "
            f"platform keeps {limit} lossless",
            field=f"classes.{names[-1]}.lossless",
            or_fields=(f"classes.{names[-1]}", "classes"),
            expected=limit,
            actual=len(needed),
            **weight(port.profile, "limits.lossless_priorities"),
        )
