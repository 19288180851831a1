"""States as SONiC gives them back, what is lost on the way, and what it has no words for."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from lossless.model.buffers import Pool
from lossless.model.device import DeviceState
from lossless.model.facet import row as row_of
from lossless.model.facet import table
from lossless.model.overlay import overlay
from lossless.model.pfc import Watchdog
from lossless.model.profile import Profile
from lossless.model.scheduling import Ecn, QueueEcn
from lossless.model.settings import Settings, System
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.contract import Inexpressible, Loss
from lossless.platforms.sonic.db import LOSSLESS_POOL, Native, Tables, is_port
from lossless.platforms.sonic.draft import Draft
from lossless.platforms.sonic.hear import hear
from lossless.platforms.sonic.hear_buffers import pool_name
from lossless.platforms.sonic.say import say_port
from lossless.platforms.sonic.say_buffers import say_system

_YANG: Final = "sonic-net/sonic-buildimage, sonic-yang-models"
_SWSS: Final = "sonic-net/sonic-swss, orchagent and cfgmgr"
_QOS: Final = "sonic-net/sonic-buildimage, qos_config.j2"
_PFCWD: Final = "sonic-net/sonic-utilities, pfcwd/main.py"

LOSSES: Final = (
    Loss(
        "OFF, where CONFIG_DB says it by leaving a field or row out",
        "PFC, watchdog, maps, schedulers, curves, cable: absent reads as DEFAULT",
        _YANG,
    ),
    Loss("kind of FEC code", "PORT.fec says rs; the lanes' rate tells which code that is", _YANG),
    Loss("lanes", "they come with the port; read, never written", _YANG),
    Loss(
        "kind of share (ETS, remaining, WFQ)",
        "DWRR with a weight from 1 to 100 is the form; per cent read back as weights",
        "sonic-scheduler.yang",
    ),
    Loss("share of a strict queue", "STRICT ignores its weight", _SWSS),
    Loss(
        "maps that PFC needs and nobody told",
        "written as identity (queues, pauses) and as own group for each lossless class, else 0",
        _QOS,
    ),
    Loss(
        "colours' switches",
        "a colour with thresholds has wred_<colour>_enable true; ecn is ecn_all or ecn_none",
        "sonic-wred-profile.yang",
    ),
    Loss(
        "watchdog without times or action",
        "200 ms, twice the detection, and drop are written",
        _PFCWD,
    ),
    Loss("watched priorities, where not told", "those of PFC: pfcwd_sw_enable", _SWSS),
    Loss("poll interval told per port", "PFC_WD|GLOBAL holds one for the box", _YANG),
    Loss(
        "shared headroom told of the box",
        "it is the xoff of ingress_lossless_pool, and reads back as that pool's",
        "sonic-buffer-pool.yang; sonic-swss cfgmgr/buffermgr.cpp",
    ),
    Loss("a pool that is no longer told", "pools are never deleted: profiles draw on them", _SWSS),
    Loss("settings told for the whole box", "each port has a row of its own", _YANG),
    Loss("a macro", "its settings are written out for each port", _QOS),
    Loss("cable below one metre", "whole metres, rounded up", "sonic-cable-length.yang"),
    Loss(
        "groups that buffermgrd made (pg_lossless_<speed>_<cable>_profile)",
        "they follow from PFC, speed and cable; kept apart as derived, never compared",
        "sonic-swss cfgmgr/buffermgr.cpp",
    ),
    Loss(
        "a map that is not trusted",
        "a port trusts DSCP or PCP by having the map; the other map is not named",
        _YANG,
    ),
    Loss("a pool without direction or mode", "by its name, and dynamic", _YANG),
    Loss("a switch's VLANs, DCBX, pause; a host's settings", "not in these tables", _YANG),
)


def complete(state: DeviceState) -> DeviceState:
    """Return a state that says outright what it implies; untold things stay untold.

    The watchdog watches the priorities of PFC; ECN that is off does not drop either; the poll
    interval and the headroom of the lossless pool are the box's.
    """
    ports = {name: _complete_port(settings) for name, settings in state.ports.items()}
    system = state.system
    poll: Any = system.settings.watchdog.poll
    for name in sorted(state.ports):
        if poll is None:
            poll = state.ports[name].watchdog.poll
    settings = _complete_port(system.settings)
    watchdog = dataclasses.replace(settings.watchdog, poll=poll)
    settings = dataclasses.replace(settings, watchdog=watchdog)
    buffers = _own_headroom(system)
    return DeviceState(dataclasses.replace(system, settings=settings, buffers=buffers), ports)


def _own_headroom(system: System) -> Any:
    """Move the box's shared headroom to the pool whose `xoff` it is."""
    size = system.buffers.headroom_pool.size
    if size is None:
        return system.buffers
    name = pool_name(LOSSLESS_POOL)
    pool = row_of(system.buffers.pools, name) or Pool()
    if pool.shared_headroom is None:
        pool = dataclasses.replace(pool, shared_headroom=size)
    pools = table({**dict(system.buffers.pools), name: pool})
    headroom = dataclasses.replace(system.buffers.headroom_pool, size=None)
    return dataclasses.replace(system.buffers, pools=pools, headroom_pool=headroom)


