"""PFC: who asks for pause on which priority, who honours it, and what else does."""

from lossless.rules.declare import Rule
from lossless.rules.pfc import (
    class_priority_differs,
    many_lossless_classes,
    pause_at_one_end,
    pause_beside_pfc,
    pfc_left_to_negotiation,
    pfc_on_default_priority,
    pfc_on_every_priority,
    pfc_on_lossy_class,
    pfc_on_peer_link,
    pfc_on_undeclared_priority,
    pfc_outside_lossless,
    pfc_priority_mismatch,
    pfc_stopped_box_wide,
    split_pfc_unsupported,
)

RULES: tuple[Rule, ...] = (
    pfc_priority_mismatch.check,
    class_priority_differs.check,
    pfc_on_lossy_class.check,
    pfc_on_undeclared_priority.check,
    pfc_on_every_priority.check,
    pfc_on_default_priority.check,
    pfc_outside_lossless.check,
    pfc_left_to_negotiation.check,
    pfc_stopped_box_wide.check,
    pause_beside_pfc.check,
    pause_at_one_end.check,
    split_pfc_unsupported.check,
    pfc_on_peer_link.check,
    many_lossless_classes.check,
)
