"""How high a device stands: the order in which traffic climbs and descends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lossless.model.device import Device
from lossless.model.fabric import Fabric

#: Tiers of the roles that carry traffic between hosts.
ROLE_TIERS: Final[Mapping[str, int]] = {"host": 0, "leaf": 1, "spine": 2, "super-spine": 3}

HOST_TIER: Final = 0


def tier(device: Device) -> int | None:
    """Return a device's tier by its kind and role; `None` where neither tells."""
    if device.kind == "host":
        return HOST_TIER
    if device.kind != "switch" or device.role is None:
        return None
    return ROLE_TIERS.get(device.role)


def tiers(fabric: Fabric) -> dict[str, int | None]:
    """Return every device's tier by name.

    A switch without a role that has a host on one of its links is a leaf: a fabric of one switch
    need not say so.  An external peer has no tier, because nothing is known of its inside.
    """
    found = {name: tier(device) for name, device in fabric.devices.items()}
    unknown = {name for name, at in found.items() if at is None}
    if not unknown:
        return found
    for link in fabric.links:
        for here, there in ((link.a_device, link.b_device), (link.b_device, link.a_device)):
            roleless = here.name in unknown and here.kind == "switch" and here.role is None
            if roleless and there.kind == "host":
                found[here.name] = ROLE_TIERS["leaf"]
    return found
