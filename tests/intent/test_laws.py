"""How an inventory is written does not matter: laws over generated fabrics."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.findings import InputError, Target
from tests.intent.generated import Data, fabrics, in_full, make, portrait


@given(fabrics())
def test_sets_written_out_in_full_say_the_same(data: Data) -> None:
    with tempfile.TemporaryDirectory() as directory:
        sets = portrait(make(data, Path(directory)))
        full = portrait(make(in_full(data), Path(directory)))
    assert sets["ports"] == full["ports"]
    assert sets == full


@given(fabrics(), st.integers(2, 4))
def test_files_may_be_split(data: Data, files: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        whole = portrait(make(data, Path(directory)))
        split = portrait(make(data, Path(directory), files))
    assert whole == split


@given(fabrics())
def test_names_mean_nothing(data: Data) -> None:
    def renamed(text: str) -> str:
        return text.replace("leaf[", "zz-[").replace("leaf2", "zz-2").replace("gpu", "a.b")

    other = json.loads(renamed(json.dumps(data)).replace("leaf{", "zz-{"))
    with tempfile.TemporaryDirectory() as directory:
        before = portrait(make(data, Path(directory)))
        after = portrait(make(other, Path(directory)))
    ports = {renamed(k).replace("leaf", "zz-"): v for k, v in before["ports"].items()}
    assert ports == after["ports"]


@given(fabrics())
def test_every_effective_value_has_a_place_in_a_file(data: Data) -> None:
    """What is stated about a port is written somewhere, and provenance finds where."""
    with tempfile.TemporaryDirectory() as directory:
        made = make(data, Path(directory))
        for name, device in made.fabric.devices.items():
            for port in device.ports:
                for shown in made.show_settings(name, port.name):
                    if shown.origin.startswith(("policy", "roles", "switches", "hosts")):
                        assert shown.location is not None, shown
                assert made.provenance.locate(Target(name, port.name), "") is not None


@given(fabrics(), st.sampled_from(["s[1-", "leaf[1-2],leaf2", "leaf[1-2]!leaf1"]))
def test_a_bad_set_is_an_error_and_nothing_else(data: Data, key: str) -> None:
    data["switches"][key] = {"ports": {}}
    with tempfile.TemporaryDirectory() as directory, pytest.raises(InputError):
        make(data, Path(directory))
