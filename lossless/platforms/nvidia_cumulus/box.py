"""A configuration as a state: which profile holds on which port, and what it leaves unsaid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.model.buffers import BoxBuffers
from lossless.model.device import DeviceState
from lossless.model.effective import effective, leaves
from lossless.model.facet import table
from lossless.model.profile import Profile
from lossless.model.scheduling import Algorithm
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.units import Bandwidth, BandwidthKind
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.nvidia_cumulus import hear, leafs
from lossless.platforms.nvidia_cumulus.hear import Heard
from lossless.platforms.nvidia_cumulus.leafs import Leaves, Path, assemble
from lossless.platforms.nvidia_cumulus.schema import GLOBAL, Config, ConfigPath, leaf
from lossless.platforms.nvidia_cumulus.tree import below, by_number

PHYSICAL: Final = re.compile(r"swp[0-9]{1,4}(s[0-9]{1,2})?")
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,14}")
_NOT_PORTS: Final = re.compile(r"(lo|eth[0-9]+|vlan[0-9]+|mgmt|vxlan.*|nve.*|br_.*)(\..*)?")
PPM: Final = 10_000
MACRO: Final = "roce-"
#: Memory pools whose share the model knows, by what they are with and without the macro.
POOLS: Final[Mapping[str, tuple[str, str]]] = {
    "ingress lossless": ("default-lossless", "roce-lossless"),
    "ingress lossy": ("default-lossy", "roce-lossy"),
}
Origins = dict[Path, ConfigPath]


@dataclass(slots=True)
class Native:
    """What the planner must know of a box beyond its state.

    `config` is the configuration in the newest release's words; `whole` says that all of it was
    seen; `bonds` names the bond that each member belongs to.
    """

    config: Config = field(default_factory=dict)
    whole: bool = False
    release: int | None = None
    bonds: dict[str, str] = field(default_factory=dict)

    def holder(self, port: str) -> str:
        """Return the interface to which profiles of a port are bound: its bond, for a member."""
        return self.bonds.get(port, port)

    def attached(self, port: str, feature: str) -> str | None:
        """Return the profile of a feature that a port has of its own."""
        return self.config.get(attachment(self.holder(port), feature))

    def profile(self, feature: str, name: str) -> Config:
        """Return the content of a profile."""
        return below(self.config, "qos", feature, name)


def attachment(port: str, feature: str) -> ConfigPath:
    """Return where a port names its profile of a feature."""
    return ("interface", port, "qos", feature, "profile")


def is_port(name: str) -> bool:
    """Say whether an interface is a port or a bond that quality of service is set on."""
    return NAME.fullmatch(name) is not None and _NOT_PORTS.fullmatch(name) is None


def macro_of(config: Config) -> Any:
    """Return the macro in force, `OFF`, or `None` where nothing is said of it."""
    state, mode = config.get(("qos", "roce", "state")), config.get(("qos", "roce", "mode"))
    if state == "disabled":
        return OFF
    if state is None and mode is None:
        return None
    return MACRO + (mode or "lossless")


@dataclass(slots=True)
class Listener:
    """Turns a configuration into a state, and remembers where each leaf was read."""

    native: Native
    profile: Profile | None
    origins: Origins = field(default_factory=dict)
    _defaults: Leaves = field(default_factory=dict)

    @property
    def _unsaid(self) -> Any:
        return DEFAULT if self.native.whole else None

    def state(self, ports: tuple[str, ...] = ()) -> DeviceState:
        """Return the state; `ports` are listed even where nothing is said of them."""
        system = self._system()
        base = dict(leaves(effective(NOTHING, self.profile, system, assume_defaults=True).settings))
        names = {*ports, *self.named()}
        return DeviceState(
            system, {name: self._port(name, base) for name in sorted(names, key=_natural)}
        )

    def named(self) -> Iterator[str]:
        """Yield the ports that the configuration names."""
        names = {path[1] for path in self.native.config if path[0] == "interface"}
        yield from (name for name in names | self.native.bonds.keys() if is_port(name))

    # --- the box -------------------------------------------------------------------------------

    def _system(self) -> System:
        config = self.native.config
        macro = macro_of(config)
        told: Leaves = {}
        for feature, paths in leafs.FEATURES.items():
            found = hear.heard(feature, self.native.profile(feature, GLOBAL))
            unsaid = dict.fromkeys(paths, self._unsaid)
            self._learn(told, unsaid, found, ("qos", feature, GLOBAL), ("system", "settings"))
        if is_value(macro):
            self._directions(told)
        else:
            _alone(told, leafs.SCHEDULER)
            _alone(told, leafs.CONGESTION)
        queues = hear.queue_map(self.native.profile("egress-queue-mapping", GLOBAL))
        unsaid = dict.fromkeys(leafs.TO_TC, self._unsaid)
        at: Path = ("system", "settings")
        self._learn(told, unsaid, queues, ("qos", "egress-queue-mapping", GLOBAL), at)
        dog = hear.watchdog(below(config, "qos", "pfc-watchdog"))
        unsaid = dict.fromkeys((leafs.POLL, leafs.DETECT), self._unsaid)
        self._learn(told, unsaid, dog, ("qos", "pfc-watchdog"), at)
        for place in (("qos", "roce", "state"), ("qos", "roce", "mode")):
            if place in config:
                self.origins["system", "macro"] = place
        return System(
            settings=assemble(told),
            buffers=BoxBuffers(shares=self._shares(macro)),
            macro=self._unsaid if macro is None else macro,
            raw=raw_lines(config, macro),
        )

    def _directions(self, told: Leaves) -> None:
        """Fill in what the macro says of a direction that its refinement leaves out."""
        priorities = {
            path[1]
            for path in self.native.profile(leafs.PFC, GLOBAL)
            if path[0] == "switch-priority"
        }
        if not priorities or "lossless" not in str(macro_of(self.native.config)):
            return
        for name in ("send", "honour"):
            if told["pfc", name] in (None, DEFAULT):
                told["pfc", name] = frozenset(int(n) for n in priorities)

    def _shares(self, macro: Any) -> Any:
        found: dict[str, Any] = {}
        for use, names in POOLS.items():
            place = ("qos", "traffic-pool", names[bool(is_value(macro))], "memory-percent")
            held = self.native.config.get(place)
            if held is not None:
                found[use] = int(held) * PPM
                self.origins["system", "buffers", "shares", use] = place
            elif self.native.whole:
                found[use] = DEFAULT
        return table(found)

    # --- ports ---------------------------------------------------------------------------------

    def _port(self, name: str, base: Leaves) -> Settings:
        told: Leaves = {}
        for feature, paths in leafs.FEATURES.items():
            held = self.native.attached(name, feature)
            content = self.native.profile(feature, held) if held else {}
            if not content or held == GLOBAL:
                told.update(dict.fromkeys(paths, self._unsaid))
                continue
            found = hear.heard(feature, content)
            unsaid = self._left_out(feature, found, base)
            self._learn(told, unsaid, found, ("qos", feature, str(held)), ("ports", name))
        found = hear.own(below(self.native.config, "interface", name))
        unsaid = dict.fromkeys((*leafs.OWN, *leafs.BOX_ONLY), self._unsaid)
        self._learn(told, unsaid, found, ("interface", name), ("ports", name))
        return assemble(told)

    def _left_out(self, feature: str, found: Heard, base: Leaves) -> Leaves:
        """Return what a port's own profile means where it says nothing."""
        told = {path: self._beneath(path, base) for path in leafs.FEATURES[feature]}
        if feature == leafs.SCHEDULER:
            told.update(_unlisted(found, leafs.FEATURES[feature]))
        elif feature == leafs.CONGESTION:
            told.update(_unmarked(found))
        elif feature == leafs.REMARK:
            told.update({path: OFF for path in leafs.FEATURES[feature] if len(path) == 2})
        elif feature == leafs.PFC:
            told.update({("pfc", name): None for name in ("mode", "send", "honour")})
        return told

    def _beneath(self, path: Path, base: Leaves) -> Any:
        """Return what holds where a profile is silent: the platform's default, not the box's."""
        lower = base.get(path)
        default = self._default(path)
        if lower in (None, DEFAULT, OFF) or lower == default:
            return self._unsaid
        return OFF if default is None and len(path) > 2 else default

    def _default(self, path: Path) -> Any:
        if self.profile is None:
            return None
        if path == leafs.CABLE:
            return self.profile.facts.get("pfc_profile_cable_length_mm")
        if not self._defaults:
            self._defaults.update(leaves(self.profile.defaults))
        return self._defaults.get(path)

    def _learn(
        self, told: Leaves, unsaid: Leaves, found: Heard, root: ConfigPath, at: Path
    ) -> None:
        told.update(unsaid)
        for path, (value, place) in found.items():
            told[path] = value
            self.origins[*at, *path] = (*root, *place)


