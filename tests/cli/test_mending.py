"""`lint --fix`, `--diff` and `--unsafe-fixes`, as a user meets them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.run import ROOT, lossless

DEMO, FIXED = ROOT / "inventory" / "demo", ROOT / "inventory" / "demo-fixed"


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DEMO, tmp_path / "fabric"))


def yaml_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("*.yaml"))}


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1, old
    file.write_text(text.replace(old, new))


def test_fix_makes_the_fixed_twin_of_the_demo_byte_for_byte(demo: Path) -> None:
    told = lossless("lint", demo, "--fix")
    assert (told.code, told.err) == (0, "mended 7 findings in 2 files\n")
    assert told.out.startswith("clean: ")
    assert yaml_of(demo) == yaml_of(FIXED)
    again = lossless("lint", demo, "--fix")
    assert (again.code, again.err) == (0, "mended 0 findings\n")
    assert yaml_of(demo) == yaml_of(FIXED)


def test_diff_shows_what_fix_would_do_and_writes_nothing(demo: Path) -> None:
    told = lossless("lint", "fabric", "--diff", cwd=demo.parent)
    assert (told.code, told.err) == (1, "would mend 7 findings in 2 files\n")
    assert yaml_of(demo) == yaml_of(DEMO)
    assert told.out.startswith("--- a/fabric/hosts.yaml\n+++ b/fabric/hosts.yaml\n")
    patched = subprocess.run(
        ["git", "apply", "-p1", "-"], cwd=demo.parent, input=told.out, text=True, check=False
    )
    assert patched.returncode == 0
    assert yaml_of(demo) == yaml_of(FIXED)
    assert lossless("lint", demo, "--diff").out == ""


def test_fix_exits_on_what_is_left_and_reports_it(demo: Path) -> None:
    told = lossless("lint", demo, "--fix", "--device", "gpu02", "--format", "json")
    assert told.code == 0
    assert json.loads(told.out)["findings"] == []
    left = lossless("lint", demo)
    assert "6 errors" in left.out
    assert (demo / "switches.yaml").read_bytes() == (DEMO / "switches.yaml").read_bytes()


def test_what_is_accepted_is_not_mended(demo: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    lossless("lint", demo, "--baseline", baseline, "--write-baseline")
    change(
        demo / "hosts.yaml",
        "{mtu: {nic: 1500}}\n",
        "{mtu: {nic: 1400}}  # lossless: ignore[MTU001] a test bed\n",
    )
    before = yaml_of(demo)
    told = lossless("lint", demo, "--fix", "--baseline", baseline)
    assert told.err == "mended 0 findings\n"
    assert yaml_of(demo) == before


def test_unsafe_fixes_are_counted_and_made_only_when_asked_for(demo: Path) -> None:
    lossless("lint", demo, "--fix")
    change(
        demo / "cabling.yaml",
        '"spine02:Ethernet{k}/1", cable: 30m, medium: optic, rated: 800G',
        '"spine02:Ethernet{k}/1", cable: 30m, medium: optic, rated: 400G',
    )
    told = lossless("lint", demo, "--fix")
    assert told.code == 1
    assert told.err == "mended 0 findings\n1 more fix with --unsafe-fixes\n"
    assert lossless("lint", demo, "--fix", "--unsafe-fixes").code == 0
    assert yaml_of(demo) == yaml_of(FIXED)


def test_a_value_that_others_share_is_not_changed_unasked(demo: Path) -> None:
    lossless("lint", demo, "--fix")
    # Port 9 has no link yet, so that nobody complains of it.
    switches, hosts = demo / "switches.yaml", demo / "hosts.yaml"
    shared = "Ethernet[1-9]/1: {speed: 400G, role: host, pfc: {priorities: PFC}}"
    change(switches, "Ethernet[1-8]/1: {speed: 400G, role: host}", shared.replace("PFC", "[4]"))
    before = switches.read_text()
    told = lossless("lint", demo, "--fix", "--select", "PFC001")
    assert (told.code, switches.read_text()) == (1, before)
    assert "not mended: PFC001 on" in told.err
    assert "it would also change leaf[01-02]:Ethernet9/1; --unsafe-fixes" in told.err
    told = lossless("lint", demo, "--fix", "--unsafe-fixes", "--select", "PFC001")
    assert told.code == 0
    assert switches.read_text() == before.replace("[4]", "[3]")
    assert hosts.read_bytes() == (FIXED / "hosts.yaml").read_bytes()


def test_a_fix_that_would_bring_another_fault_is_refused(demo: Path) -> None:
    # A slot that is wide enough for 200G, and for no more; the port is of 400G.
    slow = "ens2np0: {trust: pcp, speed: 200G, pcie: gen4x16}"
    change(demo / "hosts.yaml", "ens2np0: {trust: pcp}", slow)
    told = lossless("lint", demo, "--fix", "--unsafe-fixes")
    assert told.code == 1
    assert (
        "not mended: RATE001 on gpu03:ens2np0, leaf02:Ethernet3/1: it would bring RATE" in told.err
    )
    mended = (FIXED / "hosts.yaml").read_text()
    assert (demo / "hosts.yaml").read_text() == mended.replace(
        "ens2np0: {trust: dscp}", slow.replace("pcp", "dscp")
    )


def test_a_fix_that_leads_to_the_right_value_only_after_another_waits_for_it(demo: Path) -> None:
    wrong = "  gpu05:\n    mtu: {nic: 1600}\n"
    change(demo / "hosts.yaml", "  gpu05:\n", wrong)
    told = lossless("lint", demo, "--fix")
    assert (told.code, told.err) == (0, "mended 8 findings in 2 files\n")
    mended = (FIXED / "hosts.yaml").read_text()
    right = mended.replace("  gpu05:\n", wrong.replace("1600", "9000"))
    assert (demo / "hosts.yaml").read_text() == right


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(demo: Path, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.yaml"
    shutil.move(demo / "hosts.yaml", real)
    real.chmod(0o600)
    (demo / "hosts.yaml").symlink_to(real)
    assert lossless("lint", demo, "--fix").code == 0
    assert (demo / "hosts.yaml").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert real.read_bytes() == (FIXED / "hosts.yaml").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["elsewhere.yaml", "fabric"]


def test_windows_line_ends_and_comments_stay(demo: Path) -> None:
    for file in demo.glob("*.yaml"):
        file.write_bytes(file.read_bytes().replace(b"\n", b" # said\r\n"))
    assert lossless("lint", demo, "--fix").code == 0
    for file in FIXED.glob("*.yaml"):
        wanted = file.read_bytes().replace(b"\n", b" # said\r\n")
        assert (demo / file.name).read_bytes() == wanted


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "--fix"], "standard input cannot be mended"),
        ([str(DEMO), "--unsafe-fixes"], "goes with --fix or --diff"),
        ([str(DEMO), "--fix", "--baseline", "x", "--write-baseline"], "mend first"),
    ],
)
def test_what_makes_no_sense_together_is_a_usage_error(arguments: list[str], said: str) -> None:
    told = lossless("lint", *arguments, stdin="format: 1\n")
    assert told.code == 2
    assert said in told.err
    assert told.clean


def test_a_directory_that_cannot_be_written_leaves_everything_as_it_was(demo: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    demo.chmod(0o500)
    try:
        told = lossless("lint", demo, "--fix")
    finally:
        demo.chmod(0o700)
    assert told.code == 2
    assert "cannot write" in told.err
    assert yaml_of(demo) == yaml_of(DEMO)
