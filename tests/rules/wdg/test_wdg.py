"""Watchdogs of platforms: a default is no choice, and what is absent cannot be asked for."""

from __future__ import annotations

import pytest

from lossless.findings import Severity
from lossless.model.pfc import Watchdog
from lossless.model.profile import Profile
from lossless.model.settings import Settings
from lossless.model.values import OFF
from lossless.rules.wdg import watchdog_absent, watchdog_misses_lossless
from tests.rules.views import faults, missing, nic, pauses, port, profile

OFF_BY_DEFAULT = profile(defaults=Settings(watchdog=Watchdog(enabled=OFF)))


@pytest.mark.parametrize(
    ("known", "severity"), [(OFF_BY_DEFAULT, None), (profile(), Severity.INFO)]
)
def test_who_declares_that_there_is_none_is_only_informed(
    known: Profile, severity: Severity | None
) -> None:
    view = port(watchdog=Watchdog(enabled=OFF), profile=known)
    assert [f.severity for f in faults(watchdog_absent.check, view)] == [severity]


def test_nobody_is_asked_for_what_the_platform_lacks() -> None:
    lacks = profile(watchdog_supported=False)
    view = port(watchdog=Watchdog(enabled=OFF), profile=lacks)
    assert not faults(watchdog_absent.check, view)
    assert not faults(watchdog_absent.check, nic(watchdog=Watchdog(enabled=OFF)))


def test_a_watchdog_that_nobody_told_of_is_missing() -> None:
    assert missing(watchdog_absent.check, port()) == {"pfc.watchdog"}


@pytest.mark.parametrize(
    ("watched", "severities"),
    [({3}, []), ({4}, [None]), ({3, 4}, [Severity.INFO]), (set(), [None])],
)
def test_what_is_watched(watched: set[int], severities: list[Severity | None]) -> None:
    dog = Watchdog(enabled=True, priorities=frozenset(watched))
    view = port(watchdog=dog, pfc=pauses(3))
    assert [f.severity for f in faults(watchdog_misses_lossless.check, view)] == severities
