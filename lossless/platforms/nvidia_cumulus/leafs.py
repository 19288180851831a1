"""The leaves of the model that NVUE has words for, feature by feature, and how they are put
together again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from lossless.model.buffers import Buffers
from lossless.model.classification import DSCPS, PRIORITIES, Classification
from lossless.model.facet import table
from lossless.model.link import LinkSettings, Mtu
from lossless.model.pfc import DcbOwnership, Pfc, Watchdog
from lossless.model.scheduling import Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.settings import Settings

Path: TypeAlias = tuple[str | int, ...]
Leaves: TypeAlias = dict[Path, Any]

MAPPING: Final = "mapping"
REMARK: Final = "remark"
PFC: Final = "pfc"
CONGESTION: Final = "congestion-control"
SCHEDULER: Final = "egress-scheduler"
SHAPER: Final = "egress-shaper"
PAUSE: Final = "link-pause"
#: Features whose profiles are bound to ports, with the release that brought them.
SINCE: Final[Mapping[str, int]] = {
    MAPPING: 3,
    REMARK: 4,
    PFC: 3,
    CONGESTION: 3,
    SCHEDULER: 3,
    SHAPER: 4,
    PAUSE: 4,
}
QUEUES: Final = range(8)
TRUST: Final[Path] = ("classification", "trust")
CABLE: Final[Path] = ("buffers", "cable")
POLL: Final[Path] = ("watchdog", "poll")
DETECT: Final[Path] = ("watchdog", "detect")
ADVERTISE: Final[Path] = ("dcb", "advertise")
ECN: Final = ("enabled", "wred", "minimum", "maximum", "probability")


def _map(name: str, size: int) -> tuple[Path, ...]:
    return tuple(("classification", name, n) for n in range(size))


TO_TC: Final = _map("priority_to_tc", PRIORITIES)
#: What each feature says.
FEATURES: Final[Mapping[str, tuple[Path, ...]]] = {
    MAPPING: (
        TRUST,
        ("classification", "default_priority"),
        *_map("pcp_to_priority", 8),
        *_map("dscp_to_priority", DSCPS),
    ),
    REMARK: (
        ("classification", "rewrite_dscp_enabled"),
        ("classification", "rewrite_pcp_enabled"),
        *_map("rewrite_dscp", PRIORITIES),
        *_map("rewrite_pcp", PRIORITIES),
    ),
    PFC: (("pfc", "mode"), ("pfc", "send"), ("pfc", "honour"), CABLE),
    CONGESTION: tuple(("ecn", "queues", n, name) for n in QUEUES for name in ECN),
    SCHEDULER: tuple(
        ("ets", "queues", n, name) for n in QUEUES for name in ("algorithm", "bandwidth")
    ),
    SHAPER: tuple(("ets", "queues", n, "cap") for n in QUEUES),
    PAUSE: (("link", "pause_send"), ("link", "pause_honour")),
}
#: What an interface says of itself.
OWN: Final[tuple[Path, ...]] = (
    ("mtu", "native"),
    ("mtu", "l3"),
    ("link", "speed"),
    ("link", "fec"),
    ("link", "autoneg"),
    ("link", "admin_up"),
    ("watchdog", "enabled"),
    ADVERTISE,
)
#: What one statement says for the whole box.
BOX_ONLY: Final[tuple[Path, ...]] = (*TO_TC, POLL, DETECT)
ALL: Final = frozenset({*(path for paths in FEATURES.values() for path in paths), *OWN, *BOX_ONLY})

_SIZES: Final = {"dscp_to_priority": DSCPS, "tc_to_queue": 16, "tc_to_group": 16}
_FACETS: Final[Mapping[str, Any]] = {
    "link": LinkSettings,
    "mtu": Mtu,
    "classification": Classification,
    "pfc": Pfc,
    "watchdog": Watchdog,
    "dcb": DcbOwnership,
    "buffers": Buffers,
}


def assemble(told: Mapping[Path, Any]) -> Settings:
    """Return settings of which these leaves are told."""
    plain: dict[str, dict[str, Any]] = {}
    rows: dict[str, dict[int, dict[str, Any]]] = {"ecn": {}, "ets": {}}
    for path, held in told.items():
        facet, name = str(path[0]), str(path[1])
        if held is None:
            continue
        if facet in rows:
            rows[facet].setdefault(int(path[2]), {})[str(path[3])] = held
        elif len(path) == 3:
            entries = plain.setdefault(facet, {}).setdefault(
                name, [None] * _SIZES.get(name, PRIORITIES)
            )
            entries[int(path[2])] = held
        else:
            plain.setdefault(facet, {})[name] = held
    facets: dict[str, Any] = {
        facet: _FACETS[facet](
            **{name: tuple(held) if isinstance(held, list) else held for name, held in said.items()}
        )
        for facet, said in plain.items()
    }
    if rows["ecn"]:
        facets["ecn"] = Ecn(queues=table({n: QueueEcn(**row) for n, row in rows["ecn"].items()}))
    if rows["ets"]:
        queues = table({n: QueueScheduling(**row) for n, row in rows["ets"].items()})
        facets["ets"] = Ets(queues=queues)
    return Settings(**facets)
