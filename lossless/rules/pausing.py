"""What the PFC settings of a port come to."""

from __future__ import annotations

from lossless.model.pfc import Pfc
from lossless.model.values import OFF, Field, is_value

EVERY_PRIORITY = frozenset(range(8))


def _set(pfc: Pfc, told: Field[frozenset[int]]) -> frozenset[int] | None:
    if pfc.mode is OFF or told is OFF:
        return frozenset()
    return told if is_value(told) else None


def sent(pfc: Pfc) -> frozenset[int] | None:
    """Return the priorities for which a port asks its peer to pause; `None`: not told."""
    return _set(pfc, pfc.send)


def honoured(pfc: Pfc) -> frozenset[int] | None:
    """Return the priorities on which a port pauses when it is asked; `None`: not told."""
    return _set(pfc, pfc.honour)


def paused(pfc: Pfc) -> frozenset[int] | None:
    """Return the priorities that PFC touches in either direction; `None`: neither was told."""
    told = [found for found in (sent(pfc), honoured(pfc)) if found is not None]
    return frozenset().union(*told) if told else None
