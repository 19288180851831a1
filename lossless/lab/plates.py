"""What is declared of a device, as a plate: all that its box is given beside its files."""

from __future__ import annotations

from typing import Final

from lossless.lab.contract import Plate, Port
from lossless.model.device import Device

#: A host is one box, whatever its NICs are.
HOST: Final = "linux_host"
#: Platforms of NICs that a simulated host has the tools of.
NICS: Final = frozenset({"nvidia_mlnx_qos"})


def plate_of(device: Device) -> Plate | None:
    """Return the plate of a device; `None` where it is declared to have no platform."""
    if device.kind == "host":
        platform: str | None = HOST
    else:
        platform = device.platform
    if platform is None:
        return None
    ports = []
    for port in device.ports:
        speed = device.configured.port(port.name).link.speed
        told = speed if isinstance(speed, int) else None
        ports.append(Port(port.name, told, port.rdma, port.pci, port.platform))
    return Plate(device.name, platform, device.version, device.model, tuple(ports))


def without_tools(plate: Plate) -> tuple[str, ...]:
    """Return the platforms of a host's NICs that cannot be simulated."""
    if plate.platform != HOST:
        return ()
    return tuple(sorted({p.tool for p in plate.ports if p.tool and p.tool not in NICS}))
