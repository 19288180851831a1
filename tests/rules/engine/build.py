"""Fabrics made by hand, and what the engine needs beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lossless.findings import (
    Beneath,
    InlineIgnore,
    KeyedIgnore,
    Location,
    Maintenance,
    Report,
    Severity,
    Target,
)
from lossless.model.classes import Place, PortIntent, PortRole, TrafficClass
from lossless.model.device import Device, DeviceState, Mlag, Port
from lossless.model.fabric import Fabric, Link
from lossless.model.link import Cable, LinkSettings
from lossless.model.pfc import Pfc
from lossless.model.settings import Settings
from lossless.rules.declare import Check, Rule, Scope, rule
from lossless.rules.engine import lint

ROCE = TrafficClass(dscp=frozenset({26}), priorities=frozenset({3}), lossless=True)
INTENT = PortIntent(classes=(("roce", ROCE),), sends=(("rdma", "roce"),))
NO_CABLE = Cable()


def pfc(*priorities: int) -> Settings:
    """Settings that pause some priorities."""
    return Settings(pfc=Pfc(send=frozenset(priorities), honour=frozenset(priorities)))


def speed(rate: int) -> Settings:
    return Settings(link=LinkSettings(speed=rate))


def nic(name: str, *, rail: int | None = None, intent: PortIntent = INTENT, **place: Any) -> Port:
    where = Place(role=PortRole.HOST, owner_role="host", rail=rail, **place)
    return Port(name=name, place=where, intent=intent)


def switch_port(name: str, role: PortRole = PortRole.FABRIC, owner: str | None = None) -> Port:
    return Port(name=name, place=Place(role=role, owner_role=owner))


@dataclass
class Builder:
    """Collects devices and links."""

    devices: dict[str, Device] = field(default_factory=dict)
    externals: dict[str, Device] = field(default_factory=dict)
    wires: list[tuple[str, str, Cable]] = field(default_factory=list)

    def host(self, name: str, nics: Sequence[Port], settings: Mapping[str, Settings]) -> None:
        self.devices[name] = Device(
            name=name,
            kind="host",
            role="host",
            ports=tuple(nics),
            configured=DeviceState(ports=dict(settings)),
        )

    def switch(
        self,
        name: str,
        role: str | None,
        settings: Mapping[str, Settings],
        *,
        mlag: str | None = None,
    ) -> None:
        self.devices[name] = Device(
            name=name,
            kind="switch",
            role=role,
            ports=tuple(switch_port(port, owner=role) for port in settings),
            configured=DeviceState(ports=dict(settings)),
            mlag=None if mlag is None else Mlag(domain=mlag),
        )

    def external(self, name: str) -> None:
        self.externals[name] = Device(name=name, kind="external", ports=(Port(name="?"),))

    def wire(self, a: str, b: str, cable: Cable = NO_CABLE) -> None:
        self.wires.append((a, b, cable))

    def fabric(self, **more: Any) -> Fabric:
        known = {**self.devices, **self.externals}

        def end(text: str) -> tuple[Device, Port]:
            name, _, port = text.partition(":")
            device = known[name]
            return device, next(p for p in device.ports if p.name == port)

        links = [
            Link(*end(a), *end(b), cable, number) for number, (a, b, cable) in enumerate(self.wires)
        ]
        return Fabric(
            name="test", devices=self.devices, externals=self.externals, links=links, **more
        )


def clos(
    *,
    leaves: int = 2,
    spines: int = 2,
    hosts: int = 2,
    settings: Mapping[str, Settings] | None = None,
    rename: Callable[[str], str] = lambda name: name,
    default: Settings | None = None,
) -> Builder:
    """Build a fabric of two tiers; `hosts` are per leaf.

    Port e1..eH of a leaf goes to its hosts, u1..uS to the spines; port d1..dL of a spine to the
    leaves.  `settings` gives those of single ports ("leaf1:e1").
    """
    given = dict(settings or {})
    usual = default or pfc(3)
    builder = Builder()

    def state(device: str, ports: Iterable[str]) -> dict[str, Settings]:
        return {port: given.pop(f"{device}:{port}", usual) for port in ports}

    for number in range(1, leaves + 1):
        down = [f"e{h}" for h in range(1, hosts + 1)]
        up = [f"u{s}" for s in range(1, spines + 1)]
        builder.switch(rename(f"leaf{number}"), "leaf", state(f"leaf{number}", down + up))
    for number in range(1, spines + 1):
        ports = [f"d{leaf}" for leaf in range(1, leaves + 1)]
        builder.switch(rename(f"spine{number}"), "spine", state(f"spine{number}", ports))
    for leaf in range(1, leaves + 1):
        for h in range(1, hosts + 1):
            name = f"gpu{(leaf - 1) * hosts + h}"
            builder.host(rename(name), [nic("ens1", rail=leaf)], state(name, ["ens1"]))
            builder.wire(f"{rename(name)}:ens1", f"{rename(f'leaf{leaf}')}:e{h}")
        for s in range(1, spines + 1):
            builder.wire(f"{rename(f'leaf{leaf}')}:u{s}", f"{rename(f'spine{s}')}:d{leaf}")
    assert not given, f"no such ports: {given}"
    return builder


@dataclass
class Written:
    """A provenance from a table: (target, field) → line; unknown things are written nowhere."""

    lines: Mapping[tuple[str, str], int] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    overridden: Mapping[tuple[str, str], Beneath] = field(default_factory=dict)

    def locate(self, target: Target, field: str) -> Location | None:
        self.asked.append((str(target), field))
        line = self.lines.get((str(target), field))
        return None if line is None else Location("fabric.yaml", line, 1)

    def written(self, target: Target, field: str) -> Location | None:
        return self.locate(target, field)

    def beneath(self, target: Target, field: str) -> Beneath | None:
        return self.overridden.get((str(target), field))


@dataclass
class Accepted:
    """Suppressions from lists; keyed ones by the name of the target they are written on."""

    comments: Sequence[InlineIgnore] = ()
    entries: Mapping[str, Sequence[KeyedIgnore]] = field(default_factory=dict)
    marks: Mapping[str, Sequence[Maintenance]] = field(default_factory=dict)

    def inline(self) -> Sequence[InlineIgnore]:
        return self.comments

    def all_keyed(self) -> Sequence[KeyedIgnore]:
        return [entry for entries in self.entries.values() for entry in entries]

    def keyed(self, target: Target) -> Sequence[KeyedIgnore]:
        on_device = self.entries.get(target.device or "", ())
        return (*on_device, *(self.entries.get(str(target), ()) if target.port else ()))

    def all_maintenance(self) -> Sequence[Maintenance]:
        return [mark for marks in self.marks.values() for mark in marks]

    def maintenance(self, target: Target) -> Sequence[Maintenance]:
        on_device = self.marks.get(target.device or "", ())
        return (*on_device, *(self.marks.get(str(target), ()) if target.port else ()))


def run(
    fabric: Fabric | Builder,
    *rules: Rule,
    written: Written | None = None,
    accepted: Accepted | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> Report:
    """Lint a fabric made by hand."""
    made = fabric.fabric() if isinstance(fabric, Builder) else fabric
    return lint(made, rules, written or Written(), accepted or Accepted(), options, **more)


def make(
    scope: Scope,
    *needs: str,
    id: str = "TST001",
    name: str = "test-rule",
    severity: Severity = Severity.ERROR,
    **more: Any,
) -> Callable[[Check], Rule]:
    """Declare a rule for one test."""

    def declare(check: Callable[..., Iterator[Any]]) -> Rule:
        check.__doc__ = check.__doc__ or "Made for a test."
        declared = rule(
            id,
            name=name,
            severity=severity,
            scope=scope,
            needs=needs,
            sources=("a test",),
            **more,
        )
        return declared(check)

    return declare
