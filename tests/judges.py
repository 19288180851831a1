"""Outside authorities: a judge that is missing is a visible skip here and a failure in CI."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

import pytest


def judge(module: str) -> ModuleType:
    """Import an outside judge, or skip (fail in CI) with its name."""
    try:
        return import_module(module)
    except ImportError:
        why = f"the judge {module} is not installed (pip install '.[judges]')"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
