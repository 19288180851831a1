"""MAP: which priority, queue and class a packet lands in, hop by hop."""

from lossless.rules.declare import Rule
from lossless.rules.mapping import (
    class_lossy_on_path,
    class_queue_mismatch,
    cnp_paused,
    dscp_lands_elsewhere,
    dscp_rewritten_on_path,
    lossy_shares_lossless_queue,
    mark_not_trusted,
    marking_outside_class,
    marking_says_congested,
    pause_misses_queue,
    pcp_lands_elsewhere,
    stray_dscp_in_lossless,
    trust_unsupported,
    tunnel_hides_mark,
)

RULES: tuple[Rule, ...] = (
    dscp_lands_elsewhere.check,
    mark_not_trusted.check,
    class_lossy_on_path.check,
    pause_misses_queue.check,
    class_queue_mismatch.check,
    lossy_shares_lossless_queue.check,
    cnp_paused.check,
    dscp_rewritten_on_path.check,
    marking_outside_class.check,
    marking_says_congested.check,
    stray_dscp_in_lossless.check,
    trust_unsupported.check,
    pcp_lands_elsewhere.check,
    tunnel_hides_mark.check,
)
