"""Workflow commands that GitHub Actions turns into annotations.

Grammar: `::error file=…,line=…,col=…,title=…::message`; `%`, CR and LF are escaped everywhere,
`:` and `,` in properties too (GitHub, "Workflow commands for GitHub Actions"; actions/toolkit
command.ts).
"""

from __future__ import annotations

from lossless.findings import Finding, Report, Severity
from lossless.report.context import Context, relative

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report, context: Context) -> str:
    """Return one annotation a finding, and one notice for what was not checked."""
    lines = [_annotation(f) for f in report.findings if f.suppressed is None]
    for gap in report.not_checked:
        told = f"not checked on {', '.join(gap.objects)}: not told: {', '.join(gap.missing)}"
        lines.append(f"::notice title={_property(gap.rule)}::{_data(told)}")
    return "".join(line + "\n" for line in lines)


def _annotation(finding: Finding) -> str:
    properties = []
    where = finding.location
    if where is not None:
        properties += [
            f"file={_property(relative(where.file))}",
            f"line={where.line}",
            f"col={where.column}",
        ]
    properties.append(f"title={_property(f'{finding.rule} {finding.name}')}")
    return f"::{_COMMAND[finding.severity]} {','.join(properties)}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
