"""pyavd, Arista's own generator, as a second writer of the objects that it knows.

A state is said once by us and once in AVD's structured configuration; both texts are read by our
reader, and must say the same.
"""

from __future__ import annotations

import importlib.util
import os
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from lossless.model.classification import Trust
from lossless.model.device import Device, DeviceState
from lossless.model.link import Fec, VlanMode
from lossless.model.pfc import PfcMode, WatchdogAction
from lossless.model.scheduling import Algorithm, QueueEcn, QueueScheduling
from lossless.model.settings import Settings, System
from lossless.model.units import Alpha, Bandwidth, Cap, Quantity, Unit
from lossless.model.values import OFF, is_value
from lossless.platforms.arista_eos import PLATFORM
from lossless.platforms.contract import Output
from tests.platforms.arista_eos.strategies import states
from tests.platforms.arista_eos.test_laws import unlike

if importlib.util.find_spec("pyavd") is None and os.environ.get("CI") != "true":
    pytest.skip("pyavd is not installed: nobody judges EOS", allow_module_level=True)

import pyavd

LEAF = Device(name="leaf01", kind="switch", model="DCS-7060X6-64PE")
PPM = 10_000


def write(data: dict[str, Any]) -> str:
    """Let AVD check and write a structured configuration."""
    checked = pyavd.validate_structured_config(data)
    assert not checked.validation_result.violations, checked.validation_result.violations
    return str(pyavd.get_device_config(data))


def structured(state: DeviceState) -> dict[str, Any]:
    """Say a canonical state in AVD's words, as the schema of `eos_cli_config_gen` has them."""
    profiles, interfaces = [], []
    for number, (name, settings) in enumerate(state.ports.items()):
        profiles.append({"name": f"P{number}", **profile(settings)})
        interfaces.append({"name": name, "service_profile": f"P{number}", **interface(settings)})
    box = system(state.system)
    if interfaces:
        box |= {"qos_profiles": profiles, "ethernet_interfaces": interfaces}
    return box


def told(**held: Any) -> dict[str, Any]:
    return {key: value for key, value in held.items() if value not in (None, {}, [])}


def seconds(nanoseconds: int) -> str:
    return f"{Fraction(nanoseconds, 10**9).limit_denominator(1000).__float__():g}"


def interface(settings: Settings) -> dict[str, Any]:
    mtu, link, vlans = settings.mtu, settings.link, settings.vlans
    fec = {Fec.NONE: {"enabled": False}, Fec.FIRECODE: {"fire_code": True}}
    coded = {"reed_solomon": True} if link.fec in (Fec.RS528, Fec.RS544) else None
    switchport: dict[str, Any] = {}
    if vlans.mode is VlanMode.ROUTED:
        switchport["enabled"] = False
    elif vlans.mode is VlanMode.TRUNK:
        switchport["mode"] = "trunk"
    return told(
        mtu=mtu.native if is_value(mtu.native) else None,
        l2_mtu=mtu.l2 if is_value(mtu.l2) else None,
        error_correction_encoding=fec.get(link.fec, coded) if is_value(link.fec) else None,
        flowcontrol=told(received="on" if link.pause_honour is True else None),
        switchport=switchport,
        shutdown=True if link.admin_up is OFF else None,
    )


def profile(settings: Settings) -> dict[str, Any]:
    trust = {Trust.DSCP: "dscp", Trust.PCP: "cos", Trust.PORT: "disabled"}
    held = settings.classification
    return told(
        trust=trust.get(held.trust) if is_value(held.trust) else None,
        cos=held.default_pcp if is_value(held.default_pcp) else None,
        dscp=held.default_dscp if is_value(held.default_dscp) else None,
        priority_flow_control=pfc(settings),
        uc_tx_queues=queues(settings),
    )


def pfc(settings: Settings) -> dict[str, Any]:
    lossless, watchdog = settings.pfc.send, settings.watchdog
    rows = sorted(lossless) if is_value(lossless) else []
    dog = told(
        action={WatchdogAction.DROP: "drop", WatchdogAction.ALERT: "notify-only"}.get(
            watchdog.action
        )
        if is_value(watchdog.action)
        else None,
        timer=timer(settings),
    )
    return told(
        enabled=True if settings.pfc.mode is PfcMode.ON else None,
        priorities=[{"priority": n, "no_drop": True} for n in rows],
        watchdog={"enabled": True, **dog} if dog else None,
    )


def timer(settings: Settings) -> dict[str, Any]:
    watchdog = settings.watchdog
    if not is_value(watchdog.detect) or not is_value(watchdog.restore):
        return {}
    poll = seconds(watchdog.poll) if is_value(watchdog.poll) else "auto"
    return {
        "timeout": seconds(watchdog.detect),
        "polling_interval": poll,
        "recovery_time": seconds(watchdog.restore),
    }


