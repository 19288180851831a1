"""What a switch shows of what runs, beside what it was told: the same in other words is the same.

Thresholds are shown with two decimals, by the box as they were told and by a port as hardware
rounded them (150000 bytes are 146.48 KB there and 153.00 KB or 156.00 KB here, which the RoCE
chapter of the manual calls expected).  A port shows one pair of thresholds for all its classes,
and nothing of its maps: what it does not show stands as its own profiles tell it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.effective import effective, leaves
from lossless.model.profile import Profile
from lossless.model.settings import NOTHING
from lossless.model.units import Quantity, Unit
from lossless.model.values import DEFAULT
from lossless.platforms.nvidia_cumulus import leafs, shows
from lossless.platforms.nvidia_cumulus.leafs import Leaves, Path

_FACTORS: Final[Mapping[Unit, int]] = {Unit.BYTES: 1, Unit.KBYTES: 1024, Unit.MBYTES: 1 << 20}
_ENDS: Final = ("minimum", "maximum")
#: What a port's own profiles tell, and what the box's view of the macro says of ports without any.
_BOUND: Final = frozenset(path for paths in leafs.FEATURES.values() for path in paths)


def settle(told: shows.Told, state: DeviceState, profile: Profile | None) -> None:
    """Put what was configured in place of what a command shows of the same in other words."""
    quantum = profile.ecn.quantum if profile is not None else None
    if told.box:
        _thresholds(told.box, _in_force(NOTHING, state, profile), None)
    known: dict[int, Leaves] = {}
    for name, shown in told.ports.items():
        own = state.port(name)
        if id(own) not in known:
            known[id(own)] = _in_force(own, state, profile)
        _thresholds(shown, known[id(own)], quantum)
        for path, held in _stated(own):
            shown.setdefault(path, held)


def _in_force(own: Any, state: DeviceState, profile: Profile | None) -> Leaves:
    return dict(leaves(effective(own, profile, state.system, assume_defaults=True).settings))


def _stated(own: Any) -> Iterator[tuple[Path, Any]]:
    for path, held in leaves(own):
        if path in _BOUND and held is not None and held is not DEFAULT:
            yield path, held


def _thresholds(shown: Leaves, configured: Leaves, quantum: int | None) -> None:
    for end in _ENDS:
        paths: list[Path] = [("ecn", "queues", queue, end) for queue in leafs.QUEUES]
        paths = [path for path in paths if isinstance(shown.get(path), Quantity)]
        # One pair is shown for all classes: where it is one class's, it says nothing of others.
        if any(_same(configured.get(path), shown[path], quantum) for path in paths):
            shown.update({path: configured[path] for path in paths if configured.get(path)})


def _same(configured: Any, shown: Quantity, quantum: int | None) -> bool:
    """Say whether a configured threshold is shown so, as it is or rounded up by hardware."""
    if not isinstance(configured, Quantity) or configured.unit is not Unit.BYTES:
        return bool(configured == shown)
    size, factor = configured.number, _FACTORS.get(shown.unit)
    if factor is None:
        return False
    sizes = [size] if not quantum else [size, Fraction(-(-size // quantum) * quantum)]
    return any(abs(each / factor - shown.number) <= Fraction(1, 200) for each in sizes)
