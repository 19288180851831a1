"""RATE: speeds that fit: ends, cables, rails, tiers and slots."""

from lossless.rules.declare import Rule
from lossless.rules.rate import (
    autoneg_mismatch,
    cable_below_speed,
    fec_mismatch,
    lanes_mismatch,
    leaf_oversubscribed,
    pcie_below_nic,
    rail_rate_uneven,
    speed_above_model,
    speed_mismatch,
    tier_rate_uneven,
    uplink_slower_than_hosts,
    uplinks_uneven,
)

RULES: tuple[Rule, ...] = (
    speed_mismatch.check,
    cable_below_speed.check,
    lanes_mismatch.check,
    fec_mismatch.check,
    autoneg_mismatch.check,
    pcie_below_nic.check,
    rail_rate_uneven.check,
    tier_rate_uneven.check,
    speed_above_model.check,
    uplink_slower_than_hosts.check,
    leaf_oversubscribed.check,
    uplinks_uneven.check,
)
