"""MTUs, ceilings, watchdog times and marking bounds, against figures from their sources."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lossless.formulas import limits, marking, wire

G = 10**9


# linux include/rdma/ib_addr.h: an interface's MTU and the RoCE MTU the kernel derives.
BOUNDARIES = {
    68: 0,
    351: 0,
    352: 256,
    607: 256,
    608: 512,
    1119: 512,
    1120: 1024,
    1500: 1024,
    2143: 1024,
    2144: 2048,
    4096: 2048,
    4191: 2048,
    4192: 4096,
    4200: 4096,
    9216: 4096,
}


@pytest.mark.parametrize(("netdev", "roce"), BOUNDARIES.items())
def test_the_mtu_that_the_kernel_derives(netdev: int, roce: int) -> None:
    assert wire.roce_mtu(netdev) == roce
    if roce:
        assert wire.netdev_mtu_for(roce) <= netdev


def test_what_a_packet_weighs() -> None:
    assert wire.l3_length(256, "ipv4") == 300
    assert wire.l3_length(256, "ipv4", first=True) == 316
    assert wire.l3_length(256, "ipv4", first=True, immediate=True) == 320
    assert wire.frame_length(256, "ipv4", first=True) == 330
    assert wire.wire_length(256, "ipv4") == 338
    assert wire.wire_length(256, "ipv4", vlan=4) == 342


@pytest.mark.parametrize(
    ("gigabits", "payload", "peak"),
    [(25, 1024, 23.146), (100, 4096, 98.037), (400, 4096, 392.149), (800, 1024, 740.687)],
)
def test_the_ceiling_of_ib_write_bw(gigabits: int, payload: int, peak: float) -> None:
    assert float(limits.write_peak(gigabits * G, payload) / G) == pytest.approx(peak, abs=0.001)


@pytest.mark.parametrize(
    ("generation", "width", "rate"),
    [(3, 16, 126.03), (4, 16, 252.06), (5, 16, 504.12), (6, 16, 944)],
)
def test_the_rate_of_a_slot(generation: int, width: int, rate: float) -> None:
    found = limits.pcie_rate(generation, width)
    assert found is not None
    assert float(found / G) == pytest.approx(rate, abs=0.01)
    assert limits.pcie_rate(9, 16) is None


def test_bus_factors_of_collectives() -> None:
    assert limits.bus_factor("all_reduce", 8) == Fraction(7, 4)
    assert limits.bus_factor("all_gather", 4) == Fraction(3, 4)
    with pytest.raises(ValueError, match="all_sing"):
        limits.bus_factor("all_sing", 2)


# sonic-utilities pfcwd/main.py: ports, detection, restoration and poll in milliseconds.
@pytest.mark.parametrize(
    ("ports", "detect", "poll"),
    [(1, 200, 200), (32, 200, 200), (33, 400, 400), (161, 1200, 1000), (512, 3200, 1000)],
)
def test_watchdog_times_grow_with_ports(ports: int, detect: int, poll: int) -> None:
    told = limits.sonic_watchdog(ports)
    assert told == (detect * 10**6, detect * 10**6, poll * 10**6)


def test_the_paper_s_bounds() -> None:
    """Zhu et al., SIGCOMM 2015: 12 MB, 32 ports, 8 classes, 22.4 KB of headroom."""
    assert int(marking.pause_threshold_static(12_000_000, 32, 8, 22_400)) == 24475
    bounds = {Fraction(1, 8): 2719, Fraction(1, 2): 8158, Fraction(1): 12238, Fraction(8): 21756}
    for alpha, bound in bounds.items():
        assert round(marking.marking_bound(12_000_000, 32, 8, 22_400, alpha)) == pytest.approx(
            bound, abs=1
        )


def test_who_acts_first_on_a_big_buffer() -> None:
    shared = 80_000_000
    depths = [marking.pause_depth(shared, Fraction(1), m) / 10**6 for m in (1, 4, 16)]
    assert [round(float(d), 1) for d in depths] == [40.0, 64.0, 75.3]
    assert marking.marking_bound_hotspot(shared, Fraction(1)) == 40_000_000


def test_times_and_sizes_at_a_rate() -> None:
    assert marking.drain_time(150_000, 400 * G) == 3000
    assert marking.delay_product(400 * G, 8000) == 400_000
