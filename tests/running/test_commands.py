"""`--running` of lint and trace, and diff, as a person calls them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.run import lossless
from tests.running.shown import DEMO, FIXED


@pytest.fixture
def damaged(mistaken: Path, tmp_path: Path) -> Path:
    """The snapshot of mistaken devices, with one of them gone and one cut off."""
    place = tmp_path / "snap"
    shutil.copytree(mistaken, place)
    manifest = json.loads((place / "manifest.json").read_text())
    del manifest["devices"]["gpu04"]
    (place / "manifest.json").write_text(json.dumps(manifest))
    file = place / "spine01" / "01-show-running-config.txt"
    file.write_text("\n".join(file.read_text().split("\n")[:30]))
    return place


def rules(document: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for finding in json.loads(document)["findings"]:
        found.setdefault(finding["rule"], set()).update(finding["objects"])
    return found


def test_lint_of_what_runs_finds_the_mistakes_and_shows_the_captured_lines(mistaken: Path) -> None:
    ran = lossless("lint", FIXED, "--running", mistaken, "--format", "json")
    assert ran.code == 1, ran.err
    assert set(rules(ran.out)) == {"ECN001", "MAP002", "MAP009", "MTU001", "PFC001", "RATE001"}
    for finding in json.loads(ran.out)["findings"]:
        place = finding["location"]
        assert Path(place["file"]).is_relative_to(mistaken), finding
        line = Path(place["file"]).read_text().split("\n")[place["line"] - 1]
        assert line[place["column"] - 1].strip(), "the column is that of a word"
        assert any("demo-fixed" in other["file"] for other in finding["related"]), finding
        assert finding["fix"] is None
    by_rule = {f["rule"]: f for f in json.loads(ran.out)["findings"]}
    line = by_rule["PFC001"]["location"]
    text = Path(line["file"]).read_text().split("\n")[line["line"] - 1]
    assert text.strip() == "priority-flow-control priority 4 no-drop"


def test_lint_of_right_devices_is_clean_whatever_the_declaration_says(right: Path) -> None:
    ran = lossless("lint", FIXED, "--running", right)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("clean: ")


def test_lint_says_what_was_not_read_and_leaves_with_3(damaged: Path) -> None:
    ran = lossless("lint", FIXED, "--running", damaged, "--format", "json")
    assert ran.code == 3
    assert rules(ran.out)["INV904"] == {"gpu04", "spine01"}
    assert "somebody changed it since" in ran.err
    assert "gpu04: not read: it is not in the snapshot" in ran.err
    gaps = {name for gap in json.loads(ran.out)["not_checked"] for name in gap["objects"]}
    assert any(name.startswith("gpu04") for name in gaps)


def test_lint_of_some_devices_asks_for_those_alone(damaged: Path) -> None:
    ran = lossless("lint", FIXED, "--running", damaged, "--device", "gpu[05-06]", "-q")
    assert ran.code == 1
    assert "MTU001" in ran.out
    assert "gpu04" not in ran.err + ran.out


def test_what_runs_is_not_mended_in_the_inventory(right: Path) -> None:
    ran = lossless("lint", FIXED, "--running", right, "--fix")
    assert ran.code == 2
    assert "mended on the device" in ran.err


def test_diff_of_right_devices_is_silent(right: Path) -> None:
    ran = lossless("diff", FIXED, "--running", right)
    assert (ran.code, ran.out, ran.err) == (0, "no difference in 12 devices\n", "")


def test_diff_shows_both_places(mistaken: Path) -> None:
    ran = lossless("diff", FIXED, "--running", mistaken, "--format", "json")
    assert ran.code == 1, ran.err
    found = {row["field"]: row for row in json.loads(ran.out)["differences"]}
    assert set(found) == {
        "classes.roce.ecn.max",
        "collectives.NCCL_IB_TC",
        "mtu.nic",
        "pfc.priorities",
        "speed",
        "trust",
    }
    marks = found["classes.roce.ecn.max"]
    assert (marks["objects"], marks["count"]) == (["spine02:Ethernet[1-4]/1"], 4)
    for row in found.values():
        declared, captured = row["wanted_location"], row["found_location"]
        assert declared["file"].startswith("inventory/demo-fixed/")
        assert Path(captured["file"]).is_relative_to(mistaken)
    text = lossless("diff", FIXED, "--running", mistaken).out
    assert "6 differences on gpu[02-03,05],leaf02,spine02, 3 not checked in 12 devices" in text


def test_diff_lists_what_was_not_compared_when_asked(mistaken: Path) -> None:
    """A NIC that does not trust the DSCP does not show its map."""
    ran = lossless("diff", FIXED, "--running", mistaken, "-v")
    gaps = re.findall(r"^not checked: (.*)", ran.out, re.M)
    assert len(gaps) == 3
    assert all(gap.startswith("gpu03:ens2np0: classes.") for gap in gaps)


def test_diff_proposes_lines_that_mend(mistaken: Path) -> None:
    ran = lossless("diff", FIXED, "--running", mistaken, "--commands", "--device", "leaf02")
    assert ran.code == 1
    assert "no priority-flow-control priority 4" in ran.out
    assert "speed 800g-8" in ran.out
    ran = lossless("diff", FIXED, "--running", mistaken, "--commands", "--device", "gpu05")
    assert "set mtu ens1np0 (packet loss, port)" in ran.out


def test_diff_leaves_with_3_before_1(damaged: Path) -> None:
    ran = lossless("diff", FIXED, "--running", damaged)
    assert ran.code == 3
    assert "not wholly read: gpu04,spine01 in 12 devices" in ran.out
    assert "leaf02:Ethernet7/1: pfc.priorities" in ran.out
    ran = lossless("diff", FIXED, "--running", damaged, "--device", "gpu04")
    assert ran.code == 3
    assert "clean" not in ran.out
    ran = lossless("diff", FIXED, "--running", damaged, "--device", "leaf02")
    assert ran.code == 1


def test_diff_of_two_snapshots(right: Path, mistaken: Path, damaged: Path) -> None:
    assert lossless("diff", right, right).code == 0
    ran = lossless("diff", right, mistaken)
    assert ran.code == 1
    assert "ecn.queues.3.maximum" in ran.out
    assert not re.search(r"^(leaf01|spine01|gpu01)", ran.out, re.M)
    ran = lossless("diff", right, damaged)
    assert ran.code == 3
    assert "gpu04" in ran.err
    ran = lossless("diff", right, mistaken, "--device", "leaf01")
    assert (ran.code, ran.out) == (0, "no difference in 1 devices\n")


def test_a_plain_directory_of_rendered_configurations(tmp_path: Path) -> None:
    rendered = lossless("render", FIXED, "--out", tmp_path, "--device", "leaf[01-02],spine[01-02]")
    assert rendered.code == 0
    ran = lossless("diff", FIXED, "--running", tmp_path, "--device", "leaf[01-02],spine[01-02]")
    assert (ran.code, ran.out) == (0, "no difference in 4 devices\n")
    ran = lossless("diff", DEMO, "--running", tmp_path, "--device", "leaf[01-02],spine[01-02]")
    assert ran.code == 1
    assert "3 differences on leaf02,spine02" in ran.out


def test_a_device_that_nobody_declared_is_noted(right: Path, tmp_path: Path) -> None:
    place = tmp_path / "snap"
    shutil.copytree(right, place)
    text = (place / "manifest.json").read_text()
    (place / "manifest.json").write_text(text.replace("leaf01", "leaf1"))
    (place / "leaf01").rename(place / "leaf1")
    ran = lossless("diff", FIXED, "--running", place)
    assert ran.code == 3
    assert "leaf1: note: in the snapshot and not declared; did it mean leaf01?" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["diff", "nowhere", "--running", "nowhere"],
        ["diff", "inventory/demo", "--running", "nowhere"],
        ["diff", "inventory/demo"],
        ["diff", "nowhere", "nowhere"],
        ["diff", "inventory/demo", "inventory/demo", "--commands"],
        ["lint", "inventory/demo", "--running", "docs/adr"],
        ["trace", "inventory/demo", "gpu01:ens1np0", "gpu02:ens1np0", "--running", "nowhere"],
    ],
)
def test_what_cannot_be_read_is_exit_2(arguments: list[str]) -> None:
    ran = lossless(*arguments)
    assert ran.code == 2, (ran.out, ran.err)
    assert ran.clean
    assert ran.err


def test_trace_shows_what_runs_beside_what_is_declared(mistaken: Path, right: Path) -> None:
    way = ("gpu06:ens2np0", "gpu07:ens2np0")
    ran = lossless("trace", FIXED, *way, "--running", mistaken)
    assert ran.code == 1
    assert "drop (pause)" in ran.out
    assert "first bad hop: leaf02:Ethernet7/1" in ran.out
    ran = lossless("trace", FIXED, *way, "--running", right)
    assert ran.code == 0
    assert "every hop keeps it" in ran.out
    assert "(pause)" not in ran.out


def test_trace_follows_what_the_sender_really_stamps(mistaken: Path) -> None:
    ran = lossless("trace", FIXED, "gpu02:ens1np0", "gpu01:ens1np0", "--running", mistaken)
    assert ran.code == 1
    assert "DSCP 6 from NCCL_IB_TC" in ran.out


def test_trace_of_a_hop_that_was_not_read_is_exit_3(damaged: Path) -> None:
    ran = lossless("trace", FIXED, "gpu04:ens1np0", "gpu01:ens1np0", "--running", damaged)
    assert ran.code == 3
    assert "? (dscp)" in ran.out


def test_trees_that_are_rendered_are_read_as_well(tmp_path: Path) -> None:
    fabric = tmp_path / "one.yaml"
    fabric.write_text(
        "format: 1\nfabric: pod1\n"
        "policy:\n  trust: dscp\n  classes:\n"
        "    roce: {dscp: [26], also: [24-31], priority: 3, lossless: true, bandwidth: 60%}\n"
        "    default: {also: rest, priority: 0, bandwidth: 40%}\n"
        "switches:\n  leaf01:\n    platform: nvidia_cumulus\n    version: '5.9.1'\n"
        "    role: leaf\n    ports:\n      swp[1-2]: {speed: 400G, role: host}\n"
    )
    rendered = lossless("render", fabric, "--out", tmp_path / "out")
    assert rendered.code == 0, rendered.err
    ran = lossless("diff", fabric, "--running", tmp_path / "out")
    assert ran.code == 0, ran.out + ran.err
