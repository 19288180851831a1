"""The baseline on the command line: reading it, what is left over of it, writing it anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lossless.cli import output

if TYPE_CHECKING:
    from lossless.baseline import Baseline
    from lossless.findings import Finding, Report
    from lossless.rules.declare import Rule


def name_needed(file: str | None) -> None:
    """Raise `click.UsageError` where a baseline is to be written and none is named."""
    if file is None:
        raise click.UsageError("--write-baseline needs --baseline FILE")


def read(file: str | None) -> Baseline | None:
    """Return the baseline to lint with; `None` where none is named.  Raises `InputError`."""
    if file is None:
        return None
    from lossless import baseline

    return baseline.read(Path(file))


def with_leftovers(report: Report, known: Baseline, rules: Sequence[Rule]) -> Report:
    """Return a report that also tells which entries of the baseline nothing was found for."""
    left = tuple(_leftovers(known, {rule.id for rule in rules}))
    return replace(report, findings=(*report.findings, *left))


def _leftovers(known: Baseline, asked: set[str]) -> Iterator[Finding]:
    from lossless.nodeset import expand
    from lossless.rules.declare import Fault
    from lossless.rules.engine import own_finding
    from lossless.rules.own import unmet_baseline

    for entry in known.unmet():
        if entry.rule not in asked:
            continue
        count = sum(len(expand(name)) for name in entry.objects)
        for fault in unmet_baseline.check(entry.rule, entry.field, entry.actual):
            if isinstance(fault, Fault):
                yield own_finding(unmet_baseline, fault, entry.objects, count)


def write(report: Report, file: str) -> None:
    """Write the baseline that accepts what a report finds and nothing else accepts.

    What the engine finds about itself and about suppressions is not accepted: it can be mended.
    """
    from lossless import baseline
    from lossless.rules import catalogue

    own = {rule.id for rule in catalogue.own()}
    accepted = [f for f in report.findings if f.suppressed is None and f.rule not in own]
    output.replace(Path(file), baseline.text(accepted))
    many = "1 finding" if len(accepted) == 1 else f"{len(accepted)} findings"
    click.echo(f"wrote {file}: {many} accepted from now on", err=True)
