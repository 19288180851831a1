"""`lossless.toml`, the environment and flags, as a user meets them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lossless.cli import configuration
from lossless.cli.catalogue import all_rules
from lossless.findings import InputError
from lossless.rules.declare import Rule
from tests.cli.run import ROOT, Ran, lossless

DEMO = ROOT / "inventory" / "demo"


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DEMO, tmp_path / "fabric"))


def found(told: Ran) -> set[str]:
    return {finding["rule"] for finding in json.loads(told.out)["findings"]}


def lint(path: Path, *more: str, env: dict[str, str] | None = None) -> Ran:
    return lossless("lint", path, "--format", "json", *more, env=env)


def test_the_file_beside_the_inventory_sets_defaults(demo: Path) -> None:
    (demo / "lossless.toml").write_text('fail-on = "never"\nselect = ["PFC", "MTU001"]\n')
    told = lint(demo)
    assert (told.code, found(told)) == (0, {"PFC001", "MTU001"})


def test_a_file_of_an_inventory_has_its_configuration_next_to_it(tmp_path: Path) -> None:
    text = lossless("init", tmp_path / "new")
    assert text.code == 0
    (tmp_path / "new" / "lossless.toml").write_text('profile = "nonsense"\n')
    told = lossless("lint", next((tmp_path / "new").glob("*.yaml")))
    assert told.code == 2
    assert "lossless.toml:1:1: error: profile: 'nonsense' is not one of minimal" in told.err


def test_flags_win_over_the_environment_and_that_over_the_file(demo: Path) -> None:
    (demo / "lossless.toml").write_text('select = ["PFC"]\nfail-on = "never"\n')
    env = {"LOSSLESS_SELECT": "MTU", "LOSSLESS_FAIL_ON": "error"}
    assert found(lint(demo)) == {"PFC001"}
    by_environment = lint(demo, env=env)
    assert (by_environment.code, found(by_environment)) == (1, {"MTU001"})
    by_flag = lint(demo, "--select", "ECN", "--fail-on", "never", env=env)
    assert (by_flag.code, found(by_flag)) == (0, {"ECN001"})


def test_environment_alone(demo: Path) -> None:
    env = {"LOSSLESS_IGNORE": "PFC,MTU,ECN,ETS", "LOSSLESS_PROFILE": "minimal"}
    assert found(lint(demo, env=env)) == {"MAP002", "MAP009", "RATE001"}
    wrong = lint(demo, env={"LOSSLESS_FAIL_ON": "sometimes"})
    assert wrong.code == 2
    assert "sometimes" in wrong.err


def test_every_fault_of_the_file_is_told_with_its_line(demo: Path) -> None:
    (demo / "lossless.toml").write_text(
        'fail_on = "error"\n'
        'profile = "strickt"\n'
        "\n"
        'select = ["PFC", "MTU01"]  # one is misspelt\n'
        "ignore = 3\n"
        "[rules.PFC01]\n"
        "limit = 1\n"
        "[rules.PFC001]\n"
        'limit = "3"\n'
    )
    told = lossless("lint", demo)
    assert (told.code, told.out) == (2, "")
    assert told.clean
    lines = [line for line in told.err.splitlines() if "lossless.toml:" in line]
    assert [line.split("lossless.toml:")[1].split(": error: ")[0] for line in lines] == [
        "1:1",
        "2:1",
        "4:1",
        "5:1",
        "6:2",
        "9:1",
    ]
    assert "did you mean 'fail-on'?" in told.err
    assert "did you mean 'strict'?" in told.err
    assert "did you mean MTU001?" in told.err
    assert "did you mean 'PFC0" in told.err
    assert "PFC001 has no options" in told.err


def test_what_is_not_toml_is_told_with_its_line(demo: Path) -> None:
    (demo / "lossless.toml").write_text('fail-on = "never"\nselect = [\n')
    told = lossless("lint", demo)
    assert told.code == 2
    assert "lossless.toml:" in told.err
    assert "not TOML" in told.err
    assert told.clean


def test_two_configurations_for_one_run_are_refused(demo: Path, tmp_path: Path) -> None:
    other = tmp_path / "more"
    other.mkdir()
    shutil.move(demo / "cabling.yaml", other)
    for folder in (demo, other):
        (folder / "lossless.toml").write_text('fail-on = "never"\n')
    told = lossless("lint", demo, other)
    assert told.code == 2
    assert "several configurations" in told.err
    (other / "lossless.toml").unlink()
    assert lossless("lint", demo, other).code == 0


def test_profiles_grow(demo: Path) -> None:
    asked = {
        name: {r["id"] for r in json.loads(lossless("rules", "--format", "json", *more).out)}
        for name in ("minimal", "recommended", "strict")
        for more in [("--profile", name)]
    }
    assert asked["minimal"] < asked["recommended"] <= asked["strict"]
    every = json.loads(lossless("rules", "--format", "json").out)
    assert asked["strict"] == {r["id"] for r in every}
    assert all(r["severity"] == "error" for r in every if r["id"] in asked["minimal"])
    assert {r["id"] for r in every if "minimal" in r["profiles"]} == asked["minimal"]
    text = lossless("rules").out
    assert "  minimal      pfc-priority-mismatch" in text


def _with_options() -> Rule:
    rule = next(rule for rule in all_rules() if rule.id == "PFC001")
    options: dict[str, Any] = {"after": 5, "wait": 2_000_000, "most": 1000, "loose": False}
    return replace(rule, options=options, units={"wait": "time", "most": "size"})


def test_options_of_rules_are_written_with_units(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(configuration, "_all_rules", lambda: (_with_options(),))
    file = tmp_path / "lossless.toml"
    file.write_text(
        '[rules.PFC001]\nwait = "200ms"\nmost = "2KiB"\n[rules.pfc-priority-mismatch]\nafter = 7\n'
    )
    assert configuration.read(file).rules == {
        "PFC001": {"wait": 200_000_000, "most": 2048, "after": 7}
    }


@pytest.mark.parametrize(
    ("line", "said", "hint"),
    [
        ("wait = 200", "200 is not a time", "needs its unit"),
        ('wait = "2KB"', "is not a time", "200ms"),
        ('most = "9 cells"', "depends on the platform", "150KB"),
        ('after = "7"', "is no int", "default is 5"),
        ("after = true", "is no int", "default is 5"),
        ("loose = 1", "is no bool", "default is False"),
        ("wiat = 1", "no option 'wiat'", "did you mean 'wait'?"),
    ],
)
def test_an_option_of_the_wrong_kind_has_its_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, said: str, hint: str
) -> None:
    monkeypatch.setattr(configuration, "_all_rules", lambda: (_with_options(),))
    file = tmp_path / "lossless.toml"
    file.write_text(f"[rules.PFC001]\n\n{line}\n")
    with pytest.raises(InputError) as caught:
        configuration.read(file)
    (problem,) = caught.value.problems
    assert problem.location is not None
    assert (problem.location.line, problem.location.column) == (3, 1)
    assert said in problem.message
    assert hint in (problem.hint or "")


@pytest.mark.parametrize("text", ["select = " + "[" * 100_000, f"select = {'9' * 5000}"])
def test_a_file_that_no_reader_bears_is_told(demo: Path, text: str) -> None:
    (demo / "lossless.toml").write_text(text)
    told = lint(demo)
    assert told.code == 2
    assert "lossless.toml:1:" in told.err
    assert "internal error" not in told.err


@pytest.mark.parametrize("kind", ["a directory", "a link to nothing", "a link to itself"])
def test_a_configuration_that_is_there_is_never_left_out(demo: Path, kind: str) -> None:
    file = demo / "lossless.toml"
    if kind == "a directory":
        file.mkdir()
    else:
        file.symlink_to("shared.toml" if kind == "a link to nothing" else "lossless.toml")
    told = lint(demo)
    assert told.code == 2
    assert "lossless.toml:1:1: error: cannot be read" in told.err
