"""Maintenance and baselines, object by object; and which value a fix goes back to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from lossless import baseline
from lossless.baseline import Baseline, Entry
from lossless.findings import (
    Beneath,
    Confidence,
    InlineIgnore,
    KeyedIgnore,
    Location,
    Maintenance,
    Report,
    Severity,
)
from lossless.rules.declare import Answer, Fault, Scope
from lossless.rules.views import LinkView, PortView
from tests.rules.engine.build import Accepted, Builder, Written, clos, make, pfc, run

DAY = date(2026, 12, 31)
MARK = Maintenance(DAY, "new optics", "switches.leaf1.maintenance")


@make(Scope.PORT, "pfc", id="PFC901", name="not-three")
def not_three(port: PortView) -> Iterator[Answer]:
    if port.pfc.send != frozenset({3}):
        yield Fault(message="{here} pauses others", field="pfc", actual=port.pfc.send)


@make(Scope.LINK, "pfc", id="PFC902", name="ends-differ")
def ends_differ(link: LinkView) -> Iterator[Answer]:
    for here, there in link.sides():
        if here.pfc.send != frozenset({3}):
            yield Fault(message="{here} differs from {there}", field="pfc", at=here, peer=there)


def _wrong(*ports: str) -> Builder:
    return clos(leaves=2, hosts=4, settings={port: pfc(4) for port in ports})


def told(report: Report) -> dict[tuple[str, ...], str | None]:
    return {f.objects: f.suppressed.kind if f.suppressed else None for f in report.findings}


@pytest.mark.parametrize(
    ("today", "kind"),
    [(date(2026, 1, 1), "maintenance"), (DAY, "maintenance"), (date(2027, 1, 1), None)],
)
def test_a_mark_holds_up_to_and_including_its_day(today: date, kind: str | None) -> None:
    accepted = Accepted(marks={"leaf1": [MARK]})
    report = run(_wrong("leaf1:e1"), not_three, accepted=accepted, today=today)
    found = {f.rule: f for f in report.findings}
    suppressed = found["PFC901"].suppressed
    assert (suppressed.kind if suppressed else None) == kind
    assert ("INV903" in found) == (kind is None)
    if kind is None:
        assert found["INV903"].severity is Severity.WARNING
        assert "2026-12-31 (new optics)" in found["INV903"].message
    elif suppressed is not None:
        assert suppressed.reason == "maintenance until 2026-12-31: new optics"


def test_a_mark_accepts_only_what_concerns_its_object() -> None:
    report = run(
        _wrong("leaf1:e1", "leaf2:e1"),
        not_three,
        accepted=Accepted(marks={"leaf1:e1": [MARK]}),
        today=DAY,
    )
    assert told(report) == {("leaf1:e1",): "maintenance", ("leaf2:e1",): None}
    messages = {f.message for f in report.findings}
    assert messages == {"leaf1:e1 pauses others", "leaf2:e1 pauses others"}


def test_a_mark_on_the_peer_accepts_what_is_found_between_the_two() -> None:
    accepted = Accepted(marks={"gpu1": [MARK]})
    report = run(_wrong("leaf1:e1", "leaf1:e2"), ends_differ, accepted=accepted, today=DAY)
    assert told(report) == {
        ("gpu1:ens1", "leaf1:e1"): "maintenance",
        ("gpu2:ens1", "leaf1:e2"): None,
    }


def known(*objects: str, rule: str = "PFC901", actual: object = (4,)) -> Baseline:
    return Baseline([Entry(rule, "pfc", None, list(actual), objects)])  # type: ignore[call-overload]


def test_a_baseline_splits_a_finding_and_both_messages_are_right() -> None:
    accepted = known("leaf[1-2]:e[1-2]")
    report = run(_wrong("leaf1:e1", "leaf1:e3"), not_three, baseline=accepted)
    assert told(report) == {("leaf1:e1",): "baseline", ("leaf1:e3",): None}
    (left,) = accepted.unmet()
    assert left.objects == ("leaf1:e2", "leaf2:e[1-2]")


@pytest.mark.parametrize(
    "other",
    [known("leaf1:e1", rule="PFC900"), known("leaf1:e1", actual=(5,)), known("leaf2:e1")],
    ids=["rule", "value", "object"],
)
def test_a_baseline_accepts_nothing_that_says_something_else(other: Baseline) -> None:
    report = run(_wrong("leaf1:e1"), not_three, baseline=other)
    assert told(report) == {("leaf1:e1",): None}


def test_a_link_is_accepted_only_with_both_its_ends() -> None:
    one = Baseline([Entry("PFC902", "pfc", None, None, ("leaf1:e1",))])
    both = Baseline([Entry("PFC902", "pfc", None, None, ("leaf1:e1", "gpu1:ens1"))])
    fabric = _wrong("leaf1:e1")
    assert set(told(run(fabric, ends_differ, baseline=one)).values()) == {None}
    assert set(told(run(fabric, ends_differ, baseline=both)).values()) == {"baseline"}


def test_what_is_written_nearest_is_the_reason_and_the_baseline_is_met_all_the_same() -> None:
    fabric, place = _wrong("leaf1:e1"), Location("fabric.yaml", 7, 1)
    written = Written({("leaf1:e1", "pfc"): 7})
    keyed = {"leaf1": [KeyedIgnore("PFC901", "planned", "p")]}
    comment = InlineIgnore(("PFC901",), "planned", place, 7)
    for kind, accepted in (
        ("keyed", Accepted(entries=keyed, comments=[comment], marks={"leaf1": [MARK]})),
        ("inline", Accepted(comments=[comment], marks={"leaf1": [MARK]})),
        ("maintenance", Accepted(marks={"leaf1": [MARK]})),
    ):
        held = known("leaf1:e1")
        report = run(
            fabric, not_three, written=written, accepted=accepted, baseline=held, today=DAY
        )
        assert {f.suppressed.kind for f in report.findings if f.suppressed} == {kind}
        assert list(held.unmet()) == []


def test_what_is_written_down_is_accepted_when_it_is_read(tmp_path: Path) -> None:
    fabric = _wrong("leaf1:e1", "leaf2:e2", "gpu3:ens1")
    report = run(fabric, not_three, ends_differ)
    text = baseline.text(report.findings)
    assert json.loads(text)["baseline"] == baseline.FORMAT
    assert baseline.text(reversed(report.findings)) == text
    file = tmp_path / "b.json"
    file.write_text(text)
    held = baseline.read(file)
    after = run(fabric, not_three, ends_differ, baseline=held)
    assert {f.suppressed.kind if f.suppressed else None for f in after.findings} == {"baseline"}
    assert list(held.unmet()) == []


UNDER = {
    "low": Beneath("9000", Location("p.yaml", 1, 2), 1),
    "high": Beneath(("3", "4"), Location("q.yaml", 3, 4), 2),
    "also": Beneath("40%", Location("r.yaml", 5, 6), 2),
}


def _restored(fields: tuple[str, ...], confidence: Confidence = Confidence.CERTAIN) -> Report:
    @make(Scope.PORT, "pfc")
    def check(port: PortView) -> Iterator[Answer]:
        if port.pfc.send != frozenset({3}):
            yield Fault(message="wrong", field="low", restore=fields, fix=7, confidence=confidence)

    lines = {("leaf1:e1", name): number for number, name in enumerate(UNDER, 10)}
    overridden = {("leaf1:e1", name): under for name, under in UNDER.items()}
    return run(_wrong("leaf1:e1"), check, written=Written(lines, overridden=overridden))


@pytest.mark.parametrize(
    ("fields", "path", "value", "line"),
    [
        ((), "low", 7, 10),
        (("none",), "low", 7, 10),
        (("low",), "low", 9000, 10),
        (("low", "high"), "high", [3, 4], 11),
        (("low", "also"), "also", "40%", 12),
        (("high", "also"), "low", 7, 10),  # either may be the wrong one
    ],
)
def test_a_fix_goes_back_to_what_the_most_particular_statement_overrides(
    fields: tuple[str, ...], path: str, value: object, line: int
) -> None:
    (finding,) = _restored(fields).findings
    assert finding.edit is not None
    assert (finding.edit.path, finding.edit.value, finding.edit.safe) == (path, value, True)
    assert finding.edit.location == Location("fabric.yaml", line, 1)


def test_what_stands_on_an_unsure_fact_is_not_mended_unasked() -> None:
    (finding,) = _restored(("low",), Confidence.LIKELY).findings
    assert finding.edit is not None
    assert not finding.edit.safe
    assert finding.edit.description == "set low to 9000, as p.yaml:1:2 says"
