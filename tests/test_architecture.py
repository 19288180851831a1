"""The house: who may import whom, what must stay lazy, and how large a room may grow."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lossless"

#: Floors from the top; a room imports from its own floor only what is its own, and from all below.
FLOORS = (
    {"cli"},
    {"lab"},
    {"trace", "drift"},
    {"collect"},
    {"report"},
    {"running"},
    {"platforms"},
    {"rules", "intent"},
    {"topology", "inventory", "snapshot"},
    {"hardware", "formulas", "baseline"},
    {"devices"},
    {"nodeset", "findings", "policies"},
    {"model"},
)
HEIGHT = {room: -number for number, floor in enumerate(FLOORS) for room in floor}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            if module == "lossless":
                yield from (f"lossless.{alias.name}" for alias in node.names)
            else:
                yield module


def test_every_room_has_a_floor() -> None:
    rooms = {room(path) for path in modules()} - {"__init__", "__main__"}
    assert rooms <= set(HEIGHT)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_downward(path: Path) -> None:
    here = room(path)
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "lossless" or len(parts) < 2 or here in {"__init__", "__main__"}:
            continue
        there = parts[1]
        if there in {here, "__version__"}:
            continue
        assert HEIGHT[there] < HEIGHT[here], f"{path.name} in {here} imports {name}"


def test_the_lab_stands_apart() -> None:
    """Simulated devices are written from the manuals, so that they can disagree with platforms."""
    for path in (p for p in modules() if room(p) == "lab"):
        for name in (n for n in imports(path) if n.startswith("lossless.")):
            assert name.split(".")[1] in {"lab", "model", "findings", "nodeset"}, (path, name)


def test_a_platform_does_not_know_another() -> None:
    platforms = PACKAGE / "platforms"
    for folder in (f for f in platforms.iterdir() if f.is_dir() and f.name != "__pycache__"):
        for path in folder.rglob("*.py"):
            for name in imports(path):
                parts = name.split(".")
                if parts[:2] == ["lossless", "platforms"] and len(parts) > 2:
                    other = parts[2]
                    assert other == folder.name or not (platforms / other).is_dir(), (path, name)


def test_no_module_outgrows_its_room() -> None:
    lines = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in modules()}
    assert {str(p): n for p, n in lines.items() if n > 400} == {}


def _loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


def test_the_program_starts_with_almost_nothing() -> None:
    loaded = _loaded_after("import lossless.cli")
    heavy = {"pydantic", "yaml", "jinja2", "rich", "netmiko", "ruamel.yaml", "importlib.metadata"}
    assert loaded & heavy == set()


def test_lint_does_not_import_what_it_does_not_need() -> None:
    run = "; ".join(
        (
            "from lossless.cli import cli",
            "cli.main(['lint', 'inventory/demo-fixed', '-q'], standalone_mode=False)",
        )
    )
    loaded = _loaded_after(run)
    assert "lossless.rules.engine" in loaded
    assert loaded & {"netmiko", "paramiko", "jinja2", "ruamel.yaml", "rich"} == set()
