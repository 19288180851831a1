"""The engine: asks rules once per distinct combination of facets and binds the answers."""

from __future__ import annotations

from lossless.rules.engine.run import lint, own_finding

__all__ = ["lint", "own_finding"]
