"""What is being said in CONFIG_DB's terms, and what had no words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lossless.model.profile import Profile
from lossless.model.units import NO_CONTEXT, Quantity
from lossless.model.values import is_value

#: One thing that can be told: ("PORT", "mtu"), ("map", "dscp_to_tc_map"), ("wred", 3), …
Slot: TypeAlias = tuple[Any, ...]
Path: TypeAlias = tuple[str | int, ...]
#: Fields of one object that the model knows; absent ones are not to stand.
Fields: TypeAlias = Mapping[str, str]


@dataclass(slots=True)
class Voice:
    """Slots by name (`None`: to be absent), and what was refused, by path below the port or box."""

    profile: Profile | None = None
    slots: dict[Slot, Any] = field(default_factory=dict)
    refused: list[tuple[Path, str]] = field(default_factory=list)

    def refuse(self, message: str, *path: str | int) -> None:
        """Note a statement that CONFIG_DB cannot hold."""
        self.refused.append((path, message))

    def refuse_told(self, message: str, told: Any, *path: str | int) -> None:
        """Note a statement that CONFIG_DB cannot hold, where there is one."""
        if is_value(told) and told != () and told is not None:
            self.refuse(message, *path)

    def size(self, held: Any, *path: str | int) -> str | None:
        """Write a size in bytes; `None` where there is none, or none that is known."""
        if not isinstance(held, Quantity):
            return None
        context = self.profile.units if self.profile is not None else NO_CONTEXT
        found = held.to_bytes(context)
        if found is None:
            self.refuse(f"{held} is not known in bytes, the only unit here", *path)
            return None
        return str(found)
