"""What differs: declared against running, configured against operational, one snapshot to another.

Compared are effective settings, so that a value which repeats a default, a macro and its expansion,
and 150 KB in another unit are no differences; and what a platform cannot give back is not asked of
it.  What the declaration does not tell is left alone, and what nobody looked at is not checked.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from lossless.model.compare import same
from lossless.model.device import Device, DeviceState
from lossless.model.effective import Path, effective, effective_system, leaves
from lossless.model.profile import Profile
from lossless.model.settings import Interner, Settings
from lossless.model.units import NO_CONTEXT, UnitContext
from lossless.model.values import DEFAULT, is_value
from lossless.running.gather import Part, Seen


class Kind(enum.Enum):
    """What was found out about one leaf."""

    DIFFERENT = "different"  # from what is declared, or from the first snapshot
    NOT_IN_FORCE = "not in force"  # configured as told, and the device does otherwise
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Leaf:
    """One leaf of one device that differs or could not be compared.

    `port` is `None` for what a box has once; a `path` of nothing is the port itself.
    """

    device: str
    port: str | None
    path: Path
    wanted: Any
    found: Any
    kind: Kind


#: What stands for a port in a comparison of ports themselves.
THERE: Final = "there"
NOT_THERE: Final = "not there"

_Answer = tuple[Path, Any, Any, Kind]


def against_declared(device: Device, seen: Seen) -> Iterator[Leaf]:
    """Yield the differences of a device from what is declared for it."""
    for part in seen.parts:
        if part.declared is not None:
            yield from _declared(device, part, part.declared)
            yield from _in_force(device.name, part)


def between(before: Seen, after: Seen) -> Iterator[Leaf]:
    """Yield what changed on a device from one snapshot to another."""
    earlier = {part.platform.name: part for part in before.parts}
    for part in after.parts:
        old = earlier.get(part.platform.name)
        if old is not None:
            yield from _changed(before.device, old, part)


def undeclared_ports(device: Device, seen: Seen) -> tuple[str, ...]:
    """Return the ports that a device showed and nobody declared."""
    known = {port.name for port in device.ports}
    return tuple(n for part in seen.parts for n in part.state.ports if n not in known)


# --- declared against running --------------------------------------------------------------------


def _declared(device: Device, part: Part, declared: DeviceState) -> Iterator[Leaf]:
    ports = {port.name: port for port in device.ports}
    canonical = part.platform.canonical(declared, part.profile)
    intern, answers = Interner(), dict[tuple[int, int, int, int], list[_Answer]]()
    for name, stated in declared.ports.items():
        if name not in ports:
            continue
        port = ports[name]
        profile = port.profile or part.profile
        told = _force(stated, profile, declared)
        wanted = _force(canonical.port(name), profile, canonical)
        if name not in part.state.ports:
            yield from _absent(device.name, part, name, told, wanted)
            continue
        found = _force(part.state.ports[name], profile, part.state)
        three = [intern(settings) for settings in (told, wanted, found)]
        key = (id(three[0]), id(three[1]), id(three[2]), id(profile))
        if key not in answers:
            context = _context(profile, told)
            answers[key] = list(_compare(told, wanted, found, context))
        for path, want, have, kind in answers[key]:
            yield Leaf(device.name, name, path, want, have, kind)
    yield from _system(device.name, part, declared, canonical)


def _absent(device: str, part: Part, port: str, told: Settings, wanted: Settings) -> Iterator[Leaf]:
    """A declared port that was not shown: it is not there, or nobody looked.

    A port of which the platform would say nothing may well be there.
    """
    if not any(True for _ in _wanted(told, wanted)):
        return
    kind = Kind.DIFFERENT if part.whole else Kind.NOT_CHECKED
    yield Leaf(device, port, (), THERE, NOT_THERE, kind)


def _force(stated: Settings, profile: Profile | None, state: DeviceState) -> Settings:
    return effective(stated, profile, state.system, assume_defaults=False).settings


def _context(profile: Profile | None, told: Settings) -> UnitContext:
    units = NO_CONTEXT if profile is None else profile.units
    speed = told.link.speed
    return replace(units, rate=speed) if units.rate is None and is_value(speed) else units


def _wanted(told: Any, wanted: Any) -> Iterator[tuple[Path, Any, Any]]:
    """Yield the leaves that the declaration tells: as told, and as the platform gives them back.

    A value that repeats a default is given back as `DEFAULT`, and is that value all the same.
    """
    stated = dict(leaves(told))
    for path, want in leaves(wanted):
        own = stated.get(path)
        if own is None or own == () or want is None or want == ():
            continue
        yield path, own if want is DEFAULT else want, want


def _compare(told: Any, wanted: Any, found: Any, context: UnitContext) -> Iterator[_Answer]:
    have = dict(leaves(found))
    for path, want, given_back in _wanted(told, wanted):
        now = have.get(path)
        answer = None if now is DEFAULT is given_back else _verdict(want, now, context)
        if answer is not None:
            yield path, want, now, answer


def _verdict(want: Any, have: Any, context: UnitContext) -> Kind | None:
    if have is None or have == ():
        return Kind.NOT_CHECKED
    verdict = same(want, have, context)
    if verdict is None and have is DEFAULT:
        # The platform would have shown this value, and shows that nobody set any.
        return Kind.DIFFERENT
    if verdict is None:
        return Kind.NOT_CHECKED
    return None if verdict else Kind.DIFFERENT


def _system(
    device: str, part: Part, declared: DeviceState, canonical: DeviceState
) -> Iterator[Leaf]:
    told, wanted, found = (
        _bare(effective_system(state.system, part.profile, assume_defaults=False))
        for state in (declared, canonical, part.state)
    )
    for path, want, have, kind in _compare(told, wanted, found, _context(part.profile, _NO_PORT)):
        if path != ("raw",):
            yield Leaf(device, None, path, want, have, kind)
    for line in wanted.raw:
        if line not in found.raw:
            kind = Kind.DIFFERENT if part.whole else Kind.NOT_CHECKED
            yield Leaf(device, None, ("raw",), line, NOT_THERE, kind)


def _bare(system: Any) -> Any:
    """Leave out what stands beneath every port: it is compared there."""
    return replace(system, settings=_NO_PORT)


_NO_PORT: Final = Settings()


# --- configured against operational --------------------------------------------------------------


def _in_force(device: str, part: Part) -> Iterator[Leaf]:
    """Yield what the device was told and does not do, where it tells the two apart."""
    if part.operational is None:
        return
    for name, settings in part.state.ports.items():
        configured = _force(settings, part.profile, part.state)
        running = _force(part.operational.port(name), part.profile, part.operational)
        have = dict(leaves(running))
        context = _context(part.profile, configured)
        for path, want in leaves(configured):
            now = have.get(path)
            if want in (None, (), DEFAULT) or now in (None, (), DEFAULT):
                continue
            if same(want, now, context) is False:
                yield Leaf(device, name, path, want, now, Kind.NOT_IN_FORCE)


# --- two snapshots -------------------------------------------------------------------------------


def _changed(device: str, old: Part, new: Part) -> Iterator[Leaf]:
    alike = old.whole and new.whole
    for name in dict.fromkeys((*old.state.ports, *new.state.ports)):
        before, after = (name in part.state.ports for part in (old, new))
        if before and after:
            pair = [_force(p.state.ports[name], p.profile, p.state) for p in (old, new)]
            for answer in _both(pair[0], pair[1], _context(new.profile, pair[1]), alike):
                yield Leaf(device, name, *answer)
            continue
        words = (THERE, NOT_THERE) if before else (NOT_THERE, THERE)
        yield Leaf(device, name, (), *words, Kind.DIFFERENT if alike else Kind.NOT_CHECKED)
    systems = [
        _bare(effective_system(part.state.system, part.profile, assume_defaults=False))
        for part in (old, new)
    ]
    for answer in _both(systems[0], systems[1], _context(new.profile, _NO_PORT), alike):
        yield Leaf(device, None, *answer)


def _both(old: Any, new: Any, context: UnitContext, alike: bool) -> Iterator[_Answer]:
    """Yield the leaves that changed; told on one side alone is a change where both saw all."""
    if old == new:
        return
    before, after = dict(leaves(old)), dict(leaves(new))
    for path in dict.fromkeys((*before, *after)):
        was, now = before.get(path), after.get(path)
        if was == now or {id(was), id(now)} <= {id(None), id(())}:
            continue
        if was in (None, ()) or now in (None, ()):
            yield path, was, now, Kind.DIFFERENT if alike else Kind.NOT_CHECKED
        elif (verdict := same(was, now, context)) is not True:
            sure = verdict is False or DEFAULT in (was, now)
            yield path, was, now, Kind.DIFFERENT if sure else Kind.NOT_CHECKED
