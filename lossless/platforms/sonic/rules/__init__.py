"""VND300–399: what SONiC's CONFIG_DB accepts, or leaves undone, without a word."""

from lossless.platforms.sonic.rules import (
    asymmetric_pfc,
    cable_length_zero,
    class_without_queue,
    length_without_row,
    lossy_class_in_lossless_group,
    pause_names_other_priority,
    watchdog_watches_nothing,
)
from lossless.rules.declare import Rule

RULES: tuple[Rule, ...] = (
    cable_length_zero.check,
    watchdog_watches_nothing.check,
    lossy_class_in_lossless_group.check,
    pause_names_other_priority.check,
    asymmetric_pfc.check,
    class_without_queue.check,
    length_without_row.check,
)
