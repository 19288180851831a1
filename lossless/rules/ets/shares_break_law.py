"""ETS001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.profile import EtsSum
from lossless.model.scheduling import Algorithm
from lossless.model.units import PPM, BandwidthKind
from lossless.model.values import is_value
from lossless.rules.chain import queues
from lossless.rules.classes import carries, classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import PortView
from lossless.rules.words import share


@rule(
    "ETS001",
    name="shares-break-law",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "ets", "intent", "place", "profile"),
    sources=(
        "IEEE 802.1Q-2022 clause 37 (shares of the ETS classes add up to 100 %)",
        "linux mlx5 en_dcbnl.c, mlxsw spectrum_dcb.c, bnxt_dcb.c (what each refuses)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """The shares of a port's queues do not add up to what its platform accepts."""
    sums = _sums(port)
    if not carries(port) or not sums:
        yield NotApplicable("no per cent shares are stated on this port")
        return
    law = None if port.profile is None else port.profile.ets.total
    if law is None and all(_lawful_anywhere(kind, total) for kind, total in sums.items()):
        return
    if law is None:
        yield Missing(("platform",))
        return
    for kind, total in sums.items():
        wrong = total > PPM or (
            law is EtsSum.EXACTLY_100 and kind is BandwidthKind.ETS and total != PPM
        )
        if law is not EtsSum.FREE and wrong:
            yield Fault(
                message=f"the shares on {{here}} ({kind.value}) add up to {share(total)}; its "
                f"platform takes {law.value}",
                field="classes",
                expected=law.value,
                actual=share(total),
                restore=tuple(f"classes.{name}.bandwidth" for name, _ in classes(port)),
                **weight(port.profile, "ets.total"),
            )


def _lawful_anywhere(kind: BandwidthKind, total: int) -> bool:
    return total == PPM or (kind is not BandwidthKind.ETS and total < PPM)


def _sums(port: PortView) -> dict[BandwidthKind, int]:
    """Return the sum of each kind of share; weights have none."""
    sums: dict[BandwidthKind, int] = {}
    declared = frozenset[int]().union(*(queues(port, cls) for _, cls in classes(port)))
    for number, queue in port.ets.queues:
        if declared and number not in declared:
            continue  # the platform's own share of a queue that nothing uses
        held = queue.bandwidth
        if queue.algorithm is Algorithm.STRICT or not is_value(held):
            continue
        if held.kind is not BandwidthKind.WEIGHT:
            sums[held.kind] = sums.get(held.kind, 0) + held.amount
    return sums
