"""The arithmetic of headroom on the command line."""

from __future__ import annotations

import json

import pytest

from tests.cli.run import lossless


def test_each_figure_says_how_far_it_can_be_trusted() -> None:
    ran = lossless("headroom", "--speed", "400G", "--cable", "40m", "--model", "SN5600")
    assert ran.code == 0
    assert "Spectrum-4 (SN5600), cell 192 B: 117,760 B (estimate)" in ran.out
    assert "floor of physics: 28,400 B (floor)" in ran.out
    assert "mlx5 NIC, reserved after xoff: 179,867 B (exact)" in ran.out
    assert "buffer_headroom_mellanox.lua" in ran.out


def test_as_json_with_every_step() -> None:
    asked = ("headroom", "--speed", "800G", "--cable", "3m", "--model", "7060X6-64PE")
    told = json.loads(lossless(*asked, "--format", "json").out)
    laws = {row["law"]: row for row in told["headroom"]}
    (fitted,) = (row for law, row in laws.items() if law.startswith("Tomahawk5"))
    assert fitted["trust"] == "estimate"
    assert fitted["steps"][-1]["value"] == fitted["bytes"]


def test_a_chip_without_a_law_is_said_so() -> None:
    ran = lossless("headroom", "--speed", "400G", "--cable", "3m", "--model", "N9K-C9332D-GX2B")
    assert ran.code in (0, 2)
    assert "unknown cell" in ran.err or "no law is known" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--speed", "400", "--cable", "3m"), "a rate needs its unit"),
        (("--speed", "400G", "--cable", "3"), "a length needs its unit"),
        (("--speed", "400G", "--cable", "3m", "--model", "no-such"), "not a switch model"),
        (("--speed", "1600G", "--cable", "3m", "--model", "SN5600"), "no response time"),
    ],
)
def test_what_cannot_be_read_is_refused(arguments: tuple[str, ...], said: str) -> None:
    ran = lossless("headroom", *arguments)
    assert ran.code == 2
    assert said in ran.err
