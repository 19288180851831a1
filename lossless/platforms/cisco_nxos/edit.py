"""A box edited into what a state tells, and the states that NX-OS gives back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.effective import leaves
from lossless.model.facet import is_facet
from lossless.model.profile import Profile
from lossless.model.settings import Settings, System
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.cisco_nxos.box import NOWHERE, Box
from lossless.platforms.cisco_nxos.draft import Draft, Refuse, clean, refuse_fields, tells
from lossless.platforms.cisco_nxos.grammar import RAW
from lossless.platforms.cisco_nxos.names import is_port, natural
from lossless.platforms.cisco_nxos.say_classes import edit_classes
from lossless.platforms.cisco_nxos.say_network import edit_network
from lossless.platforms.cisco_nxos.say_port import edit_port, refuse_watchdog
from lossless.platforms.cisco_nxos.say_queues import edit_input, edit_output

_NO_WORDS: Final = "NX-OS has no words for it that were verified"


def defaults() -> Box:
    """Return a box on which nothing is configured."""
    return Box(whole=True, policies_seen=True)


def draft(old: Box, after: DeviceState, profile: Profile | None) -> Draft:
    """Return a box edited so that it does what a state tells; what is not told is left alone."""
    out = Draft(old, profile)
    state = _ports_only(out, after)
    for name in sorted(state.ports, key=natural):
        edit_port(out, name, state.ports[name])
        _refuse_port(out.at("ports", name), state.ports[name])
    _edit_box(out, state)
    edit_network(out, state)
    edit_output(out, state)
    edit_input(out, state)
    edit_classes(out, state)
    _edit_raw(out, state.system.raw)
    _refuse_system(out.at("system"), state.system)
    clean(out)
    return out


def _ports_only(out: Draft, after: DeviceState) -> DeviceState:
    ports = {name: settings for name, settings in after.ports.items() if is_port(name)}
    for name in after.ports:
        if name not in ports:
            message = f"{name!r} is not the name of a port of NX-OS, such as Ethernet1/1"
            out.refuse(message, "ports", name)
    return DeviceState(after.system, ports)


# --- the box -------------------------------------------------------------------------------------


def _edit_box(out: Draft, state: DeviceState) -> None:
    settings, held, seen = state.system.settings, out.new.system, out.old.whole
    enabled = settings.watchdog.enabled
    if enabled is None and any(s.watchdog.enabled is True for s in state.ports.values()):
        enabled = (
            True  # a port's watchdog works only with the box's (nxos_config_roce.py sets both)
        )
    if enabled is not None:
        on = True if enabled is True else None
        out.put(held, ("watchdog",), on, "the box", seen=seen)
    dcbx = _dcbx(out, state)
    if dcbx is OFF:
        out.put(held, ("dcbxp",), OFF, "the box", seen=seen)
    elif dcbx is not None and held.slots.get(("dcbxp",)) is OFF:
        out.put(held, ("dcbxp",), None, "the box", seen=seen)
    if dcbx is True:
        out.put(held, ("lldp",), True, "the box", seen=True)


def _dcbx(out: Draft, state: DeviceState) -> Any:
    told = state.system.settings.dcb.dcbx
    for name in sorted(state.ports, key=natural):
        own = state.ports[name].dcb.dcbx
        if own is None or own is DEFAULT:
            continue
        if told is None:
            told = own
        elif told != own:
            message = "NX-OS turns DCBX on or off for the whole box"
            out.refuse(message, "ports", name, "dcb", "dcbx")
    return told


def _edit_raw(out: Draft, raw: Iterable[str]) -> None:
    told = tuple(raw)
    if not told:
        return
    for line in told:
        if not RAW.fullmatch(line):
            out.refuse(f"`{line}` is not among the lines that are written unread", "system", "raw")
    wanted = [line for line in told if RAW.fullmatch(line)]
    missing = [line for line in out.old.raw if line not in wanted]
    if not out.old.whole and (missing or any(line not in out.old.raw for line in wanted)):
        out.unseen.append("the box: raw lines")
    out.new.raw = {line: out.old.raw.get(line, NOWHERE) for line in wanted}


# --- what has no words ---------------------------------------------------------------------------


def _refuse_port(refuse: Refuse, settings: Settings) -> None:
    refuse_fields(
        refuse, settings.buffers, "buffers", _NO_WORDS, "cable", "priority_to_buffer", "sizes"
    )
    if settings.ecn.enabled is OFF:
        refuse("NX-OS turns marking on and off by queue", "ecn", "enabled")
    watched, paused = settings.watchdog.priorities, settings.pfc.send
    if is_value(watched) and is_value(paused) and watched != paused:
        refuse("the watchdog watches every lossless queue", "watchdog", "priorities")


def _refuse_system(refuse: Refuse, system: System) -> None:
    settings = system.settings
    for name in ("link", "vlans"):
        if tells(getattr(settings, name)):
            refuse("NX-OS states it on each interface", "settings", name)
    refuse_fields(
        refuse, settings.mtu, "mtu", "NX-OS states it on each interface", "native", "l3", "l2"
    )
    refuse_fields(refuse, settings.pfc, "pfc", "NX-OS states it on each interface", "mode")
    refuse_watchdog(lambda message, *path: refuse(message, "settings", *path), settings)
    for name in ("pfc_stopped", "macro"):
        if is_value(getattr(system, name)):
            refuse(_NO_WORDS, name)
    for name in ("buffers", "ecn_global"):
        if _holds(getattr(system, name)):
            refuse(_NO_WORDS, name)


def _holds(facet: Any) -> bool:
    return is_facet(facet) and any(is_value(held) and held != () for _, held in leaves(facet))
