"""What would bring a device to what is declared, in its own words: `lossless diff --commands`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lossless.model.device import Device
    from lossless.running import Difference, Part, Seen


def lines(
    devices: Mapping[str, Device], seen: Mapping[str, Seen], differences: Sequence[Difference]
) -> dict[str, dict[str, str]]:
    """Return the text that would mend each device that differs, by device and file.

    Devices of which not everything needed was seen are left out, and said so.
    """
    from lossless.running import Kind

    names = {name for d in differences if d.kind is Kind.DIFFERENT for name in d.devices}
    found: dict[str, dict[str, str]] = {}
    for name in (name for name in devices if name in names):
        for part in seen[name].parts:
            found.setdefault(name, {}).update(_part(devices[name], part))
    return found


def _part(device: Device, part: Part) -> dict[str, str]:
    declared = part.declared
    if declared is None:
        return {}
    native = part.parsed.native
    try:
        ops = part.platform.plan(declared, part.state, native, part.profile)
    except ValueError as error:
        click.echo(f"{device.name}: nothing proposed: {error}", err=True)
        return {}
    if not ops:
        return {}
    return {file.name: file.text for file in part.platform.render(ops, device)}
