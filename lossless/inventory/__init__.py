"""From YAML to a validated declaration, with every fault at its place."""

from __future__ import annotations

from typing import Any

from lossless.inventory.reading import Declaration, policy_names, read, read_policy
from lossless.inventory.schema import UNKNOWN, Inventory, PolicyDecl
from lossless.inventory.sources import Sources

__all__ = [
    "UNKNOWN",
    "Declaration",
    "Inventory",
    "PolicyDecl",
    "Sources",
    "json_schema",
    "policy_names",
    "read",
    "read_policy",
]


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an inventory."""
    from lossless.inventory.shape import json_schema as made

    return made()
