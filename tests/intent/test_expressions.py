"""Computed names: arithmetic on the variables of a `for`, and nothing else."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.intent.expressions import ExpressionError, parse_template
from lossless.intent.loops import LoopError, read_loop


@pytest.mark.parametrize(
    ("text", "values", "result"),
    [
        ("leaf{l:02}", {"l": 3}, "leaf03"),
        ("leaf{l:2}", {"l": 3}, "leaf03"),
        ("Ethernet{33+(s-1)*2+k}/1", {"s": 2, "k": 1}, "Ethernet36/1"),
        ("swp{(n+1)//2}s{(n+1)%2}", {"n": 7}, "swp4s0"),
        ("{a - b - 1}", {"a": 9, "b": 3}, "5"),
        ("{2*3+4*5}", {}, "26"),
        ("{-(1-3)}", {}, "2"),
        ("{ n }", {"n": 4}, "4"),
        ("plain", {}, "plain"),
        ("{n}{n:03}", {"n": 7}, "7007"),
    ],
)
def test_arithmetic(text: str, values: dict[str, int], result: str) -> None:
    assert parse_template(text, tuple(values))(values) == result


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{n", "partner"),
        ("n}", "partner"),
        ("{}", "ends too early"),
        ("{n+}", "ends too early"),
        ("{(n}", "not closed"),
        ("{n)}", "does not end"),
        ("{n m}", "not a variable"),
        ("{n 2}", "does not end"),
        ("{*n}", "should"),
        ("{x}", "'x'"),
        ("{n.real}", "neither"),
        ("{n**2}", "should"),
        ("{n/2}", "neither"),
        ("{__import__('os')}", "not a variable"),
        ("{n:x}", "not a width"),
        ("{n:99}", "not a width"),
        ("{99999999999}", "too large"),
        ("{" + "(" * 90 + "n" + ")" * 90 + "}", "longer"),
    ],
)
def test_what_is_not_arithmetic_is_refused_on_reading(text: str, complaint: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse_template(text, ("n",))
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{1//(n-1)}", "divides by zero"),
        ("{1%(n-1)}", "divides by zero"),
        ("{n-5}", "minus sign"),
        ("{n*99999999*99999999}", "beyond"),
    ],
)
def test_what_cannot_be_computed_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse_template(text, ("n",))({"n": 1})
    assert complaint in str(refused.value)


expressions = st.recursive(
    st.one_of(st.integers(0, 50).map(str), st.sampled_from(["n", "m"])),
    lambda inner: st.builds(
        lambda a, sign, b: f"({a}{sign}{b})", inner, st.sampled_from(["+", "-", "*"]), inner
    ),
    max_leaves=8,
)


@given(expressions, st.integers(0, 20), st.integers(0, 20))
def test_python_agrees(text: str, n: int, m: int) -> None:
    expected = eval(text, {"__builtins__": {}}, {"n": n, "m": m})
    template = parse_template(f"x{{{text}}}", ("n", "m")) if len(text) <= 120 else None
    if template is None:
        return
    if expected < 0:
        with pytest.raises(ExpressionError):
            template({"n": n, "m": m})
    elif abs(expected) <= 10**9:
        with contextlib.suppress(ExpressionError):  # a value on the way may be too large
            assert template({"n": n, "m": m}) == f"x{expected}"


def test_the_first_variable_is_the_slowest() -> None:
    loop = read_loop({"n": (1, 2), "r": (2, 1)})
    assert list(loop.rounds()) == [(1, 2), (1, 1), (2, 2), (2, 1)]


def test_values_in_written_order() -> None:
    loop = read_loop({"n": "0-8/4", "m": ["7", "1-2"], "k": 3})
    assert [list(v) for v in loop.values] == [[0, 4, 8], [7, 1, 2], [3]]


@pytest.mark.parametrize("written", [{"n": "1-x"}, {"n": "1-4/0"}, {"n": (1, 1)}, {"n": ()}])
def test_a_loop_that_makes_no_sense_is_refused(written: dict[str, object]) -> None:
    with pytest.raises(LoopError):
        read_loop(written)


def test_rounds_are_capped_before_they_run() -> None:
    with pytest.raises(LoopError, match="limit"):
        read_loop({"a": range(2000), "b": range(2000)})
