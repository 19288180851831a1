"""What happens to a packet at each port it passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lossless import intent, inventory
from lossless.model.device import Device, Port
from lossless.topology.routes import Route, route
from lossless.trace import Passage, trace, traffic

_FABRIC = """
format: 1
fabric: small
policy:
  trust: dscp
  classes:
    roce:
      {dscp: [26], also: [24-25], priority: 3, lossless: true, bandwidth: 60%,
       ecn: {min: 150KB, max: 1500KB, probability: 100%}}
    cnp: {dscp: [48], priority: 6, scheduler: strict}
    default: {also: rest, priority: 0, bandwidth: 40%}
  pfc: {mode: on}
  mtu: {min_l3: 9000, switch: native-max, nic: 9000}
switches:
  leaf[1-2]:
    platform: arista_eos
    role: leaf
    ports: {"Ethernet[1-2]/1": {speed: 400G, role: host}, Ethernet9/1: {speed: 800G, role: fabric}}
  spine1:
    platform: arista_eos
    role: spine
    ports: {"Ethernet[1-2]/1": {speed: 800G, role: fabric}}
hosts:
  gpu[1-2]:
    sends: {rdma: roce, cnp: cnp}
    nics: {"ens[1-2]np0": {platform: nvidia_mlnx_qos, model: ConnectX-7, speed: 400G, rail: [1, 2]}}
links:
  - {for: {n: 1-2, r: 1-2}, a: "gpu{n}:ens{r}np0", b: "leaf{r}:Ethernet{n}/1", cable: 3m}
  - {for: {l: 1-2}, a: "leaf{l}:Ethernet9/1", b: "spine1:Ethernet{l}/1", cable: 30m}
"""


class Small:
    """A built fabric and short ways to ask it."""

    def __init__(self, folder: Path, text: str) -> None:
        file = folder / "fabric.yaml"
        file.write_text(text, encoding="utf-8")
        self.fabric = intent.build(inventory.read([file])).fabric

    def end(self, device: str, port: str) -> tuple[Device, Port]:
        found = self.fabric.devices[device]
        return found, next(p for p in found.ports if p.name == port)

    def route(self) -> Route:
        found = route(self.fabric, ("gpu1", "ens1np0"), ("gpu2", "ens2np0"))
        assert found is not None
        return found

    def walk(self, followed: traffic.Traffic) -> tuple[Passage, ...]:
        return trace(self.route().ports, followed).passages


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small(tmp_path, _FABRIC)


def changed(folder: Path, old: str, new: str) -> Small:
    assert old in _FABRIC
    return Small(folder, _FABRIC.replace(old, new))


def test_the_way_climbs_and_descends(small: Small) -> None:
    _, port = small.end("gpu1", "ens1np0")
    names = [p.name for p in small.walk(traffic.by_class(port, "roce"))]
    assert names == [
        *("gpu1:ens1np0", "leaf1:Ethernet1/1", "leaf1:Ethernet9/1", "spine1:Ethernet1/1"),
        *("spine1:Ethernet2/1", "leaf2:Ethernet9/1", "leaf2:Ethernet2/1", "gpu2:ens2np0"),
    ]


def test_a_lossless_class_is_paused_at_every_port(small: Small) -> None:
    _, port = small.end("gpu1", "ens1np0")
    passages = small.walk(traffic.by_class(port, "roce"))
    assert {(p.dscp, p.priority, p.class_name, p.lossless) for p in passages} == {
        (26, 3, "roce", True)
    }
    marks = [p.ecn is not None and p.ecn.enabled for p in passages if not p.inward]
    assert marks[1:] == [True, True, True]


def test_a_strange_dscp_is_best_effort(small: Small) -> None:
    _, port = small.end("gpu1", "ens1np0")
    passages = small.walk(traffic.by_dscp(port, 6, "--dscp"))
    assert {(p.priority, p.class_name, p.lossless) for p in passages} == {(0, "default", False)}


def test_a_port_that_trusts_pcp_does_not_see_the_dscp(tmp_path: Path) -> None:
    pcp = "  leaf1: {ports: {Ethernet1/1: {trust: pcp}}}\nhosts:\n"
    odd = changed(tmp_path, "hosts:\n", pcp)
    _, port = odd.end("gpu1", "ens1np0")
    passages = odd.walk(traffic.by_class(port, "roce"))
    assert passages[1].priority != 3
    assert passages[1].class_name is None  # where untagged packets go, nobody told
    assert passages[3].priority == 3


@pytest.mark.parametrize(
    ("statement", "dscp", "origin"),
    [
        ("collectives: {NCCL_IB_TC: 106}", 26, "NCCL_IB_TC"),
        ("marking: {global_tclass: 96}", 24, "global_tclass"),
        ("collectives: {NCCL_IB_TC: 26}", 6, "NCCL_IB_TC"),
        ("collectives: {NCCL_IB_HCA: mlx5}", 26, "class roce"),
    ],
)
def test_what_a_host_really_stamps(tmp_path: Path, statement: str, dscp: int, origin: str) -> None:
    odd = changed(tmp_path, "    sends: {rdma", f"    {statement}\n    sends: {{rdma")
    sent = traffic.as_sent(*odd.end("gpu1", "ens1np0"))
    assert (sent.dscp, sent.origin, sent.name) == (dscp, origin, "roce")


def test_traffic_of_which_nothing_is_told_is_refused(small: Small) -> None:
    device, port = small.end("gpu1", "ens1np0")
    with pytest.raises(traffic.UnknownTrafficError, match="nobody told"):
        traffic.as_sent(device, port, "storage")
    with pytest.raises(traffic.UnknownTrafficError, match="there are: cnp, default, roce"):
        traffic.by_class(port, "rcoe")


def test_a_rewrite_on_the_way_changes_what_the_next_hop_sees(tmp_path: Path) -> None:
    odd = changed(
        tmp_path, "    role: spine\n", "    role: spine\n    rewrite: {dscp: {roce: 10}}\n"
    )
    _, port = odd.end("gpu1", "ens1np0")
    passages = odd.walk(traffic.by_class(port, "roce"))
    assert [p.dscp for p in passages] == [26, 26, 26, 26, 26, 10, 10, 10]
    assert passages[5].class_name == "default"


def test_a_class_that_marks_pcp_alone_is_followed_by_its_tag(tmp_path: Path) -> None:
    tagged = _FABRIC.replace("trust: dscp", "trust: pcp").replace(
        "{dscp: [26], also: [24-25], priority", "{pcp: [3], priority"
    )
    small = Small(tmp_path, tagged)
    _, port = small.end("gpu1", "ens1np0")
    followed = traffic.by_class(port, "roce")
    assert (followed.pcp, followed.dscp) == (3, 0)
    passages = small.walk(followed)
    assert {p.pcp for p in passages} == {3}
    assert {(p.priority, p.class_name, p.lossless) for p in passages} == {(3, "roce", True)}
    untagged = small.walk(traffic.by_dscp(port, 0, "--dscp"))
    assert {p.priority for p in untagged[1:]} & {3} == set()
