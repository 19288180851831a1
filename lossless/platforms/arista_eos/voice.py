"""What is said of a state in slots, and what has to be refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lossless.model.profile import Profile, Range
from lossless.model.values import is_value
from lossless.platforms.arista_eos.slots import Slot, Slots
from lossless.platforms.contract import Inexpressible

G: Final = 10**9
MILLISECOND: Final = 10**6
#: A watchdog's times in nanoseconds: step and limits.  Two decimals for timeout and recovery,
#: three for polling (schema of pyavd 6.4, whose text names 0.01, 0.005 and 60 s as examples).
TIMES: Final[Mapping[str, tuple[int, Range]]] = {
    "detect": (10**7, Range(10**7, 60 * G)),
    "restore": (10**7, Range(10**7, 60 * G)),
    "poll": (10**6, Range(5 * 10**6, 60 * G)),
}


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

    def fits(self, held: int, leaf: str) -> bool:
        """Say whether EOS can write one of a watchdog's times; refuse it where not."""
        step, limits = TIMES[leaf]
        if self.profile is not None:
            known: Range = getattr(self.profile.limits, f"watchdog_{leaf}")
            limits = known if known.low is not None and known.high is not None else limits
        if limits.holds(held) and held % step == 0:
            return True
        low, high = (limits.low or 0) / G, (limits.high or 0) / G
        self.refuse(
            f"EOS takes {low:g} to {high:g} s in steps of {step / G:g} s, not {held / G:g} s",
            "watchdog",
            leaf,
        )
        return False

    def number(self, held: Any, limits: Range, slot: Slot, path: tuple[str | int, ...]) -> None:
        """Say a number that has to stay within limits."""
        if not is_value(held):
            return
        if limits.holds(held):
            self.slots[slot] = held
        else:
            self.refuse(f"EOS takes {limits.low} to {limits.high} here, not {held}", *path)
