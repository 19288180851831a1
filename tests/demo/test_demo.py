"""The demo: seven mistakes in one twin, none in the other, and nothing else between them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lossless.findings import Report, Severity
from lossless.intent import build
from lossless.inventory import read
from lossless.rules.catalogue import builtin
from lossless.rules.engine import lint

ROOT = Path(__file__).parents[2]
DEMO, FIXED = ROOT / "inventory" / "demo", ROOT / "inventory" / "demo-fixed"
STARTER = ROOT / "lossless" / "inventory" / "starter"

#: One scalar, or one separator: what a person changes at once.
TOKEN = re.compile(r"[\w.\[\]%-]+|[^\w\s]")
ROW = re.compile(r"\| [^|]+ \| `([\w.]+):(\d+)` \| ([A-Z]{3,4}\d{3}) \|")


def linted(directory: Path) -> Report:
    built = build(read([directory]))
    return lint(built.fabric, builtin(), built.provenance, built.suppressions)


def planted() -> dict[tuple[str, int], str]:
    """Return the table of the README: rule by place."""
    rows = ROW.findall((DEMO / "README.md").read_text())
    return {(file, int(line)): rule for file, line, rule in rows}


def differences() -> list[tuple[str, int, list[tuple[str, str]]]]:
    """Return each line that differs between the twins, with the tokens that do."""
    found = []
    for file in sorted(DEMO.glob("*.yaml")):
        wrong = file.read_text().splitlines()
        right = (FIXED / file.name).read_text().splitlines()
        for number, (w, r) in enumerate(zip(wrong, right, strict=True), 1):
            if w != r:
                pairs = zip(TOKEN.findall(w), TOKEN.findall(r), strict=True)
                found.append((file.name, number, [(a, b) for a, b in pairs if a != b]))
    return found


def test_the_twins_hold_the_same_files() -> None:
    assert [f.name for f in sorted(DEMO.glob("*.yaml"))] == [
        f.name for f in sorted(FIXED.iterdir())
    ]


def test_each_mistake_is_one_value_on_a_line_of_its_own() -> None:
    assert [len(tokens) for _, _, tokens in differences()] == [1] * 7
    assert {(file, line) for file, line, _ in differences()} == set(planted())


def test_no_comment_gives_a_mistake_away() -> None:
    for file, line, _ in differences():
        assert "#" not in (DEMO / file).read_text().splitlines()[line - 1]


def test_lint_finds_every_mistake_where_it_is_written_and_nothing_else() -> None:
    report = linted(DEMO)
    places = {
        (Path(f.location.file).name, f.location.line): f.rule
        for f in report.findings
        if f.location is not None
    }
    assert places == planted()
    assert len(report.findings) == report.count(Severity.ERROR) == 7


@pytest.mark.parametrize("directory", [FIXED, STARTER], ids=["demo-fixed", "starter"])
def test_what_is_right_gives_no_finding_at_all(directory: Path) -> None:
    report = linted(directory)
    assert report.findings == ()
    assert report.summary.ports > 0


def test_every_family_of_the_table_is_another() -> None:
    families = [rule.rstrip("0123456789") for rule in planted().values()]
    assert len(set(families)) >= 6
