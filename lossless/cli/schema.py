"""`lossless schema`: the JSON Schemas of what the tool reads and writes."""

from __future__ import annotations

import json

import click

from lossless.cli import output


@click.command()
@click.argument("name", type=click.Choice(["inventory", "findings", "snapshot", "drift"]))
@click.option("-o", "--output", "target", metavar="FILE", help="Write to FILE instead.")
def command(name: str, target: str | None) -> None:
    """Print the JSON Schema (2020-12) NAME.

    Editors complete an inventory whose first line is
    `# yaml-language-server: $schema=inventory.schema.json`.
    """
    if name == "inventory":
        from lossless.inventory import json_schema
    elif name == "snapshot":
        from lossless.snapshot.format import json_schema
    elif name == "drift":
        from lossless.drift.schema import json_schema
    else:
        from lossless.report.findings_schema import json_schema
    output.write(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n", target)
