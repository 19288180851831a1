"""From a port's settings to the slots of its interface."""

from __future__ import annotations

from typing import Any, Final

from lossless.model.link import VlanMode
from lossless.model.pfc import PfcMode, WatchdogAction
from lossless.model.profile import Range
from lossless.model.settings import Settings
from lossless.model.values import DEFAULT, OFF, is_value, value
from lossless.platforms.cisco_nxos.box import Interface, PfcLine
from lossless.platforms.cisco_nxos.draft import Draft, Refuse
from lossless.platforms.cisco_nxos.hear import hear_vlans

#: 9216 is in configurations; the lower end is not, and 1500 is what a port has anyway.
MTU: Final = Range(1500, 9216)
_VLANS: Final = Range(1, 4094)
_ALL_VLANS: Final = frozenset(range(1, 4095))


class _Port:
    """One interface that is being edited."""

    def __init__(self, draft: Draft, name: str) -> None:
        self.draft, self.name = draft, name
        self.held: Interface = draft.interface(name)
        self.seen = draft.seen(name)
        self.refuse: Refuse = draft.at("ports", name)

    def put(self, slot: str, value_: Any) -> None:
        self.draft.put(self.held, (slot,), value_, self.name, seen=self.seen)

    def switch(self, slot: str, told: Any) -> None:
        """A feature that is off by default and then not printed."""
        if told is not None:
            self.put(slot, True if told is True else None)

    def number(self, slot: str, told: Any, default: int, limits: Range, *path: str) -> None:
        if told is None:
            return
        if not is_value(told) or told == default:
            self.put(slot, None)
        elif limits.holds(told):
            self.put(slot, told)
        else:
            self.refuse(f"NX-OS takes {limits.low} to {limits.high} here, not {told}", *path)


def edit_port(draft: Draft, name: str, settings: Settings) -> None:
    """Edit the interface of one port; policies and what the box keeps are edited elsewhere."""
    port = _Port(draft, name)
    _link(port, settings)
    _mtu(port, settings)
    _pfc(port, settings)
    _watchdog(port, settings)
    _dcb(port, settings)
    _vlans(port, settings)


def _link(port: _Port, settings: Settings) -> None:
    link = settings.link
    if link.admin_up is not None:
        shut = {True: OFF, OFF: True}.get(link.admin_up)
        port.put("shutdown", shut)
    port.switch("flow_send", link.pause_send)
    port.switch("flow_receive", link.pause_honour)


def _mtu(port: _Port, settings: Settings) -> None:
    mtu = settings.mtu
    native, l3 = mtu.native, value(mtu.l3)
    profile = port.draft.profile
    stated = None if l3 is None or profile is None else profile.mtu.native(l3)
    if native is None:
        native = l3 if stated is None else stated  # NX-OS counts the IP packet
    elif is_value(native) and stated is not None and stated != native:
        port.refuse(f"an MTU of {native} is not {l3} bytes of layer 3", "mtu", "l3")
    limits = MTU if profile is None else profile.limits.native_mtu
    port.number("mtu", native, 1500, limits if limits.high else MTU, "mtu", "native")
    if is_value(mtu.l2):
        port.refuse("NX-OS has one MTU per port", "mtu", "l2")


def _pfc(port: _Port, settings: Settings) -> None:
    mode, advertise = settings.pfc.mode, settings.dcb.advertise
    line = port.held.slots.get(("pfc",))
    word = line.mode if isinstance(line, PfcLine) else "auto"
    if mode is not None:
        words: dict[Any, str] = {PfcMode.ON: "on", OFF: "off"}
        word = words.get(mode, "auto")
    elif advertise is None:
        return
    sends = isinstance(line, PfcLine) and line.advertise
    if advertise is not None:
        sends = advertise is True
    if sends and word == "off":
        if advertise is True:
            port.refuse("a port without PFC advertises none", "dcb", "advertise")
        sends = False
    port.put("pfc", None if word == "auto" else PfcLine(word, sends and word == "on"))


def _watchdog(port: _Port, settings: Settings) -> None:
    watchdog = settings.watchdog
    port.switch("watchdog", watchdog.enabled)
    refuse_watchdog(port.refuse, settings)


def refuse_watchdog(refuse: Refuse, settings: Settings) -> None:
    """Refuse what NX-OS does not let one say of its watchdog, or says in multiples of its own."""
    watchdog = settings.watchdog
    for name in ("poll", "detect", "restore"):
        if is_value(getattr(watchdog, name)):
            refuse(
                "the times of NX-OS's watchdog are multiples whose meaning was not verified; write "
                "its lines as `raw`",
                "watchdog",
                name,
            )
    if is_value(watchdog.action) and watchdog.action is not WatchdogAction.DROP:
        refuse("the watchdog of NX-OS drops", "watchdog", "action")


def _dcb(port: _Port, settings: Settings) -> None:
    dcb = settings.dcb
    if dcb.dialect in ("ieee", "cee"):
        port.put("dcbx", dcb.dialect)
    elif dcb.dialect in (DEFAULT, OFF):
        port.put("dcbx", None)
    elif dcb.dialect is not None:
        port.refuse(f"NX-OS speaks ieee or cee, not {dcb.dialect}", "dcb", "dialect")
    if dcb.willing is True:
        port.refuse("a switch with NX-OS is never willing", "dcb", "willing")
    if dcb.applications:
        port.refuse("NX-OS has no words for application priorities", "dcb", "applications")


def _vlans(port: _Port, settings: Settings) -> None:
    vlans = settings.vlans
    _vlan_mode(port, vlans.mode)
    before = hear_vlans(port.held, DEFAULT if port.seen else None)
    port.number("access", vlans.access, 1, _VLANS, "vlans", "access")
    port.number("native", vlans.native, 1, _VLANS, "vlans", "native")
    if vlans.tagged is None and vlans.native is None:
        return
    tagged = before.tagged if vlans.tagged is None else vlans.tagged
    if tagged is None:
        return
    if tagged is DEFAULT:
        port.put("allowed", None)
        return
    listed = tagged if is_value(tagged) else frozenset()
    if not all(_VLANS.holds(vlan) for vlan in listed):
        port.refuse("VLANs are numbered 1 to 4094", "vlans", "tagged")
        return
    native = port.held.slots.get(("native",))
    if hear_vlans(port.held, None).tagged == ((listed - {native or 1}) or OFF):
        return  # the list that is there says the same
    allowed = listed | {native} if native is not None else listed
    port.put("allowed", None if allowed == _ALL_VLANS else allowed)


def _vlan_mode(port: _Port, mode: Any) -> None:
    """Say a mode by `switchport`, `no switchport` and `switchport mode trunk`."""
    if mode is None or mode == hear_vlans(port.held, None).mode:
        return
    if mode is VlanMode.ROUTED:
        port.put("switchport", OFF)
        port.put("mode", None)
    elif is_value(mode):
        port.put("switchport", True)
        port.put("mode", VlanMode.TRUNK if mode is VlanMode.TRUNK else None)
    else:
        port.put("switchport", None)
        port.put("mode", None)
