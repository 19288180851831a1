"""`lossless lint`: a declared fabric against the rules."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from lossless import __version__
from lossless.cli import EXIT_FINDINGS, EXIT_USAGE, fabric, output
from lossless.report import FORMATS

if TYPE_CHECKING:
    from lossless.findings import Report
    from lossless.intent import Built
    from lossless.rules.declare import Rule

_LEVELS = ("error", "warning", "info", "never")


@click.command()
@fabric.paths_argument
@click.option("--format", "style", type=click.Choice(list(FORMATS)), default="text")
@click.option("-o", "--output", "target", metavar="FILE", help="Write the report to FILE.")
@click.option("--select", metavar="RULE,...", help="Only these rules, families or names.")
@click.option("--ignore", metavar="RULE,...", help="All but these rules, families or names.")
@click.option(
    "--fail-on",
    type=click.Choice(_LEVELS),
    default="error",
    show_default=True,
    help="Exit 1 for findings of this severity and above.",
)
@click.option("--show-settings", is_flag=True, help="Show each effective value and its origin.")
@click.option("--show-links", is_flag=True, help="Show the cabling that `for` expands to.")
@fabric.device_option
@click.option("--colour", "--color", type=click.Choice(["auto", "always", "never"]), default="auto")
@click.option("-q", "--quiet", is_flag=True, help="No report when there is nothing to report.")
@click.option("-v", "--verbose", is_flag=True, help="Also list each object that was not checked.")
def command(
    paths: tuple[str, ...],
    style: str,
    target: str | None,
    select: str | None,
    ignore: str | None,
    fail_on: str,
    show_settings: bool,
    show_links: bool,
    devices: str | None,
    colour: str,
    quiet: bool,
    verbose: bool,
) -> int:
    """Check the fabric declared in PATH... (files, directories, or - for standard input)."""
    built = fabric.load(paths)
    wanted = fabric.chosen(built, devices)
    if show_settings or show_links:
        from lossless.cli import settings

        if show_settings:
            settings.show_settings(built, wanted)
        if show_links:
            settings.show_links(built, wanted)
        return 0
    if not built.fabric.devices:
        raise click.ClickException("nothing to check: the inventory declares no device")
    rules = _selected(select, ignore)
    report = _lint(built, rules)
    if devices is not None:
        report = _only(report, set(wanted))
    if not (quiet and not report.findings):
        text = _render(report, style, rules, target, colour, verbose)
        output.write(text, target)
    return _exit_code(report, fail_on)


def _selected(select: str | None, ignore: str | None) -> tuple[Rule, ...]:
    from lossless.cli.catalogue import all_rules
    from lossless.rules import catalogue

    return catalogue.selection(all_rules(), _words(select), _words(ignore))


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def _lint(built: Built, rules: tuple[Rule, ...]) -> Report:
    from lossless.rules import engine

    return engine.lint(built.fabric, rules, built.provenance, built.suppressions)


def _only(report: Report, devices: set[str]) -> Report:
    from dataclasses import replace

    from lossless.nodeset import expand

    def about(names: tuple[str, ...]) -> bool:
        return any(set(expand(name.partition(":")[0])) & devices for name in names)

    return replace(
        report,
        findings=tuple(f for f in report.findings if about(f.objects)),
        not_checked=tuple(g for g in report.not_checked if about(g.objects)),
        not_applicable=tuple(g for g in report.not_applicable if about(g.objects)),
    )


def _render(
    report: Report,
    style: str,
    rules: tuple[Rule, ...],
    target: str | None,
    colour: str,
    verbose: bool,
) -> str:
    from lossless.report import render
    from lossless.report.context import Context
    from lossless.rules import catalogue

    by_id = {rule.id: rule for rule in (*rules, *catalogue.own())}
    context = Context(
        version=__version__,
        rules=by_id,
        page=lambda rule: catalogue.page(by_id[rule]),
        colour=target is None and output.colour_wanted(colour),
        width=shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100,
        verbose=verbose,
    )
    return render(style, report, context)


def _exit_code(report: Report, fail_on: str) -> int:
    if report.internal:
        return EXIT_USAGE
    if fail_on == "never":
        return 0
    bad = _LEVELS.index(fail_on)
    live = [f for f in report.findings if f.suppressed is None]
    return EXIT_FINDINGS if any(_LEVELS.index(f.severity.word) <= bad for f in live) else 0
