"""The example that the documentation opens with, with the mistake that it holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lossless.findings import Target
from lossless.intent import Built
from lossless.model.classes import PortRole
from lossless.model.classification import Trust
from lossless.model.link import Medium
from lossless.model.pfc import PfcMode, WatchdogAction
from lossless.model.scheduling import Algorithm
from lossless.model.units import Bandwidth, BandwidthKind, in_bytes
from lossless.model.values import OFF

GBPS = 10**9
MS = 10**6

EXAMPLE = """\
format: 1
fabric: pod1
extends: nvidia-roce
policy:
  trust: dscp
  classes:
    roce:    {dscp: [26], also: "24-31", priority: 3, lossless: true, bandwidth: 60%,
              ecn: {min: 150KB, max: 1500KB, probability: 100%}}
    cnp:     {dscp: [48], priority: 6, scheduler: strict}
    default: {also: rest, priority: 0, bandwidth: 40%}
  pfc: {mode: on, watchdog: {poll: 100ms, detect: 200ms, restore: 400ms, action: drop}}
  mtu: {min_l3: 9000, switch: native-max, nic: 9000}
  congestion_control: dcqcn
  collectives: {NCCL_IB_TC: 106, NCCL_IB_GID_INDEX: 3}
  overrides:
    - {match: {platform: sonic}, pfc: {watchdog: {poll: 200ms}}}
switches:
  leaf[01-02]:
    platform: arista_eos
    version: "4.33.1F"
    model: DCS-7060X6-64PE
    role: leaf
    access: {address: "192.0.2.[11-12]", jump: bastion}
    ports:
      Ethernet[1-8]/1: {speed: 400G, role: host}
      Ethernet[33-36]/1: {speed: 800G, role: fabric}
  leaf02:
    ports:
      Ethernet7/1: {pfc: {priorities: [4]}}
  spine[01-02]:
    platform: sonic
    version: "202505"
    model: SN5600
    role: spine
    access: {address: "192.0.2.[21-22]"}
    ports:
      Ethernet[0-24/8]: {speed: 800G, role: fabric}
hosts:
  gpu[01-08]:
    access: {address: "192.0.2.[101-108]"}
    sends: {rdma: roce, cnp: cnp}
    nics:
      ens[1-2]np0: {rdma: "mlx5_[0-1]", rail: [1, 2], platform: nvidia_mlnx_qos,
                    model: ConnectX-7, speed: 400G, pcie: gen5x16}
external:
  wan1: {lossless: unknown}
links:
  - {for: {n: 1-8, r: 1-2}, a: "gpu{n:02}:ens{r}np0", b: "leaf{r:02}:Ethernet{n}/1",
     cable: 3m, medium: dac, rated: 400G}
  - {for: {l: 1-2, s: 1-2, k: 0-1}, a: "leaf{l:02}:Ethernet{33+(s-1)*2+k}/1",
     b: "spine{s:02}:Ethernet{((l-1)*2+k)*8}", cable: 30m, medium: optic}
