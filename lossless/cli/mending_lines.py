"""What would bring a device to what is declared, in its own words: `lossless diff --commands`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lossless.model.device import Device
    from lossless.model.operation import Op
    from lossless.running import Difference, Part, Seen


@dataclass(slots=True)
class Mending:
    """What would mend one device: operations in words, and the files that carry them out.

    `impact` is the worst of what traffic notices of it ("none", "packet loss", …).
    """

    operations: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    impact: str = "none"
    _worst: int = 0

    def notice(self, op: Op) -> None:
        """Take an operation in: its words, and its impact where that is the worst so far."""
        self.operations.append(_said(op))
        if op.impact.kind > self._worst:
            self._worst = op.impact.kind
            self.impact = op.impact.kind.name.lower().replace("_", " ")


def lines(
    devices: Mapping[str, Device], seen: Mapping[str, Seen], differences: Sequence[Difference]
) -> dict[str, Mending]:
    """Return what would mend each device that differs.

    Devices of which not everything needed was seen are left out, and said so.
    """
    from lossless.running import Kind

    names = {name for d in differences if d.kind is Kind.DIFFERENT for name in d.devices}
    found: dict[str, Mending] = {}
    for name in (name for name in devices if name in names):
        for part in seen[name].parts:
            _part(devices[name], part, found.setdefault(name, Mending()))
    return {name: mending for name, mending in found.items() if mending.operations}


def _part(device: Device, part: Part, mending: Mending) -> None:
    declared = part.declared
    if declared is None:
        return
    native = part.parsed.native
    try:
        ops = part.platform.plan(declared, part.state, native, part.profile)
    except ValueError as error:
        click.echo(f"{device.name}: nothing proposed: {error}", err=True)
        return
    if ops:
        for op in ops:
            mending.notice(op)
        mending.files.update({f.name: f.text for f in part.platform.render(ops, device)})


def _said(op: Op) -> str:
    """Write an operation: what it does to what, and what traffic notices."""
    from lossless.model.operation import ImpactKind

    words = [op.verb.value, op.object, *(str(part) for part in op.key)]
    if op.impact.kind is not ImpactKind.NONE:
        words.append(f"({op.impact.kind.name.lower().replace('_', ' ')}, {op.impact.scope})")
    return " ".join(words)
