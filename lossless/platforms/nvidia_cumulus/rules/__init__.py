"""VND400–499: what NVUE on Cumulus Linux accepts, or leaves undone, without a word."""

from lossless.platforms.nvidia_cumulus.rules import (
    pause_without_memory,
    thresholds_in_one_step,
)
from lossless.rules.declare import Rule

RULES: tuple[Rule, ...] = (
    pause_without_memory.check,
    thresholds_in_one_step.check,
)
