"""`lossless drift`: what runs against what is declared, for a fleet, for CI and for cron."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from lossless.cli import EXIT_DEVICE, EXIT_FINDINGS, configuration, fabric, output
from lossless.cli import running as cli_running

if TYPE_CHECKING:
    from lossless.cli.drift_text import Drift

FORMATS = ("text", "json", "junit", "prometheus", "html")


@click.command()
@fabric.configured_paths
@cli_running.what_runs
@click.option("--format", "style", type=click.Choice(FORMATS), default="text")
@click.option("-o", "--output", "target", metavar="FILE", help="Replace FILE as a whole.")
@click.option("--commands", is_flag=True, help="Also show the lines that would mend each device.")
@fabric.device_option
@click.option("--colour", "--color", type=click.Choice(["auto", "always", "never"]), default="auto")
@click.option("-v", "--verbose", is_flag=True, help="Also list what could not be compared.")
def command(
    paths: tuple[str, ...],
    runs_from: cli_running.Source | None,
    style: str,
    target: str | None,
    commands: bool,
    devices: str | None,
    colour: str,
    verbose: bool,
) -> int:
    r"""Tell how the devices declared in PATH... have drifted from their declaration.

    \b
    lossless drift inventory/pod1 --running snapshots/today
    lossless drift inventory/pod1 --live --format prometheus -o /var/lib/.../lossless.prom

    Equal differences of many ports and devices are told once, each with the rules' verdict: it is
    harmful where the declared fabric, with it, would have an error or a warning more.

    Exits 1 on differences, and 3 where a device was not read or not wholly: that is never "no
    drift".
    """
    from lossless.cli import drift_text
    from lossless.cli.catalogue import all_rules
    from lossless.cli.diff import against_declared
    from lossless.drift import Judge

    if runs_from is None:
        raise click.UsageError("say what runs: --running DIR or --live")
    built = fabric.load(paths)
    wanted = fabric.chosen(built, devices)
    compared, read = against_declared(built, wanted, runs_from, commands=commands, apart=False)
    options = configuration.current().rules
    judge = Judge(built.fabric, all_rules(), built.provenance, built.suppressions, options)
    rulings = judge.rule(compared.differences, compared.seen)
    drift = drift_text.Drift(compared, rulings, read.taken)
    colourful = target is None and output.colour_wanted(colour)
    output.write(_written(drift, style, colourful, verbose), target)
    if compared.unread:
        return EXIT_DEVICE
    return EXIT_FINDINGS if compared.differs else 0


def _written(drift: Drift, style: str, colourful: bool, verbose: bool) -> str:
    from lossless.cli import drift_text

    if style == "text":
        return drift_text.text(drift, colourful, verbose)
    document = drift_text.document(drift)
    if style == "json":
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if style == "html":
        from lossless.drift.html import html

        return html(document)
    from lossless.drift import formats

    return formats.junit(document) if style == "junit" else formats.prometheus(document)
