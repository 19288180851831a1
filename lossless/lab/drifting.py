"""Changes by hand on some of the devices, chosen by a seed."""

from __future__ import annotations

import random
from collections.abc import Iterable

from lossless.lab.contract import Box, Change


def drift(boxes: Iterable[Box], seed: int, number: int) -> list[Change]:
    """Change `number` devices, one setting each; fewer where there are not so many that can change.

    The same boxes, seed and number give the same changes.
    """
    chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
    order = list(boxes)
    chance.shuffle(order)
    changes: list[Change] = []
    for box in order:
        if len(changes) >= number:
            break
        change = box.drift(chance)
        if change is not None:
            changes.append(change)
    return changes
