"""When ECN marks before PFC pauses (Zhu et al., SIGCOMM 2015, and simpler bounds)."""

from __future__ import annotations

from fractions import Fraction

from lossless.formulas.wire import GIGA


def pause_threshold_static(buffer: int, ports: int, classes: int, headroom: int) -> Fraction:
    """Return the largest static pause threshold that leaves every port its headroom, in bytes."""
    return Fraction(buffer - classes * ports * headroom, classes * ports)


def marking_bound(
    buffer: int, ports: int, classes: int, headroom: int, alpha: Fraction
) -> Fraction:
    """Return the marking threshold below which ECN acts first whatever the traffic, in bytes.

    The worst pattern: every egress queue just below its threshold, all fed by one ingress port.
    """
    shared = buffer - classes * ports * headroom
    return alpha * shared / (classes * ports * (alpha + 1))


def marking_bound_hotspot(shared: int, alpha: Fraction) -> Fraction:
    """Return the bound for one congested egress fed by one ingress: alpha S / (1 + alpha)."""
    return alpha * shared / (1 + alpha)


def pause_depth(shared: int, alpha: Fraction, sources: int) -> Fraction:
    """Return the depth of an egress queue, in bytes, at which the ports that feed it pause."""
    return alpha * shared * sources / (1 + alpha * sources)


def drain_time(size: int, rate: int) -> Fraction:
    """Return how long a queue of `size` bytes takes to drain at `rate`, in nanoseconds."""
    return Fraction(size * 8 * GIGA, rate)


def delay_product(rate: int, round_trip: int) -> Fraction:
    """Return the bytes in flight at `rate` over a round trip in nanoseconds."""
    return Fraction(rate * round_trip, 8 * GIGA)