def _unlisted(found: Heard, paths: tuple[Path, ...]) -> Leaves:
    """A traffic class that a scheduler does not list has a share of 0 (the manual)."""
    told: Leaves = {}
    listed = {path[2] for path in found}
    for path in paths:
        if path[2] not in listed:
            nothing = Bandwidth(BandwidthKind.ETS, 0)
            told[path] = Algorithm.DWRR if path[3] == "algorithm" else nothing
    return told


def _unmarked(found: Heard) -> Leaves:
    """A traffic class that a profile does not list is neither marked nor dropped early."""
    listed = {path[2] for path in found}
    return {
        ("ecn", "queues", queue, name): OFF
        for queue in leafs.QUEUES
        if queue not in listed
        for name in ("enabled", "wred")
    }


def _alone(told: Leaves, feature: str) -> None:
    """Without the macro, what the global profile lists is all there is."""
    paths = leafs.FEATURES[feature]
    found: Heard = {path: (told[path], ()) for path in paths if is_value(told[path])}
    found |= {path: (OFF, ()) for path in paths if told[path] is OFF}
    if found:
        told.update(_unlisted(found, paths) if feature == leafs.SCHEDULER else _unmarked(found))


def _natural(name: str) -> tuple[Any, ...]:
    return by_number((name,))


