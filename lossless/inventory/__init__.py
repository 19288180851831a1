"""From YAML to a validated declaration, with every fault at its place.

declaration = read([Path("inventory/")])
declaration.data["switches"]                     # typed values, node sets as written
declaration.sources.find(("policy", "trust"))    # file, line and column
"""

from __future__ import annotations

from typing import Any

from lossless.inventory.kinds import UNKNOWN
from lossless.inventory.loading import Declaration, policy_names, read, read_again, read_policy
from lossless.inventory.schema import Inventory, PolicyDecl
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
    "read_again",
    "read_policy",
]


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an inventory, for editors and for other tools."""
    from lossless.inventory.jsonschema import inventory_schema

    return inventory_schema()
