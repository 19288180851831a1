"""Egress scheduling and congestion marking, both per queue."""

from __future__ import annotations

import enum

from lossless.model.facet import Table, facet, table_field
from lossless.model.units import Bandwidth, Cap, Quantity
from lossless.model.values import Field, Switch


class Algorithm(enum.Enum):
    """Transmission selection (IEEE 802.1Q-2022 table 8-6) and vendors' relatives of it."""

    STRICT = "strict"
    ETS = "ets"
    WRR = "wrr"
    DWRR = "dwrr"
    WFQ = "wfq"
    CBS = "cbs"
    VENDOR = "vendor"


@facet
class QueueScheduling:
    """How one queue is served.  `level` orders strict queues among themselves (higher first)."""

    algorithm: Field[Algorithm] = None
    bandwidth: Field[Bandwidth] = None
    guaranteed: Field[Bandwidth] = None
    level: Field[int] = None
    cap: Field[Cap] = None
    group: Field[int] = None


@facet
class Ets:
    """Scheduling of a port's queues, keyed by queue number (on a NIC: by traffic class)."""

    queues: Table[int, QueueScheduling] = table_field()


class EcnBasis(enum.Enum):
    """What the marking threshold is measured against."""

    QUEUE = "queue"
    GLOBAL_BUFFER = "global-buffer"
    LATENCY = "latency"
    ADAPTIVE = "adaptive"


@facet
class Thresholds:
    """One marking curve: `probability` at `maximum` in parts per million."""

    minimum: Field[Quantity] = None
    maximum: Field[Quantity] = None
    probability: Field[int] = None


@facet
class QueueEcn:
    """ECN marking (RFC 3168) and WRED dropping of one queue.

    `weight` is the exponent of the moving average; `non_ect_forward` keeps packets without ECT
    from being dropped by the same curve; `count` turns on the vendor's counter of marks;
    `colours` holds curves that differ by drop precedence ("yellow", "red").
    """

    enabled: Switch = None
    wred: Switch = None
    minimum: Field[Quantity] = None
    maximum: Field[Quantity] = None
    probability: Field[int] = None
    weight: Field[int] = None
    basis: Field[EcnBasis] = None
    non_ect_forward: Switch = None
    count: Switch = None
    colours: Table[str, Thresholds] = table_field()


@facet
class Ecn:
    """ECN of a port: a master switch where the platform has one, and the queues."""

    enabled: Switch = None
    queues: Table[int, QueueEcn] = table_field()
