"""What holds for every file of the package."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_every_package_says_what_it_is_for() -> None:
    for path in (ROOT / "lossless").rglob("__init__.py"):
        assert path.read_text(encoding="utf-8").lstrip().startswith('"""'), path


def test_the_version_is_a_literal() -> None:
    text = (ROOT / "lossless" / "__init__.py").read_text(encoding="utf-8")
    assert re.search(r'^__version__ = "\d+\.\d+\.\d+"', text, re.M)
