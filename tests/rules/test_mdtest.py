"""The harness of pages notices what is wrong with a page."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.rules.mdtest import Mark, PageError, parse, without

HEAD = """# PFC001 pfc-priority-mismatch

## What it checks
This.
## Why it matters
That.
## How to fix
So.
## References
There.
"""


def _page(case: str, attributes: str = "base=pair") -> str:
    return f"{HEAD}\n## A case\n\n```yaml {attributes}\n{case}```\n"


def test_a_page_is_read() -> None:
    page = parse(
        _page(
            'a: 1\nb: [4]  # error: PFC001 "gpu1" # info: MTU001\n'
            '  # warning: MTU002 "x"\nc: 1  # not-checked: PFC001 "send"\nd: 2 # priority: 3\n'
        )
        + "\n## Only words\nNothing.\n"
    )
    assert (page.rule, page.name) == ("PFC001", "pfc-priority-mismatch")
    (case,) = page.cases
    assert (case.title, case.base) == ("A case", "pair")
    assert case.marks == [
        Mark("error", "PFC001", "gpu1", "case.yaml", 2),
        Mark("info", "MTU001", "", "case.yaml", 2),
        Mark("warning", "MTU002", "x", "case.yaml", None),
        Mark("not-checked", "PFC001", "send", "case.yaml", None),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# PFC1 x\n", "first line"),
        (HEAD.replace("How to fix", "How"), "first sections"),
        (HEAD.replace("So.\n", ""), "nothing is written under How to fix"),
        (HEAD + "## What it checks\nx\n", "two sections"),
        (_page("a: 1  # eror: PFC001\n"), "no level"),
        (_page("a: 1\n", "base=pair name=x"), "base= and file="),
        (_page("a: 1\n", "file=base.yaml"), "two files"),
    ],
)
def test_a_page_out_of_form_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(PageError, match=complaint):
        parse(text)


def test_an_unknown_base_is_refused(tmp_path: Path) -> None:
    (case,) = parse(_page("a: 1\n", "base=nowhere")).cases
    with pytest.raises(PageError, match="nowhere"):
        case.write(tmp_path)


def test_what_a_snippet_states_leaves_the_base() -> None:
    base = 'a: {b: 1, c: {d: on, e: "5"}}\nf: [1]\ng: {h: 400G}\nlinks: [x]\n'
    left = without(base, ["a: {c: {d: off}}\nf: [2]\n", "g: {h: null}\nlinks: []\n"])
    assert yaml.safe_load(left) == {"a": {"b": 1, "c": {"e": "5"}}}


def test_scalars_of_the_base_stay_as_written() -> None:
    left = without('version: "5.10"\nrate: 400G\nmode: on\nsize: 0.5m\n', [])
    assert left.splitlines() == ['version: "5.10"', "rate: 400G", "mode: on", "size: 0.5m"]
