"""Changing a value where it is written, and not one byte beside it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.findings import Location
from lossless.inventory.edits import Change, edit


def at(text: str, token: str, value: Any) -> Change:
    """A change of the value that begins where a token does; the token stands once."""
    assert text.count(token) == 1, token
    before = text[: text.index(token)].split("\n")
    return Change(Location("f.yaml", len(before), len(before[-1].lstrip("\ufeff")) + 1), value)


def edited(text: str, token: str, value: Any) -> str:
    out = edit(text.encode(), [at(text, token, value)])
    assert out.refused == []
    return out.data.decode()


@pytest.mark.parametrize(
    ("text", "token", "value", "new"),
    [
        ("a: 400G   # the optics\n", "400G", "800G", "a: 800G   # the optics\n"),
        ("a: {b: 50%, c: x}\n", "50%", "40%", "a: {b: 40%, c: x}\n"),
        ("a: {b: [4], c: x}\n", "[4]", [3], "a: {b: [3], c: x}\n"),
        ("a: [ 4,\n  5 ]\n", "[ 4", [3, 5], "a: [3, 5]\n"),
        ("a: 4\n", "4", [3, 4], "a: [3, 4]\n"),
        ("a: [4]\n", "[4]", "off", "a: off\n"),
        ("a: '3m'\n", "'3m'", "5m", "a: '5m'\n"),
        ('a: "3m"\n', '"3m"', "5m", 'a: "5m"\n'),
        ('a: "26"\n', '"26"', 106, "a: 106\n"),
        ("a: on\n", "on", False, "a: off\n"),
        ("a: true\n", "true", False, "a: false\n"),
        ("a: No\n", "No", True, "a: yes\n"),
        ("a: 5\n", "5", True, "a: on\n"),
        ("a: x\n", "x", "a: b", 'a: "a: b"\n'),
        ("a: x\n", "x", "[1]", 'a: "[1]"\n'),
        ("a: x\n", "x", "12 kbytes", "a: 12 kbytes\n"),
        ("a: x\r\nb: y\r\n", "x", "z", "a: z\r\nb: y\r\n"),
        ("é: {ü: x}  # ö\nb: y\n", "x", "z", "é: {ü: z}  # ö\nb: y\n"),
        ("\ufeffa: x\n", "x", "z", "\ufeffa: z\n"),
        ("a: x", "x", "z", "a: z"),
        ("a:\n  x\n", "a", "z", "a:\n  z\n"),  # a key stands for what is below it
        ("a:\n  [4]\n", "a", [3], "a:\n  [3]\n"),
        ("- x\n- y\n", "y", "z", "- x\n- z\n"),
    ],
)
def test_a_value_is_replaced_and_nothing_else(text: str, token: str, value: Any, new: str) -> None:
    assert edited(text, token, value) == new


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("a: &x 3\nb: *x\n", "&x"),
        ("a: &x 3\nb: *x\n", "*x"),
        ("a: |\n  text\n", "|"),
        ("a: one\n  two\n", "one"),
        ("a: {b: 1}\n", "{b"),
        ("a:\n- 1\n", "a"),
        ("a: [[1]]\n", "[[1"),
        ("a: 12\n", "2"),
        ("a: # nothing\n", "#"),
    ],
)
def test_what_is_no_single_value_is_left_alone(text: str, token: str) -> None:
    out = edit(text.encode(), [at(text, token, 4)])
    assert out.data == text.encode()
    assert [why for _, why in out.refused] == [
        "what is written there is no single value that can be replaced"
    ]


@pytest.mark.parametrize("value", [None, {"a": 1}, "a\nb", "\x1b[0m", [[1]], 1.5])
def test_a_value_without_a_spelling_is_refused(value: Any) -> None:
    out = edit(b"a: x\n", [Change(Location("f", 1, 4), value)])
    assert (out.data, len(out.refused)) == (b"a: x\n", 1)


def test_several_changes_of_one_file_are_made_together() -> None:
    text = "a: {b: 1, c: 22, d: [3]}\ne: 4\n"
    changes = [at(text, "4", 44444), at(text, "[3]", [3, 33]), at(text, "1", 11), at(text, "22", 2)]
    out = edit(text.encode(), [*changes, changes[0]])
    assert out.data == b"a: {b: 11, c: 2, d: [3, 33]}\ne: 44444\n"
    assert (len(out.made), out.refused) == (5, [])


def test_of_changes_that_contradict_each_other_the_first_stands_and_the_rest_is_told() -> None:
    text = "a: 1\nb: 2\n"
    out = edit(text.encode(), [at(text, "1", 5), at(text, "1", 6), at(text, "2", 7)])
    assert out.data == b"a: 5\nb: 7\n"
    assert [why for _, why in out.refused] == ["another fix sets the same value to 5"]


def test_of_changes_that_overlap_none_is_made() -> None:
    text = "a: [1, 2]\nb: 3\n"
    out = edit(text.encode(), [at(text, "[1", [3]), at(text, "2", 4), at(text, "3", 5)])
    assert out.data == b"a: [1, 2]\nb: 5\n"
    assert {why for _, why in out.refused} == {"two fixes overlap"}


WORD = st.text(alphabet="abcXYZ019%.é :#[]{},'\"-", min_size=1, max_size=12).filter(str.strip)


@settings(max_examples=100)
@given(
    data=st.dictionaries(st.sampled_from("abcdef"), WORD, min_size=1),
    flow=st.sampled_from([True, False]),
    new=WORD,
    pick=st.randoms(use_true_random=False),
)
def test_the_result_holds_the_new_value_and_all_others(
    data: dict[str, str], flow: bool, new: str, pick: Any
) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True, width=10_000)
    key = pick.choice(sorted(data))
    nodes = yaml.compose(text, Loader=yaml.SafeLoader)
    assert isinstance(nodes, yaml.MappingNode)
    mark = next(value.start_mark for name, value in nodes.value if name.value == key)
    change = Change(Location("f", mark.line + 1, mark.column + 1), new)
    out = edit(text.encode(), [change])
    assert out.refused == []
    strings = yaml.load(out.data, Loader=yaml.BaseLoader)
    assert strings == {**yaml.load(text, Loader=yaml.BaseLoader), key: new}
