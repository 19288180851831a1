"""What a declaration states once for a whole device."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lossless.intent.layers import is_off
from lossless.intent.lowering.host import lower_environment
from lossless.intent.lowering.values import field, section
from lossless.model.buffers import BoxBuffers, HeadroomPool, Pool
from lossless.model.facet import table
from lossless.model.settings import System
from lossless.model.units import Quantity, Unit
from lossless.model.values import OFF, Field


def lower_system(data: Mapping[str, Any], identity: Mapping[str, Any], *, host: bool) -> System:
    """Return the box-wide statements of a switch or a host."""
    if host:
        return System(environment=lower_environment(data))
    return System(
        buffers=_buffers(section(data, "buffers")),
        macro=field(identity.get("profile")),
        raw=tuple(identity.get("raw") or ()),
    )


def _buffers(written: Mapping[str, Any]) -> BoxBuffers:
    headroom = section(written, "headroom_pool")
    absent = is_off(written.get("headroom_pool"))
    pools = {name: _pool(held) for name, held in section(written, "pools").items()}
    shares = {
        f"{direction} {use}": field(share)
        for direction, uses in section(written, "shares").items()
        if isinstance(uses, Mapping)
        for use, share in uses.items()
    }
    return BoxBuffers(
        model=field(written.get("model")),
        pools=table(pools),
        headroom_pool=HeadroomPool(
            size=OFF if absent else _headroom_size(headroom),
            oversubscription=field(headroom.get("oversubscription")),
        ),
        shares=table(shares),
    )


def _headroom_size(written: Mapping[str, Any]) -> Field[Quantity]:
    cells = written.get("cells")
    if isinstance(cells, int):
        return Quantity(Fraction(cells), Unit.CELLS)
    size: Field[Quantity] = field(written.get("size"))
    return size


def _pool(written: Any) -> Pool:
    held = written if isinstance(written, Mapping) else {}
    return Pool(
        size=field(held.get("size")),
        mode=field(held.get("mode")),
        direction=field(held.get("direction")),
        alpha=field(held.get("alpha")),
        shared_headroom=field(held.get("shared_headroom")),
    )
