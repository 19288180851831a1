"""known_hosts: names, hashed names, patterns, marks, and a file that several threads write."""

from __future__ import annotations

import base64
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.devices.known_hosts import Verdict, fingerprint, name_of, read, remember

from .openssh import Keys

KIND = "ssh-ed25519"
KEY, OTHER = b"\0\0\0\x0bssh-ed25519" + b"a" * 36, b"\0\0\0\x0bssh-ed25519" + b"b" * 36


def line(names: str, key: bytes = KEY, kind: str = KIND) -> str:
    return f"{names} {kind} {base64.b64encode(key).decode()} comment\n"


def judged(path: Path, text: str, name: str, key: bytes = KEY) -> tuple[Verdict, int | None]:
    path.write_text(text)
    judgement = read([str(path)]).judge(name, KIND, key)
    return judgement.verdict, judgement.entry and judgement.entry.line


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "known_hosts"


@pytest.mark.parametrize(
    ("names", "name"),
    [
        ("leaf01", "leaf01"),
        ("LEAF01,192.0.2.1", "leaf01"),
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:2222", "[2001:db8::1]:2222"),
        ("[leaf01]:2222,leaf01", "[leaf01]:2222"),
        ("leaf*", "leaf01"),
        ("[leaf??]:2222", "[leaf01]:2222"),
        ("!spine*,*", "leaf01"),
    ],
)
def test_a_key_is_known_by_each_form_of_a_name(path: Path, names: str, name: str) -> None:
    text = f"# comment\n\n{line(names)}"
    assert judged(path, text, name) == (Verdict.KNOWN, 3)
    assert judged(path, text, name, OTHER) == (Verdict.CHANGED, 3)
    assert read([str(path)]).kinds(name) == (KIND,)


@pytest.mark.parametrize(
    ("names", "name"),
    [
        ("leaf01", "[leaf01]:2222"),
        ("[leaf01]:2222", "leaf01"),
        ("leaf0", "leaf01"),
        ("!leaf01,leaf*", "leaf01"),
        ("leaf[0-9]1", "leaf01"),
    ],
)
def test_what_is_not_the_name_is_not_known(path: Path, names: str, name: str) -> None:
    assert judged(path, line(names), name) == (Verdict.UNKNOWN, None)


def test_several_keys_of_one_kind_are_all_known(path: Path) -> None:
    text = line("leaf01", OTHER) + line("leaf01")
    assert judged(path, text, "leaf01") == (Verdict.KNOWN, 2)


def test_the_line_of_the_same_kind_is_the_one_that_is_named(path: Path) -> None:
    text = line("leaf01", OTHER, "ssh-rsa") + line("leaf01", OTHER)
    assert judged(path, text, "leaf01") == (Verdict.CHANGED, 2)


def test_a_revoked_key_is_refused_even_where_it_is_known(path: Path) -> None:
    text = line("leaf01") + "@revoked " + line("*")
    assert judged(path, text, "leaf01") == (Verdict.REVOKED, 2)
    assert judged(path, "@revoked " + line("*"), "leaf01", OTHER) == (Verdict.UNKNOWN, None)


@pytest.mark.parametrize(
    "text",
    [
        "@cert-authority " + line("*"),
        "leaf01 ssh-ed25519\n",
        "leaf01 ssh-ed25519 not*base64\n",
        "|1|broken ssh-ed25519 AAAA\n",
        "|1|!!|!! ssh-ed25519 AAAA\n",
        "\xff\xfe\n",
        ", ssh-ed25519 AAAA\n",
    ],
)
def test_lines_that_hold_no_key_are_passed_over(path: Path, text: str) -> None:
    assert judged(path, text + line("leaf02"), "leaf01") == (Verdict.UNKNOWN, None)
    assert judged(path, text + line("leaf02"), "leaf02")[0] is Verdict.KNOWN


def test_names_that_ssh_keygen_hashed(path: Path, keys: Keys) -> None:
    public = keys.public("host-hashed").split()
    path.write_text(f"leaf01,[leaf01]:2222 {public[0]} {public[1]}\n")
    subprocess.run([keys.program, "-q", "-H", "-f", path], check=True, capture_output=True)
    assert "leaf01" not in path.read_text()
    key = base64.b64decode(public[1])
    for name in ("leaf01", "[leaf01]:2222"):
        assert read([str(path)]).judge(name, public[0], key).verdict is Verdict.KNOWN
    assert read([str(path)]).judge("leaf02", public[0], key).verdict is Verdict.UNKNOWN


def test_fingerprints_are_those_of_ssh_keygen(keys: Keys) -> None:
    private = keys.private("host-hashed")
    shown = subprocess.run(
        [keys.program, "-l", "-f", private], check=True, capture_output=True, text=True
    )
    key = base64.b64decode(keys.public("host-hashed").split()[1])
    assert fingerprint(key) in shown.stdout.split()


def test_a_new_key_is_written_once_and_a_changed_one_never(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "known_hosts"
    assert remember([str(file)], "leaf01", KIND, KEY).verdict is Verdict.KNOWN
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_text()
    assert remember([str(file)], "leaf01", KIND, KEY).verdict is Verdict.KNOWN
    assert remember([str(file)], "leaf01", KIND, OTHER).verdict is Verdict.CHANGED
    assert file.read_text() == before


def test_a_file_without_a_last_line_end_stays_readable(path: Path) -> None:
    path.write_text(line("leaf01").rstrip("\n"))
    remember([str(path)], "leaf02", KIND, OTHER)
    known = read([str(path)])
    assert known.judge("leaf01", KIND, KEY).verdict is Verdict.KNOWN
    assert known.judge("leaf02", KIND, OTHER).verdict is Verdict.KNOWN


def test_many_threads_write_whole_lines(path: Path) -> None:
    names = [f"leaf{n % 20}" for n in range(80)]
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda name: remember([str(path)], name, KIND, KEY), names))
    lines = path.read_text().splitlines()
    assert sorted(text.split()[0] for text in lines) == sorted(set(names))


def test_two_keys_shown_at_once_are_found_out(path: Path) -> None:
    """Somebody in between may answer one of two connections: only one key can be remembered."""
    with ThreadPoolExecutor(2) as pool:
        verdicts = pool.map(lambda key: remember([str(path)], "leaf01", KIND, key), [KEY, OTHER])
    assert {j.verdict for j in verdicts} == {Verdict.KNOWN, Verdict.CHANGED}


def test_a_file_that_changes_is_read_again(path: Path) -> None:
    assert judged(path, "", "leaf01") == (Verdict.UNKNOWN, None)
    assert judged(path, line("leaf01"), "leaf01") == (Verdict.KNOWN, 1)
    os.unlink(path)
    assert read([str(path)]).judge("leaf01", KIND, KEY).verdict is Verdict.UNKNOWN


@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_no_file_breaks_the_reading(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "anything"
    path.write_text(text, encoding="utf-8")
    assert read([str(path)]).judge("leaf01", KIND, KEY).verdict is not Verdict.REVOKED


def test_names_carry_ports_that_are_not_ssh_s_own() -> None:
    assert name_of("Leaf01", 22) == "leaf01"
    assert name_of("2001:db8::1", 2222) == "[2001:db8::1]:2222"
