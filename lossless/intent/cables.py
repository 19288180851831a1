"""What NICs are told of their cables.

Some drivers compute headroom from a length of cable that they are told, and assume a short one
until then.  Such a NIC is told what the link says devices are told (`configured_cable`), or the
length that is plugged in where that is more than the driver assumes; a shorter one it keeps, so
that a short cable costs no headroom and no write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lossless.model.device import Device, DeviceState, Port
from lossless.model.fabric import Link
from lossless.model.link import Cable
from lossless.model.settings import Settings
from lossless.model.values import value


def tell_cables(
    devices: Mapping[str, Device], links: Sequence[Link]
) -> tuple[Mapping[str, Device], Sequence[Link]]:
    """Return devices and links with the lengths that NICs are told in their settings.

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
    """Return the length that a NIC is to be told, in millimetres; `None`: nothing."""
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
    """Return all devices; hosts that shared their settings and are told the same still do."""
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
