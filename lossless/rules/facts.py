"""How far a platform's facts bear: what nobody looked up never grounds an error."""

from __future__ import annotations

from typing import TypedDict

from lossless.findings import Confidence, Severity
from lossless.model.profile import Grade, Profile


class Weight(TypedDict):
    """How bad and how sure a fault is that stands on a fact."""

    severity: Severity | None
    confidence: Confidence


def weight(profile: Profile | None, path: str) -> Weight:
    """Return the weight of a fault that stands on a fact of a platform.

    A verified fact carries the rule's own severity; what a third party tells is said to be
    likely; what only stands in memory, or has no source, is an estimate, and so information.
    """
    source = None if profile is None else profile.source(path)
    if source is None or source.grade is Grade.MEMORY:
        return {"severity": Severity.INFO, "confidence": Confidence.ESTIMATE}
    if source.grade is Grade.SECONDARY:
        return {"severity": None, "confidence": Confidence.LIKELY}
    return {"severity": None, "confidence": Confidence.CERTAIN}
