"""All rules there are: the built-in families and what each platform's grammar silently does."""

from __future__ import annotations

from lossless.rules.declare import Rule


def all_rules() -> tuple[Rule, ...]:
    """Return every rule, by id."""
    from lossless.platforms import registry
    from lossless.rules import catalogue

    rules = (*catalogue.builtin(), *registry.rules())
    return tuple(sorted(rules, key=lambda rule: rule.id))
