"""From operations to the text of the files."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lossless.findings import InputError, Problem
from lossless.model.device import Device
from lossless.model.operation import Op
from lossless.platforms.collective_env.files import KINDS
from lossless.platforms.collective_env.state import fault
from lossless.platforms.contract import Rendered
from lossless.platforms.macros import Macros

NAME: Final = "collective_env"


def render(
    ops: Sequence[Op], device: Device, templates: Path | None = None
) -> tuple[Rendered, ...]:
    """Write the files.  Raises `InputError` for a variable that its file cannot carry."""
    told = [entry for op in ops for entry in op.new if not isinstance(entry, str)]
    faults = [why for name, value in told if (why := fault(name, value)) is not None]
    if faults:
        hint = "names are letters, digits and underscores; values are printable and on one line"
        raise InputError([Problem(f"{device.name!r}: {why}", hint=hint) for why in faults])
    macros = Macros(NAME, templates, {"sh": shlex.quote})
    names = {kind.object: kind.rendered for kind in KINDS}
    return tuple(
        Rendered(names[op.object], macros.call(f"{op.verb.value}_{op.object}", op)) for op in ops
    )
