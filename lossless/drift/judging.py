"""The rules' verdict on a difference: whether the declared fabric, with it, brings a finding."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lossless.drift.applying import drifted
from lossless.findings import Finding, Provenance, Report, Severity, Suppressions
from lossless.model.fabric import Fabric
from lossless.nodeset import expand
from lossless.rules import engine
from lossless.rules.declare import Rule
from lossless.running import Difference, Kind, Seen

#: So many differences are judged, each by a lint of its own.
MOST: Final = 200


class Verdict(enum.Enum):
    """What the rules say of a difference."""

    HARMFUL = "harmful"  # with it there is an error or a warning more
    HARMLESS = "harmless"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, and the findings that the difference brings, the worst first."""

    verdict: Verdict
    findings: tuple[Finding, ...] = ()


class Judge:
    """Asks the rules about the declared fabric, once as it is and once with each difference."""

    def __init__(
        self,
        fabric: Fabric,
        rules: Sequence[Rule],
        provenance: Provenance,
        suppressions: Suppressions,
        options: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self._fabric = fabric
        self._rules = rules
        self._provenance = provenance
        self._suppressions = suppressions
        self._options = options
        self._known: set[tuple[Any, ...]] | None = None

    def rule(
        self, differences: Sequence[Difference], seen: Mapping[str, Seen]
    ) -> tuple[Ruling, ...]:
        """Return a ruling on each difference, as if it were the only one."""
        judged = 0
        rulings = []
        for difference in differences:
            asked = difference.kind is not Kind.NOT_CHECKED and judged < MOST
            judged += asked
            rulings.append(self._one(difference, seen) if asked else Ruling(Verdict.NOT_JUDGED))
        return tuple(rulings)

    def _one(self, difference: Difference, seen: Mapping[str, Seen]) -> Ruling:
        fabric = drifted(self._fabric, difference.parts, seen)
        if fabric is None:
            return Ruling(Verdict.NOT_JUDGED)
        if self._known is None:
            self._known = set(self._names(self._fabric))
        report = self._ask(fabric)
        if report.internal:
            return Ruling(Verdict.NOT_JUDGED)
        known = self._known
        new = [
            finding
            for finding in report.findings
            if _counts(finding) and any(key not in known for key in _keys(finding))
        ]
        new.sort(key=lambda finding: -finding.severity)
        return Ruling(Verdict.HARMFUL if new else Verdict.HARMLESS, tuple(new))

    def _ask(self, fabric: Fabric) -> Report:
        return engine.lint(fabric, self._rules, self._provenance, self._suppressions, self._options)

    def _names(self, fabric: Fabric) -> Iterator[tuple[Any, ...]]:
        for finding in self._ask(fabric).findings:
            if _counts(finding):
                yield from _keys(finding)


def _counts(finding: Finding) -> bool:
    return finding.severity >= Severity.WARNING and finding.suppressed is None


def _keys(finding: Finding) -> Iterator[tuple[Any, ...]]:
    """Yield what a finding says of each object alone: folding may put others beside it."""
    said = (finding.rule, finding.field, str(finding.expected), str(finding.actual))
    if not finding.objects:
        yield said
    for names in finding.objects:
        for name in expand(names):
            yield (*said, name)
