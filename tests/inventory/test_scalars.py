"""Scalars with units: what is written comes out in base units, and nothing else passes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.inventory import grammar, scalars, strings
from lossless.inventory.scalars import Raw, ScalarError
from lossless.inventory.syntax import resolve
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Cap, Quantity, Unit


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (scalars.rate, "400G", 400_000_000_000),
        (scalars.rate, "2.5Gbit/s", 2_500_000_000),
        (scalars.rate, "100 Mbps", 100_000_000),
        (scalars.rate, "1.6T", 1_600_000_000_000),
        (scalars.time, "200ms", 200_000_000),
        (scalars.time, "0.5us", 500),
        (scalars.time, "50 µs", 50_000),
        (scalars.time, "1s", 1_000_000_000),
        (scalars.length, "3m", 3000),
        (scalars.length, "0.5m", 500),
        (scalars.length, "30 cm", 300),
        (scalars.length, "2km", 2_000_000),
        (scalars.share, "60%", 600_000),
        (scalars.share, "0.5 %", 5000),
        (scalars.share, "7ppm", 7),
        (scalars.size, "150KB", Quantity(Fraction(150_000), Unit.BYTES)),
        (scalars.size, "150KiB", Quantity(Fraction(153_600), Unit.BYTES)),
        (scalars.size, "1.5MB", Quantity(Fraction(1_500_000), Unit.BYTES)),
        (scalars.size, "3556B", Quantity(Fraction(3556), Unit.BYTES)),
        (scalars.size, "10 kbytes", Quantity(Fraction(10), Unit.KBYTES)),
        (scalars.size, "12.5 cells", Quantity(Fraction(25, 2), Unit.CELLS)),
        (scalars.size, "4 segments", Quantity(Fraction(4), Unit.SEGMENTS)),
        (scalars.size, "55% of queue", Quantity(Fraction(55), Unit.PERCENT_OF_QUEUE)),
        (scalars.size, "55 %  of  pool", Quantity(Fraction(55), Unit.PERCENT_OF_POOL)),
        (scalars.threshold, "10us", Quantity(Fraction(10_000), Unit.NANOSECONDS)),
        (scalars.threshold, "2 mbytes", Quantity(Fraction(2), Unit.MBYTES)),
        (scalars.bandwidth, "60%", Bandwidth(BandwidthKind.ETS, 600_000)),
        (scalars.bandwidth, {"remaining": "50%"}, Bandwidth(BandwidthKind.REMAINING, 500_000)),
        (scalars.bandwidth, {"line": "1%"}, Bandwidth(BandwidthKind.LINE, 10_000)),
        (scalars.bandwidth, {"weight": Raw("20")}, Bandwidth(BandwidthKind.WEIGHT, 20)),
        (scalars.cap, "5%", Cap(share=50_000)),
        (scalars.cap, "10G", Cap(rate=10_000_000_000)),
        (scalars.alpha, Raw("0.125"), Alpha(ratio=Fraction(1, 8))),
        (scalars.alpha, "1/8", Alpha(ratio=Fraction(1, 8))),
        (scalars.alpha, {"index": Raw("10")}, Alpha(index=10)),
        (scalars.oversubscription, Raw("1.5"), 1_500_000),
        (scalars.numbers(0, 63, "a DSCP"), "24-31", frozenset(range(24, 32))),
        (scalars.numbers(0, 63, "a DSCP"), ["0-8/4", Raw("3")], frozenset({0, 3, 4, 8})),
        (scalars.numbers(0, 63, "a DSCP"), Raw("7"), frozenset({7})),
        (scalars.numbers(0, 63, "a DSCP"), [], frozenset()),
        (scalars.ordered(0, 99, "an index"), ["3-1", Raw("7"), "0"], (3, 2, 1, 7, 0)),
        (scalars.whole(0, 255, "a byte"), Raw("0x6a"), 106),
        (scalars.whole(0, 255, "a byte"), Raw("0o17"), 15),
        (scalars.whole(0, 255, "a byte"), Raw("017"), 17),  # YAML 1.2: decimal
    ],
)
def test_what_is_read(read: Callable[[Any], Any], text: Any, value: Any) -> None:
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "texts"),
    [
        (scalars.rate, ["400", "400GB", "0G", "-1G", "G", "4e2G", "1,6T", "400 G G", "٤G"]),
        (scalars.time, ["200", "200m", "0.5ns", "1h", "-1s"]),
        (scalars.length, ["3", "3ft", "0.1mm", "-3m"]),
        (scalars.share, ["60", "101%", "0.00001%", "-1%", "%"]),
        (
            scalars.size,
            ["150", "150K", "1.5B", "55%", "101% of queue", "0.3KiB", "10us", "1 sheep"],
        ),
        (scalars.bandwidth, ["60", {}, {"line": "1%", "weight": Raw("1")}, {"part": "1%"}]),
        (scalars.bandwidth, [{"weight": "3%"}, {"weight": Raw("0")}, ["60%"], Raw("true")]),
        (scalars.alpha, ["0", "1/0", "a", {}, {"index": Raw("1"), "ratio": Raw("1")}, ["1"]]),
        (
            scalars.numbers(0, 7, "a priority"),
            ["8", "5-9", "1-", "a", "", ["1", "0-3"], {"a": "b"}],
        ),
        (scalars.numbers(0, 7, "a priority"), ["0-7/0", "0-999999999999999", [["1"]], [None]]),
        (scalars.whole(0, 7, "a priority"), ["3", Raw("8"), Raw("3.0"), Raw("true"), None, ["3"]]),
        (scalars.whole(0, 7, "a priority"), [Raw("9" * 5000), Raw("-1"), Raw(".inf")]),
    ],
)
def test_what_is_refused(read: Callable[[Any], Any], texts: list[Any]) -> None:
    for text in texts:
        with pytest.raises(ScalarError) as error:
            read(text)
        assert error.value.message


@given(st.integers(1, 10**6), st.sampled_from(["B", "KB", "MB", "GB", "KiB", "MiB", "GiB"]))
def test_sizes_in_bytes_come_back(number: int, unit: str) -> None:
    read = scalars.size(f"{number}{unit}")
    assert scalars.size(str(read)) == read
    assert read.to_bytes() == int(read.number) >= number


@given(
    st.fractions(0, 100, max_denominator=1000).filter(lambda f: 10**9 % f.denominator == 0),
    st.sampled_from([u for u in Unit if u not in (Unit.BYTES, Unit.NANOSECONDS)]),
)
def test_vendors_units_come_back(number: Fraction, unit: Unit) -> None:
    text = f"{float(number):f}"
    quantity = Quantity(Fraction(text), unit)
    assert scalars.size(f"{text} {unit.value}") == quantity


@given(st.sets(st.integers(0, 63)))
def test_sets_come_back_however_they_are_written(members: set[int]) -> None:
    read = scalars.numbers(0, 63, "a DSCP")
    assert read([Raw(m) for m in members]) == members
    if members:
        assert read(",".join(map(str, members))) == members


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *[(text, Raw) for text in ("1", "-1", "5.10", "1e3", ".5", "0x1F", "0o17", "017", ".inf")],
        *[(text, Raw) for text in ("true", "False", ".nan", "+12")],
        *[(text, type(None)) for text in ("", "~", "null", "NULL")],
        *[(text, str) for text in ("on", "yes", "1_000", "12:30:45", "2026-01-01", "=", "nUll")],
        *[(text, str) for text in ("11:22:33:44:55:06", "0b101", "tRue", "1.2.3", "1e", "-", ".")],
    ],
)
def test_the_core_schema_of_yaml(text: str, kind: type) -> None:
    assert type(resolve(text)) is kind
    assert resolve(text) in (text, None)


FORBIDDEN = "'\"`;$\\\n\r\t\0\x1b|&<>\u2028\x7f"


@pytest.mark.parametrize("name", [n for n in vars(grammar) if n.isupper() and n != "LINE"])
@given(st.data())
def test_no_pattern_lets_a_shell_in(name: str, data: st.DataObject) -> None:
    pattern = getattr(grammar, name)
    text = data.draw(st.from_regex(pattern, fullmatch=True))
    assert not set(text) & set(FORBIDDEN)


@pytest.mark.parametrize(
    "text", ["192.0.2.1", "2001:db8::1", "fe80::1%eth0", "leaf01", "a.b-c.net"]
)
def test_addresses(text: str) -> None:
    assert grammar.address(text) == text


@pytest.mark.parametrize(
    "text", ["1.2.3", "1.2.3.4.5", "::1::", "a..b", "a-", "-a", "a b", "[::1]"]
)
def test_no_addresses(text: str) -> None:
    with pytest.raises(ScalarError):
        grammar.address(text)


@pytest.mark.parametrize("text", ["a\u202eb", "a\u200bb", "\ufeff", "a\x85b", "", "a\tb"])
def test_descriptions_show_what_they_hold(text: str) -> None:
    with pytest.raises(ScalarError):
        grammar.description(text)


def test_small_structures() -> None:
    read_breakout = strings._breakout.read
    assert read_breakout("2x400G") == (2, 400_000_000_000, None)
    assert read_breakout("8x50G(4)") == (8, 50_000_000_000, 4)
    assert strings._read_pcie("gen5x16") == (5, 16)
    for text in ("400G", "0x400G", "2x400", "2x400G(0)", "2x400G(4"):
        with pytest.raises(ScalarError):
            read_breakout(text)
    for text in ("gen5", "5x16", "gen9x16", "gen5x3"):
        with pytest.raises(ScalarError):
            strings._read_pcie(text)
