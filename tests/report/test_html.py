"""The HTML report: one file that loads nothing, runs nothing, and shows what it is told as text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.findings import Finding, Report, Severity
from lossless.report import render
from lossless.report.context import Context
from lossless.report.html import Card, Page, Section, Tile, written
from tests.cli.run import lossless

VOID = {"meta", "link", "br", "img"}


class Reader(HTMLParser):
    """Reads a page strictly: its tags, what it would load, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.said: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            if name in {"src", "href", "action", "srcset", "data", "poster"}:
                self.loads.append(str(value))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.said.append(data)

    @property
    def text(self) -> str:
        return "".join(self.said)


def test_lint_of_the_demo_is_one_page_that_stands_alone() -> None:
    ran = lossless("lint", "inventory/demo", "--format", "html")
    assert ran.code == 1
    page = Reader(ran.out)
    assert page.loads == []
    assert not {"script", "iframe", "object", "img", "link", "form"} & set(page.tags)
    assert "default-src 'none'" in ran.out
    assert "prefers-color-scheme: dark" in ran.out
    for said in ("PFC001", "leaf02:Ethernet7/1", "inventory/demo/switches.yaml:", "expected"):
        assert said in page.text


def test_a_clean_report_says_so() -> None:
    page = Reader(render("html", Report(), Context(version="1")))
    assert "No findings" in page.text
    assert "article" not in page.tags


@settings(max_examples=40)
@given(said=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1))
@pytest.mark.parametrize(
    "attack", ["", "<script>alert(1)</script>", "{{ 7 * 7 }}", '"><b onload=x>']
)
def test_whatever_is_said_is_text(attack: str, said: str) -> None:
    text = attack + said
    finding = Finding(
        rule="PFC001", name=text, severity=Severity.ERROR, message=text, objects=(text,)
    )
    page = Reader(render("html", Report(findings=(finding,)), Context(version=text)))
    assert not {"script", "b onload"} & set(page.tags)
    if said.isprintable():
        assert text in page.text


def test_sections_without_cards_are_left_out() -> None:
    empty, full = (
        Section("empty", []),
        Section("full", [Card("info", "badge", "head", code="a\nb")]),
    )
    page = Reader(written(Page("t", "u", "v", [Tile(3, "things", "error")], [empty, full])))
    assert "empty" not in page.text
    assert "a\nb" in page.text
    assert "3" in page.text
