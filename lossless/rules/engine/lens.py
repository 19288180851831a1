"""What one rule can see: port classes reduced to the facets that the rule declared."""

from __future__ import annotations

from typing import Any

from lossless.rules.engine.census import SLOTS, PortClass
from lossless.rules.views import LinkView, PortView


class Lens:
    """A view of the port classes through a set of needs.

    Two classes have the same key where they agree in every needed facet; a view of either then
    holds the same objects.  Slots that are not needed stay empty, so that reading one raises.
    """

    def __init__(self, needs: tuple[str, ...]) -> None:
        self.slots = tuple(slot for slot in SLOTS if slot in needs)
        self.cable = "cable" in needs
        self._keys: dict[int, int] = {}
        self._numbers: dict[tuple[int, ...], int] = {}
        self._examples: list[PortClass] = []

    def key(self, port: PortClass) -> int:
        """Return the number that stands for everything the rule can see of a port."""
        found = self._keys.get(port.number)
        if found is None:
            seen = tuple(id(port.values[slot]) for slot in self.slots)
            found = self._numbers.setdefault(seen, len(self._examples))
            if found == len(self._examples):
                self._examples.append(port)
            self._keys[port.number] = found
        return found

    def view(self, key: int) -> PortView:
        """Return a new view; every place in a subject has its own, so that it can be told apart."""
        values = self._examples[key].values
        view = PortView()
        for slot in self.slots:
            setattr(view, slot, values[slot])
        return view

    def link(self, a: PortView, b: PortView | None, cable: Any) -> LinkView:
        """Return a view of a link; its cable is readable only where the rule needs it."""
        view = object.__new__(LinkView)
        object.__setattr__(view, "a", a)
        object.__setattr__(view, "b", b)
        if self.cable:
            object.__setattr__(view, "cable", cable)
        return view
