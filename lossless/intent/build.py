"""From a validated declaration to a fabric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lossless.findings import InlineIgnore, InputError
from lossless.intent.cables import tell_cables
from lossless.intent.cabling import Cabled
from lossless.intent.cabling import expand_links as expand_cabling
from lossless.intent.contests import report
from lossless.intent.declared import Declared
from lossless.intent.devices import DeviceBuilder
from lossless.intent.ignores import Ignores
from lossless.intent.layering import Layering
from lossless.intent.layers import Path, Sources, merge
from lossless.intent.lowering.classes import read_classes
from lossless.intent.lowering.values import field, section, switch
from lossless.intent.problems import Problems
from lossless.intent.provenance import Written
from lossless.intent.show import SettingsReport, Shown
from lossless.intent.stack import Override, Stack
from lossless.intent.wiring import Externals, Wiring
from lossless.intent.workshop import Workshop
from lossless.model.fabric import Fabric, FabricIntent


class Declaration(Protocol):
    """A validated inventory: its data, and where everything in it is written."""

    @property
    def data(self) -> Any:
        """The merged data of all files."""

    @property
    def sources(self) -> Any:
        """Finds places; knows the comments that suppress findings."""


@dataclass(frozen=True, slots=True)
class Built:
    """A fabric, and everything that is known about how it was declared.

    `provenance` finds where a value is written, `suppressions` what is accepted,
    `settings_report` where a port's values come from.
    """

    fabric: Fabric
    provenance: Written
    suppressions: Ignores
    settings_report: SettingsReport

    def show_settings(self, device: str, port: str) -> list[Shown]:
        """Return where each value in force on a port came from.  Raises `KeyError`."""
        return self.settings_report.show(device, port)


def build(
    declaration: Declaration, read_policy: Callable[[str], tuple[Any, Sources]] | None = None
) -> Built:
    """Build the fabric that a declaration describes.

    Raises `InputError` with every problem that is found: sets that cannot be read or zipped,
    statements that contradict each other, ends of links that do not exist.
    """
    data, sources = declaration.data, declaration.sources
    problems = Problems(sources)
    reader = read_policy or _read_policy
    stack = Stack(data, sources, _Reported(reader, problems), problems)
    declared = Declared(data, sources, problems)
    shop = Workshop(declared, stack, _profile_for, problems)
    builder = DeviceBuilder(shop)
    devices = {name: builder.build(name) for name in declared.devices()}
    externals = Externals(data, declared, problems)
    wiring = Wiring(devices, builder.shapes, externals, problems)
    wiring.build(data.get("links") or ())
    layering = Layering(data, sources, declared, stack, devices, builder.shapes, wiring.index)
    written = Written(layering)
    for device, port, lowered in shop.doubtful.values():
        report(layering, device, port, lowered, problems)
    intents = {name: _intent(stack, name) for name in stack.fabric_names}
    problems.raise_if_any()
    wired, links = tell_cables(devices, wiring.links)
    fabric = Fabric(
        name=data.get("fabric") or "+".join(stack.fabric_names),
        devices=wired,
        externals=externals.devices,
        links=links,
        intents=intents,
        remarks=tuple(stack.remarks()),
    )
    report_of = SettingsReport(layering, devices)
    return Built(fabric, written, Ignores(layering, _comments(sources)), report_of)


def expand_links(declaration: Declaration) -> Iterator[Cabled]:
    """Yield the links that a declaration stands for, in order, as text.

    Raises `InputError` at the end where an entry could not be read.
    """
    problems = Problems(declaration.sources)
    yield from expand_cabling(declaration.data, problems)
    problems.raise_if_any()


@dataclass(frozen=True, slots=True)
class _Reported:
    """Reads named policies; a policy that is itself unsound adds its problems to ours."""

    read: Callable[[str], tuple[Any, Sources]]
    problems: Problems

    def __call__(self, name: str) -> tuple[Mapping[str, Any], Sources]:
        try:
            return self.read(name)
        except InputError as error:
            for problem in error.problems:
                self.problems.add(problem.message, problem.location, problem.hint)
            return {}, _Nowhere()


class _Nowhere:
    def find(self, path: Path) -> None:
        """Find nothing."""

    def value(self, path: Path) -> None:
        """Find nothing."""


def _read_policy(name: str) -> tuple[Any, Sources]:
    from lossless.inventory import read_policy

    found: tuple[Any, Sources] = read_policy(name)
    return found


def _profile_for(platform: str, version: str | None, model: str | None) -> Any:
    from lossless.hardware import profile_for

    return profile_for(platform, version, model)


def _comments(sources: Any) -> Callable[[], Sequence[InlineIgnore]]:
    return lambda: tuple(sources.inline_ignores())


def _intent(stack: Stack, name: str) -> FabricIntent:
    """Return what a fabric is meant to do, before any device says otherwise."""
    layers = [one for one in stack.base(name) if not isinstance(one, Override)]
    merged = merge([layer.data for layer in layers])
    declared, rows = read_classes(merged)
    inner = section(section(stack.data, "fabrics"), name)
    lossless = switch(merged.get("lossless"))
    if lossless is None and any(one.traffic.lossless is True for one in declared):
        lossless = True
    return FabricIntent(
        name=name,
        lossless=lossless,
        extends=inner.get("extends") or stack.data.get("extends"),
        classes=rows,
        congestion_control=field(merged.get("congestion_control")),
        minimum_l3_mtu=field(section(merged, "mtu").get("min_l3")),
    )


__all__ = ["Built", "build", "expand_links"]