def _complete_port(told: Settings) -> Settings:
    watchdog = told.watchdog
    if watchdog.enabled is True and watchdog.priorities is None and is_value(told.pfc.send):
        watchdog = dataclasses.replace(watchdog, priorities=told.pfc.send)
    watchdog = dataclasses.replace(watchdog, poll=None)
    rows = {
        queue: dataclasses.replace(held, wred=OFF) if _off(held) else held
        for queue, held in told.ecn.queues
    }
    if watchdog == told.watchdog and rows == dict(told.ecn.queues):
        return told
    ecn = Ecn(enabled=told.ecn.enabled, queues=table(rows))
    return dataclasses.replace(told, watchdog=watchdog, ecn=ecn)


def _off(held: QueueEcn) -> bool:
    return held.enabled is OFF and held.wred is None


def spread(state: DeviceState, profile: Profile | None) -> DeviceState:
    """Lay what the box (and its macro) states for all ports beneath each; then `complete`."""
    system = state.system
    macro = None
    if profile is not None and is_value(system.macro):
        macro = profile.macros.get(system.macro)
    beneath = system.settings
    if macro is not None:
        system = dataclasses.replace(overlay(macro, system), macro=None)
        beneath = overlay(macro.settings, beneath)
    poll = system.settings.watchdog.poll
    ports = state.ports
    if beneath != Settings():
        ports = {name: overlay(beneath, told) for name, told in ports.items()}
    system = dataclasses.replace(system, settings=Settings(watchdog=Watchdog(poll=poll)))
    return complete(DeviceState(system, ports))


def is_dynamic(system: System) -> bool:
    """Say whether the box finds its buffers by the dynamic model."""
    return system.buffers.model == "dynamic"


def written(state: DeviceState, profile: Profile | None) -> Tables:
    """Return the tables of a box at its defaults, on which a spread state was written."""
    base: Tables = {"PORT": {}}
    draft = Draft.of(base)
    box = say_system(state.system, profile, {})
    draft.system({}, box.slots)
    dynamic = is_dynamic(state.system)
    for name, told in state.ports.items():
        if not is_port(name):
            continue
        voice = say_port(told, profile, dynamic=dynamic)
        draft.tables["PORT"].setdefault(name, {})
        draft.port(name, {}, voice.slots)
        lanes = voice.slots.get(("lanes",))
        if lanes:
            draft.put("PORT", name, "lanes", ",".join(str(n + 1) for n in range(lanes)))
    return draft.settle()


def canonical(state: DeviceState, profile: Profile | None = None) -> DeviceState:
    """Return the state as a box at its defaults gives it back once it was told."""
    tables = written(spread(state, profile), profile)
    return hear(Native(tables=tables, whole=True))


def inexpressible(state: DeviceState, profile: Profile | None = None) -> tuple[Inexpressible, ...]:
    """List what the state says and CONFIG_DB cannot hold."""
    whole = spread(state, profile)
    box = say_system(whole.system, profile, {})
    found = [Inexpressible(("system", *path), message) for path, message in box.refused]
    for name, told in whole.ports.items():
        if not is_port(name):
            message = f"{name!r} is not the name of a port of SONiC, such as Ethernet0"
            found.append(Inexpressible(("ports", name), message))
            continue
        voice = say_port(told, profile, dynamic=is_dynamic(whole.system))
        found += [Inexpressible(("ports", name, *path), message) for path, message in voice.refused]
    found += _polls(state)
    return tuple(found)


def _polls(state: DeviceState) -> list[Inexpressible]:
    """List ports whose poll interval is not the one that the box gets."""
    box = complete(state).system.settings.watchdog.poll
    return [
        Inexpressible(
            ("ports", name, "watchdog", "poll"),
            "there is one poll interval for the whole box, and another statement differs",
        )
        for name, told in state.ports.items()
        if told.watchdog.poll not in (None, DEFAULT, box)
    ]
