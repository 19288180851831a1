"""What an inventory is read from: files, directories, standard input, and what is neither."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from lossless.findings import InputError, Problem
from lossless.inventory import files, read

PLAIN = "format: 1\nfabric: x\n"


def refusal(*paths: Path | str) -> list[Problem]:
    with pytest.raises(InputError) as error:
        read(paths)
    return list(error.value.problems)


def test_a_directory_is_all_yaml_below_it(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(PLAIN)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "b.yml").write_text("hosts: {h: }\n")
    (tmp_path / "deep" / "notes.txt").write_text("not read")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "c.yaml").write_text("not: read\n")
    (tmp_path / ".d.yaml").write_text("not: read\n")
    declaration = read([tmp_path])
    assert declaration.data == {"format": 1, "fabric": "x", "hosts": {"h": {}}}
    assert [Path(name).name for name in declaration.sources.files] == ["a.yaml", "b.yml"]


def test_several_paths_are_one_declaration_and_none_is_read_twice(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(PLAIN)
    (tmp_path / "b.yaml").write_text("hosts: {h: {}}\n")
    declaration = read([str(tmp_path / "b.yaml"), tmp_path])
    assert set(declaration.data) == {"format", "fabric", "hosts"}
    assert len(declaration.sources.files) == 2


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PLAIN.encode())))
    assert read(["-"]).data["fabric"] == "x"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"format: 1\nfoo: 1\n")))
    [only] = refusal("-")
    assert str(only.location) == "<stdin>:2:1"


def test_a_mark_at_the_start_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_bytes(b"\xef\xbb\xbf" + PLAIN.encode())
    assert read([tmp_path / "f.yaml"]).data["fabric"] == "x"


def test_nothing_to_read(tmp_path: Path) -> None:
    [none] = refusal()
    assert "nothing to read" in none.message
    [empty] = refusal(tmp_path)
    assert "no YAML file" in empty.message
    assert "lossless init" in (empty.hint or "")
    [missing] = refusal(tmp_path / "gone.yaml")
    assert "No such file" in missing.message
    assert str(missing.location) == f"{tmp_path / 'gone.yaml'}:1:1"


def test_every_unreadable_path_is_told(tmp_path: Path) -> None:
    (tmp_path / "binary.yaml").write_bytes(b"\0")
    assert len(refusal(tmp_path / "gone", tmp_path / "gone.yaml", tmp_path)) == 3


def test_a_directory_that_leads_to_itself(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(PLAIN)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "again").symlink_to(tmp_path)
    [only] = refusal(tmp_path)
    assert "leads back to itself" in only.message
    assert only.location is not None
    assert only.location.file == str(tmp_path / "below" / "again")


def test_two_names_of_one_directory_are_no_loop(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.yaml").write_text(PLAIN)
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert len(read([tmp_path]).sources.files) == 1


@pytest.mark.parametrize("what", ["file", "directory"])
def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    below = tmp_path / "below"
    below.mkdir()
    file = below / "a.yaml"
    file.write_text(PLAIN)
    if os.geteuid() == 0:  # the superuser may read everything, so the system's answer is acted
        denied = PermissionError(13, "Permission denied", str(file if what == "file" else below))

        def refuse(*_: object, **__: object) -> None:
            raise denied

        monkeypatch.setattr(
            *((Path, "open", refuse) if what == "file" else (os, "scandir", refuse))
        )
    else:
        (file if what == "file" else below).chmod(0)
    said = refusal(file if what == "file" else tmp_path)
    below.chmod(0o755)
    assert "Permission denied" in said[0].message
    assert "permissions" in (said[0].hint or "")


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    [only] = refusal(tmp_path / "pipe")
    assert "not a regular file" in only.message


def test_size_and_length_have_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", 1000)
    (tmp_path / "f.yaml").write_text("format: 1\n" + "# padding\n" * 100)
    [only] = refusal(tmp_path / "f.yaml")
    assert "larger than" in only.message


@pytest.mark.parametrize("before", [0, 3, 499_999, 500_000, 750_001])
def test_a_line_may_be_as_long_as_the_limit_and_no_longer(before: int) -> None:
    start = b"#" * before + b"\n"
    line = b"#" * files.LONGEST_LINE
    assert files.check_bytes("f", start + line + b"\n#\n") is None
    too_long = files.check_bytes("f", start + line + b"#\n#\n")
    assert too_long is not None
    assert str(too_long).startswith("f:2:1: a line of 1000001 bytes")
    assert files.check_bytes("f", start + line + b"#") is not None
