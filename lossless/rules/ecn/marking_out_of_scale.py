"""ECN011."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.scheduling import QueueEcn
from lossless.model.units import NO_CONTEXT
from lossless.model.values import is_value, value
from lossless.rules.classes import carries
from lossless.rules.curves import curves
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView
from lossless.rules.words import time


@rule(
    "ECN011",
    name="marking-out-of-scale",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("classification", "ecn", "intent", "link", "place", "profile"),
    sources=(
        "HPCC's simulator, simulation/run.py (thresholds in proportion to the rate: 32 us)",
        "NVIDIA, RoCE lossless profile (150 KB at every rate: 1.5 us at 800 Gb/s)",
        "SONiC qos_config.j2 (1 MiB at every rate: 84 us at 100 Gb/s)",
    ),
    options={"least": 1_000, "most": 500_000},
    units={"least": "time", "most": "time"},
)
def check(port: PortView, *, least: int, most: int) -> Iterator[Answer]:
    """Marking begins at a depth that the port drains in almost no time, or in very long."""
    speed = value(port.link.speed)
    found = [(name, _drained(port, curve, speed)) for name, curve in _marked(port)]
    told = [(name, took) for name, took in found if took is not None]
    if not carries(port) or not told:
        yield NotApplicable("no lossless class is marked here at a depth told in bytes")
        return
    for name, took in told:
        if least <= took <= most:
            continue
        early = took < least
        yield Fault(
            message=f"class {name} on {{here}} begins to mark at what the port sends in "
            f"{time(took)}: "
            + ("an ordinary burst is marked" if early else "queues stand before anyone slows down"),
            field=f"classes.{name}.ecn.min",
            or_fields=(f"classes.{name}.ecn",),
            expected=f"{time(least)} to {time(most)}",
            actual=time(took),
        )


def _marked(port: PortView) -> Iterator[tuple[str, QueueEcn]]:
    for name, cls, curve in curves(port):
        if cls.lossless is True and curve.enabled is True and is_value(curve.minimum):
            yield name, curve


def _drained(port: PortView, curve: QueueEcn, speed: int | None) -> int | None:
    """Return how long the port takes to send what stands at the threshold, in nanoseconds."""
    units = NO_CONTEXT if port.profile is None else port.profile.units
    size = curve.minimum.to_bytes(units) if is_value(curve.minimum) else None
    return None if size is None or not speed else size * 8 * 10**9 // speed
