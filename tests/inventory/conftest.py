"""Reading texts as inventories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lossless.findings import InputError, Problem
from lossless.inventory import Declaration, read

Reader = Callable[..., Declaration]
Refusal = Callable[..., list[Problem]]


@pytest.fixture
def declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Read one text as `f.yaml`, or several as the files of a directory."""
    monkeypatch.chdir(tmp_path)

    def make(*texts: str | bytes) -> Declaration:
        for number, text in enumerate(texts):
            name = "f.yaml" if len(texts) == 1 else f"d/part{number}.yaml"
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read([Path("f.yaml" if len(texts) == 1 else "d")])

    return make


@pytest.fixture
def refused(declared: Reader) -> Refusal:
    """Read what must not be accepted, and return what is said about it."""

    def make(*texts: str | bytes) -> list[Problem]:
        with pytest.raises(InputError) as error:
            declared(*texts)
        return list(error.value.problems)

    return make
