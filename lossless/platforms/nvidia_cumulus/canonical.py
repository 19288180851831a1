"""States as NVUE gives them back, what is lost on the way, and what it has no words for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.effective import leaves
from lossless.model.facet import table
from lossless.model.pfc import WatchdogAction
from lossless.model.profile import Profile
from lossless.model.scheduling import Ecn, QueueEcn
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.units import Quantity, Unit
from lossless.model.values import OFF, is_value
from lossless.platforms.contract import Inexpressible, Loss
from lossless.platforms.nvidia_cumulus import leafs, say
from lossless.platforms.nvidia_cumulus.box import PHYSICAL, Listener, Native, is_port
from lossless.platforms.nvidia_cumulus.draft import Draft, lift
from lossless.platforms.nvidia_cumulus.leafs import Path
from lossless.platforms.nvidia_cumulus.schema import takes

_MANUAL: Final = "CumulusNetworks/docs, Quality of Service, 5.14"
_ROCE: Final = "CumulusNetworks/docs, RDMA over Converged Ethernet, 5.14"
_SCHEMA: Final = "NVIDIA's OpenAPI documents of NVUE, 5.0 to 5.18"

LOSSES: Final = (
    Loss(
        "what a port tells and the box does anyway (macro, default-global, the platform)",
        "no profile is made for it; the port follows the box and reads as DEFAULT",
        _MANUAL,
    ),
    Loss(
        "what a port does not tell of a feature of which it tells something else",
        "a profile of its own replaces the box's, so it is written out from macro and defaults",
        f"{_MANUAL}: configurations with a profile override the global settings",
    ),
    Loss(
        "switch priority to traffic class, and the watchdog's times, told per port",
        "one map and one pair of times for the whole box",
        f"{_MANUAL}: NVUE only supports the default-global profile",
    ),
    Loss(
        "traffic classes that a scheduler does not list",
        "they read back as DWRR with a share of 0, whatever stood there before",
        _MANUAL,
    ),
    Loss(
        "marking of traffic classes that a curve's profile does not list",
        "they read back as off; thresholds of a class that is off are not kept",
        f"{_MANUAL}: nv show qos congestion-control",
    ),
    Loss("marking that is not told beside thresholds", "it reads back as on", _MANUAL),
    Loss("kind of share (ETS, remaining, WRR, WFQ)", "dwrr with per cent is the form", _SCHEMA),
    Loss("share of a strict class", "strict has none", _MANUAL),
    Loss("cable below one metre, and of a port without PFC", "whole metres, rounded up", _SCHEMA),
    Loss("layer-3 MTU", "it is the MTU that is set", "linux: MTU of a net device"),
    Loss(
        "kind of Reed-Solomon code",
        "`fec rs` takes the one of the lanes; it reads back where the speed tells it",
        _SCHEMA,
    ),
    Loss("lanes", "breakout decides them; read, never written", _SCHEMA),
    Loss("the watchdog's action where it is to drop", "it always drops", _MANUAL),
    Loss("PFC on or off beside its sets", "a set with a direction is on, none is off", _SCHEMA),
    Loss(
        "part of the memory for lossless traffic, with the rest not told",
        "the lossy pool gets the rest, since the pools may not exceed 100 %",
        _MANUAL,
    ),
    Loss(
        "thresholds, where the interface shows them",
        "hardware rounds them up to 64 cells; the configuration keeps what was told",
        f"{_ROCE}: 150000 bytes are shown as 153.00 KB or 159744 bytes",
    ),
    Loss("VLANs, trunks", "the bridge is not planned here", _SCHEMA),
)

#: Told leaves that are dropped without a word, because they are among the losses.
_LOST: Final = frozenset({("link", "lanes"), ("link", "link_training"), ("mtu", "l2")})
_NO_WORD: Final = "NVUE has no word for it"


def fresh(state: DeviceState, profile: Profile | None) -> tuple[Draft, DeviceState]:
    """Return a box at its defaults on which a state was written, and the state as it was lifted."""
    lifted, refused = lift(state, System(), profile)
    draft = Draft.of(Native(whole=True), profile)
    draft.refused += refused
    draft.system(System(), lifted.system)
    draft.ports({}, lifted.ports, System(), lifted.system)
    return draft, lifted


def canonical(state: DeviceState, profile: Profile | None = None) -> DeviceState:
    """Return the state as a box at its defaults gives it back once it was told."""
    draft, _ = fresh(state, profile)
    native = Native(config=draft.config, whole=True)
    names = tuple(name for name in state.ports if is_port(name))
    return Listener(native, profile).state(names)


def inexpressible(state: DeviceState, profile: Profile | None = None) -> tuple[Inexpressible, ...]:
    """List what the state says and NVUE (of this release) cannot."""
    draft, lifted = fresh(state, profile)
    found = list(draft.refused)
    base = draft.base(lifted.system)
    for name, port in lifted.ports.items():
        if not is_port(name):
            found.append((("ports", name), f"{name!r} is not an interface such as swp1 or bond1"))
            continue
        at: Path = ("ports", name)
        found += [((*at, *path), text) for path, text in _port(name, port, draft)]
        found += [((*at, *path), text) for path, text in _features(port, lifted, draft, base)]
    found += _release(lifted, draft)
    return tuple(Inexpressible(path, text) for path, text in dict.fromkeys(found))


def _port(name: str, port: Settings, draft: Draft) -> list[tuple[Path, str]]:
    voice = draft.voice()
    told = dict(leaves(port))
    words = say.own(told, voice)
    found = list(voice.refused)
    for place, value in words.items():
        if not takes(("interface", name, *place), value, draft.release):
            text = f"release 5.{draft.release} has no {' '.join(place)} {value}".rstrip()
            found.append((_leaf_of(place), text))
    if told.get(("watchdog", "enabled")) is True and not PHYSICAL.fullmatch(name):
        found.append((("watchdog", "enabled"), "the watchdog is on physical ports, not on bonds"))
    for path, held in told.items():
        why = _unsayable(path, held, told)
        if why is not None:
            found.append((path, why))
    return found


def _leaf_of(path: tuple[str, ...]) -> Path:
    known: dict[str, Path] = {
        "mtu": ("mtu", "native"),
        "speed": ("link", "speed"),
        "fec": ("link", "fec"),
        "auto-negotiate": ("link", "autoneg"),
        "pfc-watchdog": ("watchdog", "enabled"),
    }
    return known.get(path[1], leafs.ADVERTISE)


def _unsayable(path: Path, held: Any, told: dict[Path, Any]) -> str | None:
    """Say why a leaf outside everything that NVUE says is left out; `None` where it is not."""
    if not is_value(held) or path in leafs.ALL or path in _LOST or path[0] == "vlans":
        return None
    if path[:2] == ("classification", "tc_to_queue"):
        return None if held == path[2] else "a traffic class is its queue"
    if path == ("watchdog", "action"):
        return None if held is WatchdogAction.DROP else "the watchdog drops, and nothing else"
    if path == ("watchdog", "priorities"):
        return None if held == told.get(("pfc", "send")) else "it watches what PFC pauses"
    if path == ("watchdog", "restore"):
        return "the watchdog ends when a poll sees no pause; no time is set"
    return _NO_WORD


def _features(
    port: Settings, state: DeviceState, draft: Draft, base: leafs.Leaves
) -> list[tuple[Path, str]]:
    found: list[tuple[Path, str]] = []
    told = dict(leaves(port))
    for feature, paths in leafs.FEATURES.items():
        stated = [path for path in paths if is_value(told.get(path)) or told.get(path) is OFF]
        if not stated:
            continue
        voice = draft.voice()
        wish = draft.want(feature, port, state.system, base, voice)
        found += [(path, text) for path, text in voice.refused if told.get(path) is not None]
        wrong = [path for path in stated if told[path] != base.get(path) and told[path] is not OFF]
        if draft.release < leafs.SINCE[feature]:
            text = f"release 5.{draft.release} has no {feature} in NVUE"
            found += [(path, text) for path in wrong]
        elif wish is None and feature == leafs.REMARK and _still(told, base):
            found.append((stated[0], "a port cannot be kept from the box's rewriting"))
    return found


def _still(told: leafs.Leaves, base: leafs.Leaves) -> bool:
    names: list[Path] = [("classification", f"rewrite_{word}_enabled") for word in ("dscp", "pcp")]
    return any(told.get(path) is OFF and base.get(path) is True for path in names)


def _release(state: DeviceState, draft: Draft) -> list[tuple[Path, str]]:
    told = dict(leaves(state.system.settings))
    found: list[tuple[Path, str]] = []
    for path in leafs.BOX_ONLY:
        since = 3 if path in leafs.TO_TC else 6
        if draft.release < since and is_value(told.get(path)):
            text = f"release 5.{draft.release} has no word for it"
            found.append((("system", "settings", *path), text))
    for use, held in state.system.buffers.shares:
        if draft.release < 3 and is_value(held):
            text = f"release 5.{draft.release} has no traffic-pool in NVUE"
            found.append((("system", "buffers", "shares", use), text))
    return found


# --- thresholds as hardware has them -------------------------------------------------------------


def quantised(settings: Settings, profile: Profile | None) -> Settings:
    """Return settings with their marking thresholds as the interface view shows them.

    Hardware rounds up to a multiple of `ecn.quantum` bytes (64 cells).  Idempotent; settings come
    back as they are where the quantum is not known.
    """
    quantum = profile.ecn.quantum if profile is not None else None
    if profile is None or not quantum or settings is NOTHING:
        return settings
    rows = {queue: _quantised(row, quantum, profile) for queue, row in settings.ecn.queues}
    return replace(settings, ecn=Ecn(enabled=settings.ecn.enabled, queues=table(rows)))


def _quantised(row: QueueEcn, quantum: int, profile: Profile) -> QueueEcn:
    return replace(
        row,
        minimum=_up(row.minimum, quantum, profile),
        maximum=_up(row.maximum, quantum, profile),
    )


def _up(held: Any, quantum: int, profile: Profile) -> Any:
    size = held.to_bytes(profile.units) if isinstance(held, Quantity) else None
    if size is None:
        return held
    return Quantity(Fraction(-(-size // quantum) * quantum), Unit.BYTES)
