"""The table of what each platform does with each statement, against what real devices showed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs.support import FULL, READ, said, statements, table_of
from lossless.platforms import registry
from lossless.platforms.contract import Output

NAMES = [name for name in registry.PLATFORMS if registry.load(name) is not None]
CORPUS = os.environ.get("LOSSLESS_CAPTURES")


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_has_a_cell(name: str) -> None:
    table = table_of(name)
    assert set(table) == set(statements())
    assert FULL in table.values()


def test_the_samples_state_everything() -> None:
    """A statement that no platform writes must be one that nobody configures on a device."""
    tables = [table_of(name) for name in NAMES]
    nowhere = {s for s in statements() if all(t[s] not in (FULL, READ) for t in tables)}
    groups = {s[0] for s in nowhere}
    assert "pfc" not in groups
    assert "ecn" not in groups or all(s[1:] == ("enabled",) for s in nowhere if s[0] == "ecn")


@pytest.mark.parametrize("name", NAMES)
def test_what_a_real_device_shows_is_said_to_be_read(name: str) -> None:
    if CORPUS is None:
        assert not os.environ.get("CI"), "LOSSLESS_CAPTURES is not set"
        pytest.skip("LOSSLESS_CAPTURES is not set: no real output to ask")
    platform = registry.load(name)
    assert platform is not None
    table = table_of(name)
    shown = set()
    for path in sorted(Path(CORPUS).rglob("*")):
        if path.is_file() and path.stat().st_size < 1_000_000:
            text = path.read_text(encoding="utf-8", errors="replace")
            if platform.recognises(text):
                parsed = platform.parse([Output("", text)], None)
                states = [parsed.state, *([parsed.operational] if parsed.operational else [])]
                shown |= {each for state in states for each in said(state)}
    denied = {".".join(each) for each in shown if table[each] not in (FULL, READ)}
    assert denied == set()
