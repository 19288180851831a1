"""Shares that classes get of a link, whatever the platform counts in."""

from __future__ import annotations

import pytest

from lossless.model.classification import Classification
from lossless.model.facet import table
from lossless.model.scheduling import Algorithm, Ets, QueueScheduling
from lossless.model.units import Bandwidth, BandwidthKind
from lossless.model.values import number_map
from lossless.rules.curves import portion
from lossless.rules.ets import share_disagrees
from tests.rules.views import faults, nic, port, wire

STRICT = QueueScheduling(algorithm=Algorithm.STRICT)


def shares(kind: BandwidthKind, roce: int, rest: int) -> Ets:
    def row(amount: int) -> QueueScheduling:
        return QueueScheduling(algorithm=Algorithm.DWRR, bandwidth=Bandwidth(kind, amount))

    return Ets(queues=table({0: row(rest), 3: row(roce), 6: STRICT}))


@pytest.mark.parametrize(
    ("ets", "found"),
    [
        (shares(BandwidthKind.ETS, 600_000, 400_000), 600_000),
        (shares(BandwidthKind.REMAINING, 500_000, 480_000), 510_000),
        (shares(BandwidthKind.WEIGHT, 15, 14), 517_000),
        (Ets(queues=table({3: STRICT})), None),
        (Ets(), None),
    ],
)
def test_a_share_is_what_is_left_when_all_send(ets: Ets, found: int | None) -> None:
    assert portion(port(ets=ets), ("roce",)) == found


def test_classes_in_one_queue_have_one_share() -> None:
    together = Classification(priority_to_tc=number_map(8, {0: 0, 3: 3, 6: 0}))
    view = nic(ets=shares(BandwidthKind.ETS, 600_000, 400_000), classification=together)
    assert portion(view, ("roce",)) == 600_000


def test_ends_that_count_differently_are_compared_as_what_they_mean() -> None:
    host = nic(ets=shares(BandwidthKind.ETS, 600_000, 400_000))
    same = port(ets=shares(BandwidthKind.WEIGHT, 30, 20))
    other = port(ets=shares(BandwidthKind.WEIGHT, 20, 80))
    assert not faults(share_disagrees.check, wire(host, same))
    assert len(faults(share_disagrees.check, wire(host, other))) == 1
