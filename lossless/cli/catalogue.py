"""All rules there are: the built-in families and what each platform's grammar silently does."""

from __future__ import annotations

from lossless.rules.declare import Rule


def all_rules() -> tuple[Rule, ...]:
    """Return every rule that can be asked, by id."""
    from lossless.platforms import registry
    from lossless.rules import catalogue

    return tuple(sorted((*catalogue.builtin(), *registry.rules()), key=lambda rule: rule.id))


def listed_rules() -> tuple[Rule, ...]:
    """Return every rule with a page: those that can be asked, and the engine's own findings."""
    from lossless.rules import catalogue

    return tuple(sorted((*all_rules(), *catalogue.own()), key=lambda rule: rule.id))
