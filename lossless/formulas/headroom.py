"""PFC headroom of an ingress group: what still arrives after a pause was decided.

`nvidia` is what SONiC computes for Spectrum and matches shipped tables byte for byte where its
inputs are right; `broadcom_xgs` is a fit to shipped tables; `floor` is physics.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Final

from lossless.formulas.steps import Step, Trust, Worked, shown, up
from lossless.formulas.wire import GIGA, QUANTUM_BYTES, response_quanta

KIB: Final = 1024
#: Metres a second in a cable, as SONiC has it (sonic-swss buffer_headroom_mellanox.lua).
_LIGHT: Final = 198_000_000
_LUA: Final = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
_TABLES: Final = "sonic-buildimage pg_profile_lookup.ini of the boxes that were fitted"
#: What one 64-byte packet takes on the wire, with preamble and gap.
_SMALLEST_ON_WIRE: Final = 84
#: 10 ns a metre there and back: bytes a second times millimetres, divided by this, are bytes.
_ONE_WAY_AND_BACK: Final = 10**11
_MAC_PHY: Final = Fraction(8, 10) * KIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Nvidia:
    """The inputs of NVIDIA's law, as a Spectrum switch under SONiC reports them.

    `small_packets` is the percentage of 64-byte packets in lossless traffic, counted by packets or
    `by_bytes`; `peer` the peer's response in bytes, where it is not that of the standard;
    `whole_cells` rounds the worst factor up (code of 2026); `tile` is Spectrum-4's and 5's;
    `gearbox` that of SN3800, in bytes; `extra` what Spectrum-6 adds.
    """

    cell: int
    port_mtu: int = 9100
    lossless_mtu: int = 1024
    small_packets: int = 50
    by_bytes: bool = True
    whole_cells: bool = True
    tile: bool = False
    peer: Fraction | None = None
    gearbox: int = 0
    extra: int = 0


def nvidia(given: Nvidia, rate: int, cable: int) -> Worked:
    """Return the headroom (xoff) in bytes for a rate in bit/s and a cable in millimetres.

    Exact where `given` is what the device uses.  Raises `ValueError` at a rate whose response time
    nobody told of.
    """
    peer = given.peer if given.peer is not None else _peer(rate)
    gigabits = Fraction(rate, GIGA)
    factor = _worst_factor(given)
    share = _small_share(given)
    occupancy = (100 - share + share * factor) / 100
    flight = 2 * Fraction(cable, 1000) * rate / _LIGHT / 8
    tile = gigabits * 120 / 8 if given.tile else Fraction(0)
    arriving = given.port_mtu + flight + 2 * given.gearbox + _MAC_PHY + peer + tile
    exact = given.lossless_mtu + arriving * occupancy
    result = up(exact, KIB) + given.extra
    steps = (
        _step(
            "worst factor", factor, "", f"memory a 64-byte packet takes in cells of {given.cell} B"
        ),
        _step("occupancy", occupancy, "", f"{shown(share)} % small packets"),
        _step("cable", flight, "B", f"2 x {shown(Fraction(cable, 1000))} m x {gigabits} Gb/s"),
        _step("peer's response", peer, "B", "pause quanta x 64"),
        _step("tile", tile, "B", "pipeline between tiles"),
        _step("arriving", arriving, "B", "port MTU + cable + gearbox + MAC and PHY + peer + tile"),
        _step("headroom", exact, "B", "lossless MTU + arriving x occupancy"),
        _step("xoff", Fraction(result), "B", "rounded up to 1 KiB"),
    )
    return Worked(result, Trust.EXACT, steps)


def _step(name: str, value: Fraction, unit: str, how: str) -> Step:
    return Step(name, Fraction(value), unit, how, _LUA)


def _peer(rate: int) -> Fraction:
    quanta = response_quanta(rate)
    if quanta is None:
        raise ValueError(f"no response time is known for {shown(Fraction(rate, GIGA))} Gb/s")
    return Fraction(quanta * QUANTUM_BYTES)


def _worst_factor(given: Nvidia) -> Fraction:
    cell = given.cell
    factor = Fraction(cell, 64) if cell > 128 else Fraction(2 * cell, 1 + cell)
    return Fraction(ceil(factor)) if given.whole_cells else factor


def _small_share(given: Nvidia) -> Fraction:
    share = Fraction(given.small_packets)
    if not given.by_bytes:
        return share
    mean = (share * 64 + (100 - share) * given.lossless_mtu) / 100
    return 100 * 64 / mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Xgs:
    """The fitted inputs of a Broadcom XGS box: fixed bytes, and response time in nanoseconds.

    The defaults hold across boxes that were not used in the fit: within 10 % on 29 of 100 rows,
    within a factor of two on 80.
    """

    cell: int
    fixed: int = 16_000
    response: int = 2_200


def broadcom_xgs(given: Xgs, rate: int, cable: int) -> Worked:
    """Return an estimate of the headroom of a Broadcom XGS chip, in bytes."""
    flight = Fraction(rate, 8) * cable / _ONE_WAY_AND_BACK
    answer = Fraction(rate, 8) * given.response / 10**9
    factor = Fraction(given.cell, _SMALLEST_ON_WIRE)
    arriving = given.fixed + flight + answer
    result = round(arriving * factor)
    steps = (
        Step("fixed", Fraction(given.fixed), "B", "frames under way and pipeline", _TABLES),
        Step("cable", flight, "B", "10 ns/m both ways", _TABLES),
        Step("response", answer, "B", f"{given.response} ns at line rate", _TABLES),
        Step("expansion", factor, "", f"cell {given.cell} B for 84 B on the wire", _TABLES),
        Step("xoff", Fraction(result), "B", "sum x expansion", _TABLES),
    )
    return Worked(
        result, Trust.ESTIMATE, steps, "a fit to shipped tables, never a device's own law"
    )


def floor(rate: int, cable: int, sent: int = 4200, received: int = 4200) -> Worked:
    """Return what physics asks for: the frames under way at both ends and a full cable, both ways.

    `sent` and `received` are the longest frames of the peer and of this end, in bytes.
    """
    flight = Fraction(rate, 8) * cable / _ONE_WAY_AND_BACK
    result = up(sent + received + flight)
    steps = (
        Step("frames", Fraction(sent + received), "B", "one begun at each end"),
        Step("cable", flight, "B", "10 ns/m there and back at line rate"),
        Step("floor", Fraction(result), "B", "no response time counted"),
    )
    return Worked(result, Trust.FLOOR, steps)


def with_response(rate: int, cable: int, lossless: int = 4200, other: int = 9216) -> Worked | None:
    """Return the floor with the peer's response time; `None` at a rate nobody told of."""
    quanta = response_quanta(rate)
    if quanta is None:
        return None
    flight = Fraction(rate, 8) * cable / _ONE_WAY_AND_BACK
    result = up(lossless + other + flight + quanta * QUANTUM_BYTES)
    steps = (
        Step("frames", Fraction(lossless + other), "B", "a lossless frame, and one in the way"),
        Step("cable", flight, "B", "10 ns/m there and back at line rate"),
        Step("response", Fraction(quanta * QUANTUM_BYTES), "B", f"{quanta} quanta x 64"),
        Step("sum", Fraction(result), "B", ""),
    )
    return Worked(result, Trust.ESTIMATE, steps)


