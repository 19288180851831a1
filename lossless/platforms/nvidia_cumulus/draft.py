"""A configuration that is being changed into what a state tells.

A profile is edited in place where every port that has it wants the same change; else the ports
that want another one get a profile with that content, an existing one where there is one.  A port
that wants what the box has goes without a profile of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.effective import effective, leaves
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.units import NO_CONTEXT
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.nvidia_cumulus import leafs, say, whole
from lossless.platforms.nvidia_cumulus.box import (
    PHYSICAL,
    Native,
    attachment,
    is_port,
    is_raw,
)
from lossless.platforms.nvidia_cumulus.leafs import Leaves, Path
from lossless.platforms.nvidia_cumulus.say import Voice
from lossless.platforms.nvidia_cumulus.schema import GLOBAL, NEWEST, Config, takes

_SHORT: Final[Mapping[str, str]] = {
    leafs.MAPPING: "map",
    leafs.REMARK: "remark",
    leafs.PFC: "pfc",
    leafs.CONGESTION: "ecn",
    leafs.SCHEDULER: "ets",
    leafs.SHAPER: "shaper",
    leafs.PAUSE: "pause",
}
#: What was asked and refused: path below the port ("ports", name, …) or the box ("system", …).
Refused = list[tuple[Path, str]]


def release_for(profile: Profile | None, native: Native | None = None) -> int:
    """Return the release whose words are used: the profile's, else the box's own, else newest."""
    held = profile.facts.get("nvue_release") if profile is not None else None
    if isinstance(held, int) and not isinstance(held, bool):
        return held
    seen = native.release if native is not None else None
    return NEWEST if seen is None else seen


def lift(state: DeviceState, base: System, profile: Profile | None) -> tuple[DeviceState, Refused]:
    """Move to the box what ports tell and NVUE keeps once for all of them.

    A port's statement counts where the box (its macro, its defaults) does not say the same
    already; where two ports disagree the first one wins and the other is refused.
    """
    refused: Refused = []
    system = overlay(base, state.system)
    held = dict(leaves(effective(NOTHING, profile, system, assume_defaults=True).settings))
    lifted: Leaves = {}
    for name in sorted(state.ports):
        told = dict(leaves(state.ports[name]))
        for path in leafs.BOX_ONLY:
            want = told.get(path)
            if not is_value(want):
                continue
            first = lifted.setdefault(path, want)
            if first != want:
                refused.append((("ports", name, *path), "one for all ports, and another differs"))
    lifted = {path: want for path, want in lifted.items() if held.get(path) != want}
    for path in lifted:
        stated = dict(leaves(state.system.settings)).get(path)
        if is_value(stated) and stated != lifted[path]:
            refused.append((("system", "settings", *path), "a port tells another one"))
    settings = overlay(state.system.settings, leafs.assemble(lifted))
    return DeviceState(replace(state.system, settings=settings), state.ports), refused


@dataclass(slots=True)
class Draft:
    """A configuration being changed; `config` is the result."""

    native: Native
    profile: Profile | None
    release: int
    config: Config = field(default_factory=dict)
    refused: Refused = field(default_factory=list)
    # By identity, each with what it is of, so that nobody else gets its identity meanwhile.
    _known: dict[tuple[int, int], tuple[Any, Leaves]] = field(default_factory=dict)
    _own_leaves: dict[int, tuple[Settings, Leaves]] = field(default_factory=dict)
    _below: dict[tuple[str, int], tuple[Leaves, Config]] = field(default_factory=dict)

    @classmethod
    def of(cls, native: Native, profile: Profile | None) -> Draft:
        """Start from what stands on a box."""
        release = release_for(profile, native)
        return cls(native, profile, release, dict(native.config))

    def voice(self) -> Voice:
        """Return a voice of this release and these units."""
        units = self.profile.units if self.profile is not None else NO_CONTEXT
        return Voice(self.release, units)

    # --- the box -------------------------------------------------------------------------------

    def system(self, old: System, new: System) -> None:
        """Change what the box says from one state's words to another's."""
        was, now = self._box(old), self._box(new)
        self.refused += [(("system", *path), text) for path, text in self._box_refused(new)]
        self._delta((), was, now)

    def _box(self, system: System, voice: Voice | None = None) -> Config:
        voice = self.voice() if voice is None else voice
        told = dict(leaves(system.settings))
        said: Config = {}
        for feature in leafs.SINCE:
            if any(_is_told(told.get(path)) for path in leafs.FEATURES[feature]):
                content = self._global(feature, told, system.macro, voice)
                said.update({("qos", feature, GLOBAL, *path): v for path, v in content.items()})
        queues = say.queue_map(told, voice)
        at = ("qos", "egress-queue-mapping", GLOBAL)
        said.update({(*at, *path): value for path, value in queues.items()})
        dog = say.watchdog(told, voice)
        said.update({("qos", "pfc-watchdog", *path): value for path, value in dog.items()})
        said.update(whole.macro(system.macro))
        said.update(whole.shares(system, voice))
        said.update(whole.raw(system, voice))
        return self._sayable(said)

    def _global(self, feature: str, told: Leaves, macro: Any, voice: Voice) -> Config:
        content = say.content(feature, told, voice)
        if feature == leafs.PFC:
            content = _partial_pfc(content, told) | say.cable(told, voice)
        if feature == leafs.PAUSE:
            names: dict[tuple[str, ...], Path] = {
                ("rx",): ("link", "pause_honour"),
                ("tx",): ("link", "pause_send"),
            }
            content = {word: v for word, v in content.items() if _is_told(told.get(names[word]))}
        if feature == leafs.CONGESTION:
            for queue in leafs.QUEUES:
                if _row_off(told, queue):
                    content |= say.off_curve(queue)
        if feature == leafs.SCHEDULER and is_value(macro):
            content |= say.no_shares(told)
        return content

    def _box_refused(self, system: System) -> Refused:
        voice = self.voice()
        self._box(system, voice)
        found = [
            (("settings", *p) if p[0] not in ("macro", "raw", "buffers") else p, t)
            for p, t in voice.refused
        ]
        mode = whole.macro(system.macro).get(("qos", "roce", "mode"))
        if mode is not None and not takes(("qos", "roce", "mode"), mode, self.release):
            found.append((("macro",), f"release 5.{self.release} has no RoCE mode {mode}"))
        return found

    def _sayable(self, said: Config) -> Config:
        return {path: value for path, value in said.items() if takes(path, value, self.release)}

    def _delta(self, root: tuple[str, ...], was: Config, now: Config) -> None:
        for path in was.keys() - now.keys():
            self.config.pop((*root, *path), None)
        changed = {path for path, value in now.items() if was.get(path) != value}
        # A row of marking means something else once it is there: words that agreed with a row
        # that was not listed are written beside those that make it.
        rows = {path[:-1] for path in changed if path[1:2] == (leafs.CONGESTION,)}
        for path, value in now.items():
            if path in changed or path[:-1] in rows:
                self.config[*root, *path] = value

    # --- ports ---------------------------------------------------------------------------------

    def ports(
        self, old: Mapping[str, Settings], new: Mapping[str, Settings], was: System, now: System
    ) -> None:
        """Change ports from one state's words to another's; `new` holds only those asked for."""
        below_was, below_now = self.base(was), self.base(now)
        wishes: dict[str, dict[str, Config | None]] = {feature: {} for feature in leafs.SINCE}
        for name in sorted(new):
            if not is_port(name) or new[name] == NOTHING:
                continue
            before, asked = old.get(name, NOTHING), new[name]
            after = overlay(before, asked)
            self._own(name, before, after)
            told = self._leaves(asked)
            for feature, paths in leafs.FEATURES.items():
                if all(told.get(path) is None for path in paths):
                    continue
                then = self.want(feature, before, was, below_was)
                wish = self.want(feature, after, now, below_now)
                if then != wish:
                    wishes[feature][name] = self._actual(name, feature, then, wish)
        for feature, held in wishes.items():
            self._place(feature, held)

    def base(self, system: System) -> Leaves:
        """Return what the box does on a port that says nothing."""
        return self.in_force(NOTHING, system)

    def in_force(self, port: Settings, system: System) -> Leaves:
        """Return what holds on a port, whoever says it."""
        key = (id(port), id(system))
        if key not in self._known:
            held = effective(port, self.profile, system, assume_defaults=True).settings
            self._known[key] = ((port, system), dict(leaves(held)))
        return self._known[key][1]

    def _leaves(self, port: Settings) -> Leaves:
        """Return what a port tells of itself."""
        if id(port) not in self._own_leaves:
            self._own_leaves[id(port)] = (port, dict(leaves(port)))
        return self._own_leaves[id(port)][1]

    def _beneath(self, feature: str, base: Leaves) -> Config:
        """Return the content that a port without its own has of a feature."""
        key = (feature, id(base))
        if key not in self._below:
            self._below[key] = (base, self._fitting(feature, base, self.voice()))
        return self._below[key][1]

    def want(
        self, feature: str, port: Settings, system: System, base: Leaves, voice: Voice | None = None
    ) -> Config | None:
        """Return the content that a port needs of its own; `None` where the box's will do."""
        if self.release < leafs.SINCE[feature]:
            return None
        own = self._leaves(port)
        if not any(_is_told(own.get(path)) for path in leafs.FEATURES[feature]):
            return None
        told = self.in_force(port, system)
        said = self._fitting(feature, told, self.voice() if voice is None else voice)
        if said == self._beneath(feature, base):
            return None
        if feature == leafs.CONGESTION:
            for queue in leafs.QUEUES:
                marks = base.get(("ecn", "queues", queue, "enabled")) is True
                if marks and _row_off(told, queue) and not _row_off(base, queue):
                    said |= say.off_curve(queue)
        return said or None

    def _fitting(self, feature: str, told: Leaves, voice: Voice) -> Config:
        """Return the content of a profile, without what this release does not take."""
        content = say.content(feature, told, voice)
        root = ("qos", feature, GLOBAL)
        return {p: v for p, v in content.items() if takes((*root, *p), v, self.release)}

    def _actual(
        self, name: str, feature: str, then: Config | None, wish: Config | None
    ) -> Config | None:
        """Return a profile's content with the change made to what really stands in it."""
        if wish is None:
            return None
        held = self.native.attached(name, feature)
        stands = self.native.profile(feature, held) if held and held != GLOBAL else {}
        if not stands:
            return wish
        then = then or {}
        kept = {path: v for path, v in stands.items() if path not in then or path in wish}
        if not then:
            kept = {path: v for path, v in stands.items() if not _is_content(feature, path)}
        changed = {path: v for path, v in wish.items() if then.get(path) != v}
        return {**kept, **changed}

    def _place(self, feature: str, wishes: dict[str, Config | None]) -> None:
        users = self._users(feature)
        touched: set[str] = set()
        wanted: dict[str, Config | None] = {}
        for name, wished in wishes.items():
            wanted.setdefault(self.native.holder(name), wished)
        for profile, ports in users.items():
            wish = wanted.get(ports[0])
            alike = all(port in wanted and wanted[port] == wish for port in ports)
            if alike and wish and profile != GLOBAL:
                self._rewrite(feature, profile, wish)
                for port in ports:
                    del wanted[port]
        for port in sorted(wanted):
            place = attachment(port, feature)
            held = self.config.get(place)
            if held is not None:
                touched.add(held)
            wish = wanted[port]
            if wish is None:
                self.config.pop(place, None)
            else:
                self.config[place] = self._named(feature, wish)
        self._prune(feature, touched)

    def _users(self, feature: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path, value in self.config.items():
            if path[0] == "interface" and path[2:] == ("qos", feature, "profile"):
                found.setdefault(value, []).append(path[1])
        return found

    def _rewrite(self, feature: str, profile: str, content: Config) -> None:
        root = ("qos", feature, profile)
        for path in [path for path in self.config if path[:3] == root]:
            del self.config[path]
        self.config.update({(*root, *path): value for path, value in content.items()})

    def _named(self, feature: str, content: Config) -> str:
        """Return the name of a profile with this content, made where there is none."""
        profiles: dict[str, Config] = {}
        for path, value in self.config.items():
            if path[:2] == ("qos", feature):
                profiles.setdefault(path[2], {})[path[3:]] = value
        for name in sorted(profiles):
            if name != GLOBAL and profiles[name] == content:
                return name
        digest = hashlib.sha256(repr(sorted(content.items())).encode()).hexdigest()
        name, size = f"{_SHORT[feature]}-{digest[:6]}", 6
        while name in profiles:
            size += 1
            name = f"{_SHORT[feature]}-{digest[:size]}"
        self._rewrite(feature, name, content)
        return name

    def _prune(self, feature: str, touched: set[str]) -> None:
        used = self._users(feature)
        for profile in touched - used.keys() - {GLOBAL}:
            self._rewrite(feature, profile, {})

    def _own(self, name: str, before: Settings, after: Settings) -> None:
        was = say.own(self._leaves(before), self.voice())
        now = say.own(self._leaves(after), self.voice())
        physical = PHYSICAL.fullmatch(name) is not None
        for said in (was, now):
            if not physical:
                said.pop(("qos", "pfc-watchdog", "state"), None)
        root = ("interface", name)
        keep = {(*root, *path): value for path, value in now.items()}
        good = self._sayable(keep)
        self._delta(root, was, {path[2:]: value for path, value in good.items()})


def _is_told(held: Any) -> bool:
    return held is not None and held is not DEFAULT


def _is_content(feature: str, path: tuple[str, ...]) -> bool:
    root = ("qos", feature, GLOBAL, *path)
    return not is_raw(root)


def _row_off(told: Leaves, queue: int) -> bool:
    enabled = told.get(("ecn", "queues", queue, "enabled"))
    return enabled is OFF and told.get(("ecn", "queues", queue, "wred")) is not True


def _partial_pfc(content: Config, told: Leaves) -> Config:
    """Keep what the box itself tells: a direction that is not told is the macro's."""
    names = {("tx",): ("pfc", "send"), ("rx",): ("pfc", "honour")}
    if told.get(("pfc", "mode")) is OFF:
        return content
    return {
        path: value
        for path, value in content.items()
        if path not in names or _is_told(told.get(names[path]))
    }
