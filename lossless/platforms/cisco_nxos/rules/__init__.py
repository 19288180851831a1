"""VND200–299: what NX-OS's grammar does, or leaves undone, without a word."""

from lossless.platforms.cisco_nxos.rules import (
    cos_and_group_both_pause,
    long_cable_without_pause_buffer,
    marks_nearly_everything,
    watchdog_of_the_box_off,
)
from lossless.rules.declare import Rule

RULES: tuple[Rule, ...] = (
    watchdog_of_the_box_off.check,
    cos_and_group_both_pause.check,
    long_cable_without_pause_buffer.check,
    marks_nearly_everything.check,
)
