"""From the paths on a command line to a fabric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from lossless.intent import Built
    from lossless.inventory import Declaration
    from lossless.model.device import Device

F = TypeVar("F", bound=Callable[..., Any])

paths_argument: Callable[[F], F] = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(allow_dash=True)
)
device_option: Callable[[F], F] = click.option(
    "--device", "devices", metavar="SET", help="Only these devices, e.g. leaf[01-02]."
)


def configured_paths(function: F) -> F:
    """Give a command its paths, and the defaults that `lossless.toml` beside them sets."""
    from lossless.cli.configuration import configure

    decorate: Callable[[F], F] = click.argument(
        "paths",
        nargs=-1,
        required=True,
        metavar="PATH...",
        type=click.Path(allow_dash=True),
        is_eager=True,
        callback=configure,
    )
    return decorate(function)


def load(paths: Sequence[str]) -> Built:
    """Read inventories and build the declared fabric; raises `InputError`."""
    return build(read(paths))


def read(paths: Sequence[str]) -> Declaration:
    """Read inventories; raises `InputError`."""
    from lossless import inventory

    return inventory.read(["-" if path == "-" else Path(path) for path in paths])


def build(declaration: Declaration) -> Built:
    """Build the fabric that a declaration describes; raises `InputError`."""
    from lossless import intent

    return intent.build(declaration)


def chosen(built: Built, devices: str | None) -> dict[str, Device]:
    """Return the devices a set names, in its order; all of them where none is given.

    Raises `click.UsageError` for a set that cannot be read or names a device that is not there.
    """
    from lossless.nodeset import NodeSetError, expand

    declared = built.fabric.devices
    if devices is None:
        return dict(declared)
    try:
        names = expand(devices)
    except NodeSetError as error:
        raise click.UsageError(f"--device: {error}") from error
    unknown = [name for name in names if name not in declared]
    if unknown:
        from difflib import get_close_matches

        close = get_close_matches(unknown[0], declared, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise click.UsageError(f"--device: {unknown[0]!r} is not declared{hint}")
    return {name: declared[name] for name in names}
