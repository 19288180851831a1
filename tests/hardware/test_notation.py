"""How values are written in the data files."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.hardware import notation
from lossless.hardware.decode import fill
from lossless.hardware.notation import NotationError
from lossless.model.pfc import PfcMode
from lossless.model.profile import Range
from lossless.model.settings import Settings
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Cap, Quantity, Unit
from lossless.model.values import DEFAULT, OFF


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("9214", 9214),
        ("200ms", 200_000_000),
        ("60s", 60 * 10**9),
        ("0", 0),
        ("-7", -7),
        ("350m", 350_000),
        ("400G", 400 * 10**9),
        ("5%", 50_000),
    ],
)
def test_numbers_are_base_units(text: str, meant: int) -> None:
    assert notation.number(text) == meant


def test_ranges_may_be_open() -> None:
    assert notation.range_of("100ms..5s") == Range(100_000_000, 5 * 10**9)
    assert notation.range_of("..9216") == Range(None, 9216)
    assert notation.range_of("1..") == Range(1, None)


@given(st.lists(st.none() | st.just(OFF) | st.integers(0, 15), min_size=64, max_size=64))
def test_maps_are_read_as_written(entries: list[object]) -> None:
    text = "; ".join(
        f"{i}: {'off' if e is OFF else e}" for i, e in enumerate(entries) if e is not None
    )
    if text:
        assert notation.code_points(text, 64) == tuple(entries)


def test_rest_fills_what_is_left_and_only_that() -> None:
    assert notation.code_points("0-1, 5: 7; 3: off; rest: 2", 8) == (7, 7, 2, OFF, 2, 7, 2, 2)


def test_quantities_and_shares() -> None:
    assert notation.quantity("150 kbytes") == Quantity(Fraction(150), Unit.KBYTES)
    assert notation.quantity("5 % of queue") == Quantity(Fraction(5), Unit.PERCENT_OF_QUEUE)
    assert notation.bandwidth("50% remaining") == Bandwidth(BandwidthKind.REMAINING, 500_000)
    assert notation.bandwidth("weight 15") == Bandwidth(BandwidthKind.WEIGHT, 15)
    assert notation.cap("40%") == Cap(share=400_000)
    assert notation.cap("10G") == Cap(rate=10**10)
    assert notation.alpha("1/8") == Alpha(ratio=Fraction(1, 8))
    assert notation.alpha({"index": "3"}) == Alpha(index=3)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (notation.number, "many"),
        (notation.number, "5 parsecs"),
        (notation.range_of, "5"),
        (notation.quantity, "5 parsecs"),
        (notation.bandwidth, "50% luck"),
        (notation.bandwidth, "50 ets"),
        (notation.cap, "0.00001%"),
        (notation.alpha, {"size": "1"}),
        (lambda text: notation.code_points(text, 8), "8: 1"),
        (lambda text: notation.code_points(text, 8), "1: 1; 0-2: 2"),
        (lambda text: notation.code_points(text, 8), "1"),
    ],
)
def test_what_means_nothing_is_refused(read: object, text: object) -> None:
    with pytest.raises(NotationError):
        read(text)  # type: ignore[operator]


def test_the_model_is_the_schema() -> None:
    raw = {
        "pfc": {"mode": "on", "send": "3, 5-6", "honour": []},
        "watchdog": {"enabled": "off", "poll": "default"},
        "ets": {"queues": {"0-1": {"level": "2"}}},
        "dcb": {"applications": {"udp 4791": "3"}},
    }
    settings = fill(Settings, raw)
    assert settings.pfc.mode is PfcMode.ON
    assert (settings.pfc.send, settings.pfc.honour) == (frozenset({3, 5, 6}), frozenset())
    assert (settings.watchdog.enabled, settings.watchdog.poll) == (OFF, DEFAULT)
    assert [key for key, _ in settings.ets.queues] == [0, 1]
    assert settings.dcb.applications == (("udp 4791", 3),)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({"pfc": {"mod": "on"}}, "pfc.mod"),
        ({"pfc": {"mode": "false"}}, "pfc.mode"),
        ({"pfc": {"send": "x"}}, "pfc.send"),
        ({"watchdog": {"enabled": "yes"}}, "watchdog.enabled"),
        ({"ets": {"queues": {"0-2": {}, "1": {}}}}, "ets.queues"),
        ({"mtu": "9000"}, "mtu"),
        ({"mtu": {"native": ["9000"]}}, "mtu.native"),
    ],
)
def test_faults_name_their_path(raw: dict[str, object], told: str) -> None:
    with pytest.raises(NotationError, match=told.replace(".", r"\.")):
        fill(Settings, raw)
