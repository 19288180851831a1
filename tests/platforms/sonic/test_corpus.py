"""Every SONiC text of the corpus, read to what a person read in it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from lossless.model.classification import Trust
from lossless.model.facet import row
from lossless.model.link import Fec
from lossless.model.pfc import WatchdogAction
from lossless.model.scheduling import Algorithm
from lossless.model.units import Alpha, in_bytes
from lossless.model.values import DEFAULT, is_value
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.sonic import PLATFORM
from lossless.platforms.sonic.db import Native

MS = 1_000_000
BOTH = frozenset({3, 4})


def read(captures: Path, name: str) -> Parsed:
    text = (captures / name).read_text(encoding="utf-8")
    assert PLATFORM.recognises(text)
    return PLATFORM.parse([Output("", text, name)])


def config(captures: Path, name: str) -> Parsed:
    return read(captures, f"sonic/configdb/{name}.json")


def native(parsed: Parsed) -> Native:
    assert isinstance(parsed.native, Native)
    return parsed.native


def kinds(parsed: Parsed) -> dict[str, int]:
    found: dict[str, int] = {}
    for diagnostic in parsed.diagnostics:
        found[diagnostic.kind] = found.get(diagnostic.kind, 0) + 1
    return found


#: What tells nothing of the configuration: counters, states of storms, logs, test parameters.
NOT_CONFIGURATION = {
    "configdb/sonic-mgmt-dutQosConfig.json",
    "logs/gcu-apply-patch-refused-bufferpool.txt",
    "logs/gcu-apply-patch-refused-xoff-cisco.txt",
    "logs/syslog-buffermgrd-no-profile.txt",
    "show/counterpoll-show.txt",
    "show/show-interfaces-alias.txt",
    "show/show-interfaces-description.txt",
    "show/show-interfaces-fec-status.txt",
    "show/show-interfaces-neighbor-expected.txt",
    "show/show-pfc-priority-unknown-intf.txt",
    "show/show-switch-trimming-global.txt",
}


def test_every_file_is_understood_or_tells_no_configuration(captures: Path) -> None:
    unknown = set()
    for folder in ("configdb", "rendered", "show", "logs"):
        for file in sorted((captures / "sonic" / folder).iterdir()):
            text = file.read_text(encoding="utf-8")
            parsed = PLATFORM.parse([Output("", text, file.name)])
            name = f"{folder}/{file.name}"
            counts = any(word in name for word in ("counters", "watermark"))
            if not parsed.understood and not counts:
                unknown.add(name)
            assert not (parsed.understood and counts), name
    assert unknown == NOT_CONFIGURATION


#: Files with lines that are not understood, and why they may be.
ODD = {
    # a field that releases before 202012 had
    "qos-tables-bracket-refs-db3_0_1.json": ["BUFFER_PROFILE|egress_lossy_profile: mode dynamic"],
    "qos-tables-plain-refs-db3_0_3.json": ["BUFFER_PROFILE|egress_lossy_profile: mode dynamic"],
}


def test_nothing_in_the_tables_is_unread(captures: Path) -> None:
    for folder in ("configdb", "rendered"):
        for file in sorted((captures / "sonic" / folder).iterdir()):
            parsed = PLATFORM.parse([Output("", file.read_text(encoding="utf-8"), file.name)])
            assert [unread.text for unread in parsed.unread] == ODD.get(file.name, []), file.name
            assert not {"dangling_reference", "duplicate"} & kinds(parsed).keys(), file.name


def test_a_whole_line_card(captures: Path) -> None:
    plain = config(captures, "voq-linecard-t2-vlab")
    assert plain.facts["hostname"] == "Linecard1"
    assert plain.facts["type"] == "Spine"
    assert "sonic-cfggen -d --print-data" in plain.coverage
    port = plain.state.port("Ethernet0")
    maps = port.classification
    assert maps.trust is Trust.DSCP
    assert [maps.dscp_to_priority[d] for d in (3, 4, 5, 8, 24, 26, 46, 48)] == [
        *(3, 4, 2, 0, 1, 1, 5, 6)
    ]
    assert maps.tc_to_group[:8] == (0, 0, 0, 3, 4, 0, 0, 7)
    assert port.pfc.send == port.pfc.honour == BOTH
    assert (port.link.speed, port.link.lanes, port.link.admin_up) == (40 * 10**9, 4, True)
    assert port.mtu.l3 == 9100
    assert port.buffers.cable == 300_000
    assert port.watchdog.enabled is DEFAULT
    assert port.watchdog.priorities is DEFAULT
    marked = row(port.ecn.queues, 3)
    assert marked is not None
    assert (marked.enabled, marked.wred, marked.probability) == (True, True, 50_000)
    assert (marked.minimum, marked.maximum) == (in_bytes(1_048_576), in_bytes(2_097_152))
    served = row(port.ets.queues, 3)
    assert served is not None
    assert (served.algorithm, str(served.bandwidth)) == (Algorithm.DWRR, "weight 15")
    assert plain.state.system.buffers.model == "traditional"


def test_brackets_make_no_difference(captures: Path) -> None:
    plain = config(captures, "voq-linecard-t2-vlab")
    bracketed = config(captures, "voq-linecard-t2-vlab-bracket-refs")
    assert plain.state.ports == bracketed.state.ports
    assert (native(plain).bracketed, native(bracketed).bracketed) == (False, True)
    old = config(captures, "qos-tables-bracket-refs-db3_0_1")
    new = config(captures, "qos-tables-plain-refs-db3_0_3")
    assert old.state == new.state
    assert (native(old).bracketed, native(new).bracketed) == (True, False)


def test_derived_rows_are_no_statement(captures: Path) -> None:
    parsed = config(captures, "t1-counterpoll-input")
    assert len(native(parsed).derived) == 32
    assert native(parsed).derived["Ethernet112", "3-4"] == (40_000, "40m")
    for port in parsed.state.ports.values():
        group = row(port.buffers.groups, 3)
        assert group is not None
        assert (group.lossless, group.xoff) == (DEFAULT, DEFAULT)
    assert parsed.operational is not None
    found = row(parsed.operational.port("Ethernet112").buffers.groups, 3)
    assert found is not None
    assert found.lossless is True
    assert is_value(found.xoff)


def test_redis_dumps(captures: Path) -> None:
    parsed = config(captures, "msn2700-t0-v1_0_6-redisdump-bracket")
    assert (parsed.facts["hwsku"], len(parsed.state.ports)) == ("ACS-MSN2700", 32)
    assert len(native(parsed).derived) == 32
    pools = dict(parsed.state.system.buffers.pools)
    assert sorted(pools) == ["egress_lossless", "egress_lossy", "ingress_lossless", "ingress_lossy"]
    assert pools["ingress_lossless"].size == in_bytes(4_580_864)
    assert parsed.state.port("Ethernet0").link.fec is Fec.RS528


def test_the_dynamic_model(captures: Path) -> None:
    parsed = config(captures, "reclaim-dynamic-single-pool")
    assert parsed.state.system.buffers.model == "dynamic"
    port = parsed.state.port("Ethernet0")
    group, queue = row(port.buffers.groups, 3), row(port.buffers.queues, 3)
    assert group is not None
    assert (group.lossless, group.xoff) == (True, DEFAULT)
    assert queue is not None
    assert queue.alpha == Alpha(Fraction(128), 7)


def test_a_watchdog_and_its_poll(captures: Path) -> None:
    parsed = config(captures, "t0-filter-fdb-pfcwd")
    assert parsed.state.system.settings.watchdog.poll == 200 * MS
    watched = {n for n, p in parsed.state.ports.items() if p.watchdog.enabled is True}
    assert len(watched) == 28
    dog = parsed.state.port(min(watched)).watchdog
    assert (dog.detect, dog.restore, dog.action) == (200 * MS, 200 * MS, WatchdogAction.DROP)


@pytest.mark.parametrize(
    ("name", "ports", "minimum", "weight"),
    [
        ("qos-arista7060x6", 128, 131_072, 20),
        ("qos-mellanox4600c-c64", 8, 2_000_000, 15),
        ("qos-dell6100", 44, 250_000, 15),
        ("qos-arista7260-t0", 22, 2_000_000, 15),
    ],
)
def test_rendered_queues(captures: Path, name: str, ports: int, minimum: int, weight: int) -> None:
    parsed = read(captures, f"sonic/rendered/{name}.json")
    lossless = [p for p in parsed.state.ports.values() if p.pfc.send == BOTH]
    assert len(lossless) == ports
    marked, served = row(lossless[0].ecn.queues, 3), row(lossless[0].ets.queues, 3)
    assert marked is not None
    assert marked.minimum == in_bytes(minimum)
    assert served is not None
    assert str(served.bandwidth) == f"weight {weight}"
    assert lossless[0].watchdog.priorities == BOTH
    assert lossless[0].watchdog.enabled is None  # the table is not in this excerpt
    assert lossless[0].mtu.l3 is None


def test_rendered_buffers(captures: Path) -> None:
    parsed = read(captures, "sonic/rendered/buffer-ft2-p64.json")
    box = parsed.state.system.buffers
    pool = row(box.pools, "ingress_lossless")
    assert pool is not None
    assert (pool.size, pool.mode) == (in_bytes(164_733_224), "dynamic")
    assert pool.shared_headroom == in_bytes(17_962_880)
    assert parsed.state.port("Ethernet0").buffers.cable == 5_000


# --- commands ------------------------------------------------------------------------------------


def show(captures: Path, name: str) -> Parsed:
    return read(captures, f"sonic/show/{name}.txt")


def test_show_pfc_priority(captures: Path) -> None:
    parsed = show(captures, "show-pfc-priority")
    assert {n: p.pfc.send for n, p in parsed.state.ports.items()} == {
        "Ethernet0": BOTH,
        "Ethernet4": BOTH,
    }
    assert parsed.state.port("Ethernet0").classification.trust is None
    several = show(captures, "show-pfc-priority-masic")
    assert len(several.state.ports) == 7
    assert [unread.line for unread in several.unread] == [12]


def test_show_pfc_asymmetric(captures: Path) -> None:
    parsed = show(captures, "show-pfc-asymmetric")
    assert len(parsed.state.ports) == 32


def test_show_pfcwd_config(captures: Path) -> None:
    parsed = show(captures, "pfcwd-show-config")
    assert parsed.state.system.settings.watchdog.poll == 600 * MS
    dog = parsed.state.port("Ethernet8").watchdog
    assert (dog.enabled, dog.detect, dog.restore) == (True, 600 * MS, 600 * MS)
    old = read(captures, "sonic/logs/show-pfcwd-config-z9332-202012.txt")
    assert sorted(old.state.ports) == ["Ethernet0", "Ethernet4"]
    assert old.state.system.settings.watchdog.poll == 100 * MS


def test_show_pfcwd_config_of_public_cases(captures: Path) -> None:
    parsed = read(captures, "cases/sonic8181-pfcwd-show-config.txt")
    assert len(parsed.state.ports) == 12
    assert parsed.state.port("Ethernet48").watchdog.detect == 400 * MS
    one = read(captures, "cases/sonic17434-show-pfcwd-config.txt")
    assert one.state.port("Ethernet0").watchdog.restore == 300 * MS
    for name in ("sonic19067-show-pfcwd-stats-operational", "sonic5898-pfcwd-show-stats-stormed"):
        stats = read(captures, f"cases/{name}.txt")
        assert stats.understood
        assert not stats.state.ports


def test_show_ecn(captures: Path) -> None:
    curves = native(show(captures, "show-ecn")).tables["WRED_PROFILE"]
    assert curves["AZURE_LOSSLESS"]["ecn"] == "ecn_all"
    assert len(curves["AZURE_LOSSLESS"]) == 13
    two = native(show(captures, "show-ecn-two-profiles")).tables["WRED_PROFILE"]
    assert (sorted(two), two["AZURE_LOSSY"]["green_min_threshold"]) == (
        ["AZURE_LOSSLESS", "AZURE_LOSSY"],
        "4095",
    )


@pytest.mark.parametrize("name", ["show-mmu", "show-buffer-configuration"])
def test_show_mmu(captures: Path, name: str) -> None:
    parsed = show(captures, name)
    pools = dict(parsed.state.system.buffers.pools)
    assert len(pools) == 5
    assert pools["egress_lossless"].size == in_bytes(13_945_824)
    assert parsed.state.system.buffers.headroom_pool.oversubscription == 2_000_000
    assert native(parsed).tables["BUFFER_PROFILE"]["ingress_lossy_profile"]["dynamic_th"] == "3"


def test_show_mmu_of_a_box_without_buffers(captures: Path) -> None:
    parsed = read(captures, "sonic/logs/show-mmu-no-buffers.txt")
    assert native(parsed).seen == {"BUFFER_POOL", "BUFFER_PROFILE"}
    assert not parsed.state.system.buffers.pools


def test_show_interfaces_status(captures: Path) -> None:
    parsed = show(captures, "show-interfaces-status")
    assert len(parsed.state.ports) == 10
    port = parsed.state.port("Ethernet32")
    assert (port.link.speed, port.link.lanes, port.link.fec) == (40 * 10**9, 4, Fec.RS528)
    assert (port.mtu.l3, port.link.admin_up) == (9100, True)
    assert parsed.state.port("Ethernet0").link.speed == 25 * 10**9
    assert parsed.state.port("Ethernet16").link.speed == 10**8
    assert parsed.state.port("Ethernet16").link.fec is None


# --- damage --------------------------------------------------------------------------------------


def test_damage_never_raises_and_is_told(captures: Path) -> None:
    text = (captures / "sonic/configdb/voq-linecard-t2-vlab.json").read_text(encoding="utf-8")
    whole = PLATFORM.parse([Output("", text)])
    for cut in range(0, len(text), 1511):
        found = PLATFORM.parse([Output("", text[:cut])])
        assert "damaged" in kinds(found) or not found.understood
        assert not native(found).whole
    lines = text.split("\n")
    middle = len(lines) // 2
    for odd in (
        "Nov 30 10:00:00 sw ERR orchagent: no profile",
        '"torn',
        "--More--",
        "admin@sonic:~$ ",
    ):
        found = PLATFORM.parse([Output("", "\n".join([*lines[:middle], odd, *lines[middle:]]))])
        assert "damaged" in kinds(found), odd
        assert found.state.ports.keys() == whole.state.ports.keys()


def test_what_a_terminal_adds_is_removed(captures: Path) -> None:
    text = (captures / "sonic/configdb/voq-linecard-t2-vlab.json").read_text(encoding="utf-8")
    whole = PLATFORM.parse([Output("", text)])
    session = "admin@sonic:~$ sonic-cfggen -d --print-data\r\n" + text.replace("\n", "\r\n")
    found = PLATFORM.parse([Output("", f"\x1b[32m{session}\x1b[0m\r\nadmin@sonic:~$ ")])
    assert found.state == whole.state
    assert not kinds(found).keys() & {"damaged"}


def test_lines_point_into_the_file(captures: Path) -> None:
    name = "sonic/configdb/voq-linecard-t2-vlab.json"
    parsed = read(captures, name)
    text = (captures / name).read_text(encoding="utf-8").split("\n")
    for path, words in {
        ("ports", "Ethernet0", "pfc", "send"): '"pfc_enable": "3,4"',
        ("ports", "Ethernet0", "classification", "dscp_to_priority", 26): '"26": "1"',
        ("ports", "Ethernet0", "ecn", "queues", 3, "maximum"): '"green_max_threshold"',
        ("ports", "Ethernet0", "buffers", "cable"): '"Ethernet0": "300m"',
    }.items():
        file, line = parsed.lines[path]
        assert file == name
        assert words in text[line - 1], path


def test_a_change_of_a_real_box_keeps_its_names(captures: Path) -> None:
    """One port's class is moved: the other ports keep AZURE, and everything else stays."""
    import dataclasses

    from lossless.model.device import Device, DeviceState
    from lossless.model.pfc import Pfc
    from lossless.model.settings import Settings
    from tests.platforms.sonic.box import Box

    before = config(captures, "voq-linecard-t2-vlab")
    box = Box(json.loads((captures / "sonic/configdb/voq-linecard-t2-vlab.json").read_text()))
    start = json.loads(box.text())
    only_3 = frozenset({3})
    after = DeviceState(ports={"Ethernet0": Settings(pfc=Pfc(send=only_3, honour=only_3))})
    ops = PLATFORM.plan(after, before.state, before.native)
    assert [(op.object, op.key, op.new) for op in ops] == [
        ("PORT_QOS_MAP", ("Ethernet0", "pfc_enable"), "3")
    ]
    box.apply(PLATFORM.render(ops, Device(name="leaf", kind="switch")))
    expected = json.loads(json.dumps(start))
    expected["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] = "3"
    assert box.config == expected
    everyone = {
        name: Settings(
            classification=dataclasses.replace(
                Settings().classification,
                dscp_to_priority=tuple(3 if d == 26 else None for d in range(64)),
            )
        )
        for name, port in before.state.ports.items()
        if port.classification.trust is Trust.DSCP
    }
    ops = PLATFORM.plan(DeviceState(ports=everyone), before.state, before.native)
    assert [(op.object, op.key, op.old, op.new) for op in ops] == [
        ("DSCP_TO_TC_MAP", ("AZURE", "26"), "1", "3")
    ]
