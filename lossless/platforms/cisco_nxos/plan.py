"""From two states to ordered operations."""

from __future__ import annotations

from typing import Any

from lossless.model.device import DeviceState
from lossless.model.operation import Op
from lossless.model.profile import Profile
from lossless.platforms.cisco_nxos.box import Box
from lossless.platforms.cisco_nxos.differ import differ
from lossless.platforms.cisco_nxos.edit import defaults, draft


def plan(
    after: DeviceState,
    before: DeviceState | None = None,
    native: Any = None,
    profile: Profile | None = None,
) -> tuple[Op, ...]:
    """Return the ordered operations from `before` (`None`: a box at its defaults) to `after`.

    Raises `ValueError` where `after` tells what of the box was not shown, or where lines that were
    not understood would have to be replaced.
    """
    box = _box(before, native, profile)
    made = draft(box, after, profile)
    if made.unseen:
        raise ValueError(
            "what is to be changed was not shown, and could not be undone: "
            + "; ".join(dict.fromkeys(made.unseen))
        )
    if made.blocked:
        raise ValueError("; ".join(dict.fromkeys(made.blocked)))
    return differ(box, made.new, fresh=before is None)


def _box(before: DeviceState | None, native: Any, profile: Profile | None) -> Box:
    if before is None:
        return defaults()
    if isinstance(native, Box):
        return native
    return _rebuilt(before, profile)


def _rebuilt(before: DeviceState, profile: Profile | None) -> Box:
    """Return the box that would be in a state, as we ourselves would have written it.

    What a wholly seen configuration always tells shows how much was seen.
    """
    box = draft(defaults(), before, profile).new
    box.whole = before.system.settings.watchdog.enabled is not None
    box.policies_seen = box.whole or before.system.settings.classification.trust is not None
    for name, held in box.interfaces.items():
        held.seen = before.port(name).pfc.mode is not None
    return box
