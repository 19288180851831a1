"""NIC: what only the host's side can get wrong."""

from lossless.rules.declare import Rule
from lossless.rules.nic import (
    advertised_priority_differs,
    cable_told_too_short,
    cnp_dscp_outside_class,
    congestion_control_off,
    dcb_owner_overwrites,
    dcbx_both_willing,
    dcbx_dialects_differ,
    nic_at_factory_state,
    vf_marking_outside_class,
    willing_static_port,
)

RULES: tuple[Rule, ...] = (
    nic_at_factory_state.check,
    cnp_dscp_outside_class.check,
    congestion_control_off.check,
    cable_told_too_short.check,
    dcb_owner_overwrites.check,
    willing_static_port.check,
    dcbx_both_willing.check,
    vf_marking_outside_class.check,
    dcbx_dialects_differ.check,
    advertised_priority_differs.check,
)
