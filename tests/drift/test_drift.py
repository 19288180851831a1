"""`lossless drift`: every difference with its verdict, in each format, and never silence for want
of an answer.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner, Result
from prometheus_client.parser import text_string_to_metric_families

from lossless.cli import cli
from lossless.devices import Unreachable
from lossless.drift import Judge, Verdict, drifted
from lossless.drift.applying import put
from lossless.drift.formats import METRICS
from lossless.drift.schema import json_schema
from lossless.model.effective import effective, leaves
from lossless.model.settings import NOTHING
from lossless.running import Seen, against_declared, folded, gather
from lossless.snapshot import read
from tests.cli.run import lossless
from tests.collect.conftest import Fleet
from tests.report.test_html import Reader
from tests.running.shown import FIXED, built


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments], standalone_mode=False)


def drift(place: Path, *more: str) -> Result:
    return run("drift", FIXED, "--running", place, *more)


def document(place: Path, *more: str) -> Any:
    found = json.loads(drift(place, "--format", "json", *more).stdout)
    jsonschema.Draft202012Validator(json_schema()).validate(found)
    return found


@pytest.fixture
def damaged(mistaken: Path, tmp_path: Path) -> Path:
    """The mistaken devices; one is gone from the snapshot."""
    place = tmp_path / "damaged"
    shutil.copytree(mistaken, place)
    manifest = json.loads((place / "manifest.json").read_text())
    del manifest["devices"]["gpu04"]
    shutil.rmtree(place / "gpu04")
    (place / "manifest.json").write_text(json.dumps(manifest))
    return place


#: What each mistake of the demo would bring, were it declared.
RULES = {
    "classes.roce.ecn.max": "ECN001",
    "collectives.NCCL_IB_TC": "MAP009",
    "mtu.nic": "MTU001",
    "pfc.priorities": "PFC001",
    "speed": "RATE001",
    "trust": "MAP002",
}


def test_the_rules_say_what_each_difference_does(mistaken: Path) -> None:
    found = document(mistaken)
    assert found["summary"]["differences"] == found["summary"]["harmful"] == len(RULES)
    for row in found["differences"]:
        assert row["verdict"] == "harmful"
        assert RULES[row["field"]] in {finding["rule"] for finding in row["findings"]}


def test_what_is_right_has_no_drift(right: Path) -> None:
    ran = drift(right)
    assert (ran.return_value, ran.stdout) == (0, "no difference in 12 devices\n")
    assert document(right)["differences"] == []


def test_a_difference_that_breaks_nothing_is_harmless(right: Path, tmp_path: Path) -> None:
    place = tmp_path / "snap"
    shutil.copytree(right, place)
    for name in ("spine01", "spine02"):
        file = place / name / "01-show-running-config.txt"
        text = file.read_text()
        assert "maximum-threshold 3000000 bytes" in text
        file.write_text(text.replace("maximum-threshold 3000000", "maximum-threshold 2999000"))
    found = document(place)
    (row,) = found["differences"]
    assert (row["verdict"], row["findings"]) == ("harmless", [])
    # Equal differences of several devices are one.
    assert row["devices"] == ["spine01", "spine02"]
    assert row["objects"] == ["spine[01-02]:Ethernet[1-4]/1"]
    assert drift(place).return_value == 1


def test_a_device_that_was_not_read_is_never_without_drift(damaged: Path, right: Path) -> None:
    ran = drift(damaged, "--device", "gpu04")
    assert ran.return_value == 3
    assert "not wholly read: gpu04" in ran.stdout
    found = document(damaged, "--device", "gpu[04,06]")
    assert found["summary"]["not_read"] == ["gpu04"]
    assert not found["devices"]["gpu04"]["read"]
    metrics = samples(drift(damaged, "--device", "gpu[04,06]", "--format", "prometheus").stdout)
    read_, differences = metrics["lossless_drift_device_read"], metrics[METRICS[1][0]]
    assert {labels["device"]: value for labels, value in read_} == {"gpu04": 0, "gpu06": 1}
    assert {labels["device"] for labels, _ in differences} == {"gpu06"}
    suites = ET.fromstring(drift(damaged, "--device", "gpu04", "--format", "junit").stdout)
    assert suites.get("errors") == "1"
    # A device that is not wholly read goes before differences of others.
    assert drift(damaged).return_value == 3


def samples(text: str) -> dict[str, list[tuple[dict[str, str], float]]]:
    families = list(text_string_to_metric_families(text))
    assert all(family.type == "gauge" and family.documentation for family in families)
    return {f.name: [(s.labels, s.value) for s in f.samples] for f in families}


def test_metrics_are_read_by_the_parser_of_prometheus(mistaken: Path, tmp_path: Path) -> None:
    target = tmp_path / "lossless.prom"
    ran = drift(mistaken, "--format", "prometheus", "-o", str(target))
    assert (ran.return_value, ran.stdout) == (1, "")
    assert [path.name for path in tmp_path.iterdir()] == ["lossless.prom"]
    metrics = samples(target.read_text())
    assert set(metrics) == {name for name, _ in METRICS}
    counted = {
        labels["device"]: value for labels, value in metrics["lossless_drift_differences"] if value
    }
    assert counted == {"leaf02": 2, "spine02": 1, "gpu02": 1, "gpu03": 1, "gpu05": 1}
    assert metrics["lossless_drift_snapshot_timestamp_seconds"] == [({}, 1769860800.0)]


def test_junit_has_a_suite_for_each_device(mistaken: Path) -> None:
    suites = ET.fromstring(drift(mistaken, "--format", "junit").stdout)
    failures = {suite.get("name"): suite.get("failures") for suite in suites}
    assert len(failures) == 12
    assert {name for name, count in failures.items() if count != "0"} == {
        "leaf02",
        "spine02",
        "gpu02",
        "gpu03",
        "gpu05",
    }
    assert (suites.get("failures"), suites.get("errors")) == ("6", "0")
    assert suites.get("tests") == str(len(suites.findall(".//testcase")))
    assert suites.get("skipped") == str(len(suites.findall(".//skipped")))


def test_the_lines_that_mend_are_told_with_their_impact(mistaken: Path) -> None:
    ran = drift(mistaken, "--commands")
    assert "to mend leaf02 (impact: port flap):" in ran.stdout
    assert "no priority-flow-control priority 4" in ran.stdout
    found = document(mistaken, "--commands")
    assert found["devices"]["leaf02"]["mending"]["impact"] == "port flap"
    assert found["devices"]["leaf01"]["mending"] is None


def test_what_runs_has_to_be_named() -> None:
    for arguments in (["drift", FIXED], ["drift", FIXED, "--live", "--running", "x"]):
        ran = lossless(*arguments)
        assert ran.code == 2
        assert "--live" in ran.err


# --- live ----------------------------------------------------------------------------------------


def mistake(fleet: Fleet) -> None:
    """Let a leaf pause another priority."""
    answers = fleet.known["leaf02"]
    told = answers["show running-config"]
    assert "priority 3 no-drop" in told
    answers["show running-config"] = told.replace("priority 3 no-drop", "priority 4 no-drop")


def test_live_is_the_same_as_a_snapshot_taken_now(fleet: Fleet) -> None:
    mistake(fleet)
    ran = run("drift", FIXED, "--live", "--format", "json")
    assert ran.return_value == 1
    rows = json.loads(ran.stdout)["differences"]
    assert {name for row in rows for name in row["devices"]} == {"leaf02"}
    (row,) = (row for row in rows if row["field"] == "pfc.priorities")
    assert (row["wanted"], row["found"], row["verdict"]) == ([3], [4], "harmful")
    assert row["found_location"]["file"] == "live:leaf02/01-show-running-config.txt"
    assert run("diff", FIXED, "--live", "--device", "leaf01").return_value == 0
    assert run("diff", FIXED, "--live", "--device", "leaf02").return_value == 1


def test_lint_and_trace_ask_those_who_are_concerned(fleet: Fleet) -> None:
    mistake(fleet)
    ran = run("lint", FIXED, "--live", "--device", "gpu01")
    assert ran.return_value in (0, 1)
    near = {link.a_device.name for link in built(FIXED).fabric.links}
    asked = {name for name, _, _ in fleet.asked}
    assert {"gpu01", "leaf01", "leaf02"} == asked < near | {"leaf01", "leaf02"}
    ran = run("lint", FIXED, "--live")
    assert ran.return_value == 1
    assert "PFC001" in ran.stdout
    assert "priority-flow-control priority 4 no-drop" in ran.stdout
    ran = run("trace", FIXED, "gpu06:ens2np0", "gpu07:ens2np0", "--live")
    assert ran.return_value == 1
    assert "drop" in ran.stdout


def test_a_live_device_that_does_not_answer_is_exit_3(fleet: Fleet) -> None:
    def fail(command: str) -> None:
        raise Unreachable("leaf02", "no route to host")

    fleet.change("leaf02", fail)
    for command in ("drift", "diff", "lint"):
        ran = run(command, FIXED, "--live")
        assert ran.return_value == 3, command
        assert "leaf02: no answer: no route to host" in ran.stderr
        assert "no difference in" not in ran.stdout


# --- applying ------------------------------------------------------------------------------------


def test_a_difference_applied_is_the_difference_alone(mistaken: Path) -> None:
    fabric = built(FIXED).fabric
    seen = gather(fabric.devices, read(mistaken))
    found = [
        leaf
        for name, device in fabric.devices.items()
        for leaf in against_declared(device, seen[name])
        if leaf.path and leaf.kind.value == "different"
    ]
    assert found
    for leaf in found:
        made = drifted(fabric, [leaf], seen)
        assert made is not None
        changed = {n for n, d in made.devices.items() if d is not fabric.devices[n]}
        assert changed == {leaf.device}
        state = made.devices[leaf.device].configured
        holder = state.system if leaf.port is None else state.port(leaf.port)
        assert dict(leaves(holder))[leaf.path] == leaf.found
        ends = {link.a_device.name: link.a_device for link in made.links}
        assert all(ends[name] is made.devices[name] for name in ends)


def test_what_is_declared_nowhere_on_the_way_is_taken_as_found(right: Path) -> None:
    fabric = built(FIXED).fabric
    device = fabric.devices["leaf01"]
    state = device.configured
    name = next(iter(state.ports))
    found = effective(state.port(name), None, state.system, assume_defaults=False).settings
    for path, value in leaves(found):
        if value not in (None, ()):
            assert dict(leaves(put(NOTHING, found, path, value)))[path] == value


def test_what_cannot_be_declared_is_not_judged(mistaken: Path) -> None:
    one = built(FIXED)
    judge = Judge(one.fabric, (), one.provenance, one.suppressions, {})
    seen = gather(one.fabric.devices, read(mistaken))
    device = one.fabric.devices["leaf02"]
    differences = folded(against_declared(device, seen["leaf02"]), seen, lambda *_: (None, None))
    verdicts = {ruling.verdict for ruling in judge.rule(differences, seen)}
    assert verdicts == {Verdict.HARMLESS}  # no rule was asked to say otherwise
    bare = {**seen, "leaf02": Seen("leaf02")}
    assert {r.verdict for r in judge.rule(differences, bare)} == {Verdict.NOT_JUDGED}


def test_the_page_shows_every_difference_and_who_was_not_read(damaged: Path) -> None:
    ran = drift(damaged, "--format", "html", "--commands")
    assert ran.return_value == 3
    page = Reader(ran.stdout)
    assert page.loads == []
    for said in (*RULES, *RULES.values(), "gpu04", "not wholly read", "impact: port flap", "800G"):
        assert said in page.text, said
    assert "no priority-flow-control priority 4" in page.text
    nothing = Reader(drift(damaged, "--device", "gpu04", "--format", "html").stdout)
    assert "Not everything was read" in nothing.text
    assert "No drift" not in nothing.text
