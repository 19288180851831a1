"""Which platforms make up a device, and what part of its state each of them holds.

A switch is one platform.  A host is several: the tool of each of its NICs, and the environment of
its collective libraries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lossless.model.device import Device, DeviceState
from lossless.model.profile import Profile

#: The component that holds what is not a port of a host.
HOST_ENVIRONMENT = "collective_env"


@dataclass(frozen=True, slots=True)
class Component:
    """One platform on one device, and its part of the configured state."""

    platform: str
    state: DeviceState
    profile: Profile | None


def components(device: Device) -> Iterator[Component]:
    """Yield the components of a device; those without a platform ("none") are left out."""
    if device.kind == "switch":
        if device.platform is not None:
            yield Component(device.platform, device.configured, device.profile)
        return
    names = dict.fromkeys(port.platform for port in device.ports if port.platform)
    for name in names:
        own = [port for port in device.ports if port.platform == name]
        ports = {port.name: device.configured.port(port.name) for port in own}
        yield Component(name, replace(device.configured, ports=ports), own[0].profile)
    if device.configured.system.environment.variables:
        yield Component(HOST_ENVIRONMENT, replace(device.configured, ports={}), None)
