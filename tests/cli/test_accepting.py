"""Baselines, maintenance and statistics, as a user meets them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import ROOT, lossless

DEMO = ROOT / "inventory" / "demo"


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DEMO, tmp_path / "fabric"))


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1, old
    file.write_text(text.replace(old, new))


def lint(path: Path, *more: str | Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(lossless("lint", path, "--format", "json", *more).out)
    return document


def live(document: dict[str, Any]) -> dict[str, list[str]]:
    return {f["rule"]: f["objects"] for f in document["findings"] if f["suppressed"] is None}


def test_what_is_in_the_baseline_is_accepted(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "sub" / "baseline.json"
    wrote = lossless("lint", demo, "--baseline", file, "--write-baseline")
    assert (wrote.code, wrote.out) == (0, "")
    assert f"wrote {file}: 7 findings" in wrote.err
    told = lossless("lint", demo, "--baseline", file)
    assert told.code == 0
    assert "7 suppressed (7 in the baseline)" in told.out
    document = lint(demo, "--baseline", file)
    assert {f["suppressed"]["kind"] for f in document["findings"]} == {"baseline"}


def test_a_baseline_is_keyed_by_value_and_not_by_line(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    lossless("lint", demo, "--baseline", file, "--write-baseline")
    before = file.read_text()
    hosts = demo / "hosts.yaml"
    hosts.write_text("# a line more\n\n" + hosts.read_text())
    assert lossless("lint", demo, "--baseline", file).code == 0
    lossless("lint", demo, "--baseline", file, "--write-baseline")
    assert file.read_text() == before
    change(hosts, "{nic: 1500}", "{nic: 1400}")
    assert set(live(lint(demo, "--baseline", file))) == {"MTU001", "INV902"}


def test_a_finding_is_reported_for_objects_that_the_baseline_does_not_hold(
    demo: Path, tmp_path: Path
) -> None:
    file = tmp_path / "baseline.json"
    lossless("lint", demo, "--baseline", file, "--write-baseline", "--select", "MTU")
    change(demo / "hosts.yaml", "ens1np0: {mtu: {nic: 1500}}", "ens[1-2]np0: {mtu: {nic: 1500}}")
    document = lint(demo, "--baseline", file, "--select", "MTU")
    assert live(document) == {"MTU001": ["gpu05:ens2np0"]}
    accepted = [f["objects"] for f in document["findings"] if f["suppressed"]]
    assert accepted == [["gpu05:ens1np0"]]


def test_what_is_left_of_a_baseline_is_told(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    lossless("lint", demo, "--baseline", file, "--write-baseline")
    change(demo / "hosts.yaml", "{nic: 1500}", "{nic: 9000}")
    document = lint(demo, "--baseline", file)
    assert live(document) == {"INV902": ["gpu05:ens1np0"]}
    (left,) = [f for f in document["findings"] if f["rule"] == "INV902"]
    assert "MTU001" in left["message"]
    assert lossless("lint", demo, "--baseline", file).code == 0
    # a rule that nobody asked is not left over
    assert live(lint(demo, "--baseline", file, "--ignore", "MTU001")) == {}
    lossless("lint", demo, "--baseline", file, "--write-baseline")
    assert live(lint(demo, "--baseline", file)) == {}


def test_the_configuration_names_a_baseline(demo: Path) -> None:
    (demo / "lossless.toml").write_text('baseline = "known.json"\n')
    assert lossless("lint", demo, "--write-baseline").code == 0
    assert (demo / "known.json").is_file()
    assert lossless("lint", demo).code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read"),
        ("{", "not JSON"),
        ("[]", "this is no baseline"),
        ("[" * 100_000, "nested or counts beyond reason"),
        (f'{{"baseline": {"9" * 5000}}}', "nested or counts beyond reason"),
        ('{"baseline": 9, "entries": []}', "format 9 is not known"),
        ('{"baseline": 1, "entries": [{"rule": "PFC001"}]}', "entry 1 must have the keys"),
        (
            (
                '{"baseline": 1, "entries": [{"rule": "PFC001", "field": null, "expected": 1, '
                '"actual": 2, "objects": ["leaf[1"]}]}'
            ),
            "entry 1: ",
        ),
    ],
)
def test_a_file_that_is_no_baseline_is_bad_input(
    tmp_path: Path, text: str | None, said: str
) -> None:
    file = tmp_path / "baseline.json"
    if text is not None:
        file.write_text(text)
    told = lossless("lint", DEMO, "--baseline", file)
    assert (told.code, told.out) == (2, "")
    assert said in told.err
    assert told.clean


def test_writing_needs_a_name() -> None:
    told = lossless("lint", DEMO, "--write-baseline")
    assert told.code == 2
    assert "--baseline FILE" in told.err


@pytest.mark.parametrize(
    ("file", "old", "new", "rule"),
    [
        ("hosts.yaml", "  gpu05:\n", "  gpu05:\n    maintenance: MARK\n", "MTU001"),
        ("hosts.yaml", "{mtu: {nic: 1500}}", "{maintenance: MARK, mtu: {nic: 1500}}", "MTU001"),
        (
            "cabling.yaml",
            '"spine01:Ethernet{k}/1", cable: 30m, medium: optic, rated: 800G}',
            '"spine01:Ethernet{k}/1", cable: 30m, rated: 400G, maintenance: MARK}',
            "RATE002",
        ),
        # the switch is marked, and the mismatch on its link is the switch's
        ("switches.yaml", "{pfc: {priorities: [4]}}", None, "PFC001"),
    ],
)
def test_a_mark_of_maintenance_accepts_what_is_found_until_its_day(
    demo: Path, file: str, old: str, new: str | None, rule: str
) -> None:
    if new is None:
        new = old.replace("[4]}}", "[4]}, maintenance: MARK}")
    change(demo / file, old, new)
    text = (demo / file).read_text()
    mark = "{until: DAY, reason: the optics are replaced}"
    (demo / file).write_text(text.replace("MARK", mark.replace("DAY", "2999-12-31")))
    document = lint(demo)
    (accepted,) = [f for f in document["findings"] if f["suppressed"]]
    assert accepted["rule"] == rule
    assert accepted["suppressed"]["kind"] == "maintenance"
    assert "2999-12-31: the optics are replaced" in accepted["suppressed"]["reason"]
    assert accepted["suppressed"]["location"]["file"].endswith(file)
    assert "1 suppressed (1 under maintenance)" in lossless("lint", demo).out

    (demo / file).write_text(text.replace("MARK", mark.replace("DAY", "2020-02-29")))
    expired = lint(demo)
    assert {rule, "INV903"} <= set(live(expired))
    assert expired["summary"]["suppressed"] == 0


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("{until: 2026-02-30, reason: x}", "2026-02-30"),
        ("{until: tomorrow, reason: x}", "write year-month-day"),
        ("{until: 2026-12-31}", "reason"),
        ("{reason: x}", "until"),
        ("on", "maintenance"),
    ],
)
def test_a_mark_without_an_end_or_a_reason_is_bad_input(demo: Path, mark: str, said: str) -> None:
    change(demo / "hosts.yaml", "  gpu05:\n", f"  gpu05:\n    maintenance: {mark}\n")
    told = lossless("lint", demo)
    assert told.code == 2
    assert "hosts.yaml:" in told.err
    assert said in told.err


def test_statistics_count_by_rule() -> None:
    told = lossless("lint", DEMO, "--statistics")
    table = told.out.split("findings   objects")[1]
    rows = [line.split() for line in table.splitlines()[1:]]
    assert ["1", "2", "0", "error", "ETS001", "shares-break-law"] in rows
    assert len(rows) == 7
    assert "objects" not in lossless("lint", "inventory/demo-fixed", "--statistics").out
