"""VND203."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.facet import row
from lossless.model.values import is_value, value
from lossless.platforms.cisco_nxos.rules.boxes import is_nxos
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.facts import weight
from lossless.rules.views import LinkView, PortView
from lossless.rules.words import length

_FACT = "pause_buffer_required_beyond_mm"


@rule(
    "VND203",
    name="nxos-long-cable-without-pause-buffer",
    severity=Severity.WARNING,
    scope=Scope.LINK,
    needs=("buffers", "cable", "intent", "place", "profile"),
    sources=("Cisco Nexus 9000 NX-OS QoS configuration guide 10.5, priority flow control",),
)
def check(link: LinkView) -> Iterator[Answer]:
    """A cable is longer than NX-OS's own pause buffers are made for, and none are stated."""
    ends = [end for end in (link.a, link.b) if end is not None and _concerned(end)]
    if not ends:
        yield NotApplicable("no lossless class crosses a port of NX-OS on this link")
        return
    told = value(link.cable.length)
    if told is None:
        yield NotApplicable("the length of the cable is not declared")
        return
    for end in ends:
        yield from _end(end, told)


def _concerned(port: PortView) -> bool:
    return is_nxos(port.profile) and carries(port) and bool(lossless_classes(port))


def _end(port: PortView, told: int) -> Iterator[Answer]:
    limit = None if port.profile is None else port.profile.facts.get(_FACT)
    if not isinstance(limit, int) or told <= limit:
        return
    for name, _, group in lossless_classes(port):
        held = row(port.buffers.groups, group)
        if held is not None and is_value(held.xoff) and is_value(held.limit):
            continue
        yield Fault(
            message=f"the cable is {length(told)}; beyond {length(limit)} NX-OS wants the pause "
            f"buffer of class {name} to be stated",
            field="cable",
            expected=f"buffers.classes.{name}",
            actual=length(told),
            **weight(port.profile, f"facts.{_FACT}"),
        )
