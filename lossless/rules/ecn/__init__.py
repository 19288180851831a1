"""ECN: marking that can act, where it is needed."""

from lossless.rules.declare import Rule
from lossless.rules.ecn import (
    ecn_above_pause,
    ecn_beyond_platform,
    ecn_curves_uneven,
    ecn_never_marks,
    ecn_on_strict_queue,
    ecn_thresholds_reversed,
    ecn_unit_unknown,
    lossless_without_ecn,
    marking_out_of_scale,
    tunnel_loses_marks,
    wred_drops_lossless,
)

RULES: tuple[Rule, ...] = (
    ecn_thresholds_reversed.check,
    ecn_never_marks.check,
    lossless_without_ecn.check,
    ecn_unit_unknown.check,
    ecn_beyond_platform.check,
    wred_drops_lossless.check,
    ecn_on_strict_queue.check,
    ecn_above_pause.check,
    tunnel_loses_marks.check,
    ecn_curves_uneven.check,
    marking_out_of_scale.check,
)
