"""The chain from a packet's header to a queue and a priority group.

Vendors bend different links of it, so each is stated apart: DSCP or PCP → priority; priority →
traffic class → egress queue; priority (or traffic class) → ingress priority group; PFC priority →
the queue that pauses on receive, and → the group that sends.  Queue number, traffic class and PFC
priority are three numbers (IEEE 802.1Q-2022 §8.6.6, §36; RFC 2474).
"""

from __future__ import annotations

import enum

from lossless.model.facet import facet, map_field
from lossless.model.values import Field, NumberMap, Switch

DSCPS = 64
PRIORITIES = 8
TRAFFIC_CLASSES = 16


class Trust(enum.Enum):
    """Which header field classifies a packet."""

    PCP = "pcp"
    DSCP = "dscp"
    BOTH = "both"  # DSCP for IP, PCP otherwise
    PORT = "port"
    NONE = "none"


@facet
class Classification:
    """Maps and trust of one port (or of the whole box where a platform keeps one set).

    `dscp_to_priority` has 64 entries, `pcp_to_priority`, `priority_to_*` and
    `pfc_priority_to_*` 8, `tc_to_*` 16.  `rewrite_*` are indexed by priority and give the code
    point written on egress; they act only where the matching switch is on.
    """

    trust: Field[Trust] = None
    dscp_to_priority: NumberMap = map_field()
    pcp_to_priority: NumberMap = map_field()
    default_priority: Field[int] = None
    default_dscp: Field[int] = None
    default_pcp: Field[int] = None
    priority_to_tc: NumberMap = map_field()
    tc_to_queue: NumberMap = map_field()
    tc_to_group: NumberMap = map_field()
    priority_to_group: NumberMap = map_field()
    pfc_priority_to_queue: NumberMap = map_field()
    pfc_priority_to_group: NumberMap = map_field()
    rewrite_dscp_enabled: Switch = None
    rewrite_dscp: NumberMap = map_field()
    rewrite_pcp_enabled: Switch = None
    rewrite_pcp: NumberMap = map_field()
    tunnel_dscp: Field[str] = None  # "uniform" or "pipe" (RFC 2983)
    tunnel_ecn: Field[str] = None  # "copy" or "ignore" (RFC 6040)
