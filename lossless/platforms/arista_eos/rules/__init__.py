"""VND100–199: what EOS's grammar does, or leaves undone, without a word."""

from lossless.platforms.arista_eos.rules import (
    rewrite_map_for_classification,
    rewrite_map_inert,
    watchdog_polls_too_slowly,
    watchdog_without_guarantee,
)
from lossless.rules.declare import Rule

RULES: tuple[Rule, ...] = (
    rewrite_map_inert.check,
    rewrite_map_for_classification.check,
    watchdog_polls_too_slowly.check,
    watchdog_without_guarantee.check,
)
