"""What devices are told of their cables.

A switch that takes a length for each of its ports (its platform's facts say so) is told what the
link says devices are told (`configured_cable`), and nothing where no link says it: which lengths
it knows is its own affair.

Some drivers of NICs compute headroom from a length of cable that they are told, and assume a short
one until then.  Such a NIC is told the same, or the length that is plugged in where that is more
than the driver assumes; a shorter one it keeps, so that a short cable costs no headroom and no
write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lossless.model.device import Device, DeviceState, Port
from lossless.model.fabric import Link
from lossless.model.link import Cable
from lossless.model.settings import Settings
from lossless.model.values import value

#: The fact of a platform whose switches take the length of the cable of each port.
ASKS = "takes_cable_length"


def tell_cables(
    devices: Mapping[str, Device], links: Sequence[Link]
) -> tuple[Mapping[str, Device], Sequence[Link]]:
    """Return devices and links with the lengths that devices are told in their settings.

    What nothing is told to stays the same object.
    """
    told: dict[str, dict[str, int]] = {}
    for link in links:
        if link.cable.length is None and link.cable.configured_length is None:
            continue
        for device, port in ((link.a_device, link.a), (link.b_device, link.b)):
            length = _told(device, port, link.cable)
            if length is not None:
                told.setdefault(device.name, {})[port.name] = length
    if not told:
        return devices, links
    fresh = _devices(devices, told)
    return fresh, [_link(link, fresh, told) for link in links]


def _told(device: Device, port: Port, cable: Cable) -> int | None:
    """Return the length that a device is to be told, in millimetres; `None`: nothing."""
    if device.kind == "switch":
        asks = port.profile is not None and port.profile.facts.get(ASKS) is True
        return value(cable.configured_length) if asks else None
    if device.kind != "host" or port.profile is None:
        return None
    assumed = value(port.profile.defaults.buffers.cable)
    if assumed is None:
        return None
    configured, real = value(cable.configured_length), value(cable.length)
    if configured is not None:
        return configured
    return real if real is not None and real > assumed else None


def _devices(
    devices: Mapping[str, Device], told: Mapping[str, Mapping[str, int]]
) -> dict[str, Device]:
    """Return all devices; those that shared their settings and are told the same still do."""
    states: dict[tuple[object, ...], DeviceState] = {}
    settings: dict[tuple[int, int], Settings] = {}
    out = dict(devices)
    for name, lengths in told.items():
        device = devices[name]
        key = id(device.configured), *sorted(lengths.items())
        if key not in states:
            states[key] = _state(device.configured, lengths, settings)
        out[name] = replace(device, configured=states[key])
    return out


def _state(
    state: DeviceState, lengths: Mapping[str, int], known: dict[tuple[int, int], Settings]
) -> DeviceState:
    ports = dict(state.ports)
    for name, length in lengths.items():
        before = state.port(name)
        key = id(before), length
        if key not in known:
            known[key] = replace(before, buffers=replace(before.buffers, cable=length))
        ports[name] = known[key]
    return DeviceState(system=state.system, ports=ports)


def _link(link: Link, devices: Mapping[str, Device], told: Mapping[str, object]) -> Link:
    a, b = link.a_device.name, link.b_device.name
    if a not in told and b not in told:
        return link
    return Link(
        devices.get(a, link.a_device),
        link.a,
        devices.get(b, link.b_device),
        link.b,
        link.cable,
        link.number,
    )