"""


@pytest.fixture
def example(built: Callable[..., Built]) -> Built:
    return built(EXAMPLE)


def ends(made: Built) -> list[str]:
    return [
        f"{li.a_device.name}:{li.a.name} {li.b_device.name}:{li.b.name}" for li in made.fabric.links
    ]


def test_who_is_there(example: Built) -> None:
    devices = example.fabric.devices
    assert list(devices) == [
        *("leaf01", "leaf02", "spine01", "spine02"),
        *(f"gpu0{n}" for n in range(1, 9)),
    ]
    assert {len(d.ports) for d in devices.values() if d.role == "leaf"} == {12}
    assert [p.name for p in devices["spine01"].ports] == [f"Ethernet{n}" for n in (0, 8, 16, 24)]
    leaf = devices["leaf02"]
    assert leaf.access is not None
    assert (leaf.access.address, leaf.access.jump) == ("192.0.2.12", "bastion")
    assert (leaf.platform, leaf.version, leaf.kind) == ("arista_eos", "4.33.1F", "switch")
    assert example.fabric.externals["wan1"].kind == "external"
    assert not example.fabric.remarks


def test_how_it_is_cabled(example: Built) -> None:
    links = ends(example)
    assert len(links) == 24
    assert links[0] == "gpu01:ens1np0 leaf01:Ethernet1/1"
    assert links[1] == "gpu01:ens2np0 leaf02:Ethernet1/1"
    assert links[15] == "gpu08:ens2np0 leaf02:Ethernet8/1"
    assert links[16:] == [
        "leaf01:Ethernet33/1 spine01:Ethernet0",
        "leaf01:Ethernet34/1 spine01:Ethernet8",
        "leaf01:Ethernet35/1 spine02:Ethernet0",
        "leaf01:Ethernet36/1 spine02:Ethernet8",
        "leaf02:Ethernet33/1 spine01:Ethernet16",
        "leaf02:Ethernet34/1 spine01:Ethernet24",
        "leaf02:Ethernet35/1 spine02:Ethernet16",
        "leaf02:Ethernet36/1 spine02:Ethernet24",
    ]
    cable = example.fabric.links[3].cable
    assert (cable.length, cable.medium, cable.rated) == (3000, Medium.DAC, 400 * GBPS)
    assert example.fabric.links[20].cable.rated is None


def test_what_a_leaf_port_is_told(example: Built) -> None:
    told = example.fabric.devices["leaf01"].configured.port("Ethernet7/1")
    assert told.link.speed == 400 * GBPS
    assert told.link.pause_send is OFF
    assert told.pfc.mode is PfcMode.ON
    assert told.pfc.send == told.pfc.honour == {3}
    assert told.classification.trust is Trust.DSCP
    dscp = told.classification.dscp_to_priority
    assert [dscp[d] for d in (0, 23, 24, 26, 31, 32, 48, 63)] == [0, 0, 3, 3, 3, 0, 6, 0]
    dog = told.watchdog
    assert (dog.enabled, dog.poll, dog.detect, dog.restore, dog.action) == (
        True,
        100 * MS,
        200 * MS,
        400 * MS,
        WatchdogAction.DROP,
    )
    queues = dict(told.ets.queues)
    assert queues[3].bandwidth == Bandwidth(BandwidthKind.ETS, 600_000)
    assert queues[3].algorithm is Algorithm.ETS
    assert queues[6].algorithm is Algorithm.STRICT
    curve = dict(told.ecn.queues)[3]
    assert (curve.minimum, curve.maximum, curve.probability) == (
        in_bytes(150_000),
        in_bytes(1_500_000),
        1_000_000,
    )


def test_the_mistake_is_there(example: Built) -> None:
    told = example.fabric.devices["leaf02"].configured
    assert told.port("Ethernet7/1").pfc.send == {4}
    assert told.port("Ethernet8/1").pfc.send == {3}
    assert example.fabric.devices["leaf01"].configured.port("Ethernet7/1").pfc.send == {3}
    where = example.provenance.locate(Target("leaf02", "Ethernet7/1"), "pfc.priorities")
    assert where is not None
    assert EXAMPLE.splitlines()[where.line - 1].strip().startswith("Ethernet7/1:")


def test_overrides_reach_what_they_match(example: Built) -> None:
    spine = example.fabric.devices["spine01"].configured.port("Ethernet0")
    assert (spine.watchdog.poll, spine.watchdog.detect) == (200 * MS, 200 * MS)


def test_what_a_nic_is_told(example: Built) -> None:
    gpu = example.fabric.devices["gpu05"]
    port = gpu.ports[1]
    assert (port.name, port.rdma, port.place.rail) == ("ens2np0", "mlx5_1", 2)
    assert (port.place.role, port.place.role_written) == (PortRole.HOST, False)
    assert (port.place.owner_role, port.place.tier, port.place.lossless) == ("host", 0, True)
    assert port.intent.sends == (("cnp", "cnp"), ("rdma", "roce"))
    assert port.intent.minimum_l3_mtu == 9000
    told = gpu.configured.port("ens2np0")
    assert told.mtu.l3 == 9000
    assert (told.adapter.pcie_generation, told.adapter.pcie_width) == (5, 16)
    assert told.congestion.algorithm == "dcqcn"
    assert told.watchdog.enabled is None
    assert not told.ecn.queues
    variables = dict(gpu.configured.system.environment.variables)
    assert variables["NCCL_IB_TC"].value == "106"


def test_equal_devices_share_everything(example: Built) -> None:
    devices = example.fabric.devices
    assert devices["gpu01"].ports is devices["gpu08"].ports
    assert devices["gpu01"].configured is devices["gpu08"].configured
    leaf = devices["leaf01"].configured
    assert leaf.port("Ethernet1/1") is leaf.port("Ethernet8/1")
    other = devices["leaf02"].configured
    assert leaf.port("Ethernet1/1") is other.port("Ethernet1/1")
