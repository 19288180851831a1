"""From a port's settings to what CONFIG_DB would hold of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from lossless.model.classification import Classification, Trust
from lossless.model.link import Fec, LinkSettings, Mtu
from lossless.model.pfc import Pfc, PfcMode, Watchdog, WatchdogAction
from lossless.model.profile import Profile, Range
from lossless.model.settings import Settings
from lossless.model.values import DEFAULT, OFF, entry, is_value
from lossless.platforms.sonic import words
from lossless.platforms.sonic.hear import MAPS
from lossless.platforms.sonic.say_buffers import say_buffers
from lossless.platforms.sonic.say_queues import say_ecn, say_ets
from lossless.platforms.sonic.voice import Voice

_FEC: Final = {
    Fec.NONE: "none",
    Fec.FIRECODE: "fc",
    Fec.AUTO: "auto",
    Fec.RS528: "rs",
    Fec.RS544: "rs",
}
_DETECT: Final = 200  # ms, pfcwd start_default for up to 32 ports
_TIMES: Final = {"detect": Range(100, 5000), "restore": Range(100, 60000)}  # pfcwd/main.py
_MTU: Final = Range(68, 9216)
#: Code points of a map and what they map to.
Entries: TypeAlias = tuple[tuple[int, int], ...]
_ABSENT: Final = (OFF, DEFAULT)


def say_port(told: Settings, profile: Profile | None, *, dynamic: bool = False) -> Voice:
    """Say one port's settings.  `dynamic`: the box finds its buffers by the dynamic model."""
    voice = Voice(profile)
    _link(told.link, voice)
    _mtu(told.mtu, voice)
    send = _pfc(told.pfc, voice)
    _maps(told.classification, send, voice)
    _watchdog(told.watchdog, send, voice)
    say_ets(told.ets, voice)
    say_ecn(told.ecn, voice)
    say_buffers(told.buffers, send or frozenset(), voice, dynamic=dynamic)
    _others(told, voice)
    return voice


def _others(told: Settings, voice: Voice) -> None:
    for leaf in ("pause_send", "pause_honour"):
        if getattr(told.link, leaf) is True:
            voice.refuse("802.3x pause has no field in CONFIG_DB", "link", leaf)
    for leaf in ("dcbx", "advertise", "willing"):
        if getattr(told.dcb, leaf) is True:
            voice.refuse("community SONiC has no DCBX", "dcb", leaf)


