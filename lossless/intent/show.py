"""Where each effective value of a port came from: what `lint --show-settings` prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lossless.findings import Location, Target
from lossless.intent.declared import IDENTITY, dotted
from lossless.intent.layering import Layering
from lossless.intent.layers import look_up, merge, paths
from lossless.model.device import Device
from lossless.model.effective import Origin, effective, leaves
from lossless.model.values import is_value

_STRUCTURE = IDENTITY | {"ports", "nics", "lint", "maintenance"}


@dataclass(frozen=True, slots=True)
class Shown:
    """One value in force.

    `field` is a path in the inventory's vocabulary where somebody wrote the value, and a leaf of
    the model ("ets.queues.3.algorithm") where it was derived or is the platform's.
    """

    field: str
    value: Any
    origin: str
    location: Location | None


@dataclass(slots=True, eq=False)
class SettingsReport:
    """Answers where the settings of a port come from."""

    layering: Layering
    devices: dict[str, Device]

    def show(self, device: str, port: str) -> list[Shown]:
        """Return the values in force on a port.  Raises `KeyError` for an unknown one."""
        made = self.devices[device]
        if port not in made.configured.ports:
            raise KeyError(f"{device}:{port}")
        return [*self._stated(device, port), *self._beyond(made, port)]

    def _stated(self, device: str, port: str) -> Iterator[Shown]:
        layers = self.layering.pile(Target(device, port))
        merged = merge([layer.data for layer in layers])
        for path, value in paths({k: v for k, v in merged.items() if k not in _STRUCTURE}):
            found = look_up(layers, path)
            if found is not None:
                yield Shown(dotted(path), value, found.layer.origin, found.location())

    @staticmethod
    def _beyond(made: Device, port: str) -> Iterator[Shown]:
        """Yield what follows from the statements, and what the platform does by itself."""
        held = next(p for p in made.ports if p.name == port)
        stated = made.configured.port(port)
        whole = effective(stated, held.profile, made.configured.system, assume_defaults=True)
        origins = whole.origins()
        for path, value in leaves(whole.settings):
            if value is None or value == ():
                continue
            origin = origins.get(path, Origin.PLATFORM)
            yield Shown(dotted(path), value, _word(origin, held.platform, made), None)


def _word(origin: Origin, platform: str | None, made: Device) -> str:
    if origin is Origin.STATED:
        return "follows from the declaration"
    if origin is Origin.EXPANDED and is_value(made.configured.system.macro):
        return f"{origin.value} {made.configured.system.macro}"
    if origin is Origin.PLATFORM and platform is not None:
        return f"{origin.value} of {platform}"
    return str(origin.value)