_PORT_BUFFER: Final = "linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c"
_NIC_SLOWEST: Final = 40_000
_NIC_MAX_MTU: Final = 9216


def mlx5(rate: int, cable: int, mtu: int) -> Worked:
    """Return what an mlx5 NIC reserves after xoff, in bytes; the driver counts whole metres."""
    megabits = max(rate // 10**6, _NIC_SLOWEST)
    delay = 301 + 216 * (cable // 1000) // 100
    result = delay * megabits // 1000 + 272 * mtu // 100
    steps = (
        Step("delay", Fraction(delay), "", "301 + 216 x metres / 100", _PORT_BUFFER),
        Step("speed", Fraction(megabits), "Mb/s", "at least 40 Gb/s", _PORT_BUFFER),
        Step("frames", Fraction(272 * mtu // 100), "B", f"2.72 x MTU {mtu}", _PORT_BUFFER),
        Step("xoff reserve", Fraction(result), "B", "delay x speed / 1000 + frames", _PORT_BUFFER),
    )
    return Worked(result, Trust.EXACT, steps)


def mlx5_smallest_buffer(rate: int, cable: int, mtu: int, cell: int) -> int:
    """Return the smallest lossless receive buffer the driver accepts, in bytes."""
    return mlx5(rate, cable, mtu).result + max(mtu, _NIC_MAX_MTU) + cell
