"""INV: what a declaration says, taken by itself and against its platforms' limits."""

from lossless.rules.declare import Rule
from lossless.rules.inv import (
    bond_members_differ,
    lossless_class_unsent,
    number_beyond_platform,
    override_matches_nothing,
    port_shut_down,
    port_without_link,
    rdma_sent_lossy,
    reserved_class_used,
    too_many_lossless_classes,
    unknown_model,
    unsaved_configuration,
)

RULES: tuple[Rule, ...] = (
    override_matches_nothing.check,
    port_without_link.check,
    reserved_class_used.check,
    number_beyond_platform.check,
    too_many_lossless_classes.check,
    lossless_class_unsent.check,
    rdma_sent_lossy.check,
    bond_members_differ.check,
    unknown_model.check,
    unsaved_configuration.check,
    port_shut_down.check,
)
