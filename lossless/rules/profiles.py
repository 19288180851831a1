"""Profiles: how much of the catalogue is asked, each asking all that the one before it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lossless.findings import Severity
from lossless.rules.declare import Rule, Status


@dataclass(frozen=True, slots=True)
class RuleProfile:
    """Which rules a profile asks: those of a severity and above, and whether unsettled ones too."""

    summary: str
    least: Severity
    preview: bool = False

    def asks(self, rule: Rule) -> bool:
        """Say whether the profile asks a rule."""
        settled = self.preview or rule.status is Status.STABLE
        return settled and rule.severity >= self.least


#: From the shortest to the longest.  A rule needs no entry: its severity and status place it.
PROFILES: Final[Mapping[str, RuleProfile]] = {
    "minimal": RuleProfile("stable rules whose findings are errors", Severity.ERROR),
    "recommended": RuleProfile("every stable rule", Severity.INFO),
    "strict": RuleProfile("rules in preview as well", Severity.INFO, preview=True),
}
DEFAULT: Final = "recommended"


def first(rule: Rule) -> str:
    """Return the shortest profile that asks a rule."""
    return next(name for name, profile in PROFILES.items() if profile.asks(rule))
