"""RATE009."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import in_use, is_nic
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView
from lossless.rules.words import rate

#: The fact that tells the fastest port of an adapter, in bit/s.
FACT = "max_rate"


@rule(
    "RATE009",
    name="speed-above-model",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("link", "place", "profile"),
    sources=("The adapters' data sheets, as its `facts.max_rate` cites them",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A NIC is declared faster than its model can run."""
    speed = value(port.link.speed)
    if not (is_nic(port) and in_use(port)) or speed is None:
        yield NotApplicable("not a NIC with a declared speed")
        return
    fastest = None if port.profile is None else port.profile.facts.get(FACT)
    if not isinstance(fastest, int):
        yield Missing(("model",))
    elif speed > fastest:
        yield Fault(
            message=f"{{here}} is declared as {rate(speed)}, and its model does {rate(fastest)} "
            "at most",
            field="speed",
            or_fields=("model",),
            expected=rate(fastest),
            actual=rate(speed),
            **weight(port.profile, f"facts.{FACT}"),
        )
