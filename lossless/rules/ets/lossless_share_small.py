"""ETS007."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.units import PPM
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.curves import portion
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView
from lossless.rules.words import share


@rule(
    "ETS007",
    name="lossless-share-small",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("classification", "ets", "intent", "place"),
    sources=(
        "NVIDIA Cumulus Linux documentation, RoCE (half for RoCE)",
        "Azure Local: half for RDMA",
    ),
    options={"least": PPM // 2},
    units={"least": "share"},
)
def check(port: PortView, *, least: int) -> Iterator[Answer]:
    """The lossless classes of a port get less than half of it when every class sends."""
    names = [name for name, _, _ in lossless_classes(port)]
    found = portion(port, names) if carries(port) and names else None
    if not found:  # a share of nothing is a fault of its own
        yield NotApplicable("no lossless class crosses this port, or not every class has a share")
        return
    if found < least:
        yield Fault(
            message=f"{' and '.join(names)} get {share(found)} of {{here}} when every class sends; "
            f"{share(least)} or more is usual",
            field=f"classes.{names[0]}.bandwidth",
            or_fields=(f"classes.{names[0]}",),
            expected=f"at least {share(least)}",
            actual=share(found),
        )
