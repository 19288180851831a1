"""From the rows of the BUFFER_ tables to buffers of a port and of the box."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from lossless.model.buffers import Buffers, Pool, PriorityGroup, QueueBuffer
from lossless.model.facet import table
from lossless.model.units import PPM
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.sonic import words
from lossless.platforms.sonic.db import BUFFER_NONE, POOL_SUFFIX, Native, Row, by_number

_CABLE: Final = re.compile(r"(\d{1,6})m")
#: Numbers that a row is given for where all rows were seen.
_GROUPS: Final = range(8)
_QUEUES: Final = range(10)

NO_GROUP: Final = PriorityGroup(
    lossless=DEFAULT,
    reserved=DEFAULT,
    xoff=DEFAULT,
    xon=DEFAULT,
    xon_offset=DEFAULT,
    alpha=DEFAULT,
    limit=DEFAULT,
)
FOUND_GROUP: Final = dataclasses.replace(NO_GROUP, lossless=True)  # by the dynamic model
NO_QUEUE: Final = QueueBuffer(reserved=DEFAULT, alpha=DEFAULT, limit=DEFAULT)


def read_buffers(
    native: Native, port: str, index: Mapping[tuple[str, str], dict[str, Row]]
) -> Buffers:
    """Return the buffers of a port; groups that buffermgrd made stand at DEFAULT."""
    profiles = native.tables.get("BUFFER_PROFILE", {})
    groups = dict.fromkeys(_GROUPS, NO_GROUP) if native.saw("BUFFER_PG") else {}
    for group, key, row in by_number(index.get(("BUFFER_PG", port), {}), port):
        name = row.get("profile", "")
        if name == BUFFER_NONE:
            groups[group] = FOUND_GROUP
        elif (port, key.rpartition("|")[2]) in native.derived:
            continue
        elif name in profiles:
            groups[group] = read_group(profiles[name])
        else:
            groups.pop(group, None)
    queues = dict.fromkeys(_QUEUES, NO_QUEUE) if native.saw("BUFFER_QUEUE") else {}
    for queue, _, row in by_number(index.get(("BUFFER_QUEUE", port), {}), port):
        name = row.get("profile", "")
        if name in profiles:
            queues[queue] = read_queue(profiles[name])
        else:
            queues.pop(queue, None)
    return Buffers(groups=table(groups), queues=table(queues), cable=_cable(native, port))


def read_group(row: Row) -> PriorityGroup:
    """Read a row of BUFFER_PROFILE as an ingress group's; lossless where it holds xoff."""
    return PriorityGroup(
        lossless=True if "xoff" in row else OFF,
        reserved=words.size(row.get("size")),
        xoff=words.size(row.get("xoff")),
        xon=words.size(row.get("xon")),
        xon_offset=words.size(row.get("xon_offset")),
        alpha=words.alpha(row["dynamic_th"]) if "dynamic_th" in row else DEFAULT,
        limit=words.size(row.get("static_th")),
    )


def read_queue(row: Row) -> QueueBuffer:
    """Read a row of BUFFER_PROFILE as an egress queue's."""
    return QueueBuffer(
        reserved=words.size(row.get("size")),
        alpha=words.alpha(row["dynamic_th"]) if "dynamic_th" in row else DEFAULT,
        limit=words.size(row.get("static_th")),
    )


def _cable(native: Native, port: str) -> Any:
    for cables in native.tables.get("CABLE_LENGTH", {}).values():
        if port in cables:
            found = _CABLE.fullmatch(cables[port])
            return int(found[1]) * words.METRE if found else None
    return DEFAULT if native.saw("CABLE_LENGTH") else None


def pool_name(key: str) -> str:
    """Return the model's name of a pool: SONiC's without its ending."""
    return key.removesuffix(POOL_SUFFIX) or key


def read_pool(row: Row) -> Pool:
    """Read a row of BUFFER_POOL; `xoff` is the headroom that lossless groups share."""
    return Pool(
        size=words.size(row.get("size")),
        mode=row.get("mode", DEFAULT),
        direction=row.get("type", DEFAULT),
        shared_headroom=words.size(row.get("xoff")),
    )


def read_ratio(native: Native) -> Any:
    """Return how much headroom is promised for what is there, in parts per million."""
    ratio: Any = DEFAULT if native.saw("DEFAULT_LOSSLESS_BUFFER_PARAMETER") else None
    parameters: Iterable[Row] = native.tables.get("DEFAULT_LOSSLESS_BUFFER_PARAMETER", {}).values()
    for row in parameters:
        found = words.number(row.get("over_subscribe_ratio", "0"))
        ratio = found * PPM if found else DEFAULT
    return ratio
