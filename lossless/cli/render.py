"""`lossless render`: whole configurations from the declaration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lossless.cli import EXIT_USAGE, fabric, output

if TYPE_CHECKING:
    from lossless.model.device import Device
    from lossless.platforms.components import Component
    from lossless.platforms.contract import Inexpressible, Rendered


@click.command()
@fabric.paths_argument
@click.option("--out", "directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@fabric.device_option
@click.option("--port", "ports", metavar="SET", help="Only these ports, e.g. Ethernet[1-8]/1.")
@click.option(
    "--templates",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Macros of yours, which win over those shipped.",
)
def command(
    paths: tuple[str, ...],
    directory: Path | None,
    devices: str | None,
    ports: str | None,
    templates: Path | None,
) -> int:
    """Render the devices declared in PATH... into DIR/<device>/<file>.

    Without --out, one device is written to standard output.
    """
    if templates is not None:
        _overrides(templates)
    built = fabric.load(paths)
    wanted = fabric.chosen(built, devices)
    if directory is None and len(wanted) != 1:
        raise click.UsageError("name one device with --device, or a directory with --out")
    written = 0
    for device in wanted.values():
        shown = _only_ports(device, ports) if ports else device
        for rendered in _device(shown, templates):
            _deliver(rendered, device.name, directory)
            written += 1
    if not written:
        click.echo("lossless: nothing was rendered", err=True)
        return EXIT_USAGE
    if directory is not None:
        click.echo(f"{written} files in {directory}", err=True)
    return 0


def _overrides(folder: Path) -> None:
    """Refuse a folder that overrides nothing: a misspelt name would be left out in silence."""
    from lossless.platforms.macros import template_root

    root = template_root()
    names = sorted(str(file.relative_to(root)) for file in root.glob("*/*.j2"))
    if not any((folder / name).is_file() for name in names):
        raise click.UsageError(
            f"--templates: no file in {folder} has the name of a template; there are: "
            + ", ".join(names)
        )


def _only_ports(device: Device, ports: str) -> Device:
    from lossless.nodeset import NodeSetError, expand

    try:
        names = set(expand(ports))
    except NodeSetError as error:
        raise click.UsageError(f"--port: {error}") from error
    kept = tuple(port for port in device.ports if port.name in names)
    unknown = names - {port.name for port in kept}
    if unknown:
        raise click.UsageError(f"--port: {device.name} has no port {sorted(unknown)[0]!r}")
    states = {port.name: device.configured.port(port.name) for port in kept}
    return replace(device, ports=kept, configured=replace(device.configured, ports=states))


def _device(device: Device, templates: Path | None) -> Iterable[Rendered]:
    from lossless.platforms.components import components

    parts = list(components(device))
    if not parts:
        click.echo(f"{device.name}: no platform is declared: not rendered", err=True)
    for part in parts:
        yield from _component(device, part, templates)


def _component(device: Device, part: Component, templates: Path | None) -> Iterable[Rendered]:
    from lossless.platforms import registry

    platform = registry.load(part.platform)
    if platform is None:
        click.echo(f"{device.name}: {part.platform} cannot be rendered yet", err=True)
        return
    if part.profile is not None and not part.profile.verified:
        click.echo(f"{device.name}: {part.platform} is experimental: check each line", err=True)
    for line in _gaps(platform.inexpressible(part.state, part.profile)):
        click.echo(f"{device.name}: not rendered: {line}", err=True)
    ops = platform.plan(part.state, None, None, part.profile)
    yield from platform.render(ops, device, templates)


def _gaps(gaps: Iterable[Inexpressible]) -> Iterable[str]:
    """Yield what a platform cannot say, once for all ports that it cannot say it of."""
    from lossless.nodeset import fold

    ports: dict[tuple[str, str], list[str]] = {}
    for gap in gaps:
        on_port = gap.path[0] == "ports" and len(gap.path) > 1
        field = ".".join(str(step) for step in gap.path[2 if on_port else 0 :])
        held = ports.setdefault((field, gap.message), [])
        if on_port:
            held.append(str(gap.path[1]))
    for (field, message), names in ports.items():
        yield f"{fold(names)}: {field}: {message}" if names else f"{field}: {message}"


def _deliver(rendered: Rendered, device: str, directory: Path | None) -> None:
    if directory is None:
        click.echo(rendered.text, nl=False)
        return
    output.replace(directory / device / rendered.name, rendered.text, rendered.mode)