def queues(settings: Settings) -> list[dict[str, Any]]:
    ets, ecn = dict(settings.ets.queues), dict(settings.ecn.queues)
    rows = []
    for number in range(8):
        row = {
            **scheduling(ets.get(number, QueueScheduling())),
            **detection(ecn.get(number, QueueEcn())),
        }
        if row:
            rows.append({"id": number, **row})
    return rows


def scheduling(row: QueueScheduling) -> dict[str, Any]:
    words = {Algorithm.STRICT: "priority strict", Algorithm.WRR: "no priority"}
    cap = row.cap
    rate = None
    if isinstance(cap, Cap):
        percent = cap.share is not None
        rate = (
            f"{(cap.share or 0) // PPM} percent" if percent else f"{(cap.rate or 0) // 1000} kbps"
        )
    return told(
        priority=words[row.algorithm] if is_value(row.algorithm) else None,
        bandwidth_percent=percentage(row.bandwidth),
        bandwidth_guaranteed_percent=percentage(row.guaranteed),
        shape=told(rate=rate),
    )


def percentage(held: Any) -> int | None:
    return held.amount // PPM if isinstance(held, Bandwidth) else None


def detection(row: QueueEcn) -> dict[str, Any]:
    curve = None
    if row.enabled is True and isinstance(row.maximum, Quantity):
        curve = thresholds(row.minimum, row.maximum)
        curve |= told(max_probability=row.probability // PPM if is_value(row.probability) else None)
        curve |= {"weight": row.weight} if is_value(row.weight) else {}
    ecn = told(count=True if row.count is True else None, threshold=curve)
    return told(random_detect=told(ecn=ecn))


def thresholds(low: Any, high: Quantity) -> dict[str, Any]:
    units = {Unit.NANOSECONDS: ("milliseconds", 10**6)}
    word, factor = units.get(low.unit, (low.unit.value, 1))
    return {"units": word, "min": int(low.number / factor), "max": int(high.number / factor)}


def system(box: System) -> dict[str, Any]:
    maps, watchdog = box.settings.classification, box.settings.watchdog
    actions = {
        WatchdogAction.DROP: "drop",
        WatchdogAction.ERRDISABLE: "errdisable",
        WatchdogAction.ALERT: "notify-only",
    }
    dog = told(
        action=actions.get(watchdog.action) if is_value(watchdog.action) else None,
        timeout=seconds(watchdog.detect) if is_value(watchdog.detect) else None,
        recovery_time=seconds(watchdog.restore) if is_value(watchdog.restore) else None,
        polling_interval=seconds(watchdog.poll) if is_value(watchdog.poll) else None,
    )
    return told(
        priority_flow_control=told(all_off=True if box.pfc_stopped is True else None, watchdog=dog),
        qos=told(
            rewrite_dscp=True if maps.rewrite_dscp_enabled is True else None,
            map=told(
                dscp=entries(maps.dscp_to_priority, "traffic-class"),
                cos=entries(maps.pcp_to_priority, "traffic-class"),
                traffic_class=[
                    *entries(maps.tc_to_queue, "tx-queue"),
                    *entries(maps.rewrite_dscp, "dscp"),
                    *entries(maps.rewrite_pcp, "cos"),
                ],
            ),
            random_detect=told(ecn=marking(box)),
        ),
        platform=told(trident=told(mmu=mmu(box))),
    )


def entries(held: tuple[Any, ...], word: str) -> list[str]:
    return [f"{index} to {word} {number}" for index, number in enumerate(held) if is_value(number)]


def marking(box: System) -> dict[str, Any]:
    forwards = {row.non_ect_forward for _, row in box.settings.ecn.queues}
    low, high = box.ecn_global.minimum, box.ecn_global.maximum
    whole = isinstance(low, Quantity) and isinstance(high, Quantity)
    return told(
        allow_non_ect={"enabled": True} if forwards == {True} else None,
        global_buffer=thresholds(low, high) if whole and isinstance(high, Quantity) else None,
    )


def mmu(box: System) -> dict[str, Any]:
    groups, rows = [], dict(box.settings.buffers.groups)
    for number, row in rows.items():
        held = told(reserved=memory(row.reserved), threshold=alpha(row.alpha))
        if held:
            groups.append({"id": number, **held})
    unicast = []
    for number, buffer in box.settings.buffers.queues:
        size = buffer.reserved
        held = told(
            threshold=alpha(buffer.alpha),
            unit=size.unit.value if isinstance(size, Quantity) else None,
        )
        if isinstance(size, Quantity):
            held["reserved"] = int(size.number)
        if held:
            unicast.append({"id": number, **held})
    ingress = told(priority_groups=groups, headroom=memory(rows[0].headroom) if rows else None)
    content = told(ingress=ingress, unicast_queues=unicast)
    pool = box.buffers.headroom_pool.size
    return told(
        active_profile="deep" if content else None,
        queue_profiles=[{"name": "deep", **content}] if content else None,
        headroom_pool={"unit": pool.unit.value, "limit": int(pool.number)}
        if isinstance(pool, Quantity)
        else None,
    )


def memory(held: Any) -> dict[str, Any] | None:
    if not isinstance(held, Quantity):
        return None
    return {"unit": held.unit.value, "memory": int(held.number)}


def alpha(held: Any) -> str | None:
    return str(held.ratio) if isinstance(held, Alpha) else None


# --- what AVD has no key for ---------------------------------------------------------------------


def known(state: DeviceState) -> DeviceState:
    """Leave out what AVD cannot say, so that both say the rest."""
    import dataclasses

    ports = {}
    for name, settings in state.ports.items():
        if not name.startswith("Ethernet"):
            continue
        ports[name] = dataclasses.replace(
            settings,
            link=dataclasses.replace(
                settings.link,
                speed=None,  # AVD leaves the word to its user
                lanes=None,
                autoneg=None,
                fec=settings.link.fec if settings.link.fec in (Fec.NONE, Fec.FIRECODE) else None,
                pause_send=None,
                link_training=None,
            ),
            vlans=dataclasses.replace(settings.vlans, access=None, native=None, tagged=None),
            watchdog=dataclasses.replace(settings.watchdog, enabled=None),
            dcb=type(settings.dcb)(),
            ecn=one_unit(settings),
        )
    box = state.system
    maps = dataclasses.replace(box.settings.classification, rewrite_pcp_enabled=None)
    buffers = dataclasses.replace(
        box.settings.buffers,
        groups=tuple(
            (n, dataclasses.replace(g, xon_offset=None)) for n, g in box.settings.buffers.groups
        ),
    )
    settings = dataclasses.replace(box.settings, classification=maps, buffers=buffers)
    low, high = box.ecn_global.minimum, box.ecn_global.maximum
    alike = not isinstance(low, Quantity) or (isinstance(high, Quantity) and low.unit is high.unit)
    system = dataclasses.replace(
        box,
        settings=settings,
        ecn_global=box.ecn_global if alike else type(box.ecn_global)(),
        raw=(),
    )
    return DeviceState(system, ports)


def one_unit(settings: Settings) -> Any:
    """AVD writes one unit for both thresholds, and no marking by delay of a whole port."""
    import dataclasses

    rows = []
    for number, row in settings.ecn.queues:
        held = dataclasses.replace(row, wred=None, colours=())
        low, high = row.minimum, row.maximum
        if row.enabled is True and (
            not isinstance(low, Quantity) or not isinstance(high, Quantity) or low.unit != high.unit
        ):
            held = QueueEcn(count=row.count)
        rows.append((number, held))
    return dataclasses.replace(settings.ecn, queues=tuple(rows))


@how(max_examples=how.default.max_examples // 3)  # pyavd takes half a second a piece
@given(states(names=("Ethernet1", "Ethernet2/1")))
def test_avd_and_we_say_the_same(state: DeviceState) -> None:
    wanted = PLATFORM.canonical(known(state))
    theirs = PLATFORM.parse([Output("", write(structured(wanted)) or "!\n")])
    (file,) = PLATFORM.render(PLATFORM.plan(wanted), LEAF)
    ours = PLATFORM.parse([Output("", file.text)])
    assert theirs.unread == ()
    ours_state, theirs_state = PLATFORM.canonical(ours.state), PLATFORM.canonical(theirs.state)
    both = ours_state.ports.keys() & theirs_state.ports.keys()
    cut_ours = DeviceState(ours_state.system, {n: ours_state.port(n) for n in sorted(both)})
    cut_theirs = DeviceState(theirs_state.system, {n: theirs_state.port(n) for n in sorted(both)})
    assert unlike(cut_theirs, cut_ours) == []
    assert both == ours_state.ports.keys()


@given(st.data())
def test_the_judge_disagrees_with_a_wrong_configuration(data: st.DataObject) -> None:
    """The comparison is not empty: one changed number is seen."""
    tc = data.draw(st.integers(0, 6))
    right = PLATFORM.parse(
        [Output("", write({"qos": {"map": {"dscp": [f"26 to traffic-class {tc}"]}}}))]
    )
    wrong = PLATFORM.parse([Output("", f"qos map dscp 26 to traffic-class {tc + 1}\n")])
    assert len(unlike(right.state, wrong.state)) == 1
