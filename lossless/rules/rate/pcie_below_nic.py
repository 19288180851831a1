"""RATE006."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from lossless.findings import Confidence, Severity
from lossless.model.values import value
from lossless.rules.classes import carries, is_nic
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView
from lossless.rules.words import rate

#: Bits per second of one lane after line coding: 128b/130b from generation 3, 236/256 (FLIT) in 6.
_LANE: Final = {
    3: Fraction(8 * 10**9 * 128, 130),
    4: Fraction(16 * 10**9 * 128, 130),
    5: Fraction(32 * 10**9 * 128, 130),
    6: Fraction(64 * 10**9 * 236, 256),
}

#: What a 256-byte transaction leaves beside its own header and framing of 26 bytes.
_PAYLOAD: Final = Fraction(256, 256 + 26)


@rule(
    "RATE006",
    name="pcie-below-nic",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("adapter", "link", "place"),
    sources=("PCI Express Base Specification 6.0, §4 (line coding) and §2 (headers)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A NIC's slot is slower than its port."""
    if not (is_nic(port) and carries(port)):
        yield NotApplicable("not a NIC that carries lossless traffic")
        return
    speed = value(port.link.speed)
    generation, width = value(port.adapter.pcie_generation), value(port.adapter.pcie_width)
    lane = None if generation is None else _LANE.get(generation)
    if speed is None or width is None or lane is None:
        yield Missing(("pcie",) if speed is not None else ("speed",))
        return
    raw = int(lane * width)
    usable = int(raw * _PAYLOAD)
    if usable >= speed:
        return
    certain = raw < speed
    yield Fault(
        message=f"the slot of {{here}} (gen{generation}x{width}) moves about {rate(usable)}, and "
        f"its port is {rate(speed)}",
        field="pcie",
        expected=rate(speed),
        actual=f"gen{generation}x{width}",
        severity=None if certain else Severity.INFO,
        confidence=Confidence.CERTAIN if certain else Confidence.ESTIMATE,
    )
