"""NIC004."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import carries, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView
from lossless.rules.words import length


@rule(
    "NIC004",
    name="cable-told-too-short",
    severity=Severity.ERROR,
    scope=Scope.LINK,
    needs=("buffers", "cable", "place"),
    sources=(
        "linux mlx5 en/port_buffer.c (headroom from the length of the cable)",
        "IEEE 802.1Q-2022 annex N (buffer that a pause needs)",
    ),
)
def check(link: LinkView) -> Iterator[Answer]:
    """A device computes its headroom for a shorter cable than the one that is plugged in."""
    real = value(link.cable.length)
    if real is None:
        yield NotApplicable("the length of the cable is not declared")
        return
    ends = [end for end in (link.a, link.b) if end is not None and carries(end)]
    told = value(link.cable.configured_length)
    if told is not None and told < real and ends:
        yield _told(told, real)
        return
    for end in ends:
        held = value(end.buffers.cable)
        if is_nic(end) and held is not None and held < real:
            yield Fault(
                message=f"the NIC computes headroom for {length(held)} of cable, and "
                f"{length(real)} are plugged in",
                field="cable",
                expected=length(real),
                actual=length(held),
            )


def _told(told: int, real: int) -> Fault:
    return Fault(
        message=f"the devices are told {length(told)} of cable, and {length(real)} are plugged in: "
        "what arrives after a pause finds no room",
        field="configured_cable",
        or_fields=("cable",),
        expected=length(real),
        actual=length(told),
        fix=length(real),
    )
