"""What NICs are told of their cables: more than their driver assumes, or what is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from lossless.intent import build
from lossless.inventory import read
from lossless.model.device import Device

FABRIC = """
format: 1
fabric: pod
extends: nvidia-roce
switches:
  leaf1:
    platform: nvidia_cumulus
    role: leaf
    ports: {{"swp[1-3]": {{speed: 400G, role: host}}}}
hosts:
  gpu[1-3]: {{nics: {{ens1: {{platform: {platform}, speed: 400G}}}}}}
links:
  - {{for: {{n: 1-3}}, a: "gpu{{n}}:ens1", b: "leaf1:swp{{n}}", {cable}}}
"""


def _hosts(folder: Path, cable: str, platform: str = "nvidia_mlnx_qos") -> list[Device]:
    text = FABRIC.format(cable=cable, platform=platform)
    (folder / "fabric.yaml").write_text(text)
    fabric = build(read([str(folder)])).fabric
    for link in fabric.links:
        for device in (link.a_device, link.b_device):
            assert device is fabric.devices[device.name]
    return [fabric.devices[f"gpu{n}"] for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("cable", "told"),
    [
        ("cable: 30m", 30_000),
        ("cable: 3m", None),  # less than the driver assumes by itself
        ("cable: 7m", None),
        ("cable: 3m, configured_cable: 5m", 5_000),
        ("cable: 30m, configured_cable: 40m", 40_000),
        ("medium: optic", None),
    ],
)
def test_what_a_nic_is_told(cable: str, told: int | None, tmp_path: Path) -> None:
    hosts = _hosts(tmp_path, cable)
    assert {h.configured.port("ens1").buffers.cable for h in hosts} == {told}
    assert len({id(h.configured) for h in hosts}) == 1, "equal hosts share their settings"


def test_lengths_may_differ(tmp_path: Path) -> None:
    hosts = _hosts(tmp_path, "cable: [3m, 30m, 40m]")
    assert [h.configured.port("ens1").buffers.cable for h in hosts] == [None, 30_000, 40_000]


def test_a_nic_whose_driver_asks_for_no_length_is_told_none(tmp_path: Path) -> None:
    hosts = _hosts(tmp_path, "cable: 30m, configured_cable: 40m", "broadcom_bnxt")
    assert {h.configured.port("ens1").buffers.cable for h in hosts} == {None}


SWITCH = """
format: 1
fabric: pod
extends: nvidia-roce
switches:
  leaf1:
    platform: {platform}
    role: leaf
    ports: {{"Ethernet[0-8/8]": {{speed: 400G, role: host}}}}
hosts:
  gpu[1-2]: {{nics: {{ens1: {{platform: nvidia_mlnx_qos, speed: 400G}}}}}}
links:
  - {{a: "gpu1:ens1", b: "leaf1:Ethernet0", cable: 3m, configured_cable: 5m}}
  - {{a: "gpu2:ens1", b: "leaf1:Ethernet8", cable: 3m}}
"""


@pytest.mark.parametrize(("platform", "told"), [("sonic", 5_000), ("arista_eos", None)])
def test_a_switch_is_told_what_is_written(platform: str, told: int | None, tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(SWITCH.format(platform=platform))
    fabric = build(read([str(tmp_path)])).fabric
    leaf = fabric.devices["leaf1"]
    assert leaf.configured.port("Ethernet0").buffers.cable == told
    assert leaf.configured.port("Ethernet8").buffers.cable is None  # nobody says what to tell
    assert all(link.b_device is leaf for link in fabric.links)
