"""`lossless lab` as a program: what it prints, what it leaves out, how it ends, what it hides."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lossless.lab.contract import Plate
from lossless.lab.drifting import drift
from lossless.lab.plates import plate_of, without_tools
from lossless.model.device import Device, Port
from lossless.nodeset import expand
from tests.lab.toys import ToyBox

ROOT = Path(__file__).resolve().parents[2]
DEMO = str(ROOT / "inventory" / "demo-fixed")
LOSSLESS = [sys.executable, "-m", "lossless"]


def lossless(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LOSSLESS, *words], capture_output=True, text=True, timeout=120, check=False, cwd=ROOT
    )


@contextmanager
def running(place: Path, *words: str, end: int = signal.SIGTERM) -> Iterator[dict[str, list[str]]]:
    """Start the lab; give what it printed, by first word, and see that it ends cleanly."""
    environment = {**os.environ, "LOSSLESS_LAB_PASSWORD": "canary-password"}
    process = subprocess.Popen(
        [*LOSSLESS, "lab", DEMO, "--out", str(place), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        cwd=ROOT,
    )
    assert process.stdout is not None
    told: dict[str, list[str]] = {}
    try:
        while "known_hosts" not in told:
            line = process.stdout.readline()
            assert line, process.stderr.read() if process.stderr else ""
            first, _, rest = line.strip().partition(" ")
            told.setdefault(first, []).append(rest)
        yield told
    finally:
        process.send_signal(end)
        out, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert "canary-password" not in out + errors


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_what_was_changed_is_found_and_nothing_else(tmp_path: Path, end: int) -> None:
    seed = "11" if end == signal.SIGINT else "12"
    with running(tmp_path / "lab", "--drift", seed, "--changes", "4", end=end) as told:
        snapshot = str(tmp_path / "snapshot")
        config = told["ssh_config"][0]
        taken = lossless("collect", DEMO, "--ssh-config", config, "--out", snapshot)
        assert taken.returncode == 0, taken.stderr
    changes = json.loads((tmp_path / "lab" / "drift.json").read_text())
    assert len(changes) == len(told["changed"]) == 4
    found = lossless("diff", DEMO, "--running", snapshot, "--format", "json")
    assert found.returncode == 1, found.stderr
    differences = [
        (device_port.partition(":"), leaf)
        for each in json.loads(found.stdout)["differences"]
        for leaf in each["leaves"].split(",")
        for objects in each["objects"]
        for device_port in expand(objects)
    ]
    assert {place[0] for place, _ in differences} == {change["device"] for change in changes}
    for change in changes:
        assert any(
            place[0] == change["device"]
            and change["port"] in (None, place[2])
            and leaf.startswith(change["field"])
            for place, leaf in differences
        ), (change, differences)


def test_without_drift_there_is_no_difference_and_faults_are_named(tmp_path: Path) -> None:
    with running(
        tmp_path / "lab", "--fault", "wrong-key:10", "--device", "leaf01,gpu[01-03]"
    ) as told:
        assert len(told["fails"]) == 1
        (broken,) = (line.split(":")[0] for line in told["fails"])
        asked = ("--ssh-config", told["ssh_config"][0], "--device", "leaf01,gpu[01-03]")
        taken = lossless("collect", DEMO, *asked, "--out", str(tmp_path / "snapshot"))
    assert taken.returncode == 3
    assert broken in taken.stderr
    assert "has changed" in taken.stderr
    assert "3 of 4 devices" in taken.stderr
    whole = ",".join(n for n in ("leaf01", "gpu01", "gpu02", "gpu03") if n != broken)
    found = lossless("diff", DEMO, "--running", str(tmp_path / "snapshot"), "--device", whole)
    assert found.returncode == 0, found.stdout


def test_bad_words_end_it_before_it_begins(tmp_path: Path) -> None:
    refused = lossless("lab", DEMO, "--out", str(tmp_path / "lab"), "--fault", "tired")
    assert refused.returncode == 2
    assert "half-closed" in refused.stderr
    assert not (tmp_path / "lab").exists()


def test_a_platform_without_a_box_is_left_out(tmp_path: Path) -> None:
    inventory = tmp_path / "fabric.yaml"
    inventory.write_text(
        "format: 1\nfabric: x\nswitches:\n"
        '  a1: {platform: h3c_comware, ports: {"HundredGigE1/0/1": {speed: 100G}}}\n'
    )
    refused = lossless("lab", str(inventory), "--out", str(tmp_path / "lab"))
    assert refused.returncode == 2
    assert "a1: left out: h3c_comware cannot be simulated yet" in refused.stderr


def test_drift_takes_each_device_once_and_the_same_again() -> None:
    assert drift([ToyBox(f"t{n}") for n in range(3)], 1, 2) == []


def test_a_plate_tells_what_is_declared() -> None:
    port = Port(name="ens1np0", platform="broadcom_bnxt", rdma="bnxt_re0")
    plate = plate_of(Device(name="gpu01", kind="host", ports=(port,)))
    assert plate is not None
    assert plate.platform == "linux_host"
    assert without_tools(plate) == ("broadcom_bnxt",)
    assert plate_of(Device(name="x", kind="switch")) is None
    assert without_tools(Plate("x", "arista_eos")) == ()
