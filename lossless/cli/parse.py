"""`lossless parse`: a device's output, as the model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lossless.cli import EXIT_DEVICE, EXIT_USAGE

if TYPE_CHECKING:
    from lossless.platforms.contract import Parsed, Platform


@click.command()
@click.option("--platform", "name", required=True, metavar="P", help="Whose output it is, or auto.")
@click.option("--format", "style", type=click.Choice(["json", "yaml"]), default="yaml")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
def command(name: str, style: str, files: tuple[str, ...]) -> int:
    """Read the device output in FILE... and print what it means.

    Lines that belong to quality of service and were not understood are listed as unread.  Exits 3
    where nothing was understood.
    """
    from lossless.platforms.contract import Output

    outputs = [Output("", _text(file), None if file == "-" else file) for file in files]
    platform = _platform(name, [o.text for o in outputs])
    if platform is None:
        return EXIT_DEVICE if name == "auto" else EXIT_USAGE
    parsed = platform.parse(outputs, None)
    read = document(platform.name, parsed)
    _print(read, style)
    if not parsed.understood:
        click.echo("lossless: nothing in it was understood", err=True)
        return EXIT_DEVICE
    if not read["system"] and not any(read["ports"].values()):
        hint = "(counters, and policies that nothing is bound to, set nothing)"
        click.echo(f"lossless: it was read, and no setting is in it {hint}", err=True)
    damaged = [d for d in parsed.diagnostics if d.kind == "damaged"]
    for diagnostic in damaged:
        click.echo(f"lossless: damaged: {diagnostic.text}", err=True)
    return EXIT_DEVICE if damaged else 0


def _text(file: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise click.ClickException(f"cannot read {file}: {error.strerror}") from error
    return raw.decode("utf-8", errors="replace")


def _platform(name: str, texts: list[str]) -> Platform | None:
    from lossless.platforms import registry

    if name != "auto":
        platform = registry.load(name)
        if platform is None:
            known = ", ".join(registry.PLATFORMS)
            click.echo(f"lossless: cannot parse {name!r}; there are: {known}", err=True)
        return platform
    for known in registry.PLATFORMS:
        platform = registry.load(known)
        if platform is not None and any(platform.recognises(text) for text in texts):
            return platform
    click.echo("lossless: no platform recognises this; name one with --platform", err=True)
    return None


def document(platform: str, parsed: Parsed) -> dict[str, Any]:
    """Return what was read as plain data: told leaves only, by dotted path."""
    from lossless.model.effective import leaves

    def told(thing: Any) -> dict[str, Any]:
        told_leaves = {p: v for p, v in leaves(thing) if v is not None and v != ()}
        return {".".join(map(str, path)): _plain(value) for path, value in told_leaves.items()}

    return {
        "platform": platform,
        "facts": dict(parsed.facts),
        "coverage": sorted(parsed.coverage),
        "system": told(parsed.state.system),
        "ports": {name: told(settings) for name, settings in parsed.state.ports.items()},
        "unread": [
            {"line": u.line, "file": u.file, "context": list(u.context), "text": u.text}
            for u in parsed.unread
        ],
        "diagnostics": [
            {"kind": d.kind, "line": d.line, "file": d.file, "text": d.text}
            for d in parsed.diagnostics
        ],
    }


def _plain(value: Any) -> Any:
    from lossless.report.context import plain

    return plain(value)


def _print(data: dict[str, Any], style: str) -> None:
    if style == "json":
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    import yaml

    click.echo(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100), nl=False)
