from __future__ import annotations

from pathlib import Path

import pytest

from lossless.findings import InputError
from lossless.platforms import macros
from lossless.platforms.macros import Macros


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "shipped"
    (root / "box").mkdir(parents=True)
    (root / "box" / "macros.j2").write_text(
        "{% macro set_a(o) %}\na {{ o.value }}\n\n   b\n{% endmacro %}\n"
        "{% macro set_c(o) %}c {{ o.missing }}{% endmacro %}\n"
    )
    (root / "box" / "frame.j2").write_text("! {{ name }}\n{{ body }}\n")
    monkeypatch.setattr(macros, "template_root", lambda: root)
    return root


def override(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "mine"
    (folder / "box").mkdir(parents=True, exist_ok=True)
    (folder / "box" / "macros.j2").write_text(text)
    return folder


def test_macro_gives_its_lines(shipped: Path) -> None:
    assert Macros("box").lines("set_a", {"value": 3}) == ("a 3", "   b")


def test_frame(shipped: Path) -> None:
    assert Macros("box").render("frame.j2", name="x", body="y") == "! x\ny\n"


def test_one_macro_overridden_and_the_others_stay(shipped: Path, tmp_path: Path) -> None:
    mine = override(tmp_path, "{% macro set_c(o) %}mine{% endmacro %}")
    assert Macros("box", mine).lines("set_c", {}) == ("mine",)
    assert Macros("box", mine).lines("set_a", {"value": 1}) == ("a 1", "   b")


def test_override_reaches_the_shipped_macro(shipped: Path, tmp_path: Path) -> None:
    mine = override(
        tmp_path,
        '{% import "builtin/box/macros.j2" as b %}'
        "{% macro set_a(o) %}first\n{{ b.set_a(o) }}{% endmacro %}",
    )
    assert Macros("box", mine).lines("set_a", {"value": 1}) == ("first", "a 1", "   b")


def test_undefined_name_is_an_error_with_its_line(shipped: Path) -> None:
    with pytest.raises(InputError) as caught:
        Macros("box").call("set_c", {})
    problem = caught.value.problems[0]
    assert "missing" in problem.message
    assert problem.location is not None
    assert problem.location.file.endswith("box/macros.j2")
    assert problem.location.line == 6


@pytest.mark.parametrize(
    "text",
    [
        "{% macro set_a(o) %}{{ ''.__class__.__mro__ }}{% endmacro %}",
        "{% macro set_a(o) %}{{ o.update(value=1) }}{% endmacro %}",
        "{% macro set_a(o) %}",
        "{% macro set_a() %}x{% endmacro %}",
        "{% macro set_a(o) %}{{ 1 / 0 }}{% endmacro %}",
        '{% include "../../secret" %}',
    ],
)
def test_faulty_or_hostile_override_is_one_message(
    shipped: Path, tmp_path: Path, text: str
) -> None:
    with pytest.raises(InputError):
        Macros("box", override(tmp_path, text)).call("set_a", {"value": 1})


def test_override_must_be_a_folder(shipped: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        Macros("box", tmp_path / "absent")


def test_unknown_macro(shipped: Path) -> None:
    assert not Macros("box").has("set_z")
    with pytest.raises(InputError, match="no macro set_z"):
        Macros("box").call("set_z", {})
