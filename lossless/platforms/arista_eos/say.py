"""From the model to slots, and what EOS has no words for.

The counterpart of `hear`: `say_port` (and `say_box.say_box`) give the slots that a state asks for.
A statement that only repeats what the device does by itself and does not print (PFC off, a port
that is up) has no slot; one that cannot be said is refused with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lossless.model.classification import Trust
from lossless.model.link import Fec, VlanMode
from lossless.model.pfc import PfcMode, WatchdogAction
from lossless.model.profile import Profile, Range
from lossless.model.settings import Settings
from lossless.model.values import OFF, is_value, value
from lossless.platforms.arista_eos.hear import (
    reed_solomon,
)
from lossless.platforms.arista_eos.say_queue import say_queues
from lossless.platforms.arista_eos.slots import Speed, Timer
from lossless.platforms.arista_eos.voice import G, Voice

#: Speeds that EOS has a word for: lanes by rate, the first where none are told (pyavd 6.4 schema,
#: ethernet_interfaces.speed; `None`: the word without lanes).
SPEEDS: Final[Mapping[int, tuple[int | None, ...]]] = {
    1 * G: (None,),
    10 * G: (None,),
    25 * G: (None,),
    40 * G: (None, 4),
    50 * G: (None, 1, 2),
    100 * G: (None, 1, 2, 4),
    200 * G: (None, 1, 2, 4),
    400 * G: (None, 2, 4, 8),
    800 * G: (8, 4),
    1600 * G: (8,),
}
MTU: Final = Range(68, 9214)  # Arista EOS User Manual: "mtu", 68 to 9214 bytes


def say_port(settings: Settings, profile: Profile | None = None) -> Voice:
    """Return the slots of one port, box-wide statements aside."""
    voice = Voice(profile)
    _link(voice, settings)
    _mtu(voice, settings)
    _vlans(voice, settings)
    _classification(voice, settings)
    _pfc(voice, settings)
    _port_watchdog(voice, settings)
    _dcb(voice, settings)
    say_queues(voice, settings)
    return voice


def _link(voice: Voice, settings: Settings) -> None:
    link = settings.link
    rate, lanes = value(link.speed), value(link.lanes)
    if rate is not None:
        _speed(voice, rate, lanes, link.autoneg is True)
    elif link.autoneg is True:
        voice.put(Speed(None, None, True), "speed")
    elif lanes is not None or link.autoneg is OFF:
        voice.refuse("EOS tells lanes and negotiation together with the speed", "link", "speed")
    _fec(voice, link.fec, settings)
    voice.put(link.link_training if link.link_training is True else None, "training")
    voice.put(True if link.admin_up is OFF else None, "shutdown")
    voice.put(link.pause_send, "flow_send")
    voice.put(link.pause_honour, "flow_receive")


def _speed(voice: Voice, rate: int, lanes: int | None, auto: bool) -> None:
    known = SPEEDS.get(rate)
    if known is None or (lanes is not None and lanes not in known):
        on = "" if lanes is None else f" on {lanes} lanes"
        voice.refuse(f"EOS has no word for {rate / G:g}G{on}", "link", "speed")
        return
    voice.put(Speed(rate, known[0] if lanes is None else lanes, auto), "speed")


def _fec(voice: Voice, fec: Any, settings: Settings) -> None:
    if not isinstance(fec, Fec):
        return
    words: dict[Fec, str] = {Fec.NONE: "none", Fec.FIRECODE: "fire-code"}
    rate = value(settings.link.speed)
    if rate is not None and rate in SPEEDS:
        lanes = value(settings.link.lanes) or SPEEDS[rate][0]
        if fec is reed_solomon(rate, lanes):
            words[fec] = "reed-solomon"
    if fec in words:
        voice.put(words[fec], "fec")
    else:
        voice.refuse(
            f"`reed-solomon` does not mean {fec.value} at this speed, and EOS has no other word",
            "link",
            "fec",
        )


def _mtu(voice: Voice, settings: Settings) -> None:
    """On EOS the number *is* the IP MTU; `l2 mtu` is apart."""
    mtu = settings.mtu
    native, usable = value(mtu.native), value(mtu.l3)
    if native is not None and usable is not None and native != usable:
        voice.refuse(f"the native MTU of EOS is the layer-3 MTU: {native} ≠ {usable}", "mtu", "l3")
    known = voice.profile.limits.native_mtu if voice.profile else MTU
    limits = Range(known.low or MTU.low, known.high or MTU.high)
    told, leaf = (usable, "l3") if native is None else (native, "native")
    voice.number(told, limits, ("mtu",), ("mtu", leaf))
    voice.number(mtu.l2, Range(68, 65535), ("l2_mtu",), ("mtu", "l2"))
    for priority, size in mtu.per_class:
        if is_value(size):
            voice.refuse("EOS has no MTU per class", "mtu", "per_class", priority)


def _vlans(voice: Voice, settings: Settings) -> None:
    vlans = settings.vlans
    ids = Range(1, 4094)
    if vlans.mode is VlanMode.ROUTED:
        voice.slots[("switchport",)] = OFF
    elif vlans.mode is VlanMode.TRUNK:
        voice.put(VlanMode.TRUNK, "mode")
    for held, name in ((vlans.access, "access"), (vlans.native, "native")):
        if held != 1:  # VLAN 1 is what a port has anyway, and EOS does not print it
            voice.number(held, ids, (f"{name}_vlan",), ("vlans", name))
    tagged = value(vlans.tagged)
    if tagged is None:
        return
    if not all(ids.holds(vlan) for vlan in tagged):
        voice.refuse("VLANs are numbered 1 to 4094", "vlans", "tagged")
        return
    native = value(vlans.native)
    allowed = tagged if native in (None, 1) else tagged | {native}
    if len(allowed) < 4094:
        voice.put(allowed, "trunk_vlans")


def _classification(voice: Voice, settings: Settings) -> None:
    held = settings.classification
    if held.trust is Trust.BOTH:
        voice.refuse("EOS trusts DSCP or CoS, not both", "classification", "trust")
    elif held.trust in (Trust.NONE, Trust.PORT):
        voice.put(Trust.PORT, "trust")
    else:
        voice.put(held.trust, "trust")
    where = "classification"
    voice.number(held.default_dscp, Range(0, 63), ("port_dscp",), (where, "default_dscp"))
    voice.number(held.default_pcp, Range(0, 7), ("port_cos",), (where, "default_pcp"))
    if is_value(held.default_priority):
        message = "a port of EOS has a default CoS and DSCP, no default traffic class"
        voice.refuse(message, where, "default_priority")


def _pfc(voice: Voice, settings: Settings) -> None:
    pfc = settings.pfc
    if pfc.mode is PfcMode.AUTO:
        voice.refuse("EOS turns PFC on or off; it does not follow DCBX", "pfc", "mode")
    elif pfc.mode is PfcMode.ON:
        voice.put(True, "pfc")
    send, honour = value(pfc.send), value(pfc.honour)
    if send is not None and honour is not None and send != honour:
        voice.refuse("EOS has one set of priorities for both directions of PFC", "pfc", "honour")
    for priority in sorted(send if send is not None else honour or ()):
        if 0 <= priority <= 7:
            voice.put(True, "no_drop", priority)
        else:
            voice.refuse(f"PFC has priorities 0 to 7, not {priority}", "pfc", "send")


def _port_watchdog(voice: Voice, settings: Settings) -> None:
    watchdog = settings.watchdog
    if watchdog.enabled is OFF:
        voice.slots[("watchdog",)] = OFF
    pauses = {settings.pfc.send, settings.pfc.honour}
    if is_value(watchdog.priorities) and watchdog.priorities not in pauses:
        message = "the watchdog of EOS watches every no-drop priority of the port"
        voice.refuse(message, "watchdog", "priorities")
    action = watchdog.action
    if action in (WatchdogAction.DROP, WatchdogAction.ALERT):
        voice.put(action, "watchdog_port_action")
    elif action is WatchdogAction.ERRDISABLE:
        message = "`errdisable` can be said for the whole box, not for one port"
        voice.refuse(message, "watchdog", "action")
    else:
        _no_action(voice, action)
    _port_timer(voice, settings)


def _no_action(voice: Voice, action: Any) -> None:
    if is_value(action):
        message = f"EOS drops, disables the port or notifies; it does not `{action.value}`"
        voice.refuse(message, "watchdog", "action")


def _port_timer(voice: Voice, settings: Settings) -> None:
    watchdog = settings.watchdog
    detect, restore, poll = (value(x) for x in (watchdog.detect, watchdog.restore, watchdog.poll))
    if detect is None and restore is None and poll is None:
        return
    if detect is None or restore is None:
        message = "a port's watchdog timers are one line: it needs detect and restore together"
        voice.refuse(message, "watchdog", "restore" if restore is None else "detect")
        return
    fits = [
        voice.fits(detect, "detect"),
        voice.fits(restore, "restore"),
        poll is None or voice.fits(poll, "poll"),
    ]
    if all(fits):
        voice.put(Timer(detect, poll, restore), "watchdog_timer")


def _dcb(voice: Voice, settings: Settings) -> None:
    dcb = settings.dcb
    on = dcb.dcbx is True or dcb.advertise is True
    dialect = value(dcb.dialect)
    if dialect not in (None, "ieee", "cee"):
        voice.refuse(f"EOS speaks IEEE or CEE DCBX, not {dialect}", "dcb", "dialect")
    elif on:
        voice.put(dialect or "ieee", "dcbx")
    if dcb.willing is True:
        voice.refuse("a port of EOS never takes settings from its peer", "dcb", "willing")
    for name, priority in dcb.applications:
        if is_value(priority):
            message = "no documented form of DCBX application priorities is known to this tool"
            voice.refuse(message, "dcb", "applications", name)
