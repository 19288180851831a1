"""What a port shows rounded, once for all classes or not at all is no difference; the rest is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from lossless.model.settings import Settings
from lossless.model.units import Quantity, Unit, in_bytes
from lossless.platforms.contract import Output
from lossless.platforms.nvidia_cumulus import PLATFORM
from tests.platforms.nvidia_cumulus.strategies import profile_of

CONFIG = """- header:
    version: Cumulus Linux 5.14.1
- set:
    interface:
      swp1:
        qos:
          mapping: {{profile: M}}
    qos:
      roce: {{enable: on, mode: lossless}}
      mapping:
        M: {{trust: both, dscp: {{'26': {{switch-priority: 2}}}}}}
      congestion-control:
        default-global:
          traffic-class:
            '3': {{min-threshold: {low}}}
"""
STATUS = """                    operational    applied
------------------  -------------  -------
congestion-control
  congestion-mode   ecn, absolute
  enabled-tc        0,3
  min-threshold     {low}
  max-threshold     {high}
  probability       100
mode                lossless
"""


def running(low: int, shown: str, high: str = "1.44 MB") -> Settings:
    parsed = PLATFORM.parse(
        [
            Output("nv config show -o yaml", CONFIG.format(low=low)),
            Output("nv show interface swp1 qos roce status", STATUS.format(low=shown, high=high)),
        ],
        profile_of(14, "SN5600"),
    )
    assert (parsed.unread, parsed.diagnostics) == ((), ())
    assert parsed.operational is not None
    return parsed.operational.port("swp1")


def minimum(found: Settings, queue: int) -> Any:
    return dict(found.ecn.queues)[queue].minimum


@pytest.mark.parametrize("shown", ["156.00 KB", "146.48 KB"])
def test_a_threshold_that_was_rounded_is_the_one_that_was_told(shown: str) -> None:
    found = running(150_000, shown)
    assert minimum(found, 3) == minimum(found, 0) == in_bytes(150_000)
    assert dict(found.ecn.queues)[3].maximum == in_bytes(1_500_000)


@pytest.mark.parametrize("shown", ["168.00 KB", "144.00 KB", "156.01 KB"])
def test_a_threshold_of_another_size_is_what_is_shown(shown: str) -> None:
    found = running(150_000, shown)
    number = Fraction(shown.removesuffix(" KB"))
    assert minimum(found, 3) == minimum(found, 0) == Quantity(number, Unit.KBYTES)


def test_one_pair_for_two_classes_says_nothing_against_the_other() -> None:
    found = running(75_000, "84.00 KB")
    assert (minimum(found, 3), minimum(found, 0)) == (in_bytes(75_000), in_bytes(150_000))


def test_a_port_that_does_not_show_its_map_has_its_own_and_not_the_macros() -> None:
    found = running(150_000, "156.00 KB")
    assert found.classification.dscp_to_priority[26] == 2
