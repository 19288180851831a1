"""From merged statements to the facets of a port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lossless.intent.lowering.classes import (
    Chain,
    Contest,
    Declared,
    contests,
    lossless_priorities,
    read_classes,
)
from lossless.intent.lowering.host import (
    lower_adapter,
    lower_congestion,
    lower_marking,
    lower_sends,
)
from lossless.intent.lowering.qos import (
    class_mtus,
    lower_buffers,
    lower_classification,
    lower_dcb,
    lower_ecn,
    lower_ets,
    lower_pfc,
    lower_trust,
    lower_watchdog,
)
from lossless.intent.lowering.values import field, section, switch
from lossless.intent.lowering.wire import lower_link, lower_mtu, lower_vlans
from lossless.inventory.kinds import UNKNOWN
from lossless.model.classes import PortIntent, PortRole
from lossless.model.effective import effective
from lossless.model.profile import Profile
from lossless.model.rdma import CongestionControl, Marking
from lossless.model.scheduling import Ecn
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.values import OFF, Switch

#: Ports of these roles carry no RoCE unless somebody says that they do.
QUIET = frozenset({PortRole.MANAGEMENT, PortRole.OTHER, PortRole.UNUSED})


@dataclass(frozen=True, slots=True)
class Statements:
    """What is in force on a port, merged three times.

    `all` holds every layer; `own` those that are about this device (overrides, roles, device,
    port), without the fabric's policy; `port` those of the port alone.
    """

    all: Mapping[str, Any]
    own: Mapping[str, Any]
    port: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What else decides how statements are lowered."""

    nic: bool
    role: PortRole | None
    profile: Profile | None
    macro: str | None
    model: str | None


@dataclass(frozen=True, slots=True)
class Lowered:
    """The settings and the intent of a port.

    `contests` are what two classes claim both; `strangers` the kinds of traffic that are sent in
    a class nobody declares.
    """

    settings: Settings
    intent: PortIntent
    lossless: Switch
    contests: tuple[Contest, ...] = ()
    strangers: tuple[tuple[str, str], ...] = ()


def carries(
    data: Mapping[str, Any], role: PortRole | None, declared: list[Declared]
) -> tuple[Switch, bool]:
    """Say whether RoCE is meant to cross a port, and whether the fabric's policy is about it.

    What is said of the port counts; then its role; and then whether any class is lossless.
    """
    written = data.get("lossless")
    if written is not None:
        return switch(written), written is True
    if role in QUIET:
        return OFF, False
    said = {one.traffic.lossless for one in declared}
    if True in said:
        return True, True
    return OFF if said == {OFF} else None, True


def lower_port(told: Statements, around: Circumstances) -> Lowered:
    """Return what the statements in force mean for one port."""
    declared, rows = read_classes(told.all)
    lossless, subject = carries(told.all, around.role, declared)
    qos = told.all
    if not subject:
        qos = told.port
        declared, _ = read_classes(qos)
        rows = ()
    chain = Chain(_by_default(around).classification, around.nic)
    default = lossless_priorities(declared)
    sized = told.port if around.role in QUIET and not subject else told.all
    settings = Settings(
        link=lower_link(_linked(qos, told.all), lossless_class=_any_lossless(declared)),
        mtu=lower_mtu(sized, around.profile, class_mtus(declared), nic=around.nic),
        vlans=lower_vlans(told.all),
        classification=lower_classification(
            qos, declared, chain, lower_trust(qos, told.own, around.profile)
        ),
        pfc=lower_pfc(qos, lossless, default),
        watchdog=lower_watchdog(_watched(told, around) if subject else qos, lossless),
        dcb=lower_dcb(qos),
        ets=lower_ets(declared, chain),
        ecn=Ecn() if around.nic else lower_ecn(declared, chain),
        buffers=lower_buffers(told.own if around.nic else qos, declared, chain),
        marking=lower_marking(told.all) if around.nic else Marking(),
        congestion=lower_congestion(qos, declared) if around.nic else CongestionControl(),
        adapter=lower_adapter(told.all, around.model) if around.nic else NOTHING.adapter,
    )
    intent = PortIntent(
        classes=rows,
        sends=lower_sends(qos, declared) if around.nic else (),
        minimum_l3_mtu=_number(section(sized, "mtu").get("min_l3")),
        congestion_control=field(qos.get("congestion_control")),
    )
    known = {name for name, _ in rows}
    strangers = tuple((kind, name) for kind, name in intent.sends if subject and name not in known)
    return Lowered(settings, intent, lossless, tuple(contests(declared)), strangers)


def _watched(told: Statements, around: Circumstances) -> Mapping[str, Any]:
    """Return whose word about the watchdog counts: a fabric's policy means its switches."""
    if not around.nic:
        return told.all
    able = around.profile is None or around.profile.watchdog_supported is not False
    return told.own if able else told.port


def _linked(qos: Mapping[str, Any], everything: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return link statements of all layers, but pause only where the policy applies."""
    return {**everything, "pause": qos.get("pause")}


def _any_lossless(declared: list[Declared]) -> bool:
    return any(one.traffic.lossless is True for one in declared)


def _number(written: Any) -> Any:
    return None if written is UNKNOWN else written


def _by_default(around: Circumstances) -> Settings:
    """Return what the platform does on its own, its macro included."""
    system = System(macro=around.macro)
    return effective(NOTHING, around.profile, system, assume_defaults=True).settings


__all__ = ["Circumstances", "Contest", "Lowered", "Statements", "carries", "lower_port"]
