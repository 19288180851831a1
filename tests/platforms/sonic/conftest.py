"""SONiC's own YANG models as a judge of what is written."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Judge = Callable[[dict[str, Any]], str]


def _absent(why: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{why} in CI")
    pytest.skip(f"{why}: SONiC's YANG models are not asked")


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """Return what asks the judge: "" where a configuration is accepted, else its reasons."""
    named = Path(os.environ.get("LOSSLESS_JUDGES", "")) / "sonic_yang.py"
    if not named.is_file():
        _absent("LOSSLESS_JUDGES names no directory with sonic_yang.py")
    if importlib.util.find_spec("oopt_gnpy_libyang") is None:
        _absent("oopt-gnpy-libyang is not installed")
    spec = importlib.util.spec_from_file_location("sonic_yang", named)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    file = tmp_path_factory.mktemp("judge") / "config_db.json"

    def ask(config: dict[str, Any]) -> str:
        file.write_text(json.dumps(whole(config)), encoding="utf-8")
        from contextlib import redirect_stdout
        from io import StringIO

        said = StringIO()
        with redirect_stdout(said):
            code = module.main([str(file)])
        return "" if code == 0 else said.getvalue()

    return ask


def whole(config: dict[str, Any]) -> dict[str, Any]:
    """Add what every real port has, and the models want: lanes and a speed."""
    ports = {
        name: {"speed": "100000", **row, "lanes": str(number)}
        for number, (name, row) in enumerate(config.get("PORT", {}).items(), 1)
    }
    return {**config, "PORT": ports}
