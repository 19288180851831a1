"""Old releases, refused patches, keys for several ports, and states that cannot be said."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from lossless.hardware.lookup import profile_for
from lossless.model.buffers import BoxBuffers, Buffers, Pool, PriorityGroup
from lossless.model.classification import Classification, Trust
from lossless.model.device import Device, DeviceState
from lossless.model.facet import table
from lossless.model.link import Fec, LinkSettings, Mtu
from lossless.model.pfc import Pfc, PfcMode, Watchdog
from lossless.model.scheduling import Algorithm, Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.settings import Settings, System
from lossless.model.units import Alpha, Bandwidth, BandwidthKind, Cap, in_bytes
from lossless.model.values import OFF, number_map
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.sonic import PLATFORM
from tests.platforms.sonic.box import Box, Config

DUMP = "show runningconfiguration all"
MS = 1_000_000
THREE = frozenset({3})
LOSSLESS = Settings(
    classification=Classification(
        trust=Trust.DSCP,
        dscp_to_priority=number_map(64, {d: 3 if d == 26 else 0 for d in range(64)}),
    ),
    pfc=Pfc(mode=PfcMode.ON, send=THREE, honour=THREE),
    watchdog=Watchdog(enabled=True, poll=100 * MS, detect=200 * MS, restore=400 * MS),
    ecn=Ecn(
        queues=table({3: QueueEcn(enabled=True, minimum=in_bytes(1000), maximum=in_bytes(2000))})
    ),
)
BARE: Config = {"PORT": {"Ethernet0": {"speed": "400000", "lanes": "1,2,3,4"}}}


def read(config: Config) -> Parsed:
    return PLATFORM.parse([Output(DUMP, json.dumps(config))])


def device(version: str) -> Device:
    return Device(name="leaf", kind="switch", version=version)


def names(config: Config, after: DeviceState, version: str) -> list[str]:
    before = read(config)
    ops = PLATFORM.plan(after, before.state, before.native, profile_for("sonic", version))
    return [file.name for file in PLATFORM.render(ops, device(version))]


AFTER = DeviceState(ports={"Ethernet0": LOSSLESS})


def test_a_first_watchdog_goes_by_its_own_command() -> None:
    assert names(BARE, AFTER, "202511") == [
        "01-config_db-patch.json",
        "02-config_db-patch.json",
        "03-config_db-patch.json",
        "04-config_db-patch.json",
        "05-pfcwd.sh",
        "06-config_db-patch.json",
    ]


def test_an_older_release_takes_no_patch_of_a_curve() -> None:
    assert "02-config_db-load.json" in names(BARE, AFTER, "202411")


def test_before_patches_everything_is_loaded() -> None:
    assert {name.split("-", 1)[1] for name in names(BARE, AFTER, "202106")} == {
        "config_db-load.json",
        "pfcwd.sh",
    }


def test_one_patch_is_one_file() -> None:
    after = DeviceState(ports={"Ethernet0": Settings(mtu=Mtu(native=9216))})
    assert names(BARE, after, "202505") == ["config_db-patch.json"]
    assert names(BARE, DeviceState(ports={"Ethernet0": Settings()}), "202505") == []


def test_a_whole_configuration_of_an_old_release_has_brackets() -> None:
    old = profile_for("sonic", "201911")
    (file,) = PLATFORM.render(PLATFORM.plan(AFTER, None, None, old), device("201911"))
    row = json.loads(file.text)["PORT_QOS_MAP"]["Ethernet0"]
    assert row["dscp_to_tc_map"] == "[DSCP_TO_TC_MAP|ROCE]"
    assert PLATFORM.parse([Output("", file.text)]).state.port("Ethernet0").pfc.send == THREE


SHARED: Config = {
    "PORT": {"Ethernet0": {"speed": "100000"}, "Ethernet4": {"speed": "100000"}},
    "PORT_QOS_MAP": {"Ethernet0,Ethernet4": {"pfc_enable": "3,4"}},
    "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "14"}},
    "QUEUE": {"Ethernet0,Ethernet4|0-1": {"scheduler": "[SCHEDULER|scheduler.0]"}},
}


def test_a_row_for_several_ports_is_divided_only_where_they_part() -> None:
    before = read(SHARED)
    assert before.state.port("Ethernet4").pfc.send == frozenset({3, 4})
    assert before.native.bracketed
    served = QueueScheduling(algorithm=Algorithm.STRICT)
    after = DeviceState(ports={"Ethernet4": Settings(ets=Ets(queues=table({1: served})))})
    box = Box(SHARED)
    ops = PLATFORM.plan(after, before.state, before.native)
    box.apply(PLATFORM.render(ops, device("202012")))
    assert box.config["PORT_QOS_MAP"] == SHARED["PORT_QOS_MAP"]
    assert box.config["QUEUE"] == {
        "Ethernet0|0-1": {"scheduler": "[SCHEDULER|scheduler.0]"},
        "Ethernet4|0": {"scheduler": "[SCHEDULER|scheduler.0]"},
        "Ethernet4|1": {"scheduler": "[SCHEDULER|scheduler.q1]"},
    }


def test_what_was_not_seen_is_refused() -> None:
    before = PLATFORM.parse([Output("", json.dumps({"QUEUE": {"Ethernet0|3": {}}}))])
    with pytest.raises(ValueError, match=r"Ethernet0: pfc\.send"):
        PLATFORM.plan(AFTER, before.state, before.native)


def test_a_watchdog_is_started_anew_when_its_queues_change() -> None:
    box = Box(BARE)
    box.apply(PLATFORM.render(PLATFORM.plan(AFTER), device("202511")))
    before = box.read()
    both = frozenset({3, 4})
    watched = Watchdog(priorities=both)
    told = Settings(pfc=Pfc(send=both, honour=both), watchdog=watched)
    after = DeviceState(ports={"Ethernet0": told})
    ops = PLATFORM.plan(after, before.state, before.native)
    files = PLATFORM.render(ops, device("202511"))
    (script,) = [file.text for file in files if file.name.endswith("pfcwd.sh")]
    assert script.splitlines()[2:] == [
        "sudo pfcwd stop Ethernet0",
        "sudo pfcwd start --action drop --restoration-time 400 Ethernet0 200",
    ]


def test_a_profile_in_use_is_replaced_and_not_edited() -> None:
    group = PriorityGroup(lossless=True, xoff=in_bytes(5000), xon=in_bytes(4000))
    pools = table({"ingress_lossless": Pool(size=in_bytes(10**6), mode="dynamic")})
    state = DeviceState(
        System(buffers=BoxBuffers(pools=pools)),
        {"Ethernet0": Settings(buffers=Buffers(groups=table({3: group})))},
    )
    box = Box(BARE)
    box.apply(PLATFORM.render(PLATFORM.plan(state), device("202511")))
    before = box.read()
    wider = PriorityGroup(xoff=in_bytes(6000))
    told = DeviceState(ports={"Ethernet0": Settings(buffers=Buffers(groups=table({3: wider})))})
    ops = PLATFORM.plan(told, before.state, before.native)
    assert [(op.verb.value, op.object, op.key) for op in ops] == [
        ("create", "BUFFER_PROFILE", ("roce_pg_2",)),
        ("set", "BUFFER_PG", ("Ethernet0|3", "profile")),
        ("delete", "BUFFER_PROFILE", ("roce_pg",)),
    ]


@pytest.mark.parametrize(
    ("settings", "path"),
    [
        (Settings(link=LinkSettings(fec=Fec.RS272)), ("link", "fec")),
        (Settings(link=LinkSettings(pause_send=True)), ("link", "pause_send")),
        (Settings(mtu=Mtu(l3=9217)), ("mtu", "native")),
        (Settings(mtu=Mtu(per_class=table({3: 4200}))), ("mtu", "per_class", 3)),
        (Settings(pfc=Pfc(mode=PfcMode.AUTO, send=THREE)), ("pfc", "mode")),
        (Settings(pfc=Pfc(send=THREE, honour=frozenset({4}))), ("pfc", "honour")),
        (Settings(classification=Classification(trust=Trust.PORT)), ("classification", "trust")),
        (Settings(classification=Classification(trust=Trust.DSCP)), ("classification", "trust")),
        (
            Settings(
                ets=Ets(
                    queues=table(
                        {1: QueueScheduling(bandwidth=Bandwidth(BandwidthKind.LINE, 500_000))}
                    )
                )
            ),
            ("ets", "queues", 1, "bandwidth"),
        ),
        (
            Settings(ets=Ets(queues=table({1: QueueScheduling(cap=Cap(share=1))}))),
            ("ets", "queues", 1, "cap"),
        ),
        (
            Settings(ecn=Ecn(queues=table({1: QueueEcn(enabled=True, maximum=in_bytes(9))}))),
            ("ecn", "queues", 1, "maximum"),
        ),
        (
            Settings(buffers=Buffers(groups=table({3: PriorityGroup(alpha=Alpha(Fraction(3)))}))),
            ("buffers", "groups", 3, "alpha"),
        ),
        (
            Settings(
                buffers=Buffers(groups=table({3: PriorityGroup(lossless=True, xon=in_bytes(9))}))
            ),
            ("buffers", "groups", 3),
        ),
        (Settings(watchdog=Watchdog(enabled=True, detect=10 * MS)), ("watchdog", "detect")),
    ],
)
def test_what_has_no_words(settings: Settings, path: tuple[str | int, ...]) -> None:
    found = PLATFORM.inexpressible(DeviceState(ports={"Ethernet0": settings}))
    assert [one.path for one in found] == [("ports", "Ethernet0", *path)]


def test_a_name_that_is_no_port() -> None:
    found = PLATFORM.inexpressible(DeviceState(ports={"swp1": Settings()}))
    assert [one.path for one in found] == [("ports", "swp1")]


def test_marking_that_is_off_does_not_drop_either() -> None:
    box = Box(BARE)
    box.apply(PLATFORM.render(PLATFORM.plan(AFTER), device("202511")))
    before = box.read()
    off = Settings(ecn=Ecn(queues=table({3: QueueEcn(enabled=OFF)})))
    ops = PLATFORM.plan(DeviceState(ports={"Ethernet0": off}), before.state, before.native)
    box.apply(PLATFORM.render(ops, device("202511")))
    assert "QUEUE" not in box.config


def test_show_version() -> None:
    text = "SONiC Software Version: SONiC.202505.1\nPlatform: x86_64\nHwSKU: ACS-SN5600\nASIC: x\n"
    parsed = PLATFORM.parse([Output("show version", text)])
    assert parsed.facts == {
        "version": "202505.1",
        "platform": "x86_64",
        "hwsku": "ACS-SN5600",
        "asic": "x",
    }
