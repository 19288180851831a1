"""Ingress groups, egress queues, and the box's pools."""

from __future__ import annotations

from lossless.model.facet import Table, facet, map_field, table_field
from lossless.model.units import Alpha, Quantity
from lossless.model.values import Field, NumberMap, Switch


@facet
class PriorityGroup:
    """Ingress accounting of the priorities that share one group.

    `xoff` is the headroom after the pause is sent, `xon` and `xon_offset` when it is lifted,
    `alpha` the dynamic and `limit` the static threshold.
    """

    lossless: Switch = None
    reserved: Field[Quantity] = None
    headroom: Field[Quantity] = None
    xoff: Field[Quantity] = None
    xon: Field[Quantity] = None
    xon_offset: Field[Quantity] = None
    alpha: Field[Alpha] = None
    limit: Field[Quantity] = None


@facet
class QueueBuffer:
    """Egress admission of one queue."""

    reserved: Field[Quantity] = None
    alpha: Field[Alpha] = None
    limit: Field[Quantity] = None


@facet
class Buffers:
    """Buffers of one port.

    `cable` is the length in millimetres that the device computes headroom for.  A NIC states
    `priority_to_buffer` and `sizes` (bytes, keyed by buffer); `manual` says that someone set them.
    """

    groups: Table[int, PriorityGroup] = table_field()
    queues: Table[int, QueueBuffer] = table_field()
    cable: Field[int] = None
    priority_to_buffer: NumberMap = map_field()
    sizes: Table[int, Field[int]] = table_field()
    manual: Switch = None


@facet
class Pool:
    """A shared pool.  `mode` is "static" or "dynamic"; `shared_headroom` its xoff part."""

    size: Field[Quantity] = None
    mode: Field[str] = None
    direction: Field[str] = None  # "ingress" or "egress"
    alpha: Field[Alpha] = None
    shared_headroom: Field[Quantity] = None


@facet
class HeadroomPool:
    """Headroom that lossless groups of the whole box share.

    `oversubscription` is the ratio of promised to provided headroom, in parts per million.
    """

    size: Field[Quantity] = None
    oversubscription: Field[int] = None


@facet
class BoxBuffers:
    """Buffers of the whole device.

    `model` is "traditional" or "dynamic"; `shares` holds parts per million of the buffer by
    direction and use ("ingress lossless", "egress dedicated", …).
    """

    model: Field[str] = None
    pools: Table[str, Pool] = table_field()
    headroom_pool: HeadroomPool = HeadroomPool()
    shares: Table[str, Field[int]] = table_field()
