"""BUF002: a threshold of another kind than its pool."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.buffers import PriorityGroup
from lossless.model.values import is_value, value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.rooms import rooms
from lossless.rules.views import PortView


@rule(
    "BUF002",
    name="threshold-against-pool",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("buffers", "classification", "intent", "place", "system"),
    sources=("SONiC sonic-buffer-pool.yang and sonic-buffer-profile.yang (mode, static_th)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A class has a static threshold in a dynamic pool, a dynamic one in a static pool, or both."""
    found = [(n, g) for n, _, g in rooms(port) if is_value(g.alpha) or is_value(g.limit)]
    if not carries(port) or not found:
        yield NotApplicable("no class here states a threshold")
        return
    mode = pool_mode(port)
    for name, group in found:
        yield from _group(name, group, mode)


def pool_mode(port: PortView) -> str | None:
    """Return the mode that all pools on the way in share; `None` where they differ or say none."""
    pools = [p for _, p in port.system.buffers.pools if value(p.direction) != "egress"]
    modes = {value(pool.mode) for pool in pools}
    return modes.pop() if len(modes) == 1 else None


def _group(name: str, group: PriorityGroup, mode: str | None) -> Iterator[Answer]:
    at = f"buffers.classes.{name}"
    if is_value(group.alpha) and is_value(group.limit):
        yield Fault(
            message=f"class {name} on {{here}} has a static and a dynamic threshold, and only one "
            "of them can hold",
            field=f"{at}.limit",
            or_fields=(f"{at}.alpha", at, "buffers"),
            actual=str(group.limit),
        )
        return
    kind, key = ("dynamic", "alpha") if is_value(group.alpha) else ("static", "limit")
    if mode is not None and mode != kind:
        yield Fault(
            message=f"class {name} on {{here}} has a {kind} threshold, and its pool is {mode}",
            field=f"{at}.{key}",
            or_fields=(at, "buffers.pools", "buffers"),
            expected=mode,
            actual=kind,
        )
