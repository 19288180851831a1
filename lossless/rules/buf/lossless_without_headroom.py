"""BUF003: a lossless class whose group keeps no headroom."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.buffers import PriorityGroup
from lossless.model.units import Quantity
from lossless.model.values import OFF, Field, is_value
from lossless.rules.classes import carries, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.rooms import rooms
from lossless.rules.views import PortView


@rule(
    "BUF003",
    name="lossless-without-headroom",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("buffers", "classification", "intent", "place"),
    sources=(
        "IEEE 802.1Q-2022 annex N (what arrives after a pause needs room)",
        "sonic-net/SONiC issue 480 (drops behind a headroom of 0, with PFC on)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A lossless class is counted in a group that is lossy, or has a headroom of nothing."""
    found = [(name, group) for name, cls, group in rooms(port) if cls.lossless is True]
    if not carries(port) or is_nic(port) or not found:
        yield NotApplicable("no group of a lossless class is told of on this switch port")
        return
    for name, group in found:
        why, key = _why(group)
        if key:
            yield Fault(
                message=f"class {name} is lossless, and its group on {{here}} {why}: what is on "
                "its way when a pause is sent is dropped",
                field=f"buffers.classes.{name}.{key}",
                or_fields=(f"buffers.classes.{name}", "buffers"),
                actual=why,
            )


def _why(group: PriorityGroup) -> tuple[str, str]:
    if group.lossless is OFF:
        return "is a lossy one", "xoff"
    if _nothing(group.xoff) or _nothing(group.headroom):
        return "keeps no headroom", "xoff"
    return "", ""


def _nothing(told: Field[Quantity]) -> bool:
    return told is OFF or (is_value(told) and told.number == 0)
