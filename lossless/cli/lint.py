"""`lossless lint`: a declared fabric against the rules."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from lossless import __version__
from lossless.cli import EXIT_DEVICE, EXIT_FINDINGS, EXIT_USAGE, accepting, fabric, output
from lossless.cli.configuration import LEVELS
from lossless.cli.running import Beside, Source, beside, what_runs
from lossless.report import FORMATS
from lossless.rules.profiles import DEFAULT, PROFILES

if TYPE_CHECKING:
    from lossless.findings import Report
    from lossless.intent import Built
    from lossless.inventory import Declaration
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
@click.option("--fix", is_flag=True, help="Make the safe changes that findings propose.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also those to look at.")
@click.option("--diff", is_flag=True, help="Show the changes that --fix would make; write nothing.")
@click.option("--statistics", is_flag=True, help="Also count findings by rule (text only).")
@click.option("--show-settings", is_flag=True, help="Show each effective value and its origin.")
@click.option("--show-links", is_flag=True, help="Show the cabling that `for` expands to.")
@fabric.device_option
@what_runs
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
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    statistics: bool,
    show_settings: bool,
    show_links: bool,
    devices: str | None,
    runs_from: Source | None,
    colour: str,
    quiet: bool,
    verbose: bool,
) -> int:
    """Check the fabric declared in PATH... (files, directories, or - for standard input).

    With --running or --live, what runs on the declared devices and cables is checked instead.

    A file `lossless.toml` beside the inventory sets fail-on, profile, select, ignore, baseline and
    options of rules; the environment wins over it, and options win over both.
    """
    _refuse_odd(paths, fix or diff, unsafe_fixes, write_baseline, runs_from)
    declaration = fabric.read(paths)
    built = fabric.build(declaration)
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
    rules = _selected(profile, select, ignore)
    only = None if devices is None else set(wanted)
    run = _Run(rules, None if write_baseline else baseline, only)
    if write_baseline:
        accepting.name_needed(baseline)
    runs = None if runs_from is None else beside(runs_from, built, wanted)
    report = run.lint(built, runs)
    if write_baseline and baseline is not None and not report.internal:
        accepting.write(report, baseline)
        return 0
    if (fix or diff) and not report.internal:
        report = _mend(declaration, built, report, run, write=not diff, unsafe=unsafe_fixes)
    if not diff and not (quiet and not report.findings):
        held = {} if runs is None else runs.texts
        text = _render(report, style, rules, target, colour, verbose, held)
        if statistics and style == "text":
            from lossless.cli.statistics import table

            text += table(report)
        output.write(text, target)
    return _exit_code(report, fail_on, runs)


def _refuse_odd(
    paths: tuple[str, ...],
    mending: bool,
    unsafe_fixes: bool,
    write_baseline: bool,
    runs_from: Source | None,
) -> None:
    if unsafe_fixes and not mending:
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    if mending and "-" in paths:
        raise click.UsageError("standard input cannot be mended; name a file")
    if mending and runs_from is not None:
        raise click.UsageError("what runs is mended on the device; see `lossless diff --commands`")
    if mending and write_baseline:
        raise click.UsageError("mend first, then write the baseline of what is left")


@dataclass(frozen=True, slots=True)
class _Run:
    """What one run asks, accepts and looks at; the same every time it lints."""

    rules: tuple[Rule, ...]
    baseline: str | None
    devices: set[str] | None

    def lint(self, built: Built, runs: Beside | None = None) -> Report:
        from lossless.cli import configuration
        from lossless.rules import engine

        known = accepting.read(self.baseline)
        report = engine.lint(
            built.fabric if runs is None else runs.fabric,
            self.rules,
            built.provenance,
            built.suppressions,
            configuration.current().rules,
            baseline=known,
        )
        if known is not None:
            report = accepting.with_leftovers(report, known, self.rules)
        report = report if runs is None else runs.report(report)
        return report if self.devices is None else _only(report, self.devices)


def _mend(
    declaration: Declaration, built: Built, report: Report, run: _Run, *, write: bool, unsafe: bool
) -> Report:
    """Make changes and return what is left to find; only show them where nothing is written."""
    from lossless import inventory
    from lossless.cli import mending

    def again(files: Mapping[str, bytes]) -> mending.State:
        made = fabric.build(inventory.read_again(files))
        return mending.State(files, made, run.lint(made))

    before = declaration.sources.contents()
    mended = mending.mend(mending.State(before, built, report), again, unsafe=unsafe)
    after = mended.state.files
    if write:
        mending.write(before, after)
        mending.tell(mended, "mended")
        return mended.state.report
    click.echo(mending.diff(before, after), nl=False)
    mending.tell(mended, "would mend")
    return report


def _selected(profile: str, select: str | None, ignore: str | None) -> tuple[Rule, ...]:
    from lossless.cli.catalogue import all_rules
    from lossless.rules import catalogue

    rules = catalogue.selection(all_rules(), _words(select), _words(ignore), profile)
    if not rules:
        raise click.ClickException("nothing to check: select, ignore and profile leave no rule")
    return rules


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def _only(report: Report, devices: set[str]) -> Report:
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
    held: Mapping[str, list[str]],
) -> str:
    from lossless.report import render
    from lossless.report.context import Context, Files
    from lossless.rules import catalogue

    by_id = {rule.id: rule for rule in (*rules, *catalogue.own())}
    context = Context(
        version=__version__,
        rules=by_id,
        page=lambda rule: catalogue.page(by_id[rule]),
        colour=target is None and output.colour_wanted(colour),
        width=shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100,
        verbose=verbose,
        files=Files(dict(held)),
    )
    return render(style, report, context)


def _exit_code(report: Report, fail_on: str, runs: Beside | None) -> int:
    if report.internal:
        return EXIT_USAGE
    if runs is not None and runs.unread:
        return EXIT_DEVICE
    if fail_on == "never":
        return 0
    bad = LEVELS.index(fail_on)
    live = [f for f in report.findings if f.suppressed is None]
    return EXIT_FINDINGS if any(LEVELS.index(f.severity.word) <= bad for f in live) else 0
