"""Headroom, against rows of tables that vendors ship and figures that their code gives."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.formulas import headroom
from lossless.formulas.headroom import Nvidia, Xgs
from lossless.formulas.steps import Trust
from lossless.formulas.wire import RESPONSE_QUANTA

G = 10**9
M = 1000
#: The peer's response before the standard's was used: 3.8 KiB.
OLD_PEER = Fraction(38, 10) * 1024
SN2700 = Nvidia(
    cell=96,
    port_mtu=9216,
    small_packets=100,
    by_bytes=False,
    whole_cells=False,
    peer=OLD_PEER,
)
SN5600 = Nvidia(cell=192, port_mtu=9216, small_packets=100, by_bytes=False, tile=True)
V256 = Nvidia(
    cell=192, port_mtu=9216, lossless_mtu=4096, small_packets=50, by_bytes=False, tile=True
)
SN5640 = Nvidia(cell=192, port_mtu=9216, lossless_mtu=4096, small_packets=50, tile=True)

# sonic-buildimage, device/mellanox/*/pg_profile_lookup.ini: Gb/s, metres, xoff in bytes.
SHIPPED = [
    (SN2700, 10, 5, 29696),
    (SN2700, 25, 5, 29696),
    (SN2700, 40, 5, 29696),
    (SN5600, 10, 5, 45056),
    (SN5600, 10, 300, 56320),
    (SN5600, 100, 5, 113664),
    (SN5600, 400, 40, 283648),
    (SN5600, 800, 5, 257024),
    (SN5600, 800, 40, 362496),
    (SN5600, 800, 300, 1150976),
    (V256, 800, 5, 175104),
    (V256, 800, 300, 771072),
    (SN5640, 10, 5, 20480),
    (SN5640, 10, 1000, 33792),
]


@pytest.mark.parametrize(("given_", "gigabits", "metres", "xoff"), SHIPPED)
def test_nvidia_s_law_gives_the_shipped_rows(
    given_: Nvidia, gigabits: int, metres: int, xoff: int
) -> None:
    worked = headroom.nvidia(given_, gigabits * G, metres * M)
    assert worked.result == xoff
    assert worked.trust is Trust.EXACT
    assert worked.steps[-1].value == xoff


def test_a_rate_without_a_known_response_is_refused() -> None:
    with pytest.raises(ValueError, match=r"1,600 Gb/s"):
        headroom.nvidia(SN5600, 1600 * G, 5 * M)
    assert headroom.with_response(1600 * G, 5 * M) is None


# linux mlx5 en/port_buffer.c: Gb/s, metres, MTU, reserve after xoff, smallest buffer (cell 128).
MLX5 = [
    (25, 3, 1500, 16360, 25704),
    (25, 7, 4200, 24064, 33408),
    (25, 100, 9000, 45160, 54504),
    (100, 7, 1500, 35680, None),
    (400, 7, 4200, 137824, 147168),
    (800, 30, 4200, 303424, None),
]


@pytest.mark.parametrize(("gigabits", "metres", "mtu", "reserve", "smallest"), MLX5)
def test_what_mlx5_reserves(
    gigabits: int, metres: int, mtu: int, reserve: int, smallest: int | None
) -> None:
    rate, cable = gigabits * G, metres * M
    assert headroom.mlx5(rate, cable, mtu).result == reserve
    if smallest is not None:
        assert headroom.mlx5_smallest_buffer(rate, cable, mtu, 128) == smallest


# sonic-buildimage, device/dell: cell, fixed bytes, response in ns, Gb/s, metres, shipped xoff.
XGS = [
    (254, 16_000, 2_100, 100, 5, 129_032),
    (254, 16_000, 2_100, 200, 5, 214_122),
    (254, 16_000, 2_100, 400, 5, 371_348),
    (254, 19_000, 2_200, 800, 40, 835_406),
]


@pytest.mark.parametrize(("cell", "fixed", "response", "gigabits", "metres", "xoff"), XGS)
def test_the_fit_to_broadcom_s_tables_is_an_estimate_within_two_per_cent(
    cell: int, fixed: int, response: int, gigabits: int, metres: int, xoff: int
) -> None:
    given_ = Xgs(cell=cell, fixed=fixed, response=response)
    worked = headroom.broadcom_xgs(given_, gigabits * G, metres * M)
    assert worked.trust is Trust.ESTIMATE
    assert abs(worked.result - xoff) / xoff < 0.02


rates = st.sampled_from(sorted(RESPONSE_QUANTA))
cables = st.integers(500, 2_000_000)


@given(rate=rates, cable=cables, longer=st.integers(0, 100_000))
def test_a_longer_cable_never_needs_less(rate: int, cable: int, longer: int) -> None:
    for law in (
        lambda length: headroom.nvidia(SN5600, rate, length),
        lambda length: headroom.broadcom_xgs(Xgs(cell=254), rate, length),
        lambda length: headroom.floor(rate, length),
        lambda length: headroom.mlx5(rate, length, 4200),
    ):
        assert law(cable).result <= law(cable + longer).result


@given(rate=rates, cable=cables)
def test_no_law_goes_below_physics(rate: int, cable: int) -> None:
    least = headroom.floor(rate, cable, sent=1024, received=1024).result
    assert headroom.nvidia(SN5600, rate, cable).result >= least
    whole = headroom.with_response(rate, cable)
    assert whole is not None
    assert whole.result >= headroom.floor(rate, cable).result
