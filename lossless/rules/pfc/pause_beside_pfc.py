"""PFC010."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.rules.classes import in_use
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import paused
from lossless.rules.views import PortView


@rule(
    "PFC010",
    name="pause-beside-pfc",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("link", "pfc", "place"),
    sources=(
        "IEEE 802.1Q-2022 clause 36 (PAUSE and PFC exclude each other on a link)",
        "linux drivers/net/ethernet/mellanox/mlxsw/spectrum_dcb.c and mlx5 en_dcbnl.c",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """Link-wide pause (802.3x) is on where PFC is on."""
    if not in_use(port):
        yield NotApplicable("the port is not in use")
        return
    found = paused(port.pfc)
    if not found:
        yield NotApplicable("PFC is off") if found is not None else Missing(("pfc.priorities",))
        return
    told = {"pause.send": port.link.pause_send, "pause.honour": port.link.pause_honour}
    on = [field for field, switch in told.items() if switch is True]
    if on:
        yield Fault(
            message="{here} has link-wide pause on beside PFC; it stops every class, and many "
            "devices then refuse PFC",
            field=on[0],
            or_fields=("pause",),
            expected="off",
            actual="on",
        )
    elif None in told.values():
        yield Missing(tuple(field for field, switch in told.items() if switch is None))
