"""What `docs/ci.md` and `.pre-commit-hooks.yaml` promise, without a network."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lossless.cli import configuration
from tests.cli.run import ROOT, lossless

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def snippets(language: str) -> list[str]:
    return [text for found, text in FENCE.findall(PAGE) if found == language]


def texts(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for value in node.values():
            yield from texts(value)
    elif isinstance(node, list):
        for value in node:
            yield from texts(value)
    else:
        yield str(node)


def commands() -> list[str]:
    """Return every call of `lossless` on the page, in order."""
    lines = [line for text in snippets("sh") for line in text.splitlines()]
    for text in snippets("yaml"):
        lines += texts(yaml.load(text, Loader=yaml.BaseLoader))
    return [line for line in lines if line.startswith("lossless ")]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "inventory" / "demo", tmp_path / "inventory")
    return tmp_path


def test_the_page_shows_every_service_and_command() -> None:
    assert len(snippets("yaml")) == 5
    told = " ".join(commands())
    for word in ("--format sarif", "--format github", "--format gitlab", "--format junit"):
        assert word in told
    for word in ("--write-baseline", "--fix", "--diff"):
        assert word in told


def test_every_command_of_the_page_runs(repository: Path) -> None:
    for line in commands():
        told = lossless(*shlex.split(line)[1:], cwd=repository)
        assert told.code in (0, 1), (line, told.err)
        assert told.clean
    assert lossless("lint", "inventory", cwd=repository).code == 0  # one of them was --fix
    for _, file in re.findall(r"(--output|--baseline) (\S+)", PAGE):
        assert (repository / file).stat().st_size > 0


def test_reports_that_services_read_are_written_where_they_look(repository: Path) -> None:
    for text in snippets("yaml"):
        job = yaml.load(text, Loader=yaml.BaseLoader)
        runs = [line for line in texts(job) if line.startswith("lossless ")]
        for line in runs:
            assert lossless(*shlex.split(line)[1:], cwd=repository).code in (0, 1)
        taken = re.findall(r"(?:sarif_file|codequality|junit): (\S+)", text)
        for file in taken:
            assert (repository / file).is_file(), file
    run = json.loads((repository / "lossless.sarif").read_text())["runs"][0]
    uris = {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in run["results"]
        for place in result["locations"]
    }
    assert all((repository / uri).is_file() for uri in uris), "paths are the repository's"


def test_the_configuration_of_the_page_is_read(tmp_path: Path) -> None:
    (text,) = snippets("toml")
    file = tmp_path / "lossless.toml"
    file.write_text(text)
    found = configuration.read(file)
    assert set(found.defaults) == set(tomllib.loads(text)) - {"fail-on"} | {"fail_on"}


def test_marks_of_the_page_are_read(repository: Path) -> None:
    (text,) = [text for text in snippets("yaml") if "maintenance" in text]
    hosts = repository / "inventory" / "more.yaml"
    hosts.write_text(text.replace("leaf07", "leaf02"))
    assert lossless("lint", "inventory", cwd=repository).code == 1


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_on_the_inventory(hook: dict[str, Any], repository: Path) -> None:
    assert {"id", "name", "entry", "language", "files"} <= set(hook)
    assert hook["language"] == "python"
    assert hook["pass_filenames"] is False
    program, *arguments = shlex.split(hook["entry"])
    assert program == "lossless"
    before = (repository / "inventory" / "hosts.yaml").read_bytes()
    told = lossless(*arguments, *hook["args"], cwd=repository)
    after = (repository / "inventory" / "hosts.yaml").read_bytes()
    assert told.code == 1 or after != before  # pre-commit fails where a file changed
    shutil.rmtree(repository / "inventory")
    shutil.copytree(ROOT / "inventory" / "demo-fixed", repository / "inventory")
    assert lossless(*arguments, *hook["args"], cwd=repository).code == 0


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_when_the_inventory_changes_and_only_then(hook: dict[str, Any]) -> None:
    pattern = re.compile(hook["files"])  # pre-commit searches
    for name in ("fabric.yaml", "pod1/hosts.yml", "lossless.toml"):
        assert pattern.search(f"inventory/{name}")
    for name in ("README.md", "inventory/README.md", "docs/a.yaml", "inventory/a.toml"):
        assert not pattern.search(name)


def test_the_page_names_hooks_that_exist() -> None:
    (text,) = [text for text in snippets("yaml") if "repos:" in text]
    (repository,) = yaml.safe_load(text)["repos"]
    ids = {hook["id"] for hook in HOOKS}
    assert {hook["id"] for hook in repository["hooks"]} <= ids
    assert ids <= set(re.findall(r"lossless-\w+", PAGE))