def _link(told: LinkSettings, voice: Voice) -> None:
    if is_value(told.speed):
        if told.speed % words.MEGABIT or told.speed <= 0:
            voice.refuse("a speed is whole Mb/s", "link", "speed")
        else:
            voice.slots["PORT", "speed"] = str(told.speed // words.MEGABIT)
    elif told.speed is OFF:
        voice.refuse("a port has a speed", "link", "speed")
    elif told.speed is DEFAULT:
        voice.slots["PORT", "speed"] = None
    if is_value(told.lanes):
        voice.slots["lanes",] = told.lanes
    _fec(told, voice)
    for leaf, name, on, off in (
        ("autoneg", "autoneg", "on", "off"),
        ("link_training", "link_training", "on", "off"),
        ("admin_up", "admin_status", "up", "down"),
    ):
        held = getattr(told, leaf)
        if held is not None:
            voice.slots["PORT", name] = None if held is DEFAULT else on if held is True else off


def _fec(told: LinkSettings, voice: Voice) -> None:
    held = Fec.NONE if told.fec is OFF else told.fec
    if is_value(held) and held not in _FEC:
        voice.refuse(f"FEC {held.value} has no word in PORT.fec", "link", "fec")
    elif held is not None:
        voice.slots["PORT", "fec"] = _FEC[held] if is_value(held) else None


def _mtu(told: Mtu, voice: Voice) -> None:
    size = told.native if told.native is not None else told.l3
    if is_value(told.l3) and is_value(told.native) and told.l3 != told.native:
        voice.refuse("PORT.mtu is the layer-3 MTU: state one number", "mtu", "native")
    voice.refuse_told("there is one MTU for a port", told.l2, "mtu", "l2")
    for priority, held in told.per_class:
        voice.refuse_told("a class has no MTU of its own", held, "mtu", "per_class", priority)
    if size is OFF or (is_value(size) and not _MTU.holds(size)):
        voice.refuse(f"PORT.mtu is {_MTU.low} to {_MTU.high} (sonic-port.yang)", "mtu", "native")
    elif size is not None:
        voice.slots["PORT", "mtu"] = str(size) if is_value(size) else None


def _pfc(told: Pfc, voice: Voice) -> frozenset[int] | None:
    """Say PFC; returns the priorities sent, `None` where not told."""
    if told.mode is PfcMode.AUTO:
        voice.refuse("PFC cannot be negotiated: there is no DCBX", "pfc", "mode")
    send, honour = (frozenset() if s in _ABSENT else s for s in (told.send, told.honour))
    if told.mode is OFF:
        send = honour = frozenset()
    if send is None:
        send = frozenset() if honour == words.PRIORITIES else honour
    if send is None:
        return None
    if not send <= words.PRIORITIES:
        voice.refuse("a priority of PFC is 0 to 7", "pfc", "send")
        return None
    voice.slots["QOS", "pfc_enable"] = words.listed(send) or None
    if honour is not None:
        asymmetric = honour == words.PRIORITIES != send
        if honour != send and not asymmetric:
            voice.refuse("what is honoured is what is sent, or all (pfc_asym)", "pfc", "honour")
        voice.slots["PORT", "pfc_asym"] = "on" if asymmetric else None
    return frozenset(send)


# --- maps ----------------------------------------------------------------------------------------


def _maps(told: Classification, send: frozenset[int] | None, voice: Voice) -> None:
    _unmappable(told, voice)
    contents = {binding: _content(told, binding, voice) for binding in MAPS}
    if send:
        _complete(told, contents, send)
    trust = told.trust
    if trust is Trust.DSCP or trust is Trust.PCP or trust in (OFF, Trust.NONE):
        kept = {Trust.DSCP: "dscp_to_tc_map", Trust.PCP: "dot1p_to_tc_map"}.get(trust)  # type: ignore[arg-type]
        for binding in ("dscp_to_tc_map", "dot1p_to_tc_map"):
            if binding != kept:
                contents[binding] = ()
            elif not contents[binding]:
                voice.refuse("trust needs the map that it reads", "classification", "trust")
    elif trust is Trust.PORT:
        voice.refuse("a port trusts DSCP or PCP by its map", "classification", "trust")
    if told.rewrite_dscp_enabled is OFF:
        contents["tc_to_dscp_map"] = ()
    for binding, content in contents.items():
        if content is not None:
            voice.slots["map", binding] = content


def _content(
    told: Classification, binding: str, voice: Voice
) -> tuple[tuple[int, int], ...] | None:
    """Return the entries of one map; `None` where it was not told."""
    leaf, _, highest = MAPS[binding]
    held = getattr(told, leaf)
    if all(value is None for value in held):
        return None
    out = []
    for point, value in enumerate(held):
        if not is_value(value):
            if value is OFF:
                voice.refuse("an entry maps to a number", "classification", leaf, point)
            continue
        if 0 <= value <= highest:
            out.append((point, value))
        else:
            voice.refuse(f"an entry is 0 to {highest}", "classification", leaf, point)
    return tuple(out)


def _complete(told: Classification, contents: dict[str, Any], send: frozenset[int]) -> None:
    """Fill what nobody told of the maps that PFC needs: one number all along the chain.

    The templates do the same (sonic-buildimage qos_config.j2): without these maps every packet
    and every pause would meet queue 0 and group 0.
    """
    defaults: Mapping[str, dict[int, int]] = {
        "tc_to_queue_map": {n: n for n in range(8)},
        "tc_to_pg_map": {n: n if n in send else 0 for n in range(8)},
        "pfc_to_queue_map": {n: n for n in range(8)},
    }
    for binding, filled in defaults.items():
        held = getattr(told, MAPS[binding][0])
        said = dict(contents[binding] or ())
        for point, value in filled.items():
            if not said or entry(held, point) is None:
                said = {point: value, **said} if contents[binding] else said
        contents[binding] = tuple(sorted((said or filled).items()))


def _unmappable(told: Classification, voice: Voice) -> None:
    for priority, tc in enumerate(told.priority_to_tc):
        if is_value(tc) and tc != priority:
            message = "a priority is its traffic class"
            voice.refuse(message, "classification", "priority_to_tc", priority)
    for leaf in ("priority_to_group", "rewrite_pcp"):
        for point, value in enumerate(getattr(told, leaf)):
            voice.refuse_told("CONFIG_DB has no such map", value, "classification", leaf, point)
    for leaf in ("default_priority", "default_dscp", "default_pcp", "rewrite_pcp_enabled"):
        held = getattr(told, leaf)
        voice.refuse_told("CONFIG_DB has no such field", held, "classification", leaf)
    for leaf in ("tunnel_dscp", "tunnel_ecn"):
        held = getattr(told, leaf)
        voice.refuse_told("tunnels are not written", held, "classification", leaf)


# --- watchdog ------------------------------------------------------------------------------------


def _watchdog(told: Watchdog, send: frozenset[int] | None, voice: Voice) -> None:
    if told.priorities is OFF:
        voice.slots["QOS", "pfcwd_sw_enable"] = None
    elif told.priorities is not None:
        held = told.priorities if is_value(told.priorities) else frozenset[int]()
        voice.slots["QOS", "pfcwd_sw_enable"] = words.listed(held) or None
    if told.enabled is None:
        return
    if told.enabled is not True:
        voice.slots["watchdog",] = None
        return
    if send and not is_value(told.priorities) and told.priorities is not OFF:
        voice.slots["QOS", "pfcwd_sw_enable"] = words.listed(send)
    detect = _time(told.detect, "detect", _DETECT, voice)
    action = told.action if is_value(told.action) else WatchdogAction.DROP
    if action is WatchdogAction.ERRDISABLE:
        voice.refuse("the watchdog drops, forwards or alerts", "watchdog", "action")
        action = WatchdogAction.DROP
    voice.slots["watchdog",] = {
        "action": action.value,
        "detection_time": str(detect),
        "restoration_time": str(_time(told.restore, "restore", 2 * detect, voice)),
    }


def _time(held: Any, leaf: str, default: int, voice: Voice) -> int:
    if not is_value(held):
        return default
    whole, rest = divmod(held, words.MILLISECOND)
    limits = _TIMES[leaf]
    if rest or not limits.holds(whole):
        voice.refuse(f"a whole number of ms, {limits.low} to {limits.high}", "watchdog", leaf)
        return default
    return int(whole)
