"""MTU: usable layer-3 bytes, whatever number each platform counts."""

from lossless.rules.declare import Rule
from lossless.rules.mtu import (
    class_mtu_below_frame,
    default_class_mtu_small,
    mtu_below_floor,
    mtu_beyond_platform,
    nic_mtu_above_switch,
    nic_mtu_uneven,
    roce_payload_small,
    underlay_mtu_small,
)

RULES: tuple[Rule, ...] = (
    mtu_below_floor.check,
    nic_mtu_above_switch.check,
    roce_payload_small.check,
    mtu_beyond_platform.check,
    class_mtu_below_frame.check,
    nic_mtu_uneven.check,
    default_class_mtu_small.check,
    underlay_mtu_small.check,
)
