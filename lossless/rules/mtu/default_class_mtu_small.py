"""MTU007: everything that has no class is limited below the fabric's MTU."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.facet import row
from lossless.model.values import value
from lossless.rules.classes import classes, in_use, is_nic
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView

#: Where unmarked traffic lands (IEEE 802.1Q-2022 §6.9).
UNMARKED = 0


@rule(
    "MTU007",
    name="default-class-mtu-small",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("intent", "mtu", "place", "profile"),
    sources=("Cisco Nexus 5000 and 6000 troubleshooting guide, QoS (class-default stays at 1500)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """The class of unmarked traffic lets fewer bytes through than the fabric is declared to."""
    least = value(port.intent.minimum_l3_mtu)
    name, limit = _limit(port)
    if is_nic(port) or not in_use(port) or least is None or limit is None:
        yield NotApplicable("no limit of the default class, or no least MTU, is told here")
        return
    room = None if port.profile is None else port.profile.mtu.l3(limit)
    found = limit if room is None else room
    if found < least:
        yield Fault(
            message=f"{name or 'unmarked traffic'} is limited to {limit} bytes on {{here}}, and "
            f"{least} layer-3 bytes are the least: large packets outside the lossless class are "
            "dropped, whatever the port's MTU",
            field=f"classes.{name}.mtu" if name else "mtu.switch",
            or_fields=(f"classes.{name}", "mtu") if name else ("mtu",),
            expected=least,
            actual=limit,
        )


def _limit(port: PortView) -> tuple[str | None, int | None]:
    """Return the class of unmarked traffic, where it has one and is not lossless, and its limit."""
    owner = next(((n, c) for n, c in classes(port) if UNMARKED in c.priorities), None)
    told = value(row(port.mtu.per_class, UNMARKED))
    if owner is None:
        return None, told
    name, cls = owner
    if cls.lossless is True:
        return name, None  # a lossless class only needs room for its own packets
    return name, value(cls.mtu) if told is None else told
