"""Real output of real hosts, read to facts that a person checked in the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lossless.model.classification import Trust
from lossless.model.pfc import DcbOwner, PfcMode
from lossless.model.scheduling import Algorithm
from lossless.model.settings import Settings
from lossless.model.values import OFF
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.nvidia_mlnx_qos import PLATFORM

FACTORY_MAP = tuple(dscp // 8 for dscp in range(64))
FACTORY_CLASSES = (1, 0, 2, 3, 4, 5, 6, 7)
VENDOR = dict.fromkeys(range(8), ("vendor", None))


def read(captures: Path, name: str, command: str = "") -> Parsed:
    text = (captures / "nic-mlnx" / name).read_text()
    return PLATFORM.parse([Output(command, text, name)])


def facts(port: Settings) -> dict[str, Any]:
    """What one printout says, in plain numbers."""
    return {
        "owner": port.dcb.owner,
        "trust": port.classification.trust,
        "map": port.classification.dscp_to_priority,
        "pfc": port.pfc.send,
        "mode": port.pfc.mode,
        "cable": port.buffers.cable,
        "sizes": tuple(size for _, size in port.buffers.sizes),
        "p2b": port.buffers.priority_to_buffer,
        "classes": port.classification.priority_to_tc,
        "ets": {
            tc: (row.algorithm.value, row.bandwidth.amount // 10_000)
            if row.algorithm is Algorithm.ETS
            else (row.algorithm.value, None)
            for tc, row in port.ets.queues
        },
    }


def says(**told: Any) -> dict[str, Any]:
    blank = {
        "owner": DcbOwner.OS,
        "trust": Trust.DSCP,
        "map": FACTORY_MAP,
        "pfc": frozenset(),
        "mode": OFF,
        "cable": 7_000,
        "sizes": (),
        "p2b": (),
        "classes": FACTORY_CLASSES,
        "ets": VENDOR,
    }
    return {**blank, **told}


THREE = frozenset({3})
MOVED = tuple(6 if dscp == 30 else dscp // 8 for dscp in range(64))
PRINTOUTS = {
    "mlnx_qos-cx5-firmware-controlled-dcbx-from-onyx.txt": says(
        owner=DcbOwner.FIRMWARE,
        pfc=THREE,
        mode=PfcMode.AUTO,
        sizes=(130944, 130944, 0, 0, 0, 0, 0, 0),
        p2b=(0, 0, 0, 1, 0, 0, 0, 0),
        classes=(0, 0, 0, 3, 0, 0, 6, 0),
        ets={0: ("ets", 50), 3: ("ets", 50), 6: ("vendor", None)},
    ),
    "mlnx_qos-cx7-prio5-dscp-buffer-ets-defaultprio.txt": says(
        pfc=frozenset({5}),
        mode=PfcMode.ON,
        cable=30_000,
        sizes=(19872, 220896, 0, 0, 0, 0, 0, 0),
        p2b=(0, 0, 0, 0, 0, 1, 0, 0),
        classes=(0, 1, 2, 3, 4, 5, 6, 7),
        ets={
            0: ("ets", 9),
            1: ("ets", 1),
            2: ("ets", 80),
            3: ("ets", 10),
            **dict.fromkeys(range(4, 8), ("strict", None)),
        },
    ),
    "mlnx_qos-dscp-nopfc-buffer524160.txt": says(sizes=(524160, 0, 0, 0, 0, 0, 0, 0), p2b=(0,) * 8),
    "mlnx_qos-nobuffer-dscp-pfc3.txt": says(pfc=THREE, mode=PfcMode.ON),
    "mlnx_qos-pcp-default-buffer262016.txt": says(
        trust=Trust.PCP, map=(), sizes=(262016, 0, 0, 0, 0, 0, 0, 0), p2b=(0,) * 8
    ),
    "mlnx_qos-pcp-default-buffer524160.txt": says(
        trust=Trust.PCP, map=(), sizes=(524160, 0, 0, 0, 0, 0, 0, 0), p2b=(0,) * 8
    ),
    "mlnx_qos-wrapped-dscp2prio-custom-buffers.txt": says(
        map=MOVED,
        pfc=THREE,
        mode=PfcMode.ON,
        sizes=(80256, 80256, 896, 80256, 896, 896, 896, 896),
        p2b=(0, 2, 5, 7, 1, 2, 3, 6),
    ),
}


@pytest.mark.parametrize("name", sorted(PRINTOUTS))
def test_printout(captures: Path, name: str) -> None:
    found = read(captures, name, "mlnx_qos -i ens6")
    assert facts(found.state.port("ens6")) == PRINTOUTS[name]
    assert (found.unread, found.diagnostics) == ((), ())
    assert found.coverage == frozenset({"mlnx_qos -i ens6"})
    assert all(row.cap is OFF for _, row in found.state.port("ens6").ets.queues)
    assert PLATFORM.canonical(found.state) == PLATFORM.canonical(PLATFORM.canonical(found.state))


def test_canonical_keeps_what_was_read(captures: Path) -> None:
    for name in PRINTOUTS:
        found = read(captures, name, "mlnx_qos -i ens6").state
        assert PLATFORM.canonical(found) == found
        assert PLATFORM.plan(found, found) == ()


def test_without_a_command_the_file_names_the_port(captures: Path) -> None:
    name = "mlnx_qos-pcp-default-buffer262016.txt"
    assert set(read(captures, name).state.ports) == {name}


def test_a_page_that_lost_its_line_breaks(captures: Path) -> None:
    found = read(captures, "mlnx_qos-cx5-pcp-prio5-defaultprio-ONELINE-flattened.txt")
    assert not found.understood
    assert found.state.ports == {}
    assert [d.kind for d in found.diagnostics] == ["damaged"]


def test_the_tool_s_help_is_no_printout(captures: Path) -> None:
    found = read(captures, "mlnx_qos-help-v1.2-2607.txt")
    assert not found.understood
    assert found.state.ports == {}
    asked = read(captures, "mlnx_qos-help-v1.2-2607.txt", "mlnx_qos -i ens6")
    assert not asked.understood
    assert len(asked.unread) > 40


def test_options_that_are_rendered_exist(captures: Path) -> None:
    text = (captures / "nic-mlnx" / "mlnx_qos-help-v1.2-2607.txt").read_text()
    for option in (
        "--pfc=",
        "--prio_tc=",
        "--tsa=",
        "--tcbw=",
        "--ratelimit=",
        "--dcbx=",
        "--trust=",
        "--dscp2prio=",
        "--cable_len=",
        "--prio2buffer=",
        "--buffer_size=",
        "  -a ",
    ):
        assert option in text


def test_forced_traffic_class(captures: Path) -> None:
    command = "cat /sys/class/infiniband/mlx5_2/tc/1/traffic_class"
    for name, value in (("traffic_class-sysfs.txt", 106), ("traffic_class-sysfs-dscp59.txt", 236)):
        found = read(captures, name, command)
        assert found.state.port("mlx5_2").marking.global_tclass == value
        assert read(captures, name).state.port(name).marking.global_tclass == value


def test_rdma_devices_and_their_interfaces(captures: Path) -> None:
    folder = captures / "nic-mlnx"
    outputs = [
        Output("ibdev2netdev", (folder / "ibdev2netdev-mixed.txt").read_text()),
        Output("show_gids", (folder / "show_gids-cx5-mixed.txt").read_text()),
        Output(
            "cat /sys/class/infiniband/mlx5_2/tc/1/traffic_class",
            (folder / "traffic_class-sysfs.txt").read_text(),
        ),
    ]
    found = PLATFORM.parse(outputs)
    assert found.state.port("ens6").marking.global_tclass == 106
    rdma = {name: value for name, value in found.facts.items() if name.endswith(".rdma")}
    assert rdma == {
        "ens4f0.rdma": "mlx5_0",
        "ens4f1.rdma": "mlx5_1",
        "ens6.rdma": "mlx5_2",
        "ens14f0.rdma": "mlx5_3",
        "ens14f1.rdma": "mlx5_4",
        "ib0.rdma": "mlx5_5",
        "ens6f1.rdma": "mlx5_6",
        "ens6f2.rdma": "mlx5_7",
    }
    assert [found.facts[f"{n}.port"] for n in ("ens4f0", "ens6", "ib0")] == ["Down", "Up", "Up"]
    assert found.facts["mlx5_2.gid.1.3"] == "v2 172.17.242.56 ens6"
    assert found.facts["mlx5_3.gid.1.2"] == "v1 192.168.242.56 ens14f0"
    assert found.facts["mlx5_5.gid.1.0"] == "v1 fe80:0000:0000:0000:08c0:eb03:00b6:a0b4"
    assert sum(".gid." in name for name in found.facts) == 19  # n_gids_found=19


def test_driver_and_firmware(captures: Path) -> None:
    found = read(captures, "ethtool-i-cx7.txt", "ethtool -i ens4np0")
    assert found.facts == {
        "ens4np0.driver": "mlx5_core",
        "ens4np0.driver_version": "23.10-1.1.9",
        "ens4np0.firmware": "28.39.3560",
        "ens4np0.psid": "MT_0000000838",
        "ens4np0.pci": "0000:e6:00.0",
    }


def test_link(captures: Path) -> None:
    found = read(captures, "ip-s-s-link-cx7-mtu1500.txt")
    port = found.state.port("ens4np0")
    assert (port.mtu.native, port.link.admin_up) == (1500, True)


def test_verbs(captures: Path) -> None:
    found = read(captures, "ibv_devinfo-cx7-dgxspark-mtu9000-two-ports.txt")
    down = {k.split(".")[1]: v for k, v in found.facts.items() if k.startswith("rocep1s0f0.")}
    assert down == {
        "transport": "InfiniBand",
        "fw_ver": "28.45.4028",
        "board_id": "NVD0000000087",
        "state": "PORT_DOWN",
        "max_mtu": "4096",
        "active_mtu": "1024",
        "link_layer": "Ethernet",
    }
    assert found.facts["rocep1s0f1.state"] == "PORT_ACTIVE"
    assert found.facts["rocep1s0f1.active_mtu"] == "4096"


def test_nv_configuration(captures: Path) -> None:
    found = read(captures, "mlxconfig-query-cx4lx-roce-section.txt", "mlxconfig -d 0000:01:00.0 q")
    assert len(found.facts) == 67
    told = {name.removeprefix("0000:01:00.0.nv."): value for name, value in found.facts.items()}
    assert told["ROCE_CC_PRIO_MASK_P1"] == "255"
    assert told["CNP_DSCP_P2"] == "48"
    assert told["CNP_802P_PRIO_P1"] == "6"
    assert told["LLDP_NB_DCBX_P1"] == "False(0)"
    assert told["NUM_OF_TC_P1"] == "_8_TCs(0)"
    assert told["ROCE_CONTROL"] == "ROCE_ENABLE(2)"


def test_nv_excerpts_of_public_cases(captures: Path) -> None:
    folder = captures / "cases"
    one = PLATFORM.parse(
        [Output("", (folder / "dpservice26-mlxconfig-cx5-dcqcn-p1.txt").read_text(), "one")]
    )
    assert len(one.facts) == 27
    assert one.facts["one.nv.MIN_TIME_BETWEEN_CNPS_P1"] == "4"
    three = PLATFORM.parse(
        [Output("", (folder / "sriov358-mlxconfig-cx6lx-dcqcn-p1.txt").read_text(), "three")]
    )
    assert len(three.facts) == 3 * 13
    assert three.facts["three.nv.RPG_GD_P1.next"] == "11"


def test_every_file_of_the_folder_is_looked_at(captures: Path) -> None:
    """A new capture must be added here with the facts that a person read in it."""
    known = {
        *PRINTOUTS,
        "SOURCES.md",
        "mlnx_qos-cx5-pcp-prio5-defaultprio-ONELINE-flattened.txt",
        "mlnx_qos-help-v1.2-2607.txt",
        "traffic_class-sysfs.txt",
        "traffic_class-sysfs-dscp59.txt",
        "ibdev2netdev-mixed.txt",
        "show_gids-cx5-mixed.txt",
        "ethtool-i-cx7.txt",
        "ip-s-s-link-cx7-mtu1500.txt",
        "ibv_devinfo-cx7-dgxspark-mtu9000-two-ports.txt",
        "mlxconfig-query-cx4lx-roce-section.txt",
    }
    assert {path.name for path in (captures / "nic-mlnx").iterdir()} == known
