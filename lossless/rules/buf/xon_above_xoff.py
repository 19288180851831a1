"""BUF001: a pause is to be lifted above where it is sent."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.rooms import rooms
from lossless.rules.sizes import above
from lossless.rules.views import PortView


@rule(
    "BUF001",
    name="xon-above-xoff",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("buffers", "classification", "intent", "place", "profile"),
    sources=(
        "IEEE 802.1Q-2022 clause 36 (a pause is lifted once there is room again)",
        "SONiC sonic-buffer-profile.yang (xon and xoff of a profile, not held against each other)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A pause is to be lifted at a deeper filling than the room kept for what follows it."""
    told = [
        (name, group.xon, group.xoff)
        for name, _, group in rooms(port)
        if is_value(group.xon) and is_value(group.xoff)
    ]
    if not carries(port) or not told:
        yield NotApplicable("no group here states both thresholds")
        return
    for name, xon, xoff in told:
        if not (is_value(xon) and is_value(xoff)):
            continue
        higher = above(xon, xoff, port.profile)
        if higher is None:
            yield Missing((f"buffers.classes.{name}.xon",))
        elif higher:
            yield Fault(
                message=f"class {name} on {{here}} lifts its pause at {xon}, and {xoff} are its "
                "whole headroom: it pauses and resumes with every packet",
                field=f"buffers.classes.{name}.xon",
                or_fields=(f"buffers.classes.{name}.xoff", f"buffers.classes.{name}", "buffers"),
                expected=f"at most {xoff}",
                actual=str(xon),
            )
