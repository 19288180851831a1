"""Snapshots: what is written is read again, and damage to one is told with its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from lossless.findings import InputError
from lossless.snapshot import Answer, Taken, read, write
from lossless.snapshot.format import json_schema

TIME = "2026-01-31T12:00:00Z"
LEAF = Taken(
    (Answer("show running-config", "hostname leaf01\n"), Answer("show version", "4.33\n", exit=0)),
    ("arista_eos",),
    "4.33.1F",
    "DCS-7060X6-64PE",
)
DEAD = Taken(error="connection timed out", platforms=("arista_eos",))


def made(place: Path, devices: dict[str, Taken] | None = None) -> Path:
    write(place, {"leaf01": LEAF, "leaf02": DEAD} if devices is None else devices, TIME, "1.0")
    return place


def problems(place: Path) -> list[str]:
    with pytest.raises(InputError) as raised:
        read(place)
    assert all(problem.location is not None for problem in raised.value.problems)
    return [str(problem) for problem in raised.value.problems]


def changed(place: Path, change: Any) -> Path:
    """Change the manifest by hand."""
    file = place / "manifest.json"
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))
    return place


names = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
answers = st.builds(
    Answer,
    texts.filter(bool),
    texts,
    st.booleans(),
    st.none() | st.integers(0, 255),
)
takens = st.builds(
    Taken,
    st.lists(answers, max_size=4).map(tuple),
    st.lists(names, max_size=2).map(tuple),
    st.none() | texts,
    st.none() | texts,
    st.none() | texts,
)


@given(devices=st.dictionaries(names, takens, max_size=3))
def test_what_is_written_is_read(
    devices: dict[str, Taken], tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = made(tmp_path_factory.mktemp("s") / "snap", devices)
    found = read(place)
    assert (found.taken, found.warnings) == (TIME, ())
    assert set(found.devices) == set(devices)
    for name, told in devices.items():
        shown = found.devices[name]
        again = tuple(Answer(c.command, c.text, c.complete, c.exit) for c in shown.captures)
        assert Taken(again, shown.platforms, shown.version, shown.model, shown.error) == told
        assert not any(capture.edited for capture in shown.captures)
    Draft202012Validator(json_schema()).validate(json.loads((place / "manifest.json").read_text()))


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = made(tmp_path / "one"), made(tmp_path / "other")
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert len(files) == 3
    assert files == sorted(p.relative_to(other) for p in other.rglob("*") if p.is_file())
    assert all((one / file).read_bytes() == (other / file).read_bytes() for file in files)
    assert str(tmp_path) not in (one / "manifest.json").read_text()


def test_a_snapshot_is_replaced_whole_and_nothing_else_is(tmp_path: Path) -> None:
    place = made(tmp_path / "snap")
    made(place, {"spine01": LEAF})
    assert set(read(place).devices) == {"spine01"}
    assert not (place / "leaf01").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["snap"]
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="not replaced"):
        made(other)
    assert (other / "thesis.txt").read_text() == "years of work"


def test_a_writer_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = made(tmp_path / "snap")
    before = (place / "manifest.json").read_bytes()

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="No space left"):
        made(place, {"spine01": LEAF})
    assert (place / "manifest.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["snap"]


@pytest.mark.parametrize("name", ["", "..", "../leaf01", "a/b", "-x", ".hidden"])
def test_a_device_that_is_no_directory_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="directory"):
        made(tmp_path / "snap", {name: LEAF})


def test_an_edited_file_is_told_and_read(tmp_path: Path) -> None:
    place = made(tmp_path / "snap")
    file = place / "leaf01" / "01-show-running-config.txt"
    file.write_text("hostname leaf01\nend\n")
    found = read(place)
    (warning,) = found.warnings
    assert warning.location is not None
    assert warning.location.file == str(file)
    assert found.devices["leaf01"].captures[0].edited
    assert found.devices["leaf01"].captures[0].text.endswith("end\n")


def test_files_that_nobody_listed_are_told_and_not_read(tmp_path: Path) -> None:
    place = made(tmp_path / "snap")
    (place / "leaf01" / "03-more.txt").write_text("x")
    found = read(place)
    assert [str(w) for w in found.warnings if "not list" in w.message]
    assert len(found.devices["leaf01"].captures) == 2


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    place = made(tmp_path / "snap")
    (place / "leaf01" / "01-show-running-config.txt").unlink()
    (place / "leaf01" / "02-show-version.txt").unlink()
    found = problems(place)
    assert len(found) == 2
    assert "01-show-running-config.txt" in found[0]
    assert "missing" in found[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: m.update(format=2), "this version reads format 1"),
        (lambda m: m.pop("format"), "format None"),
        (lambda m: m.update(format=True), "format True"),
        (lambda m: m.update(taken="yesterday"), "a time in UTC"),
        (lambda m: m.update(devices=[]), "devices: expected an object"),
        (lambda m: m["devices"].update({"../x": {}}), "not the name of a device"),
        (lambda m: m["devices"].update(leaf03=[]), "leaf03: expected an object"),
        (lambda m: m["devices"]["leaf01"].pop("outputs"), "outputs: expected a list"),
        (lambda m: m["devices"]["leaf01"].update(error=3), "error: expected text or null"),
        (lambda m: m["devices"]["leaf01"].update(platforms=[1]), "platforms: expected names"),
        (lambda m: m["devices"]["leaf01"].update(outputs=[7]), "output 1: expected an object"),
        (
            lambda m: m["devices"]["leaf01"]["outputs"][0].update(file="/etc/passwd"),
            "is not a file of this device",
        ),
        (
            lambda m: m["devices"]["leaf01"]["outputs"][0].update(file="leaf01/../../01-x.txt"),
            "is not a file of this device",
        ),
        (
            lambda m: m["devices"]["leaf01"]["outputs"][0].update(file="leaf02/01-x.txt"),
            "is not a file of this device",
        ),
        (lambda m: m["devices"]["leaf01"]["outputs"][0].update(complete=1), "true or false"),
        (lambda m: m["devices"]["leaf01"]["outputs"][0].pop("sha256"), "a sha256"),
    ],
)
def test_a_wrong_manifest_is_an_input_error(change: Any, said: str, tmp_path: Path) -> None:
    place = changed(made(tmp_path / "snap"), change)
    assert any(said in problem for problem in problems(place)), problems(place)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00", "[" * 100_000])
def test_a_manifest_that_is_no_object_is_an_input_error(text: str, tmp_path: Path) -> None:
    place = made(tmp_path / "snap")
    (place / "manifest.json").write_text(text)
    assert len(problems(place)) == 1


def test_a_link_does_not_lead_out(tmp_path: Path) -> None:
    place = made(tmp_path / "snap")
    (tmp_path / "secret").write_text("hostname leaf01\n")
    file = place / "leaf01" / "01-show-running-config.txt"
    file.unlink()
    file.symlink_to(tmp_path / "secret")
    assert "missing" in problems(place)[0]


def test_a_plain_directory_will_do(tmp_path: Path) -> None:
    (tmp_path / "leaf01").mkdir()
    (tmp_path / "leaf01" / "run.cfg").write_text("hostname leaf01\n")
    (tmp_path / "leaf01" / "notes.md").write_text("not an output")
    (tmp_path / "leaf02.txt").write_bytes(b"hostname \xff\n")
    found = read(tmp_path)
    assert {n: [c.command for c in d.captures] for n, d in found.devices.items()} == {
        "leaf01": [""],
        "leaf02": [""],
    }
    assert found.taken is None


def test_a_directory_without_output_is_an_input_error(tmp_path: Path) -> None:
    assert "no manifest" in problems(tmp_path)[0]
    assert "no such directory" in problems(tmp_path / "nowhere")[0]
    (tmp_path / "file").write_text("")
    assert "no directory" in problems(tmp_path / "file")[0]
