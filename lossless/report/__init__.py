"""Writing a report: one module a format, and this table of them.

A format is a module with `render(report, context) -> str`.  To add one, write the module and add
its row here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, Protocol

from lossless.findings import Report
from lossless.report.context import Context

FORMATS: Final[Mapping[str, str]] = {
    "text": "lossless.report.text",
    "json": "lossless.report.json_format",
    "sarif": "lossless.report.sarif",
    "junit": "lossless.report.junit",
    "github": "lossless.report.github",
    "gitlab": "lossless.report.gitlab",
    "html": "lossless.report.html",
}


class Format(Protocol):
    """What a format's module offers."""

    def render(self, report: Report, context: Context) -> str:
        """Return the whole report as text, ending in a newline unless empty."""


def render(name: str, report: Report, context: Context) -> str:
    """Write a report in the named format; `KeyError` for an unknown name."""
    module: Format = import_module(FORMATS[name])
    return module.render(report, context)
