"""What the rules of this platform ask of a port."""

from __future__ import annotations

from typing import Final

from lossless.model.pfc import Pfc
from lossless.model.profile import Profile
from lossless.model.values import is_value
from lossless.rules.views import PortView

PLATFORM: Final = "sonic"


def is_sonic(profile: Profile | None) -> bool:
    """Say whether a port or device is community SONiC."""
    return profile is not None and profile.platform == PLATFORM


def sent(pfc: Pfc) -> frozenset[int]:
    """Return the priorities that a port asks its peer to pause; none where they are not told."""
    return pfc.send if is_value(pfc.send) and is_value(pfc.mode) else frozenset()


def pauses(port: PortView) -> bool:
    """Say whether a port is SONiC's and PFC is on there.  Needs `pfc` and `profile`."""
    return is_sonic(port.profile) and bool(sent(port.pfc))
