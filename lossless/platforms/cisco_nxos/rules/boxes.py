"""What the rules of this platform ask of a port."""

from __future__ import annotations

from typing import Final

from lossless.model.profile import Profile
from lossless.model.values import entry, value
from lossless.rules.pausing import sent
from lossless.rules.views import PortView

PLATFORM: Final = "cisco_nxos"


def is_nxos(profile: Profile | None) -> bool:
    """Say whether a port or device is NX-OS."""
    return profile is not None and profile.platform == PLATFORM


def paused_groups(port: PortView) -> frozenset[int] | None:
    """Return the qos-groups that PFC pauses; `None`: not told.  Needs `classification` and `pfc`.

    A CoS pauses the group that network-qos says, and the group of its number where nobody tells.
    """
    priorities = sent(port.pfc)
    if priorities is None:
        return None
    told = port.classification.pfc_priority_to_group
    groups = ((cos, value(entry(told, cos))) for cos in priorities)
    return frozenset(cos if group is None else group for cos, group in groups)
