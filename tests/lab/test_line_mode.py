"""Shortened words, pages and filters of command lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.lab import line_mode
from lossless.lab.line_mode import AmbiguousError

FORMS = (
    "show running-config",
    "show running-config diffs",
    "show startup-config",
    "show interfaces <name> status",
    "configure session <name>",
    "configure terminal",
    "copy running-config startup-config",
    "echo <...>",
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sh run", "show running-config"),
        ("show running-config", "show running-config"),
        ("sh r d", "show running-config diffs"),
        ("sh int Et1/1 st", "show interfaces Et1/1 status"),
        ("conf t", "configure terminal"),
        ("conf s S1", "configure session S1"),
        ("copy run start", "copy running-config startup-config"),
        ("echo a b c", "echo a b c"),
        ("shox run", None),
        ("show", None),
        ("echo", None),
    ],
)
def test_a_shortened_command_is_spelt_out(typed: str, meant: str | None) -> None:
    assert line_mode.spell_out(typed, FORMS) == meant


def test_what_may_be_several_is_ambiguous() -> None:
    with pytest.raises(AmbiguousError):
        line_mode.spell_out("co t", ("configure terminal", "copy terminal"))
    with pytest.raises(AmbiguousError):
        line_mode.full("s", ("show", "session"))
    assert line_mode.full("no", ("no", "none")) == "no"
    assert line_mode.full("x", ("no", "none")) is None


@given(st.lists(st.sampled_from(["a", "", "long line"]), max_size=30), st.integers(0, 9))
def test_pages_are_the_text(lines: list[str], length: int) -> None:
    text = "".join(f"{line}\n" for line in lines)
    cut = line_mode.pages(text, length)
    assert "".join(cut) == text
    if length:
        assert all(page.count("\n") <= length for page in cut)


def test_a_filter_keeps_or_drops() -> None:
    text = "mtu 9214\nspeed 400g\nMTU 1500\n"
    assert line_mode.include(text, "^mtu") == "mtu 9214\nMTU 1500\n"
    assert line_mode.include(text, "mtu", keep=False) == "speed 400g\n"
