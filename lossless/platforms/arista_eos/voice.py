"""What is said of a state in slots, and what has to be refused."""

from __future__ import annotations

from typing import Any, Final

from lossless.model.profile import Profile, Range
from lossless.model.values import is_value
from lossless.platforms.arista_eos.slots import Slot, Slots
from lossless.platforms.contract import Inexpressible

G: Final = 10**9
CENTISECOND: Final = 10**7
MILLISECOND: Final = 10**6


class Voice:
    """Slots that are said, and statements that are refused."""

    def __init__(self, profile: Profile | None = None) -> None:
        self.slots: Slots = {}
        self.refused: list[Inexpressible] = []
        self.profile = profile

    def put(self, held: Any, *slot: str | int) -> None:
        """Say a slot, where there is a value for it."""
        if is_value(held):
            self.slots[slot] = held

    def refuse(self, message: str, *path: str | int) -> None:
        """Note a statement that has no words."""
        self.refused.append(Inexpressible(path, message))

    def number(self, held: Any, limits: Range, slot: Slot, path: tuple[str | int, ...]) -> None:
        """Say a number that has to stay within limits."""
        if not is_value(held):
            return
        if limits.holds(held):
            self.slots[slot] = held
        else:
            self.refuse(f"EOS takes {limits.low} to {limits.high} here, not {held}", *path)
