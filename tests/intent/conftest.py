"""Inventories as text, built."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from lossless.findings import InputError, Problem
from lossless.intent import Built, build
from lossless.inventory import read

Builder = Callable[..., Built]


@pytest.fixture
def built(tmp_path: Path) -> Builder:
    """Build one or several files of an inventory."""

    def make(*texts: str) -> Built:
        for number, text in enumerate(texts):
            file = tmp_path / f"part{number}.yaml"
            file.write_text(textwrap.dedent(text))
        only = tmp_path / "part0.yaml"
        return build(read([str(only) if len(texts) == 1 else str(tmp_path)]))

    return make


@pytest.fixture
def problems(built: Builder) -> Callable[..., list[Problem]]:
    """Build an inventory that must not build, and return what is wrong with it."""

    def make(*texts: str) -> list[Problem]:
        with pytest.raises(InputError) as refused:
            built(*texts)
        return list(refused.value.problems)

    return make
