"""The running fabric: who is there and how it is cabled as declared, settings as they were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from lossless.model.device import Device, DeviceState, Port
from lossless.model.fabric import Fabric
from lossless.model.link import Adapter
from lossless.model.overlay import overlay
from lossless.model.settings import NOTHING, Interner, Settings
from lossless.running.gather import Seen, operational_state, whole_state

#: What a NIC is and where it sits: facts that no settings tool shows, so the declaration counts.
_HARDWARE: Final = ("model", "pcie_generation", "pcie_width")


def running_fabric(declared: Fabric, seen: Mapping[str, Seen]) -> Fabric:
    """Return a fabric with the declared devices, ports and links, and the settings that were read.

    Of a device that was not seen nothing is told, and nothing is assumed of any.  Ports that are
    not declared are left out; remarks about the declaration do not belong here.
    """
    intern = Interner()
    devices = {
        name: _device(device, seen.get(name), intern) for name, device in declared.devices.items()
    }
    links = [
        replace(
            link,
            a_device=devices.get(link.a_device.name, link.a_device),
            b_device=devices.get(link.b_device.name, link.b_device),
        )
        for link in declared.links
    ]
    return replace(declared, devices=devices, links=links, remarks=(), declared=False)


def _device(device: Device, seen: Seen | None, intern: Interner) -> Device:
    if seen is None or not seen.parts:
        return replace(device, configured=DeviceState())
    state = whole_state(seen)
    ports = {
        port.name: intern.settings(_port(device, port, state.ports.get(port.name)))
        for port in device.ports
        if port.name in state.ports
    }
    return replace(
        device,
        configured=DeviceState(intern(state.system), ports),
        operational=operational_state(seen),
    )


def _port(device: Device, port: Port, found: Settings | None) -> Settings:
    told = device.configured.port(port.name).adapter
    known = Adapter(**{name: getattr(told, name) for name in _HARDWARE})
    return overlay(replace(NOTHING, adapter=known), found or NOTHING)
