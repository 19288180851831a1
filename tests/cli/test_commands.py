"""Each command as a user runs it, with its exit code and both streams."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from lossless import __version__
from lossless.cli import COMMANDS
from tests.cli.run import ROOT, lossless

DEMO, FIXED = "inventory/demo", "inventory/demo-fixed"


def test_version_and_help_are_cheap_and_whole() -> None:
    assert lossless("--version").out == f"lossless {__version__}\n"
    told = lossless("--help")
    assert told.code == 0
    assert all(f"  {name} " in told.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    told = lossless(name, "--help")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"Usage: lossless {name}")


@pytest.mark.parametrize("name", ["completion", "diff", "collect"])
def test_examples_in_help_keep_their_lines(name: str) -> None:
    shown = lossless(name, "--help").out
    assert "\\b" not in shown
    first = {"completion": "bash: ", "diff": "lossless diff ", "collect": "Passwords: "}[name]
    assert any(line.strip().startswith(first) for line in shown.splitlines())


def test_a_misspelt_command_is_a_usage_error_with_a_suggestion() -> None:
    told = lossless("lnt")
    assert told.code == 2
    assert "Did you mean 'lint'?" in told.err


def test_lint_finds_the_planted_mistakes_and_exits_1() -> None:
    told = lossless("lint", DEMO)
    assert told.code == 1, told.err
    assert "error[" in told.out


def test_the_fixed_twin_gives_no_finding_at_all() -> None:
    told = lossless("lint", FIXED, "--format", "json", "--fail-on", "info")
    assert told.code == 0, told.out
    assert json.loads(told.out)["findings"] == []


def test_lint_json_satisfies_its_own_schema() -> None:
    schema = json.loads(lossless("schema", "findings").out)
    document = json.loads(lossless("lint", DEMO, "--format", "json").out)
    Draft202012Validator(schema).validate(document)
    assert document["summary"]["devices"] == 12


@pytest.mark.parametrize("style", ["text", "json", "sarif", "junit", "github", "gitlab"])
def test_a_report_can_go_to_a_file(style: str, tmp_path: Path) -> None:
    target = tmp_path / "new" / "report"
    told = lossless("lint", DEMO, "--format", style, "-o", target)
    assert (told.code, told.out) == (1, "")
    assert target.read_text(encoding="utf-8") == lossless("lint", DEMO, "--format", style).out
    assert [p.name for p in target.parent.iterdir()] == ["report"]


def test_fail_on_never_and_select_and_ignore() -> None:
    assert lossless("lint", DEMO, "--fail-on", "never").code == 0
    found = json.loads(lossless("lint", DEMO, "--format", "json").out)["findings"]
    rules = {f["rule"] for f in found}
    one = sorted(rules)[0]
    only = json.loads(lossless("lint", DEMO, "--format", "json", "--select", one).out)
    assert {f["rule"] for f in only["findings"]} == {one}
    rest = json.loads(lossless("lint", DEMO, "--format", "json", "--ignore", one).out)
    assert {f["rule"] for f in rest["findings"]} == rules - {one}


def test_no_rule_at_all_is_nothing_to_check() -> None:
    told = lossless("lint", "inventory/demo", "--select", "PFC", "--ignore", "PFC")
    assert (told.code, told.out) == (2, "")
    assert "nothing to check" in told.err


@pytest.mark.parametrize("style", ["always", "auto", "never"])
def test_colours_are_written_where_they_are_asked_for(style: str) -> None:
    told = lossless("lint", "inventory/demo", "--colour", style, env={"TERM": "xterm"})
    assert ("\x1b[" in told.out) == (style == "always")


def test_an_unknown_rule_is_a_usage_error() -> None:
    told = lossless("lint", DEMO, "--select", "XYZ999")
    assert told.code == 2
    assert "XYZ999" in told.err
    assert told.clean


def test_standard_input_is_an_inventory() -> None:
    told = lossless("lint", "-", stdin="format: 1\nfabric: x\nswitches: {s1: {ports: {e1: [}}}\n")
    assert told.code == 2
    assert told.clean
    assert "error" in told.err


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fabric.yaml")
    ran = lossless("lint", tmp_path / "fabric.yaml")
    assert ran.code == 2
    assert "not a regular file" in ran.err
    assert "- and pipe it in" in ran.err
    assert "^" not in ran.err, "there is no line to point into"


def test_device_option_names_the_device_that_is_not_there() -> None:
    told = lossless("lint", DEMO, "--device", "laef01")
    assert told.code == 2
    assert "did you mean 'leaf01'" in told.err


def test_show_settings_says_where_a_value_came_from() -> None:
    told = lossless("lint", FIXED, "--device", "leaf01", "--show-settings")
    assert told.code == 0, told.err
    assert "leaf01:" in told.out
    assert "inventory/demo-fixed/" in told.out
    assert "platform default" in told.out


def test_show_links_expands_the_cabling() -> None:
    told = lossless("lint", FIXED, "--show-links", "--device", "gpu01")
    assert told.code == 0
    assert told.out.count("gpu01:") == 2


def test_rules_and_explain_come_from_one_declaration() -> None:
    rules = json.loads(lossless("rules", "--format", "json").out)
    assert len({r["id"] for r in rules}) == len(rules) > 30
    some = rules[0]
    page = lossless("explain", some["id"])
    assert page.code == 0
    assert some["id"] in page.out
    assert lossless("explain", some["name"]).out == page.out
    assert lossless("explain", "NOPE1").code == 2


def test_init_gives_an_inventory_that_lints_clean(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    assert lossless("init", target).code == 0
    told = lossless("lint", target, "--fail-on", "info")
    assert told.code == 0, told.out
    again = lossless("init", target)
    assert again.code == 2
    assert "not empty" in again.err


def test_render_writes_every_device_and_prints_one(tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = lossless("render", FIXED, "--out", out)
    assert told.code == 0, told.err
    assert {p.name for p in out.iterdir()} == {
        *("leaf01", "leaf02", "spine01", "spine02"),
        *(f"gpu{n:02}" for n in range(1, 9)),
    }
    one = lossless("render", FIXED, "--device", "leaf01")
    files = sorted((out / "leaf01").iterdir())
    assert one.out == "".join(f.read_text(encoding="utf-8") for f in files)
    programs = {p.name for p in out.rglob("*") if p.is_file() and p.stat().st_mode & 0o111}
    assert programs == {"lossless-nic"}


def test_render_of_a_fleet_without_a_directory_is_a_usage_error() -> None:
    told = lossless("render", FIXED)
    assert told.code == 2
    assert "--out" in told.err


def test_what_was_rendered_is_read_back(tmp_path: Path) -> None:
    rendered = lossless("render", FIXED, "--device", "leaf01").out
    file = tmp_path / "leaf01.cfg"
    file.write_text(rendered, encoding="utf-8")
    told = lossless("parse", "--platform", "auto", "--format", "json", file)
    assert told.code == 0, told.err
    document = json.loads(told.out)
    assert document["platform"] == "arista_eos"
    assert document["unread"] == []
    assert "pfc.mode" in next(iter(document["ports"].values()))


def test_parse_of_nothing_known_exits_3(tmp_path: Path) -> None:
    file = tmp_path / "poem.txt"
    file.write_text("roses are red\n", encoding="utf-8")
    assert lossless("parse", "--platform", "auto", file).code == 3
    assert lossless("parse", "--platform", "arista_eos", file).code == 3
    assert lossless("parse", "--platform", "no_such", file).code == 2


def test_parse_says_when_what_it_read_sets_nothing(tmp_path: Path) -> None:
    (tmp_path / "show.txt").write_text("class-map type qos match-any ROCE\n  match dscp 26\n")
    told = lossless("parse", "--platform", "cisco_nxos", tmp_path / "show.txt")
    assert told.code == 0
    assert told.err.startswith("lossless: it was read, and no setting is in it")
    (tmp_path / "show.txt").write_text("interface Ethernet1/1\n  mtu 9216\n")
    assert lossless("parse", "--platform", "cisco_nxos", tmp_path / "show.txt").err == ""


def test_trace_marks_the_first_bad_hop() -> None:
    told = lossless("trace", DEMO, "gpu07:ens2np0", "gpu01:ens1np0")
    assert told.code == 1, told.out + told.err
    assert "first bad hop: leaf02:" in told.out
    good = lossless("trace", FIXED, "gpu07:ens2np0", "gpu01:ens1np0")
    assert good.code == 0, good.out
    assert "every hop keeps it" in good.out


def test_trace_of_a_stranger_is_a_usage_error() -> None:
    told = lossless("trace", FIXED, "gpu77:ens2np0", "gpu01:ens2np0")
    assert told.code == 2
    assert "not a device" in told.err


def test_trace_tells_what_is_no_end_of_a_way() -> None:
    demo, here = "inventory/demo", "gpu01:ens1np0"
    told = lossless("trace", demo, here, here)
    assert (told.code, "SRC and DST are one port" in told.err) == (2, True)
    told = lossless("trace", demo, here, "gpu02:mlx5_9")
    assert (told.code, "gpu02 has no port 'mlx5_9'; it has ens1np0" in told.err) == (2, True)
    told = lossless("trace", demo, here, "leaf01:Ethernet1/1")
    assert (told.code, told.clean) == (0, True)


def test_templates_that_override_nothing_are_refused(tmp_path: Path) -> None:
    (tmp_path / "aristaeos").mkdir()
    (tmp_path / "aristaeos" / "macros.j2").write_text("")
    given = ("render", "inventory/demo", "--device", "leaf01", "--templates", tmp_path)
    told = lossless(*given)
    assert told.code == 2
    assert "arista_eos/macros.j2" in told.err
    (tmp_path / "aristaeos").rename(tmp_path / "arista_eos")
    assert lossless(*given).code == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_program(shell: str) -> None:
    told = lossless("completion", shell)
    assert told.code == 0
    assert "_LOSSLESS_COMPLETE" in told.out


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m lossless rules | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""


def test_a_full_disk_is_no_fault_of_the_program() -> None:
    if not Path("/dev/full").is_char_device():
        pytest.skip("this system has no /dev/full")
    for arguments in (["rules"], ["lint", "inventory/demo", "--format", "json"]):
        with Path("/dev/full").open("w", encoding="utf-8") as full:
            done = subprocess.run(
                [sys.executable, "-m", "lossless", *arguments],
                cwd=ROOT,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                timeout=120,
            )
        assert done.returncode == 2
        assert done.stderr == "Error: cannot write the result: No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_stream_that_was_closed_before_the_start_is_an_empty_one(closed: str) -> None:
    line = f'"{sys.executable}" -m lossless lint - {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert "internal error" not in done.stderr
    assert closed == "2>&-" or "nothing is written here" in done.stderr


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, link, behind = tmp_path / "pipe", tmp_path / "link", tmp_path / "behind"
    os.mkfifo(pipe)
    link.symlink_to(behind)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert lossless("lint", "inventory/demo-fixed", "-o", pipe).code == 0
        assert "clean" in reader.communicate(timeout=60)[0]
    assert pipe.is_fifo()
    assert lossless("lint", "inventory/demo-fixed", "-o", link).code == 0
    assert link.is_symlink()
    assert "clean" in behind.read_text()
    shown = lossless("lint", "inventory/demo-fixed", "-o", "/dev/stdout")
    assert "clean" in shown.out


def test_trace_does_not_vouch_for_what_it_was_not_told(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    assert lossless("render", "inventory/demo-fixed", "--out", shown).code == 0
    shutil.rmtree(shown / "gpu01")
    shutil.rmtree(shown / "gpu02")
    way = ("gpu01:ens1np0", "gpu02:ens1np0", "--running", shown)
    told = lossless("trace", "inventory/demo-fixed", *way)
    assert "no hop is known to lose it; not told of gpu01:ens1np0, gpu02:ens1np0" in told.out
    assert "every hop" not in told.out
