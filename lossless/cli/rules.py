"""`lossless rules`: the catalogue."""

from __future__ import annotations

import json
from typing import Any

import click

from lossless.cli.catalogue import listed_rules
from lossless.rules.declare import Rule
from lossless.rules.profiles import PROFILES, first


@click.command()
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.option("--profile", type=click.Choice(list(PROFILES)), help="Only rules that it asks.")
def command(style: str, profile: str | None) -> None:
    """List the rules: id, severity, scope, profile, name and what each finds.

    The profile is the shortest that asks the rule: minimal, recommended (the default of lint) or
    strict, each asking all that the one before it asks.
    """
    rules = [r for r in listed_rules() if profile is None or PROFILES[profile].asks(r)]
    if style == "json":
        click.echo(json.dumps([described(rule) for rule in rules], indent=2, ensure_ascii=False))
        return
    wide = max(len(rule.name) for rule in rules)
    for rule in rules:
        preview = " (preview)" if rule.status.value == "preview" else ""
        click.echo(
            f"{rule.id}  {rule.severity.word:7}  {rule.scope.value:6}  {first(rule):11}  "
            f"{rule.name:{wide}}  {rule.summary}{preview}"
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
        "profiles": [name for name, profile in PROFILES.items() if profile.asks(rule)],
        "since": rule.since,
        "options": dict(rule.options),
        "units": dict(rule.units),
    }
