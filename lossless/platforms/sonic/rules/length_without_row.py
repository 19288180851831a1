"""VND307."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.hardware import HeadroomTable, headroom_table
from lossless.model.values import value
from lossless.platforms.sonic.rules.boxes import is_sonic, pauses
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import DeviceView, PortView
from lossless.rules.words import length, rate


@rule(
    "VND307",
    name="sonic-length-without-row",
    severity=Severity.ERROR,
    scope=Scope.DEVICE,
    needs=("buffers", "link", "pfc", "place", "profile"),
    sources=(
        "sonic-net/sonic-swss, cfgmgr/buffermgr.cpp (No PG profile configured for speed and cable)",
        "sonic-net/sonic-buildimage issue 5837",
    ),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """The headroom table of a SKU has no row for a port's speed and the length of its cable."""
    held = headroom_table(device.hwsku) if is_sonic(device.profile) else None
    if held is None or not _read(device, held):
        yield NotApplicable("no headroom table is known of this SKU, or headroom is computed here")
        return
    for group in device.ports:
        port = group.view
        speed, cable = value(port.link.speed), value(port.buffers.cable)
        if not pauses(port) or not carries(port) or speed is None or not cable:
            continue
        rows = held.lengths.get(speed, ())
        if cable not in rows:
            yield _fault(device, port, (speed, cable), rows)


def _read(device: DeviceView, held: HeadroomTable) -> bool:
    """Say whether the traditional model is in force, which looks the pair up."""
    model = value(device.system.buffers.model)
    return not held.dynamic if model is None else model != "dynamic"


def _fault(
    device: DeviceView, port: PortView, pair: tuple[int, int], rows: tuple[int, ...]
) -> Fault:
    speed, cable = pair
    longer = next((row for row in rows if row > cable), None)
    known = f"it knows {', '.join(map(length, rows))}" if rows else "it knows none of that speed"
    return Fault(
        message=f"{{here}} is {rate(speed)} with {length(cable)} of cable, and the table of "
        f"{device.hwsku} has no such row ({known}): no headroom is made, and what arrives after a "
        "pause is dropped",
        field="configured_cable",
        or_fields=("cable",) if rows else ("speed",),
        expected=None if longer is None else length(longer),
        actual=length(cable),
        at=port,
    )
