"""`lossless diff`: what is declared against what runs, or one snapshot against another."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lossless.cli import EXIT_DEVICE, EXIT_FINDINGS, fabric, output
from lossless.cli import running as cli_running

if TYPE_CHECKING:
    from lossless.cli.diff_text import Comparison
    from lossless.findings import Location
    from lossless.intent import Built
    from lossless.model.device import Device
    from lossless.model.effective import Path as Leaf
    from lossless.running import Seen
    from lossless.running.folding import Locate
    from lossless.snapshot import Snapshot


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@cli_running.what_runs
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text")
@click.option("--commands", is_flag=True, help="Also show the lines that would mend each device.")
@fabric.device_option
@click.option("--colour", "--color", type=click.Choice(["auto", "always", "never"]), default="auto")
@click.option("-v", "--verbose", is_flag=True, help="Also list what could not be compared.")
def command(
    paths: tuple[str, ...],
    runs_from: cli_running.Source | None,
    style: str,
    commands: bool,
    devices: str | None,
    colour: str,
    verbose: bool,
) -> int:
    r"""Compare the fabric declared in PATH... with what runs, or two snapshots with each other.

    \b
    lossless diff inventory/pod1 --running snapshots/today
    lossless diff snapshots/yesterday snapshots/today

    Compared is what settings mean: a default that is written out, a macro, another unit are no
    differences, and what the declaration does not tell is left alone.  Exits 1 on differences, and
    3 where a device was not read or not wholly.
    """
    from lossless.cli import diff_text

    if runs_from is not None:
        built = fabric.load(paths)
        wanted = fabric.chosen(built, devices)
        shown, _ = against_declared(built, wanted, runs_from, commands=commands)
    elif commands:
        raise click.UsageError("--commands needs an inventory, and --running DIR or --live")
    else:
        shown = _snapshots(paths, devices)
    if style == "json":
        document = diff_text.document(shown)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        click.echo(diff_text.text(shown, output.colour_wanted(colour), verbose), nl=False)
    if shown.unread:
        return EXIT_DEVICE
    return EXIT_FINDINGS if shown.differs else 0


def against_declared(
    built: Built,
    wanted: Mapping[str, Device],
    source: cli_running.Source,
    *,
    commands: bool,
    apart: bool = True,
) -> tuple[Comparison, Snapshot]:
    """Compare some devices with what runs; `apart` as for `lossless.running.folded`.

    With `commands` it has the lines that would mend each device.  Raises `InputError`, and
    `click.ClickException` where there is nothing to compare.
    """
    from lossless import running
    from lossless.cli import diff_text, mending_lines

    if not wanted:
        raise click.ClickException("nothing to compare: the inventory declares no device")
    seen, read = cli_running.gather(source, wanted, built.fabric.devices)
    found = [
        leaf
        for name, device in wanted.items()
        for leaf in running.against_declared(device, seen[name])
    ]
    differences = running.folded(found, seen, _locator(built, wanted), apart=apart)
    more = {name: ports for name in wanted if (ports := _undeclared(wanted[name], seen[name]))}
    lines = mending_lines.lines(wanted, seen, differences) if commands else {}
    return diff_text.Comparison(("declared", "running"), differences, seen, more, lines), read


def _undeclared(device: Device, seen: Seen) -> tuple[str, ...]:
    from lossless import running

    return running.undeclared_ports(device, seen)


def _locator(built: Built, devices: Mapping[str, Device]) -> Locate:
    from lossless import running
    from lossless.findings import Target

    def locate(where: tuple[str, str | None], path: Leaf) -> tuple[str | None, Location | None]:
        name, port = where
        target = Target(name, port)
        words = list(running.fields_of(path, devices[name], port)) if path else []
        for word in words:
            place = built.provenance.written(target, word)
            if place is not None:
                return word, place
        near = built.provenance.locate(target, words[0] if words else "")
        return (words[0] if words else None), near or built.provenance.locate(target, "")

    return locate


def _snapshots(paths: tuple[str, ...], devices: str | None) -> Comparison:
    from lossless import running
    from lossless.cli import diff_text
    from lossless.running.words import placed

    if len(paths) != 2:
        raise click.UsageError("name an inventory, and --running DIR or --live, or two snapshots")
    names = _chosen(devices)

    def about(name: str) -> bool:
        return names is None or name in names

    before, after = (
        {
            name: seen
            for name, seen in running.gather_alone(cli_running.read(Path(path), about)).items()
            if about(name)
        }
        for path in paths
    )
    if not before and not after:
        raise click.ClickException("nothing to compare: neither snapshot shows such a device")
    for one, other, path in ((before, after, paths[1]), (after, before, paths[0])):
        for name in one:
            missing = running.Fault(f"it is not in {path}")
            other.setdefault(name, running.Seen(name, faults=(missing,)))
    found = [leaf for name, old in before.items() for leaf in running.between(old, after[name])]

    def locate(where: tuple[str, str | None], path: Leaf) -> tuple[None, Location | None]:
        return None, placed(before[where[0]].lines, where[1], (path,))

    differences = running.folded(found, after, locate)
    seen = {name: _both(before[name], after[name]) for name in before}
    cli_running.tell(seen)
    return diff_text.Comparison(("before", "after"), differences, seen)


def _both(before: Seen, after: Seen) -> Seen:
    from lossless import running

    faults = tuple(dict.fromkeys((*before.faults, *after.faults)))
    return running.Seen(after.device, after.parts, faults, after.notes, after.lines)


def _chosen(devices: str | None) -> set[str] | None:
    from lossless.nodeset import NodeSetError, expand

    if devices is None:
        return None
    try:
        return set(expand(devices))
    except NodeSetError as error:
        raise click.UsageError(f"--device: {error}") from error
