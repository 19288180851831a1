"""Buffers that contradict themselves; how large they must be is another question."""

from lossless.rules.buf import (
    alpha_uneven,
    lossless_without_headroom,
    pool_headroom_beyond_size,
    threshold_against_pool,
    xon_above_xoff,
)
from lossless.rules.declare import Rule

RULES: tuple[Rule, ...] = (
    xon_above_xoff.check,
    threshold_against_pool.check,
    lossless_without_headroom.check,
    alpha_uneven.check,
    pool_headroom_beyond_size.check,
)
