"""What each tool prints, over its generations, and what becomes of it."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from lossless.model.classification import Trust
from lossless.model.device import Device, Port
from lossless.model.pfc import DcbOwner, PfcMode
from lossless.model.rdma import RoceVersion
from lossless.model.scheduling import Algorithm, QueueScheduling
from lossless.model.settings import Settings
from lossless.model.units import Bandwidth, BandwidthKind, Cap
from lossless.model.values import OFF
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.nvidia_mlnx_qos import PLATFORM
from tests.platforms.nvidia_mlnx_qos import fake_host, fake_qos

IF = "enp1s0f0"


def qos(text: str, options: str = "-a") -> tuple[Settings, Parsed]:
    found = PLATFORM.parse([Output(f"mlnx_qos -i {IF} {options}".strip(), text)])
    return found.state.port(IF), found


def printed(*, tail: str = "max_buffer_size=", everything: bool = True, **changes: object) -> str:
    state = fake_host.host((IF, fake_host.nic("mlx5_0", **changes)))
    return fake_qos.show(state, state["nics"][IF], everything, tail)


def full_map() -> dict[str, int]:
    return {str(dscp): dscp >> 3 for dscp in range(64)}


TEXT = """\
****** WARNING: lldpad service is running and may overwrite your settings ******

DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
\tprio:0 dscp:63,07,06,05,04,03,02,01,
\tprio:0 dscp:00,
\tprio:3 dscp:26,
default priority:
Receive buffer size (bytes): 20016,156096,0,0,0,0,0,0,total_size=1027728
Cable len: 12
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0   
\tbuffer      0   0   0   1   0   0   0   0   
tc: 5 ratelimit: 12.5 Gbps, tsa: strict
\t priority:  6
tc: 0 ratelimit: unlimited, tsa: ets, bw: 30%
\t priority:  0
\t priority:  1
\t priority:  2
\t priority:  4
tc: 3 ratelimit: 100.0 Gbps, tsa: ets, bw: 70%
\t priority:  3
tc: 7 ratelimit: unlimited, tsa: vendor
\t priority:  5
\t priority:  7
"""  # noqa: W291 - the tool pads its rows


def test_every_item_with_its_line() -> None:
    port, found = qos(TEXT, "")
    assert (found.unread, found.understood) == ((), True)
    assert port.dcb.owner is DcbOwner.OS
    assert port.dcb.agents == frozenset({"lldpad"})
    marks = port.classification
    assert marks.trust is Trust.DSCP
    assert [marks.dscp_to_priority[d] for d in (0, 7, 26, 63)] == [0, 0, 3, 0]
    assert marks.dscp_to_priority[27] is OFF
    assert marks.priority_to_tc == (0, 0, 0, 3, 0, 7, 5, 7)
    assert port.pfc.send == port.pfc.honour == frozenset({3})
    assert port.pfc.mode is PfcMode.ON
    assert dict(port.ets.queues) == {
        0: QueueScheduling(
            algorithm=Algorithm.ETS, bandwidth=Bandwidth(BandwidthKind.ETS, 300_000), cap=OFF
        ),
        3: QueueScheduling(
            algorithm=Algorithm.ETS,
            bandwidth=Bandwidth(BandwidthKind.ETS, 700_000),
            cap=Cap(rate=100 * 10**9),
        ),
        5: QueueScheduling(algorithm=Algorithm.STRICT, bandwidth=OFF, cap=Cap(rate=12_500_000_000)),
        7: QueueScheduling(algorithm=Algorithm.VENDOR, bandwidth=OFF, cap=OFF),
    }
    assert port.buffers.cable == 12_000
    assert port.buffers.priority_to_buffer == (0, 0, 0, 1, 0, 0, 0, 0)
    assert dict(port.buffers.sizes)[1] == 156_096
    assert found.facts[f"{IF}.buffer_total"] == "1027728"
    where = f"mlnx_qos -i {IF}"
    assert found.lines["ports", IF, "pfc", "send"] == (where, 14)
    assert found.lines["ports", IF, "classification", "dscp_to_priority", 0] == (where, 7)
    assert found.lines["ports", IF, "classification", "priority_to_tc", 3] == (where, 23)
    assert [d.kind for d in found.diagnostics] == ["device_exception"]
    assert "no priority for DSCP 8, 9," in found.diagnostics[0].text


def test_generations_of_the_tool_say_the_same() -> None:
    state = {"apps": full_map(), "pfc": [0, 0, 0, 1, 0, 0, 0, 0]}
    newest, _ = qos(printed(**state))
    assert qos(printed(tail="", **state))[0] == newest
    assert qos(printed(tail="total_size=", **state))[0] == newest
    spaces = printed(**state).replace("\t", "        ")
    assert qos(spaces)[0] == newest
    assert qos(printed(**state).replace("Cable len", "default priority:\nCable len"))[0] == newest
    assert qos(printed(**state).replace("\n", "\r\n"))[0] == newest


@given(st.randoms())
def test_the_order_of_the_classes_means_nothing(dice: random.Random) -> None:
    head, *rows = printed(apps=full_map()).split("tc: ")
    dice.shuffle(rows)
    assert qos("tc: ".join([head, *rows]))[0] == qos(printed(apps=full_map()))[0]


def test_under_pcp_the_map_is_not_told() -> None:
    port, _ = qos(printed())
    assert port.classification.trust is Trust.PCP
    assert port.classification.dscp_to_priority == ()
    assert port.pfc.mode is OFF


def test_without_a_the_classes_that_nobody_uses_are_not_told() -> None:
    shown = {"prio_tc": [0, 0, 0, 3, 0, 0, 6, 0]}
    port, found = qos(printed(everything=False, **shown), "")
    assert set(dict(port.ets.queues)) == {0, 3, 6}
    assert port.classification.priority_to_tc == (0, 0, 0, 3, 0, 0, 6, 0)
    assert found.coverage == frozenset({f"mlnx_qos -i {IF}"})
    assert set(dict(qos(printed(**shown))[0].ets.queues)) == set(range(8))


def test_a_card_without_buffers_tells_none() -> None:
    port, found = qos(printed(buffers=False, apps=full_map()))
    assert found.understood
    assert (port.buffers.sizes, port.buffers.priority_to_buffer) == ((), ())
    assert port.buffers.cable == 7_000


def test_rows_without_numbers_are_placed_only_where_all_are_there() -> None:
    port, found = qos(printed(rate=False))
    assert found.diagnostics == ()
    assert port.classification.priority_to_tc == (1, 0, 2, 3, 4, 5, 6, 7)
    assert all(row.cap is None for _, row in port.ets.queues)
    some, found = qos(printed(rate=False, everything=False, prio_tc=[0] * 8), "")
    assert not found.understood
    assert "rate limits could not be read" in found.diagnostics[0].text
    assert some == Settings()


def test_firmware_that_owns_dcbx() -> None:
    port, _ = qos(printed(owner="fw", pfc=[0, 0, 0, 1, 0, 0, 0, 0]))
    assert port.dcb.owner is DcbOwner.FIRMWARE
    assert port.pfc.mode is PfcMode.AUTO


def test_a_flattened_text_is_refused_and_nothing_is_guessed() -> None:
    port, found = qos(printed().replace("\n", ""))
    assert (found.understood, port) == (False, Settings())
    assert [d.kind for d in found.diagnostics] == ["damaged"]
    assert "line breaks" in found.diagnostics[0].text


def test_a_truncated_text_tells_what_it_holds() -> None:
    whole = printed(apps=full_map(), pfc=[0, 0, 0, 1, 0, 0, 0, 0])
    port, found = qos(whole[: whole.index("tc: 4")])
    assert port.pfc.send == frozenset({3})
    assert port.classification.priority_to_tc == ()
    assert found.coverage == frozenset()
    assert "not every priority" in found.diagnostics[0].text


def test_what_is_not_understood_is_listed() -> None:
    text = printed().replace("Cable len: 7", "Cable length of this port: seven\nShaper: on")
    _, found = qos(text)
    assert [(u.text, u.line) for u in found.unread] == [
        ("Cable length of this port: seven", 4),
        ("Shaper: on", 5),
    ]


def test_two_items_where_one_belongs() -> None:
    text = printed().replace("Cable len: 7", "Cable len: 7\nCable len: 9")
    _, found = qos(text)
    assert any("printed twice" in d.text for d in found.diagnostics)
    assert found.coverage == frozenset()


def rdma(*outputs: tuple[str, str]) -> Parsed:
    mapping = ("ls -d /sys/class/infiniband/*/device/net/*",
               f"/sys/class/infiniband/mlx5_0/device/net/{IF}\n")  # fmt: skip
    return PLATFORM.parse([Output(c, t) for c, t in (mapping, *outputs)])


TCLASS = "head -v -n 64 /sys/class/infiniband/mlx5_0/tc/1/traffic_class"
PATH = "==> /sys/class/infiniband/mlx5_0/tc/1/traffic_class <==\n"


def test_the_forced_traffic_class_set_unset_and_missing() -> None:
    told = rdma((TCLASS, PATH + "Global tclass=104\n"))
    assert told.state.port(IF).marking.global_tclass == 104
    assert rdma((TCLASS, PATH)).state.port(IF).marking.global_tclass is OFF
    missing = "head: cannot open '/sys/…/traffic_class' for reading: No such file or directory\n"
    assert rdma((TCLASS, missing)).state.port(IF).marking.global_tclass is None
    alone = "cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class"
    assert rdma((alone, "Global tclass=96\n")).state.port(IF).marking.global_tclass == 96
    assert rdma((alone, "cat: /sys/…: No such file\n")).state.port(IF).marking == Settings().marking


def test_rules_by_address_are_listed_as_unread() -> None:
    rule = "tclass=136,dst_ip=192.0.2.7/24"
    found = rdma((TCLASS, PATH + f"Global tclass=104\n{rule}\n"))
    assert [u.text for u in found.unread] == [rule]


def test_connection_manager() -> None:
    found = rdma(
        ("sudo cma_roce_tos -d mlx5_0 -p 1", "106\n"), ("cma_roce_mode -d mlx5_0", "RoCE v2\n")
    )
    port = found.state.port(IF)
    assert (port.marking.cm_tos, port.marking.cm_mode) == (106, RoceVersion.V2)
    # Without -d the tools speak of mlx5_0, whatever the caller had in mind.
    assert rdma(("cma_roce_tos", "104\n")).state.port(IF).marking.cm_tos == 104
    refused = rdma(("cma_roce_tos -d mlx5_0", "Module rdma_cm is not loaded\n"))
    assert [d.kind for d in refused.diagnostics] == ["damaged"]


def test_an_rdma_device_of_no_known_interface_keeps_its_own_name() -> None:
    found = PLATFORM.parse([Output("cma_roce_tos -d mlx5_7 -p 1", "106")])
    assert set(found.state.ports) == {"mlx5_7"}


def ecn(np: dict[int, int], **files: int) -> Parsed:
    root = f"/sys/class/net/{IF}/ecn"
    told = {f"{root}/roce_np/enable/{p}": bit for p, bit in np.items()}
    told |= {f"{root}/{name.replace('__', '/')}": value for name, value in files.items()}
    text = "\n".join(f"==> {path} <==\n{value}\n" for path, value in told.items())
    return PLATFORM.parse([Output(f"head -v -n 64 {' '.join(told)}", text)])


def test_congestion_control_from_kernel_files() -> None:
    found = ecn(
        dict.fromkeys(range(8), 0) | {3: 1},
        roce_np__cnp_dscp=48,
        roce_np__cnp_802p_prio=6,
        roce_np__min_time_between_cnps=4,
        roce_rp__rpg_ai_rate=5,
    )
    told = found.state.port(IF).congestion
    assert told.notification_point == frozenset({3})
    assert told.reaction_point is None
    assert (told.cnp_dscp, told.cnp_priority, told.cnp_interval) == (48, 6, 4_000)
    assert told.parameters == (("rpg_ai_rate", 5),)


def test_part_of_the_priorities_is_not_all_of_them() -> None:
    found = ecn({3: 1})
    assert found.state.port(IF).congestion.notification_point is None
    assert "for 1 of 8 priorities" in found.diagnostics[0].text


def test_files_out_of_range_are_damage() -> None:
    found = ecn({}, roce_np__cnp_dscp=64, roce_np__cnp_802p_prio=9)
    assert found.state.port(IF).congestion.cnp_dscp is None
    assert [d.kind for d in found.diagnostics] == ["damaged", "damaged"]


def test_a_missing_file_does_not_spoil_the_one_before() -> None:
    root = f"/sys/class/net/{IF}/ecn/roce_np"
    text = f"==> {root}/cnp_dscp <==\n48\nhead: cannot open '{root}/x' for reading: No such file\n"
    found = PLATFORM.parse([Output(f"head -v -n 64 {root}/cnp_dscp {root}/x", text)])
    assert found.state.port(IF).congestion.cnp_dscp == 48
    assert found.diagnostics == ()


def test_links_mtu_and_vlan_maps() -> None:
    rows = [
        {"ifname": "lo", "mtu": 65536, "flags": ["LOOPBACK", "UP"]},
        {"ifname": IF, "mtu": 4200, "flags": ["BROADCAST", "UP", "LOWER_UP"]},
        {
            "ifname": f"{IF}.100",
            "link": IF,
            "mtu": 4200,
            "flags": ["UP"],
            "linkinfo": {
                "info_kind": "vlan",
                "info_data": {"id": 100, "egress_qos": [{"from": 3, "to": 3}]},
            },
        },
    ]
    outputs = [Output(f"mlnx_qos -i {IF} -a", printed()), Output("ip -j -d link show", "")]
    found = PLATFORM.parse([outputs[0], Output("ip -j -d link show", json.dumps(rows))])
    port = found.state.port(IF)
    assert set(found.state.ports) == {IF}
    assert (port.mtu.l3, port.mtu.native, port.link.admin_up) == (4200, 4200, True)
    assert port.vlans.pcp_maps == ((100, (None, None, None, 3, None, None, None, None)),)
    assert PLATFORM.parse(outputs).state.port(IF).mtu.native is None


def test_pause_speed_driver_and_processes() -> None:
    found = PLATFORM.parse(
        [
            Output(f"mlnx_qos -i {IF} -a", printed()),
            Output(f"ethtool -a {IF}", f"Pause parameters for {IF}:\nRX:\t\ton\nTX:\t\toff\n"),
            Output(f"ethtool {IF}", f"Settings for {IF}:\n\tSpeed: 200000Mb/s\n"),
            Output(f"ethtool -i {IF}", "driver: mlx5_core\nfirmware-version: 20.31.1 (MT_1)\n"),
            Output("ps -e -o comm=", "systemd\nsshd\n"),
        ]
    )
    port = found.state.port(IF)
    assert (port.link.pause_honour, port.link.pause_send) == (True, OFF)
    assert port.link.speed == 200 * 10**9
    assert port.dcb.agents == frozenset()
    assert (found.facts[f"{IF}.firmware"], found.facts[f"{IF}.psid"]) == ("20.31.1", "MT_1")
    down = Output(f"ethtool {IF}", f"Settings for {IF}:\n\tSpeed: Unknown!\n")
    assert PLATFORM.parse([down]).state.port(IF).link.speed is None


def test_nv_configuration_in_one_and_in_three_columns() -> None:
    text = "Configurations:            Default   Current   Next Boot\n"
    text += "*       CNP_DSCP_P1        48        4         48\n        LINK_TYPE_P1  ETH(2)\n"
    found = PLATFORM.parse([Output("mlxconfig -d 0000:e6:00.0 -e query", text)])
    assert found.facts["0000:e6:00.0.nv.CNP_DSCP_P1.current"] == "4"
    assert found.facts["0000:e6:00.0.nv.CNP_DSCP_P1.next"] == "48"
    assert found.facts["0000:e6:00.0.nv.LINK_TYPE_P1"] == "ETH(2)"


def test_every_command_is_asked_and_every_answer_recognised() -> None:
    port = Port(name=IF, rdma="mlx5_0", pci="0000:e6:00.0", platform="nvidia_mlnx_qos")
    other = Port(name="ens9", rdma="bnxt_re0", platform="broadcom_bnxt")
    asked = PLATFORM.commands(Device(name="gpu01", kind="host", ports=(port, other)))
    texts = [command.text for command in asked]
    assert len(set(texts)) == len(texts)
    assert f"mlnx_qos -i {IF} -a" in texts
    assert "cma_roce_tos -d mlx5_0 -p 1" in texts
    assert not any("ens9" in text or "bnxt" in text for text in texts)
    assert [c.text for c in asked if c.needed] == [f"mlnx_qos -i {IF} -a"]
    assert PLATFORM.recognises(printed())
    assert not PLATFORM.recognises("hostname leaf01\nqos trust dscp\n")
