"""Ceilings: PCIe slots, perftest, collectives, and the watchdog's times."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from lossless.formulas.wire import GIGA, efficiency

#: Transfers a lane and second, and the line code (PCI-SIG; generation 6 in flits of 236/256).
_LANES: Final[Mapping[int, tuple[int, Fraction]]] = {
    3: (8 * GIGA, Fraction(128, 130)),
    4: (16 * GIGA, Fraction(128, 130)),
    5: (32 * GIGA, Fraction(128, 130)),
    6: (64 * GIGA, Fraction(236, 256)),
}


def pcie_rate(generation: int, width: int) -> Fraction | None:
    """Return the raw rate of a slot after its line code, in bit/s; `None` for unknown ones."""
    known = _LANES.get(generation)
    return None if known is None else known[0] * width * known[1]


def write_peak(rate: int, payload: int) -> Fraction:
    """Return the ceiling of `ib_write_bw` on an untagged IPv4 link, in bit/s."""
    return rate * efficiency(payload, "ipv4")


#: From the algorithm's rate to the bus rate, by collective (nccl-tests doc/PERFORMANCE.md).
def bus_factor(collective: str, ranks: int) -> Fraction:
    """Return busbw over algbw.  Raises `ValueError` for a collective that nccl-tests lacks."""
    share = Fraction(ranks - 1, ranks)
    factors = {
        "all_reduce": 2 * share,
        "all_gather": share,
        "reduce_scatter": share,
        "alltoall": share,
        "broadcast": Fraction(1),
        "reduce": Fraction(1),
        "gather": share,
        "scatter": share,
        "sendrecv": Fraction(1),
        "hypercube": share,
    }
    if collective not in factors:
        raise ValueError(f"{collective!r} is not a collective of nccl-tests")
    return factors[collective]


_MILLISECOND: Final = 1_000_000
_WATCHDOG: Final = 200 * _MILLISECOND
_LONGEST_POLL: Final = 1000 * _MILLISECOND


def sonic_watchdog(ports: int) -> tuple[int, int, int]:
    """Return the detection, restoration and poll times that `pfcwd start_default` sets, in ns.

    Source: sonic-utilities pfcwd/main.py: times grow with the number of ports.
    """
    times = max(1, (ports - 1) // 32 + 1) * _WATCHDOG
    return times, times, min(times, _LONGEST_POLL)
