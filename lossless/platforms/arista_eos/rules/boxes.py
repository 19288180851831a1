"""What the rules of this platform ask of a box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from lossless.model.profile import Profile
from lossless.model.values import DEFAULT, Field, NumberMap, entry, is_value, value
from lossless.rules.views import DeviceView

PLATFORM: Final = "arista_eos"


def is_eos(profile: Profile | None) -> bool:
    """Say whether a port or device is EOS."""
    return profile is not None and profile.platform == PLATFORM


def rewrites(device: DeviceView) -> Iterator[tuple[int, int]]:
    """Yield the traffic classes whose DSCP EOS is told to write on egress, and that DSCP."""
    for tc, dscp in enumerate(device.system.settings.classification.rewrite_dscp):
        if is_value(dscp):
            yield tc, dscp


def settled(told: Any, default: Any) -> Any:
    """Return what is in force where one leaf stands at the platform's default."""
    return default if told is DEFAULT else told


def class_of(device: DeviceView, dscp: int) -> int | None:
    """Return the traffic class that EOS puts a DSCP in; `None` where it is not told."""
    told: Field[int] = entry(device.system.settings.classification.dscp_to_priority, dscp)
    defaults: NumberMap = ()
    if device.profile is not None:
        defaults = device.profile.defaults.classification.dscp_to_priority
    return value(settled(told, entry(defaults, dscp)))
