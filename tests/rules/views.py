"""Views made by hand, for what an inventory cannot state: running states and odd platforms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lossless.model.buffers import Buffers
from lossless.model.classes import Place, PortIntent, PortRole, TrafficClass
from lossless.model.classification import DSCPS, Classification, Trust
from lossless.model.facet import table
from lossless.model.link import Adapter, Cable, LinkSettings, Mtu, VlanSettings
from lossless.model.pfc import DcbOwnership, Pfc, PfcMode, Watchdog
from lossless.model.profile import Grade, Profile, Source
from lossless.model.rdma import CongestionControl, Marking
from lossless.model.scheduling import Ecn, Ets
from lossless.model.settings import System
from lossless.model.values import OFF, number_map
from lossless.rules.declare import Answer, Fault, Missing, Rule
from lossless.rules.views import Hop, LinkView, PathView, PortView

ROCE = TrafficClass(dscp=frozenset({26}), priorities=frozenset({3}), lossless=True)
CNP = TrafficClass(dscp=frozenset({48}), priorities=frozenset({6}), lossless=OFF)
BULK = TrafficClass(priorities=frozenset({0}), lossless=OFF)
CLASSES = table({"roce": ROCE, "cnp": CNP, "default": BULK})
SENDS = table({"rdma": "roce", "cnp": "cnp"})

BY_EIGHTS = number_map(DSCPS, {dscp: dscp >> 3 for dscp in range(DSCPS)})


def port(**held: Any) -> PortView:
    """A switch port that does everything right; `held` replaces facets."""
    view = PortView()
    slots: dict[str, Any] = {
        "adapter": Adapter(),
        "buffers": Buffers(),
        "classification": Classification(trust=Trust.DSCP, dscp_to_priority=BY_EIGHTS),
        "congestion": CongestionControl(),
        "dcb": DcbOwnership(),
        "ecn": Ecn(),
        "ets": Ets(),
        "intent": PortIntent(classes=CLASSES, congestion_control="dcqcn"),
        "link": LinkSettings(),
        "linked": True,
        "marking": Marking(),
        "mtu": Mtu(l3=9000),
        "pfc": pauses(3),
        "place": Place(role=PortRole.HOST, owner_role="leaf", fabric="pod", lossless=True),
        "profile": None,
        "system": System(),
        "vlans": VlanSettings(),
        "watchdog": Watchdog(),
        **held,
    }
    for slot, value in slots.items():
        setattr(view, slot, value)
    return view


def nic(**held: Any) -> PortView:
    """A NIC that does everything right; `held` replaces facets."""
    return port(
        **{
            "place": Place(role=PortRole.HOST, owner_role="host", fabric="pod", lossless=True),
            "intent": PortIntent(classes=CLASSES, sends=SENDS, congestion_control="dcqcn"),
            **held,
        }
    )


def pauses(*priorities: int, mode: PfcMode | Any = PfcMode.ON) -> Pfc:
    return Pfc(mode=mode, send=frozenset(priorities), honour=frozenset(priorities))


def wire(a: PortView, b: PortView | None, **cable: Any) -> LinkView:
    return LinkView(a, b, Cable(**cable))


def path(*hops: tuple[PortView | None, PortView | None], kind: str = "rdma") -> PathView:
    name, cls = ("cnp", CNP) if kind == "cnp" else ("roce", ROCE)
    return PathView(kind, name, cls, tuple(Hop(*hop) for hop in hops))


def profile(grade: Grade = Grade.VERIFIED, *facts: str, **held: Any) -> Profile:
    sources = {fact: Source("a manual", grade, "2026-01-01") for fact in facts}
    return Profile(platform="box", kind="switch", sources=sources, **held)


def answers(rule: Rule, view: Any) -> list[Answer]:
    return list(rule.check(view, **rule.options))


def faults(rule: Rule, view: Any) -> list[Fault]:
    return [answer for answer in answers(rule, view) if isinstance(answer, Fault)]


def missing(rule: Rule, view: Any) -> set[str]:
    found: Iterable[Missing] = (a for a in answers(rule, view) if isinstance(a, Missing))
    return {field for answer in found for field in answer.fields}
