"""Walking along a path: the ports that classify a packet, and the mark it bears there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lossless.model.values import entry, value
from lossless.rules.chain import BY_DSCP, arrives_at
from lossless.rules.views import PathView, PortView


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One port that classifies the packet.

    `before` is the port that the packet left last; `rewriter` the last one that changed its DSCP,
    `None` while the sender's own mark stands.
    """

    port: PortView
    before: PortView | None
    dscp: int
    rewriter: PortView | None


def classifiers(path: PathView) -> Iterator[tuple[PortView, PortView | None]]:
    """Yield the sender's NIC and each ingress, with the port at the other end of the wire."""
    last: PortView | None = None
    for hop in path.hops:
        port = hop.ingress if hop.ingress is not None else hop.egress
        if port is not None:
            yield port, last
        last = hop.egress


def steps(path: PathView, dscp: int) -> Iterator[Step]:
    """Follow one DSCP; switches that re-mark on egress change it on the way.

    Needs `classification`.
    """
    last: PortView | None = None
    rewriter: PortView | None = None
    for hop in path.hops:
        port = hop.ingress if hop.ingress is not None else hop.egress
        if port is None:
            return
        yield Step(port, last, dscp, rewriter)
        last = hop.egress
        if hop.ingress is not None and last is not None:
            written = _written(port, last, dscp)
            if written is not None and written != dscp:
                dscp, rewriter = written, last


def _written(came_in: PortView, goes_out: PortView, dscp: int) -> int | None:
    """Return the DSCP that an egress port writes; `None` where it writes none."""
    if goes_out.classification.rewrite_dscp_enabled is not True:
        return None
    if came_in.classification.trust not in BY_DSCP:
        return None
    priority = value(arrives_at(came_in.classification, dscp))
    return (
        None if priority is None else value(entry(goes_out.classification.rewrite_dscp, priority))
    )
