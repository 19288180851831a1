"""WDG: the PFC watchdog, which ends a pause that does not end by itself."""

from lossless.rules.declare import Rule
from lossless.rules.wdg import (
    watchdog_absent,
    watchdog_beyond_platform,
    watchdog_detects_oddly,
    watchdog_misses_lossless,
    watchdog_only_watches,
    watchdog_times_disagree,
)

RULES: tuple[Rule, ...] = (
    watchdog_absent.check,
    watchdog_times_disagree.check,
    watchdog_misses_lossless.check,
    watchdog_beyond_platform.check,
    watchdog_only_watches.check,
    watchdog_detects_oddly.check,
)
