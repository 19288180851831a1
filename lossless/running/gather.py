"""Reading what devices showed: every component of a device by its platform, put together.

A device that did not answer, or whose output is damaged or not understood, has a fault, and what
was read of it is never the whole of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from lossless.findings import Location
from lossless.model.device import Device, DeviceState, Port
from lossless.model.effective import Path
from lossless.model.overlay import overlay
from lossless.model.profile import Profile
from lossless.model.settings import Settings, System
from lossless.platforms import registry
from lossless.platforms.components import HOST_ENVIRONMENT, Component, components
from lossless.platforms.contract import Output, Parsed, Platform, Unread
from lossless.snapshot import Capture, Shown, Snapshot

#: Where a leaf was read.
Lines = Mapping[Path, Location]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a device was not read, or not wholly."""

    text: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a device as it was read.

    `declared` is what the inventory says of it (`None` where there is no inventory); `state` and
    `operational` name ports as the inventory does; `whole` says that each answer that the platform
    needs was wholly seen, so that what is missing there is not there.
    """

    platform: Platform
    profile: Profile | None
    parsed: Parsed
    state: DeviceState
    operational: DeviceState | None
    lines: Lines
    whole: bool
    declared: DeviceState | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One device as it was read; `notes` are oddities that keep nothing from being read."""

    device: str
    parts: tuple[Part, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[Fault, ...] = ()
    lines: Lines = field(default_factory=dict)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Return the lines that matter and were not understood."""
        return tuple(line for part in self.parts for line in part.parsed.unread)


_NOT_SHOWN: Final = "it is not in the snapshot"


def gather(devices: Mapping[str, Device], snapshot: Snapshot) -> dict[str, Seen]:
    """Read each declared device out of a snapshot; one that is not in it has a fault."""
    return {name: _declared(device, snapshot.devices.get(name)) for name, device in devices.items()}


def gather_alone(snapshot: Snapshot) -> dict[str, Seen]:
    """Read each device of a snapshot without an inventory, by its manifest or by its looks."""
    return {name: _alone(shown) for name, shown in snapshot.devices.items()}


def strangers(devices: Mapping[str, object], snapshot: Snapshot) -> tuple[str, ...]:
    """Return the devices of a snapshot that nobody declared."""
    return tuple(name for name in snapshot.devices if name not in devices)


def _declared(device: Device, shown: Shown | None) -> Seen:
    if shown is None:
        return Seen(device.name, faults=(Fault(_NOT_SHOWN),))
    asked = list(components(device))
    if not asked:
        return Seen(device.name, faults=(Fault("no platform is declared for it"),))
    return _put_together(shown, device, [(c, c.state) for c in asked])


def _alone(shown: Shown) -> Seen:
    names = shown.platforms or recognised(shown.captures)
    if not names and shown.error is None:
        return Seen(shown.device, faults=(Fault("no platform recognises its output"),))
    kind = "host" if any(_kind(name) != "switch" for name in names) else "switch"
    device = Device(name=shown.device, kind=kind, version=shown.version, model=shown.model)
    asked = [Component(name, DeviceState(), _profile(name, shown)) for name in names]
    return _put_together(shown, device, [(component, None) for component in asked])


def recognised(captures: Sequence[Capture]) -> tuple[str, ...]:
    """Return the platforms that outputs look like: one of a switch, or all components of a host."""
    hits: dict[str, int] = {}
    for name in registry.PLATFORMS:
        platform = registry.load(name)
        if platform is not None:
            count = sum(1 for capture in captures if platform.recognises(capture.text))
            if count:
                hits[name] = count
    switches = [name for name in hits if _kind(name) == "switch"]
    if switches:
        return (max(switches, key=lambda name: hits[name]),)
    return tuple(hits)


def _kind(name: str) -> str:
    platform = registry.load(name)
    return "" if platform is None else platform.kind


def _profile(platform: str, shown: Shown) -> Profile | None:
    if platform == HOST_ENVIRONMENT:
        return None
    from lossless.hardware import profile_for

    return profile_for(platform, shown.version, shown.model)


def _put_together(
    shown: Shown, device: Device, asked: Sequence[tuple[Component, DeviceState | None]]
) -> Seen:
    faults: list[Fault] = []
    if shown.error is not None:
        faults.append(Fault(f"it did not answer: {shown.error}"))
    parts = []
    for component, declared in asked:
        part = _part(shown, device, component, declared, faults)
        if part is not None:
            parts.append(part)
    lines = {path: place for part in parts for path, place in part.lines.items()}
    notes = tuple(note for part in parts for note in _misnamed(device, part.parsed))
    return Seen(shown.device, tuple(parts), tuple(dict.fromkeys(faults)), notes, lines)


def _part(
    shown: Shown,
    device: Device,
    component: Component,
    declared: DeviceState | None,
    faults: list[Fault],
) -> Part | None:
    platform = registry.load(component.platform)
    if platform is None:
        faults.append(Fault(f"output of {component.platform} cannot be read yet"))
        return None
    outputs = [Output(capture.command, capture.text, capture.file) for capture in shown.captures]
    parsed = platform.parse(outputs, component.profile)
    found = list(_faults(shown, platform, device, parsed))
    faults.extend(found)
    if not parsed.understood:
        return None
    named = _names(device, platform) if declared is not None else {}
    return Part(
        platform=platform,
        profile=component.profile,
        parsed=parsed,
        state=_renamed(parsed.state, named),
        operational=None if parsed.operational is None else _renamed(parsed.operational, named),
        lines=_lines(parsed, named, shown.captures),
        whole=not found and _needed(platform, device) <= parsed.coverage,
        declared=declared,
    )


def _needed(platform: Platform, device: Device) -> frozenset[str]:
    return frozenset(command.text for command in platform.commands(device) if command.needed)


def _faults(shown: Shown, platform: Platform, device: Device, parsed: Parsed) -> Iterator[Fault]:
    if shown.error is not None and not shown.captures:
        return
    if not parsed.understood:
        yield Fault(f"nothing in its output was understood as {platform.name}")
    answered = {capture.command: capture for capture in shown.captures}
    if "" not in answered:
        for command in sorted(_needed(platform, device) - answered.keys() - parsed.coverage):
            yield Fault(f"`{command}` was not answered")
    mine = {command.text for command in platform.commands(device)}
    for capture in shown.captures:
        if not capture.complete and (not capture.command or capture.command in mine):
            yield Fault("the answer is cut off", Location(capture.file, 1, 1))
    for one in parsed.diagnostics:
        if one.kind in ("damaged", "device_exception"):
            place = None if one.file is None else Location(one.file, one.line or 1, 1)
            yield Fault(f"damaged: {one.text}", place)


def _misnamed(device: Device, parsed: Parsed) -> Iterator[Fault]:
    told = parsed.facts.get("hostname")
    if told is not None and told.split(".")[0].lower() != device.name.split(".")[0].lower():
        yield Fault(f"the device calls itself {told}")
    for fact in ("version", "model"):
        declared, found = getattr(device, fact), parsed.facts.get(fact)
        if declared and found and not _agree(declared, found):
            yield Fault(f"{fact}: declared {declared}, found {found}")


def _agree(one: str, other: str) -> bool:
    """Devices say more of themselves than a person writes: one within the other is enough."""
    low, high = one.lower(), other.lower()
    return low in high or high in low


# --- names ---------------------------------------------------------------------------------------


def _names(device: Device, platform: Platform) -> dict[str, str]:
    """Return what the output may call a port of this component, and its declared name."""
    mine = [p for p in device.ports if platform.kind == "switch" or p.platform == platform.name]
    named = {other: port.name for port in mine for other in _others(port)}
    return {**named, **{port.name: port.name for port in mine}}


def _others(port: Port) -> Iterator[str]:
    yield from (name for name in (port.alias, port.rdma) if name is not None)


def _renamed(state: DeviceState, named: Mapping[str, str]) -> DeviceState:
    if all(named.get(name, name) == name for name in state.ports):
        return state
    ports: dict[str, Settings] = {}
    for name, settings in state.ports.items():
        own = named.get(name, name)
        ports[own] = overlay(settings, ports[own]) if own in ports else settings
    return replace(state, ports=ports)


def _lines(parsed: Parsed, named: Mapping[str, str], captures: Sequence[Capture]) -> Lines:
    texts = {capture.file: capture.text.split("\n") for capture in captures}
    lines: dict[Path, Location] = {}
    for path, (file, line) in parsed.lines.items():
        if file is None:
            continue
        if path[:1] == ("ports",) and len(path) > 1 and str(path[1]) in named:
            path = ("ports", named[str(path[1])], *path[2:])  # noqa: PLW2901
        lines.setdefault(path, Location(file, line, _column(texts.get(file, []), line)))
    return lines


def _column(text: Sequence[str], line: int) -> int:
    """Return where the first word of a line stands."""
    held = text[line - 1] if 0 < line <= len(text) else ""
    return len(held) - len(held.lstrip()) + 1


def whole_state(seen: Seen) -> DeviceState:
    """Return the configured state of a device, put together from its components."""
    return _joined([part.state for part in seen.parts])


def operational_state(seen: Seen) -> DeviceState | None:
    """Return the operational state where some component tells it apart."""
    if all(part.operational is None for part in seen.parts):
        return None
    return _joined([part.operational or part.state for part in seen.parts])


def _joined(states: Sequence[DeviceState]) -> DeviceState:
    system = System()
    ports: dict[str, Settings] = {}
    for state in states:
        system = overlay(system, state.system)
        for name, settings in state.ports.items():
            ports[name] = overlay(ports[name], settings) if name in ports else settings
    return DeviceState(system, ports)
