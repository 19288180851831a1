"""`lossless lint --show-settings` and `--show-links`: what the declaration comes to, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from lossless.report.context import relative, shown

if TYPE_CHECKING:
    from lossless.intent import Built
    from lossless.model.device import Device


def show_settings(built: Built, devices: Mapping[str, Device]) -> None:
    """Print each effective value with where it came from, once for all ports that agree."""
    from lossless.nodeset import fold

    groups: dict[tuple[str, ...], list[str]] = {}
    for device in devices.values():
        for port in device.ports:
            lines = tuple(_lines(built, device.name, port.name))
            groups.setdefault(lines, []).append(f"{device.name}:{port.name}")
    for lines, names in groups.items():
        click.echo(fold(names))
        for line in lines:
            click.echo(f"  {line}")
        click.echo()


def _lines(built: Built, device: str, port: str) -> list[str]:
    lines = []
    for setting in built.show_settings(device, port):
        where = setting.location
        place = f"  {relative(where.file)}:{where.line}:{where.column}" if where else ""
        lines.append(f"{setting.field} = {shown(setting.value)}  ({setting.origin}){place}")
    return lines


def show_links(built: Built, devices: Mapping[str, Device]) -> None:
    """Print every cable that the declaration expands to."""
    for link in built.fabric.links:
        if link.a_device.name in devices or link.b_device.name in devices:
            ends = f"{link.a_device.name}:{link.a.name} -- {link.b_device.name}:{link.b.name}"
            click.echo(ends)
