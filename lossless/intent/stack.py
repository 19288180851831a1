"""The layers beneath a device: named policies, policies, overrides and roles.

From low to high: `extends` < `policy` < `fabrics.X.extends` < `fabrics.X.policy` < `overrides`
(the fabric's after the top's, in order) < `roles`.  A named policy's own overrides lie directly
above that policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from lossless.intent.entries import read_names
from lossless.intent.layers import Layer, Path, Sources, normal
from lossless.intent.problems import Problems
from lossless.model.fabric import Remark

#: Reads a named policy: its statements, and where they are written.
PolicyReader: TypeAlias = Callable[[str], tuple[Mapping[str, Any], Sources]]

#: Keys of a policy that are not statements about ports.
NOT_STATEMENTS = frozenset({"overrides", "lint", "extends", "description", "sources", "match"})


class Facts(NamedTuple):
    """What an override may ask about a device and a port; roles are the device's and the port's."""

    platform: str | None
    model: str | None
    roles: tuple[str, ...]
    rail: int | None
    fabric: str | None


@dataclass(slots=True, eq=False)
class Override:
    """One entry of `overrides`: whom it is about, and what it states."""

    layer: Layer
    match: Mapping[str, Any]
    devices: frozenset[str] | None
    fabric: str | None
    reported: bool
    hits: int = 0

    def about(self, facts: Facts, device: str) -> bool:
        """Say whether the override is about a port (or a device) with these facts."""
        if self.devices is not None and device not in self.devices:
            return False
        if self.fabric is not None and facts.fabric != self.fabric:
            return False
        asked = {
            "platform": (facts.platform,),
            "model": (facts.model,),
            "role": facts.roles,
            "rail": (facts.rail,),
            "fabric": (facts.fabric,),
        }
        return all(
            any(one in asked[key] for one in _several(wanted))
            for key, wanted in self.match.items()
            if key in asked
        )


def _several(wanted: Any) -> Sequence[Any]:
    if isinstance(wanted, (list, tuple, frozenset)):
        return list(wanted)
    return [wanted]


@dataclass(slots=True, eq=False)
class Stack:
    """Everything that lies beneath the devices."""

    data: Mapping[str, Any]
    sources: Sources
    read_policy: PolicyReader
    problems: Problems
    overrides: list[Override] = field(default_factory=list)
    _named: dict[str, list[Layer | Override]] = field(default_factory=dict)
    _bases: dict[str | None, list[Layer | Override]] = field(default_factory=dict)
    _selective: list[frozenset[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._collect(("policy",), self.data.get("policy"), None)
        for name, held in (self.data.get("fabrics") or {}).items():
            self._collect(("fabrics", name, "policy"), (held or {}).get("policy"), name)
        held = [one for name in (None, *self.fabric_names) for one in self.base(name)]
        several = [*self.overrides, *(one for one in held if isinstance(one, Override))]
        self._selective = [one.devices for one in several if one.devices is not None]

    def _collect(self, path: Path, policy: Mapping[str, Any] | None, fabric: str | None) -> None:
        for number, held in enumerate((policy or {}).get("overrides") or ()):
            here = (*path, "overrides", number)
            self.overrides.append(self._override(held, here, self.sources, fabric, reported=True))

    def _override(
        self,
        held: Mapping[str, Any],
        path: Path,
        sources: Sources,
        fabric: str | None,
        reported: bool,
    ) -> Override:
        match = held.get("match") or {}
        devices = None
        if match.get("device") is not None:
            devices = frozenset(
                name
                for text in _several(match["device"])
                for name in read_names(text, (*path, "match", "device"), self.problems)
            )
        layer = Layer(statements(held), path, sources, _dotted(path))
        return Override(layer, match, devices, fabric, reported)

    @property
    def fabric_names(self) -> tuple[str, ...]:
        """The fabrics that are declared: those under `fabrics`, or the one of the inventory."""
        return tuple(self.data.get("fabrics") or ()) or (self.default_fabric or "fabric",)

    @property
    def default_fabric(self) -> str | None:
        """The fabric of a device that names none."""
        several = tuple(self.data.get("fabrics") or ())
        name: str | None = self.data.get("fabric")
        return several[0] if len(several) == 1 and name is None else name

    def base(self, fabric: str | None) -> list[Layer | Override]:
        """Return the policies of a fabric, from low to high."""
        if fabric not in self._bases:
            top = self._policies(self.data, (), None)
            inner = (self.data.get("fabrics") or {}).get(fabric) or {}
            path: Path = ("fabrics", fabric or "")
            self._bases[fabric] = top + (self._policies(inner, path, fabric) if inner else [])
        return self._bases[fabric]

    def _policies(
        self, data: Mapping[str, Any], path: Path, fabric: str | None
    ) -> list[Layer | Override]:
        out: list[Layer | Override] = []
        name = data.get("extends")
        if isinstance(name, str):
            out.extend(self._named_policy(name, (*path, "extends")))
        if fabric is not None and data.get("lossless") is not None:
            said = {"lossless": data["lossless"]}
            out.append(Layer(said, path, self.sources, _dotted(path)))
        policy = data.get("policy")
        if policy:
            here = (*path, "policy")
            out.append(Layer(statements(policy), here, self.sources, _dotted(here)))
        return out

    def _named_policy(self, name: str, path: Path) -> list[Layer | Override]:
        if name not in self._named:
            self._named[name] = []
            try:
                policy, sources = self.read_policy(name)
            except KeyError:
                self.problems.add(f"there is no policy named {name!r}", path)
                return []
            origin = f"policy {name}"
            out: list[Layer | Override] = [Layer(statements(policy), (), sources, origin)]
            for number, held in enumerate(policy.get("overrides") or ()):
                here: Path = ("overrides", number)
                out.append(self._override(held, here, sources, None, reported=False))
            self._named[name] = out
        return self._named[name]

    def beneath(self, facts: Facts, device: str) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
        """Return the layers under a device: the fabric's policies, then overrides and roles."""
        base = [one for one in self.base(facts.fabric) if self._holds(one, facts, device)]
        about = [one for one in self.overrides if one.about(facts, device)]
        for one in about:
            one.hits += 1
        roles = self.data.get("roles") or {}
        own = [one.layer for one in about]
        for role in dict.fromkeys(facts.roles):
            if roles.get(role):
                path: Path = ("roles", role)
                own.append(Layer(statements(roles[role]), path, self.sources, _dotted(path)))
        return tuple(one.layer if isinstance(one, Override) else one for one in base), tuple(own)

    @staticmethod
    def _holds(one: Layer | Override, facts: Facts, device: str) -> bool:
        return isinstance(one, Layer) or one.about(facts, device)

    def selects(self, device: str) -> tuple[bool, ...]:
        """Return which overrides' device selectors a device passes: part of memo keys."""
        return tuple([device in devices for devices in self._selective])

    def remarks(self) -> Iterator[Remark]:
        """Yield a remark for each override that was about nothing."""
        for one in self.overrides:
            if one.reported and not one.hits:
                shown = ", ".join(f"{k}: {v}" for k, v in one.match.items())
                path = _dotted(one.layer.path)
                yield Remark(
                    "override-matches-nothing", f"no device or port matches {{{shown}}}", path
                )


def statements(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a policy or override states about ports, in long form."""
    return normal({k: v for k, v in data.items() if k not in NOT_STATEMENTS})


def _dotted(path: Path) -> str:
    return ".".join(map(str, path))
