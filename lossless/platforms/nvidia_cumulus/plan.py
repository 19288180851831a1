"""Typed operations from one NVUE configuration to another.

NVUE applies a revision whole, so that the order inside one says nothing to traffic; it matters
where a change is pushed in phases, and so that no port names a profile that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.effective import leaves
from lossless.model.operation import Op, Phase, Verb
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.model.settings import System
from lossless.model.values import DEFAULT
from lossless.platforms.nvidia_cumulus import leafs, objects
from lossless.platforms.nvidia_cumulus.box import Native
from lossless.platforms.nvidia_cumulus.canonical import fresh
from lossless.platforms.nvidia_cumulus.draft import Draft, lift
from lossless.platforms.nvidia_cumulus.schema import GLOBAL, Config, ConfigPath
from lossless.platforms.nvidia_cumulus.tree import by_number

_BACKWARD: Final = (
    Phase.PREPARE,
    Phase.MARKING,
    Phase.CLASSIFICATION,
    Phase.WATCHDOG,
    Phase.SCHEDULING,
    Phase.PFC,
    Phase.BUFFERS,
    Phase.CLEANUP,
)


def plan(
    after: DeviceState, before: DeviceState | None, native: Any, profile: Profile | None
) -> tuple[Op, ...]:
    """Return the operations.

    Raises `ValueError` where `after` tells what `before` has not seen, or `native` is none of ours.
    """
    if before is None:
        return operations({}, fresh(after, profile)[0].config, Native())
    if native is None:
        native = Native(config=fresh(before, profile)[0].config, whole=True)
    if not isinstance(native, Native):
        raise ValueError("the native record is of another platform")  # noqa: TRY004  # noqa: TRY004 - the contract
    lifted, _ = lift(after, before.system, profile)
    _refuse_unseen(lifted, before, native)
    draft = Draft.of(native, profile)
    system = overlay(before.system, lifted.system)
    if lifted.system != System():
        draft.system(before.system, system)
    draft.ports(before.ports, lifted.ports, before.system, system)
    return operations(native.config, draft.config, native)


def _refuse_unseen(wanted: DeviceState, before: DeviceState, native: Native) -> None:
    if native.whole:
        return
    unseen: list[str] = []
    for name, told in wanted.ports.items():
        held = dict(leaves(before.port(name)))
        unseen += [
            f"{name}: {'.'.join(map(str, path))}"
            for path, want in leaves(told)
            if want not in (None, DEFAULT) and path in leafs.ALL and held.get(path) is None
        ]
    if wanted.system != System():
        unseen.append("the box")
    if unseen:
        shown = ", ".join(unseen[:5]) + (", …" if len(unseen) > 5 else "")
        raise ValueError(f"not seen on the device, so a change could not be undone: {shown}")


# --- operations ----------------------------------------------------------------------------------


def operations(old: Config, new: Config, native: Native) -> tuple[Op, ...]:
    """Return what makes one configuration the other, in order."""
    found = [*_profiles(old, new), *_leaves(old, new, native)]
    order = _BACKWARD if _loses(old, new) else tuple(Phase)

    def place(op: Op) -> tuple[Any, ...]:
        made = op.verb is Verb.CREATE
        gone = op.verb is Verb.DELETE
        return (
            0 if made else 2 if gone else 1,
            order.index(op.phase),
            op.verb in (Verb.UNSET, Verb.DETACH),
            objects.rank(op.key),
            by_number(op.key),
        )

    return tuple(sorted(found, key=place))


def _profile_of(path: ConfigPath) -> ConfigPath | None:
    if path[0] == "qos" and path[1] in leafs.SINCE and path[2] != GLOBAL:
        return path[:3]
    return None


def _profiles(old: Config, new: Config) -> Iterator[Op]:
    """Yield the profiles that are made, and those that go, each as a whole."""
    was = {name for path in old if (name := _profile_of(path))}
    now = {name for path in new if (name := _profile_of(path))}
    for name in now - was:
        content = {path[3:]: value for path, value in new.items() if path[:3] == name}
        rows = tuple(sorted(content.items(), key=lambda pair: by_number(pair[0])))
        yield objects.op(Verb.CREATE, name, None, rows)
    for name in was - now:
        content = {path[3:]: value for path, value in old.items() if path[:3] == name}
        rows = tuple(sorted(content.items(), key=lambda pair: by_number(pair[0])))
        yield objects.op(Verb.DELETE, name, rows, None)


def _leaves(old: Config, new: Config, native: Native) -> Iterator[Op]:
    was = {name for path in old if (name := _profile_of(path))}
    now = {name for path in new if (name := _profile_of(path))}
    for path in old.keys() | new.keys():
        before, after = old.get(path), new.get(path)
        whole = _profile_of(path)
        if before == after or (whole is not None and (whole in was) != (whole in now)):
            continue
        binds = path[0] == "interface" and path[-1] == "profile"
        if after is None:
            verb = Verb.DETACH if binds else Verb.UNSET
        else:
            verb = Verb.ATTACH if binds else Verb.SET
        yield objects.op(verb, path, before, after, native.release)


def _loses(old: Config, new: Config) -> bool:
    """Say whether the change takes pauses away and brings none."""
    return bool(_pauses(old) - _pauses(new)) and not _pauses(new) - _pauses(old)


def _pauses(config: Config) -> set[tuple[str, ...]]:
    """Return the priorities that ports pause, by what binds them."""
    by_profile: dict[str, set[str]] = {}
    for path in config:
        if path[:2] == ("qos", "pfc") and path[3] == "switch-priority":
            by_profile.setdefault(path[2], set()).add(path[4])
    bound = {
        (path[1], priority)
        for path, name in config.items()
        if path[0] == "interface" and path[2:] == ("qos", "pfc", "profile")
        for priority in by_profile.get(name, ())
    }
    macro = {("roce", mode) for path, mode in config.items() if path == ("qos", "roce", "mode")}
    return {*bound, *((GLOBAL, n) for n in by_profile.get(GLOBAL, ())), *macro}
