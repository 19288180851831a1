"""Payloads, accounting and class limits at their boundaries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lossless.model.classes import PortIntent
from lossless.model.link import Mtu
from lossless.model.profile import MtuAccounting
from lossless.rules.frames import payload
from lossless.rules.mtu import class_mtu_below_frame, mtu_below_floor
from tests.rules.views import ROCE, faults, missing, nic, path, port, profile


@pytest.mark.parametrize(
    ("mtu", "size"),
    [
        (1500, 1024),
        (2143, 1024),
        (2144, 2048),
        (4096, 2048),
        (4191, 2048),
        (4192, 4096),
        (4200, 4096),
        (9000, 4096),
        (352, 256),
        (351, None),
    ],
)
def test_what_an_interface_leaves_for_rdma(mtu: int, size: int | None) -> None:
    assert payload(mtu) == size


@pytest.mark.parametrize(
    ("limit", "sender", "bad"),
    [
        (4200, 9000, False),
        (4156, 9000, False),
        (4155, 9000, True),
        (2240, 9000, True),
        (2240, 4000, False),
        (9216, 9000, False),
    ],
)
def test_a_class_limit_is_held_against_the_largest_frame_of_the_class(
    limit: int, sender: int, bad: bool
) -> None:
    limited = port(mtu=Mtu(l3=9216, per_class=((3, limit),)))
    way = path((None, nic(mtu=Mtu(l3=sender))), (limited, limited), (nic(), None))
    assert bool(faults(class_mtu_below_frame.check, way)) is bad


def test_a_class_limit_counts_as_its_platform_counts() -> None:
    counts_headers = profile(mtu=MtuAccounting(overhead=18))
    cls = replace(ROCE, mtu=4170)
    limited = port(intent=PortIntent(classes=(("roce", cls),)), profile=counts_headers)
    way = path((None, nic()), (limited, limited), (nic(), None))
    assert faults(class_mtu_below_frame.check, way)


def test_a_native_number_is_compared_as_layer_3_bytes() -> None:
    intent = PortIntent(minimum_l3_mtu=9202)
    media = profile(mtu=MtuAccounting(overhead=14))
    view = port(intent=intent, mtu=Mtu(native=9216), profile=media)
    assert not faults(mtu_below_floor.check, view)
    view.intent = PortIntent(minimum_l3_mtu=9203)
    assert faults(mtu_below_floor.check, view)
    view.profile = None
    assert missing(mtu_below_floor.check, view) == {"mtu.switch"}
