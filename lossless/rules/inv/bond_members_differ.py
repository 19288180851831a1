"""INV008: ports of one aggregate that treat RoCE differently."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from lossless.findings import Severity
from lossless.model.values import value
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.frames import l3
from lossless.rules.groups import gather, usual
from lossless.rules.pausing import paused
from lossless.rules.views import DeviceView, PortGroup, PortView
from lossless.rules.words import priorities, rate


def _pause(port: PortView) -> Hashable:
    return paused(port.pfc)


def _trust(port: PortView) -> Hashable:
    return port.classification.trust


def _mtu(port: PortView) -> Hashable:
    return l3(port.mtu, port.profile)


def _speed(port: PortView) -> Hashable:
    return value(port.link.speed)


#: What members must share: the field, how it is read, and how it is spelled.
_SHARED: tuple[tuple[str, Callable[[PortView], Hashable], Callable[..., str]], ...] = (
    ("pfc.priorities", _pause, lambda found: f"pauses {priorities(found)}"),
    ("trust", _trust, lambda found: f"trusts {found.value}"),
    ("mtu", _mtu, lambda found: f"carries {found} layer-3 bytes"),
    ("speed", _speed, lambda found: f"is {rate(found)}"),
)


@rule(
    "INV008",
    name="bond-members-differ",
    severity=Severity.WARNING,
    scope=Scope.DEVICE,
    needs=("classification", "intent", "link", "mtu", "pfc", "place", "profile"),
    sources=(
        "IEEE 802.1AX-2020 clause 5 (a flow takes whichever member its headers select)",
        "Cisco Nexus 9000 NX-OS Quality of Service guide (QoS on members of a port channel)",
    ),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """Members of one aggregate are set differently in what a lossless class needs."""
    bound = [
        (group.bundle, group)
        for group in device.ports
        if group.bundle is not None and carries(group.view) and lossless_classes(group.view)
    ]
    if not bound:
        yield NotApplicable("no aggregate carries a lossless class")
        return
    for members in gather(bound).values():
        for field, read, spell in _SHARED:
            yield from _compare(members, field, read, spell)


def _compare(
    members: list[PortGroup],
    field: str,
    read: Callable[[PortView], Hashable],
    spell: Callable[..., str],
) -> Iterator[Answer]:
    told = [(group, found) for group in members if (found := read(group.view)) is not None]
    different = {found for _, found in told}
    if len(different) < 2:
        return
    # Of two that differ nobody knows which is right: the first one stands for the aggregate.
    most = usual((found, group.count) for group, found in told) or told[0][1]
    for group, found in told:
        if found != most:
            yield Fault(
                message=f"{{here}} {spell(found)}, and the other members of its aggregate differ "
                f"(one {spell(most)}): which of them a flow takes is chance",
                field=field,
                or_fields=(field.partition(".")[0], "bond", "ports"),
                at=group.view,
            )
