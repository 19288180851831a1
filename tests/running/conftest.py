"""Snapshots of the demo, taken once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.running.shown import DEMO, FIXED, built, device, snapshot, taken


@pytest.fixture(scope="session")
def mistaken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot of devices that do what the demo's mistakes say."""
    wrong = ("leaf02", "spine02", "gpu02", "gpu03", "gpu05")
    devices = {name: device(built(DEMO).fabric.devices[name]) for name in wrong}
    return snapshot(tmp_path_factory.mktemp("running") / "snap", {**taken(FIXED), **devices})


@pytest.fixture(scope="session")
def right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot of devices that do what the fixed twin says."""
    return snapshot(tmp_path_factory.mktemp("running") / "snap", taken(FIXED))
