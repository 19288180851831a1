"""Shared fixtures and the Hypothesis profiles."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A job in the background of a shell inherits an ignored SIGINT; interruptions are tested anyway.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "ci",
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,  # the same examples every time; the deep profile draws new ones
    print_blob=True,
)
settings.register_profile(
    "deep", parent=settings.get_profile("ci"), max_examples=5000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def captures() -> Path:
    """Return the directory of real device output; its absence is a failure in CI."""
    named = os.environ.get("LOSSLESS_CAPTURES")
    if named and Path(named).is_dir():
        return Path(named)
    if os.environ.get("CI") == "true":
        pytest.fail("LOSSLESS_CAPTURES must name the corpus of captures in CI")
    pytest.skip("LOSSLESS_CAPTURES does not name a directory: the corpus is not read")
