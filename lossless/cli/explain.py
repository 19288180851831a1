"""`lossless explain`: a rule's page."""

from __future__ import annotations

import click

from lossless.cli.catalogue import listed_rules


@click.command()
@click.argument("rule")
def command(rule: str) -> None:
    """Show the page of RULE, an id (PFC001) or a name."""
    from lossless.rules import catalogue

    known = {key: r for r in listed_rules() for key in (r.id, r.name)}
    found = known.get(rule.upper()) or known.get(rule.lower())
    if found is None:
        from difflib import get_close_matches

        close = get_close_matches(rule.lower(), [k.lower() for k in known], n=3)
        hint = f"; close: {', '.join(close)}" if close else "; `lossless rules` lists them"
        raise click.ClickException(f"there is no rule {rule!r}{hint}")
    click.echo(catalogue.page(found), nl=False)
