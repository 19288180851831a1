"""Entries of the inventory whose key is a node set: what each names, and what zips with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.intent.layers import Path
from lossless.intent.problems import Problems
from lossless.inventory import grammar
from lossless.inventory.scalars import ScalarError
from lossless.nodeset import NodeSetError, expand, is_set, varying

#: Keys whose value may name one thing per member of the nearest enclosing set.
ZIPPED = ("rdma", "pci", "alias", "rail", "plane")


@dataclass(slots=True, eq=False)
class Entry:
    """One key with the names it stands for.

    `zips` holds, by key, one value per member of this set; `outer_zips` one value per member of
    the enclosing device set.  `said` is a key for what the entry states (see `ports`), and
    `_members` the names as a set; both are made when first asked for.
    """

    key: str
    names: list[str]
    data: Mapping[str, Any]
    path: Path
    order: int
    zips: dict[str, list[Any]] = field(default_factory=dict)
    outer_zips: dict[str, list[Any]] = field(default_factory=dict)
    said: tuple[Any, ...] | None = None
    _members: frozenset[str] | None = None

    @property
    def members(self) -> frozenset[str]:
        """The names as a set."""
        if self._members is None:
            self._members = frozenset(self.names)
        return self._members

    def within(self, other: Entry) -> bool:
        """Say whether this entry names a part of what the other names, or the same."""
        return len(self.names) <= len(other.names) and self.members <= other.members

    def value(self, key: str, index: int, outer: int) -> Any:
        """Return a zipped key's value for the member at `index` of the device at `outer`."""
        if key in self.zips:
            return self.zips[key][index]
        if key in self.outer_zips:
            return self.outer_zips[key][outer]
        return self.data.get(key)


def read_names(key: str, path: Path, problems: Problems) -> list[str]:
    """Expand a key; a key that cannot be read is a problem and names nothing."""
    try:
        return expand(key)
    except NodeSetError as error:
        problems.add(str(error), path)
        return []


def spread(value: Any, path: Path, problems: Problems) -> list[Any] | None:
    """Return the values that a zipped key lists; `None` where it states one value for all.

    A node set and a list mean the same.
    """
    if isinstance(value, str) and is_set(value):
        try:
            if varying(value) > 1:
                problems.add(
                    f"{value!r} has more than one index that varies",
                    path,
                    "only one index pairs with its set; write a list instead",
                )
                return None
            members: list[Any] = expand(value)
        except NodeSetError as error:
            problems.add(str(error), path)
            return None
        return members if len(members) > 1 else None
    if isinstance(value, (list, tuple)) and len(value) != 1:
        return list(value)
    return None


def single(value: Any) -> Any:
    """Return the one value of a list or set of one; anything else as it is."""
    if isinstance(value, str):
        if not is_set(value):
            return value
        try:
            members = expand(value)
        except NodeSetError:  # told where the set was paired
            return value
        return members[0] if len(members) == 1 else value
    if isinstance(value, (list, tuple)):
        return value[0] if len(value) == 1 else None
    return value


def zip_entry(entry: Entry, outer: Entry | None, problems: Problems) -> None:
    """Pair every zipped key of an entry with its nearest enclosing set."""
    for key in ZIPPED:
        if entry.data.get(key) is not None:
            pair(entry, outer, key, entry.data[key], (*entry.path, key), problems)


def pair(
    entry: Entry, outer: Entry | None, key: str, value: Any, path: Path, problems: Problems
) -> None:
    """Pair one value; a list as long as neither set is a problem that names both counts."""
    values = spread(value, path, problems)
    if values is None or (isinstance(value, str) and _misread(key, values, path, problems)):
        return
    owner = entry if outer is None or len(entry.names) > 1 or is_set(entry.key) else outer
    if len(values) != len(owner.names):
        problems.add(
            f"{key} lists {len(values)} values for the {len(owner.names)} members of {owner.key!r}",
            path,
            "write one value per member, or one for all",
            [(owner.path, f"{owner.key!r} names {len(owner.names)}")],
        )
    elif _dimensions(owner.key) > 1:
        problems.add(
            f"{key} lists values for {owner.key!r}, which has more than one index that varies",
            path,
            "write the sets one by one, so that each index has its own value",
        )
    elif owner is entry:
        entry.zips[key] = values
    else:
        entry.outer_zips[key] = values


#: What each member of a set must be by itself: brackets hide a number too large for its place.
_ALONE: Final[Mapping[str, Callable[[object], str]]] = {
    "address": grammar.address,
    "pci": grammar.pci,
}


def _misread(key: str, values: Sequence[Any], path: Path, problems: Problems) -> bool:
    """Say whether a member of a set is not what its key holds; the first is told."""
    read = _ALONE.get(key)
    if read is None:
        return False
    for value in values:
        try:
            read(value)
        except ScalarError as error:
            problems.add(f"{key}: {error.message}", path, error.hint)
            return True
    return False


def _dimensions(key: str) -> int:
    try:
        return varying(key)
    except NodeSetError:
        return 0


def order_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries from the widest to the narrowest, written order among equals."""
    return sorted(entries, key=lambda e: (-len(e.names), e.order))
