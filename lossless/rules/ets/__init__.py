"""ETS: shares and strict queues, by each platform's law."""

from lossless.rules.declare import Rule
from lossless.rules.ets import (
    cnp_not_strict,
    lossless_class_strict,
    lossless_share_small,
    lossless_without_share,
    share_disagrees,
    share_of_strict_queue,
    shares_break_law,
)

RULES: tuple[Rule, ...] = (
    shares_break_law.check,
    share_of_strict_queue.check,
    lossless_class_strict.check,
    lossless_without_share.check,
    cnp_not_strict.check,
    share_disagrees.check,
    lossless_share_small.check,
)
