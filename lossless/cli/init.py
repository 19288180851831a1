"""`lossless init`: a small commented inventory to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from lossless.cli import output


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
def command(directory: Path) -> None:
    """Write a small commented inventory into DIRECTORY, which must be new or empty."""
    try:
        if directory.exists() and any(directory.iterdir()):
            raise click.ClickException(f"{directory} is not empty: nothing was written")
    except OSError as error:
        raise click.ClickException(f"cannot read {directory}: {error.strerror}") from error
    starter = files("lossless.inventory") / "starter"
    for source in sorted(starter.iterdir(), key=lambda s: s.name):
        if source.name.endswith(".yaml"):
            output.replace(directory / source.name, source.read_text(encoding="utf-8"))
            click.echo(f"wrote {directory / source.name}")
    click.echo(f"next: lossless lint {directory}")
