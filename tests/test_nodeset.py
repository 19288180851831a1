"""Node sets: what they expand to, what they refuse, and folding as the way back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.nodeset import LIMIT, NodeSetError, expand, fold, is_set, sort_key, varying


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("leaf01", ["leaf01"]),
        ("leaf[01-03]", ["leaf01", "leaf02", "leaf03"]),
        ("Ethernet[0-12/4]", ["Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12"]),
        ("mlx5_[3,0,1,2]", ["mlx5_3", "mlx5_0", "mlx5_1", "mlx5_2"]),
        ("s[3-1]", ["s3", "s2", "s1"]),
        ("s[9-1/4]", ["s9", "s5", "s1"]),
        ("et-0/0/[0-1]:[0-1]", ["et-0/0/0:0", "et-0/0/0:1", "et-0/0/1:0", "et-0/0/1:1"]),
        ("b[2,1],a", ["b2", "b1", "a"]),
        ("[1-2]GE1/[3]", ["1GE1/3", "2GE1/3"]),
        ("SLOT 3 Port [1-2]", ["SLOT 3 Port 1", "SLOT 3 Port 2"]),
        ("x[08-11]", ["x08", "x09", "x10", "x11"]),
        ("x[8-11]", ["x8", "x9", "x10", "x11"]),
        ("p[1, 3]", ["p1", "p3"]),
    ],
)
def test_expansion_keeps_the_written_order(text: str, names: list[str]) -> None:
    assert expand(text) == names


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        ("a,,b", "empty"),
        ("a[1", "brackets"),
        ("a]1[", "brackets"),
        ("a[[1]]", "brackets"),
        ("a[]", "not a number"),
        ("a[1-]", "not a number"),
        ("a[-1]", "not a number"),
        ("a[x]", "not a number"),
        ("a[1-3/0]", "step"),
        ("a[1-064]", "digits"),
        ("a[01-100]", "digits"),
        ("a[1,1]", "'a1' twice"),
        ("a[1-2],a2", "'a2' twice"),
        ("a!b", "'!'"),
        ("a[1-4]&a2", "'&'"),
        ("a^b", "'^'"),
        ("@group", "'@'"),
        ("*", "'*'"),
        ("x[1-1000001]", f"limit is {LIMIT}"),
        ("x[1-9999]y[1-9999]", "99980001 members"),
        ("x[1-600000],y[1-600000]", "1200000 members"),
        ("x[1-99999999999999999999]", "not a number"),
    ],
)
def test_refusals_say_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(NodeSetError) as refused:
        expand(text)
    assert complaint in str(refused.value)


def test_size_is_checked_before_anything_is_expanded() -> None:
    began = time.perf_counter()
    with pytest.raises(NodeSetError):
        expand(",".join(f"x{i}[1-999999999999999999]" for i in range(100)))
    assert time.perf_counter() - began < 0.5


def test_a_smaller_limit_counts() -> None:
    assert len(expand("a[1-4]", limit=4)) == 4
    with pytest.raises(NodeSetError, match="limit is 3"):
        expand("a[1-4]", limit=3)


@pytest.mark.parametrize(
    ("text", "count"),
    [("a", 0), ("a[7]", 0), ("a[1-2]", 1), ("a,b", 1), ("a[1-2]b[3]", 1), ("a[1-2]b[1-2]", 2)],
)
def test_indexes_that_vary(text: str, count: int) -> None:
    assert varying(text) == count


def test_plain_names_are_no_sets() -> None:
    assert not is_set("et-0/0/0:1")
    assert is_set("leaf[1]")
    assert is_set("a,b")


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["leaf02", "leaf01"], "leaf[01-02]"),
        (["swp2", "swp10", "swp1"], "swp[1-2,10]"),
        (["Ethernet0", "Ethernet4", "Ethernet8"], "Ethernet[0-8/4]"),
        (["a1", "a3"], "a[1,3]"),
        (["a08", "a09", "a10"], "a[08-10]"),
        (["a8", "a9", "a10"], "a[8-10]"),
        (["g1:e1", "g1:e2", "g2:e1", "g2:e2"], "g[1-2]:e[1-2]"),
        (["g1:e1", "g1:e2", "g2:e1"], "g1:e[1-2],g2:e1"),
        (["b", "a"], "a,b"),
        (["x"], "x"),
        ([], ""),
    ],
)
def test_folding_is_short_and_canonical(names: list[str], text: str) -> None:
    assert fold(names) == text


names_lists = st.lists(
    st.from_regex(r"[a-c]{1,2}[0-9]{1,3}(/[0-9]{1,2}(:[0-3])?)?", fullmatch=True),
    min_size=1,
    unique=True,
    max_size=60,
)


@given(names_lists)
def test_folding_loses_nothing(names: list[str]) -> None:
    assert set(expand(fold(names))) == set(names)


@given(names_lists, st.randoms())
def test_folding_does_not_depend_on_the_order(names: list[str], random: object) -> None:
    mixed = list(names)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert fold(mixed) == fold(names)
    assert fold(expand(fold(names))) == fold(names)


padded = st.builds(
    lambda low, size, width: (f"{low:0{width}d}", f"{low + size:0{width}d}"),
    st.integers(0, 80),
    st.integers(0, 15),
    st.just(3),
)
range_texts = st.one_of(
    st.builds(lambda low, size: f"{low}-{low + size}", st.integers(0, 90), st.integers(0, 12)),
    padded.map(lambda ends: f"{ends[0]}-{ends[1]}"),
)


@given(st.lists(range_texts, min_size=1, max_size=3).map(lambda r: f"n[{r[0]}]p[{r[-1]}]"))
def test_clustershell_agrees_on_what_both_can_say(text: str) -> None:
    """It sorts and reads the machine's groups, so only the members are compared, without groups."""
    cluster = pytest.importorskip("ClusterShell.NodeSet")
    oracle = cluster.NodeSet(text, resolver=cluster.RESOLVER_NOGROUP)
    assert set(oracle) == set(expand(text))


def test_numbers_sort_as_people_count() -> None:
    names = ["leaf10", "leaf2", "leaf1:9", "leaf1:10"]
    assert sorted(names, key=sort_key) == ["leaf1:9", "leaf1:10", "leaf2", "leaf10"]


def test_a_hundred_thousand_names_fold_quickly() -> None:
    names = [f"gpu{i // 8:05d}:ens{i % 8 + 1}np0" for i in range(131_072)]
    began = time.perf_counter()
    assert fold(names) == "gpu[00000-16383]:ens[1-8]np0"
    assert time.perf_counter() - began < 5


def test_names_with_absurdly_long_numbers_fold() -> None:
    name = "serial" + "9" * 5000
    assert fold([name]) == name
