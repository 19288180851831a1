"""Where a value in force is written: in which layer, in which file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as slot
from typing import Any

from lossless.findings import Beneath, Location, Target
from lossless.intent.declared import dotted
from lossless.intent.layering import Layering
from lossless.intent.layers import Found, Layer, Path, look_up


@dataclass(slots=True, eq=False)
class Written:
    """Finds where fields are written; nothing is looked for before it is asked for."""

    layering: Layering
    _found: dict[tuple[int, str], Found | None] = slot(default_factory=dict)
    _placed: dict[tuple[int, str], Location | None] = slot(default_factory=dict)

    def locate(self, target: Target, field: str) -> Location | None:
        """Return where a field in force on a target is written.

        The place of the leaf, else of the nearest enclosing key; the empty field asks for the
        object itself.  For the fabric (`Target()`) the field is an absolute path.
        """
        if target.link is not None:
            return self._on_link(target, field)
        if target.device is None:
            return self._absolute(field)
        if not field:
            layers = self.layering.own(target)
            return layers[-1].find() if layers else None
        layers = self.layering.pile(target)
        if target.device not in self.layering.devices:
            found = _find(layers, field)
            return None if found is None else found.location()
        key = (id(layers), field)
        if key not in self._placed:
            found = self._decides(layers, target, field)
            self._placed[key] = None if found is None else found.location()
        return self._placed[key]

    def written(self, target: Target, field: str) -> Location | None:
        """Return where the leaf itself is written; `None` where only a key around it is."""
        found = self.find(target, field)
        return found.location() if found is not None and found.exact else None

    def beneath(self, target: Target, field: str) -> Beneath | None:
        """Return what the statement in force overrides, where that says something else."""
        layers = self.layering.pile(target)
        over = self.find(target, field)
        if over is None or not over.exact:
            return None
        height = next((n for n, layer in enumerate(layers) if layer is over.layer), 0)
        under = look_up(layers[:height], over.written)
        if under is None or not under.exact:
            return None
        held, where = under.layer.held(under.written), under.location()
        if where is None or held is None or held == over.layer.held(over.written):
            return None
        value = under.layer.value(under.written)
        return None if value is None else Beneath(value, where, height)

    def find(self, target: Target, field: str) -> Found | None:
        """Return the layer that decides a field, and how much of the field it writes."""
        return self._decides(self.layering.pile(target), target, field)

    def _decides(self, layers: Sequence[Layer], target: Target, field: str) -> Found | None:
        if target.device is None or target.device not in self.layering.devices:
            return _find(layers, field)
        key = (id(layers), field)
        if key not in self._found:
            found = _find(layers, field)
            if found is None and target.port is not None and field in ("speed", "lanes"):
                pile = self.layering.declared.device_layers(target.device)
                found = look_up(pile, ("breakout",))
            self._found[key] = found
        return self._found[key]

    def _on_link(self, target: Target, field: str) -> Location | None:
        layers = self.layering.pile(target)
        if not field:
            return layers[-1].find() if layers else None
        found = _find(layers, field)
        return None if found is None else found.location()

    def _absolute(self, field: str) -> Location | None:
        path = resolve(self.layering.data, field)
        return self.layering.sources.find(path) if path else None


def _find(layers: Sequence[Layer], field: str) -> Found | None:
    best: Found | None = None
    for path in _readings(field, layers):
        found = look_up(layers, path)
        if found is not None and (best is None or len(found.written) > len(best.written)):
            best = found
    return best


def _readings(field: str, layers: Sequence[Layer]) -> Iterable[Path]:
    """Yield how a dotted field may be taken apart: keys may hold dots, and VLANs stand by id."""
    steps = tuple(field.split("."))
    yield steps
    if steps[0] == "vlans" and len(steps) > 1 and steps[1].isdigit():
        yield ("vlans", "ids", *steps[1:])
    if len(steps) > 2:
        for layer in layers:
            path = resolve(layer.data, field)
            if path != steps and dotted(path) == field:
                yield path
                return


def resolve(data: Any, field: str) -> Path:
    """Take a dotted path apart along a document, whose keys may hold dots themselves.

    What the document does not hold is left out.
    """
    steps, path = field.split("."), []
    while steps:
        if isinstance(data, Mapping):
            taken = next((n for n in range(len(steps), 0, -1) if ".".join(steps[:n]) in data), 0)
            key: str | int = ".".join(steps[:taken])
        elif isinstance(data, (list, tuple)) and steps[0].isdigit() and int(steps[0]) < len(data):
            taken, key = 1, int(steps[0])
        else:
            break
        if not taken:
            break
        path.append(key)
        data, steps = data[key], steps[taken:]
    return tuple(path)
