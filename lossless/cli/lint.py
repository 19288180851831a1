"""`lossless lint`: a declared fabric against the rules."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from lossless import __version__
from lossless.cli import EXIT_FINDINGS, EXIT_USAGE, accepting, fabric, output
from lossless.cli.configuration import LEVELS
from lossless.report import FORMATS
from lossless.rules.profiles import DEFAULT, PROFILES

if TYPE_CHECKING:
    from lossless.baseline import Baseline
    from lossless.findings import Report
    from lossless.intent import Built
    from lossless.rules.declare import Rule


@click.command()
@fabric.configured_paths
@click.option("--format", "style", type=click.Choice(list(FORMATS)), default="text")
@click.option("-o", "--output", "target", metavar="FILE", help="Write the report to FILE.")
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default=DEFAULT,
    show_default=True,
    envvar="LOSSLESS_PROFILE",
    show_envvar=True,
    help="How much of the catalogue to ask; see `lossless rules`.",
)
@click.option(
    "--select",
    metavar="RULE,...",
    envvar="LOSSLESS_SELECT",
    show_envvar=True,
    help="Only these rules, families or names.",
)
@click.option(
    "--ignore",
    metavar="RULE,...",
    envvar="LOSSLESS_IGNORE",
    show_envvar=True,
    help="All but these rules, families or names.",
)
@click.option(
    "--fail-on",
    type=click.Choice(LEVELS),
    default="error",
    show_default=True,
    envvar="LOSSLESS_FAIL_ON",
    show_envvar=True,
    help="Exit 1 for findings of this severity and above.",
)
@click.option("--baseline", metavar="FILE", help="Accept the findings that FILE holds.")
@click.option("--write-baseline", is_flag=True, help="Write to that file what is found now.")
@click.option("--statistics", is_flag=True, help="Also count findings by rule (text only).")
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
    profile: str,
    select: str | None,
    ignore: str | None,
    fail_on: str,
    baseline: str | None,
    write_baseline: bool,
    statistics: bool,
    show_settings: bool,
    show_links: bool,
    devices: str | None,
    colour: str,
    quiet: bool,
    verbose: bool,
) -> int:
    """Check the fabric declared in PATH... (files, directories, or - for standard input).

    A file `lossless.toml` beside the inventory sets fail-on, profile, select, ignore, baseline and
    options of rules; the environment wins over it, and options win over both.
    """
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
    known = accepting.read(baseline, anew=write_baseline)
    rules = _selected(profile, select, ignore)
    report = _lint(built, rules, known)
    if devices is not None:
        report = _only(report, set(wanted))
    if write_baseline and baseline is not None and not report.internal:
        accepting.write(report, baseline)
        return 0
    if not (quiet and not report.findings):
        text = _render(report, style, rules, target, colour, verbose)
        if statistics and style == "text":
            from lossless.cli.statistics import table

            text += table(report)
        output.write(text, target)
    return _exit_code(report, fail_on)


def _selected(profile: str, select: str | None, ignore: str | None) -> tuple[Rule, ...]:
    from lossless.cli.catalogue import all_rules
    from lossless.rules import catalogue

    return catalogue.selection(all_rules(), _words(select), _words(ignore), profile)


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def _lint(built: Built, rules: tuple[Rule, ...], known: Baseline | None) -> Report:
    from lossless.cli import configuration
    from lossless.rules import engine

    options = configuration.current().rules
    report = engine.lint(
        built.fabric, rules, built.provenance, built.suppressions, options, baseline=known
    )
    return report if known is None else accepting.with_leftovers(report, known, rules)


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
    bad = LEVELS.index(fail_on)
    live = [f for f in report.findings if f.suppressed is None]
    return EXIT_FINDINGS if any(LEVELS.index(f.severity.word) <= bad for f in live) else 0
