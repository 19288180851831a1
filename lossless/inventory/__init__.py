"""From YAML to a validated declaration, with every fault at its place."""

from lossless.inventory.schema import UNKNOWN

__all__ = ["UNKNOWN"]