# --- lines that are kept -------------------------------------------------------------------------


def is_raw(path: ConfigPath, macro: Any = None) -> bool:
    """Say whether a leaf is one that NVUE knows and the model does not.

    What stands in a port's own profile stays with the profile and is no line of the box.
    """
    if leaf(path) is None or path[0] != "qos":
        return False
    if path[1] == "advance-buffer-config":
        return True
    if path[1] == "traffic-pool":
        known = [names[bool(is_value(macro))] for names in POOLS.values()]
        return path[3] != "memory-percent" or path[2] not in known
    return path[2] == GLOBAL and not _modelled(path)


def _modelled(path: ConfigPath) -> bool:
    return (
        path[3]
        not in (
            "port-buffer",
            "xoff-threshold",
            "xon-threshold",
            "small-packet-probability",
            "port-max-rate",
        )
        and path[-1] not in ("min-rate",)
        and not (path[1] == "egress-shaper" and path[3] == "mode")
        and not (path[1] == "link-pause" and path[3] == "cable-length")
    )


def raw_lines(config: Config, macro: Any) -> tuple[str, ...]:
    """Return the box's leaves that the model has no place for, as lines."""
    paths = [path for path in config if is_raw(path, macro)]
    return tuple(sorted(line(path, config[path]) for path in paths))


def line(path: ConfigPath, value: str) -> str:
    """Return the command that sets a leaf."""
    return " ".join(("nv", "set", *path, *((value,) if value else ())))


def of_line(text: str) -> tuple[ConfigPath, str] | None:
    """Return the leaf that a line of ours sets; `None` for any other."""
    words = tuple(text.split())
    if words[:2] != ("nv", "set"):
        return None
    path = words[2:]
    held = leaf(path)
    if held is not None and held.item:
        return path, ""
    return (path[:-1], path[-1]) if leaf(path[:-1]) is not None else None
