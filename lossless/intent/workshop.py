"""What the building of all devices shares: settings and layers, each different one made once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lossless.intent.declared import Declared, statements
from lossless.intent.entries import single
from lossless.intent.layers import Layer, Path, is_off, merge, normal
from lossless.intent.lowering import Circumstances, Lowered, Statements, lower_port
from lossless.intent.problems import Problems
from lossless.intent.stack import Facts, Stack
from lossless.inventory.kinds import Breakout
from lossless.model.profile import Profile
from lossless.model.settings import Interner

#: Finds the profile of a platform, a version and a model.
ProfileFinder: TypeAlias = Callable[[str, str | None, str | None], Profile | None]

#: The layers under a device: the fabric's policies, and what is about this device.
Beneath: TypeAlias = tuple[tuple[Layer, ...], tuple[Layer, ...]]


def text_of(value: Any) -> str | None:
    """Return a word; `None` where it is declared absent."""
    return str(value) if isinstance(value, (str, int)) and not is_off(value) else None


def number_of(value: Any) -> int | None:
    """Return a whole number; `None` for anything else."""
    value = single(value)
    return int(value) if isinstance(value, (int, str)) and str(value).isdigit() else None


@dataclass(slots=True, eq=False)
class Workshop:
    """Makes settings and remembers them.

    `casts` are what ports that are alike have in common (see `ports`);
    `doubtful` holds one port for each lowering that found something wrong with its classes.
    """

    declared: Declared
    stack: Stack
    profile_for: ProfileFinder
    problems: Problems
    intern: Interner = field(default_factory=Interner)
    casts: dict[Any, Any] = field(default_factory=dict)
    doubtful: dict[int, tuple[str, str, Lowered]] = field(default_factory=dict)
    _parts: dict[Any, dict[str, Any]] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)  # what memo keys know by identity only
    _lowered: dict[Any, Lowered] = field(default_factory=dict)
    _beneath: dict[Any, Beneath] = field(default_factory=dict)
    _strange_fabrics: set[str] = field(default_factory=set)

    def profile(
        self, platform: str | None, version: str | None, model: str | None
    ) -> Profile | None:
        """Return what is known about a platform."""
        return None if platform is None else self.profile_for(platform, version, model)

    def check_fabric(self, fabric: str | None, path: Path) -> None:
        """Note a fabric that is not declared, once."""
        known = (*self.stack.fabric_names, self.stack.default_fabric)
        if fabric in known or fabric is None or fabric in self._strange_fabrics:
            return
        self._strange_fabrics.add(fabric)
        listed = ", ".join(self.stack.fabric_names)
        self.problems.add(
            f"there is no fabric {fabric!r}", (*path, "fabric"), f"declared: {listed}"
        )

    def part(self, data: Mapping[str, Any], identity: frozenset[str]) -> dict[str, Any]:
        """Return the statements of an entry; the same object for the same statements."""
        held = statements(data, identity)
        key = tuple([(k, v if type(v) in (str, int) else id(v)) for k, v in held.items()])
        known = self._parts.get(key)
        if known is None:
            self._kept.append(held)
            known = self._parts[key] = dict(normal(held))
        return known

    def beneath(self, facts: Facts, device: str) -> Beneath:
        """Return the layers under a device or port; the same object for the same answer."""
        key = (facts, self.stack.selects(device))
        known = self._beneath.get(key)
        if known is None:
            known = self._beneath[key] = self.stack.beneath(facts, device)
        return known

    def lower(
        self,
        beneath: Beneath,
        device: tuple[dict[str, Any], ...],
        port: tuple[dict[str, Any], ...],
        around: Circumstances,
    ) -> Lowered:
        """Lower the statements about a port, each different combination once."""
        key = (
            id(beneath),
            tuple(map(id, device)),
            tuple(map(id, port)),
            around.nic,
            around.role,
            id(around.profile),
            around.macro,
            around.model,
        )
        known = self._lowered.get(key)
        if known is None:
            base, own = ([layer.data for layer in layers] for layers in beneath)
            told = Statements(
                all=merge([*base, *own, *device, *port]),
                own=merge([*own, *device, *port]),
                port=merge(port),
            )
            made = lower_port(told, around)
            known = self._lowered[key] = Lowered(
                self.intern.settings(made.settings),
                self.intern(made.intent),
                made.lossless,
                made.contests,
                made.strangers,
            )
        return known

    def split(self, split: Breakout) -> dict[str, Any]:
        """Return what a breakout says of a part; the port itself may say otherwise."""
        said: dict[str, Any] = {"speed": split.speed}
        if split.lanes is not None:
            said["lanes"] = split.lanes
        return self._parts.setdefault(("breakout", split), said)
