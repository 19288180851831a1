"""`lossless rules`: the catalogue."""

from __future__ import annotations

import json
from typing import Any

import click

from lossless.cli.catalogue import listed_rules
from lossless.rules.declare import Rule


@click.command()
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(style: str) -> None:
    """List the rules: id, severity, scope, name and what each finds."""
    rules = listed_rules()
    if style == "json":
        click.echo(json.dumps([described(rule) for rule in rules], indent=2, ensure_ascii=False))
        return
    wide = max(len(rule.name) for rule in rules)
    for rule in rules:
        preview = " (preview)" if rule.status.value == "preview" else ""
        click.echo(
            f"{rule.id}  {rule.severity.word:7}  {rule.scope.value:6}  {rule.name:{wide}}  "
            f"{rule.summary}{preview}"
        )


def described(rule: Rule) -> dict[str, Any]:
    """Return a rule's declaration as plain data."""
    return {
        "id": rule.id,
        "name": rule.name,
        "family": rule.family,
        "severity": rule.severity.word,
        "scope": rule.scope.value,
        "summary": rule.summary,
        "needs": list(rule.needs),
        "sources": list(rule.sources),
        "status": rule.status.value,
        "since": rule.since,
        "options": dict(rule.options),
    }
