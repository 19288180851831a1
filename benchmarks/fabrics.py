"""Fabrics of any size, as node sets or written out in full, clean or with mistakes.

A pod is 256 hosts with eight NICs on eight rail leaves; every leaf has an uplink to every spine.
One mistake in a hundred NICs (or leaf ports) is the kind that a person makes: an MTU of 1500, a
wrong speed, a wrong priority.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TextIO

RAILS = 8
HOSTS_PER_POD = 256

_HEAD = """\
format: 1
fabric: bench
policy:
  trust: dscp
  classes:
    roce:    {dscp: [26], also: [24-31], priority: 3, lossless: true, bandwidth: 60%, ecn: {min: 150KB, max: 1500KB, probability: 100%}}
    cnp:     {dscp: [48], priority: 6, scheduler: strict}
    default: {also: rest, priority: 0, bandwidth: 40%}
  pfc: {mode: on, watchdog: {poll: 100ms, detect: 200ms, restore: 400ms, action: drop}}
  mtu: {min_l3: 9000, switch: native-max, nic: 9000}
  congestion_control: dcqcn
  collectives: {NCCL_IB_TC: 106}
"""
_NIC = "platform: nvidia_mlnx_qos, model: ConnectX-7, speed: 400G"
_SWITCH = 'platform: arista_eos\n    version: "4.33.1F"\n    model: DCS-7060X6-64PE'


@dataclass(frozen=True, slots=True)
class Size:
    """How large a fabric is.  `nics` must be a multiple of 2048, one pod."""

    nics: int
    spines: int = 64

    @property
    def hosts(self) -> int:
        return self.nics // RAILS

    @property
    def pods(self) -> int:
        return self.hosts // HOSTS_PER_POD

    @property
    def leaves(self) -> int:
        return self.pods * RAILS


def node_sets(size: Size, out: TextIO, mistakes: bool = False) -> None:
    """Write a fabric as a person does: sets, and one `for` a kind of cable."""
    out.write(_HEAD)
    out.write("switches:\n")
    out.write(f"  leaf[0001-{size.leaves:04}]:\n    role: leaf\n    {_SWITCH}\n    ports:\n")
    out.write(f"      Ethernet[1-{HOSTS_PER_POD}]/1: {{speed: 400G, role: host}}\n")
    first = HOSTS_PER_POD + 1
    last = HOSTS_PER_POD + size.spines
    out.write(f"      Ethernet[{first}-{last}]/1: {{speed: 800G, role: fabric}}\n")
    out.write(f"  spine[0001-{size.spines:04}]:\n    role: spine\n    {_SWITCH}\n    ports:\n")
    out.write(f"      Ethernet[1-{size.leaves}]/1: {{speed: 800G, role: fabric}}\n")
    out.write("hosts:\n")
    out.write(f"  gpu[00001-{size.hosts:05}]:\n    sends: {{rdma: roce, cnp: cnp}}\n    nics:\n")
    out.write(
        f'      ens[1-{RAILS}]np0: {{rdma: "mlx5_[0-{RAILS - 1}]", rail: "[1-{RAILS}]", {_NIC}}}\n'
    )
    if mistakes:
        for host, group in groupby(_wrong(size), key=lambda place: place[0]):
            nics = ", ".join(f"ens{rail}np0: {{mtu: {{nic: 1500}}}}" for _, rail in group)
            out.write(f"  gpu{host:05}: {{nics: {{{nics}}}}}\n")
    out.write("links:\n")
    leaf = f"leaf{{((n-1)//{HOSTS_PER_POD})*{RAILS}+r:04}}"
    port = f"Ethernet{{(n-1)%{HOSTS_PER_POD}+1}}/1"
    out.write(
        f"  - {{for: {{n: 1-{size.hosts}, r: 1-{RAILS}}}, "
        f'a: "gpu{{n:05}}:ens{{r}}np0", b: "{leaf}:{port}", cable: 3m, medium: dac}}\n'
    )
    out.write(
        f"  - {{for: {{l: 1-{size.leaves}, s: 1-{size.spines}}}, "
        f'a: "leaf{{l:04}}:Ethernet{{{HOSTS_PER_POD}+s}}/1", b: "spine{{s:04}}:Ethernet{{l}}/1", '
        "cable: 30m, medium: optic}\n"
    )


def in_full(size: Size, out: TextIO, mistakes: bool = False) -> None:
    """Write the same fabric with each device, port and cable by itself."""
    out.write(_HEAD)
    out.write("switches:\n")
    for leaf in range(1, size.leaves + 1):
        out.write(f"  leaf{leaf:04}:\n    role: leaf\n    {_SWITCH}\n    ports:\n")
        for port in range(1, HOSTS_PER_POD + 1):
            out.write(f"      Ethernet{port}/1: {{speed: 400G, role: host}}\n")
        for port in range(HOSTS_PER_POD + 1, HOSTS_PER_POD + size.spines + 1):
            out.write(f"      Ethernet{port}/1: {{speed: 800G, role: fabric}}\n")
    for spine in range(1, size.spines + 1):
        out.write(f"  spine{spine:04}:\n    role: spine\n    {_SWITCH}\n    ports:\n")
        for port in range(1, size.leaves + 1):
            out.write(f"      Ethernet{port}/1: {{speed: 800G, role: fabric}}\n")
    wrong = set(_wrong(size)) if mistakes else set()
    out.write("hosts:\n")
    for host in range(1, size.hosts + 1):
        out.write(f"  gpu{host:05}:\n    sends: {{rdma: roce, cnp: cnp}}\n    nics:\n")
        for rail in range(1, RAILS + 1):
            mtu = ", mtu: {nic: 1500}" if (host, rail) in wrong else ""
            out.write(f"      ens{rail}np0: {{rdma: mlx5_{rail - 1}, rail: {rail}, {_NIC}{mtu}}}\n")
    out.write("links:\n")
    for host in range(1, size.hosts + 1):
        for rail in range(1, RAILS + 1):
            leaf = (host - 1) // HOSTS_PER_POD * RAILS + rail
            port = (host - 1) % HOSTS_PER_POD + 1
            out.write(
                f'  - {{a: "gpu{host:05}:ens{rail}np0", b: "leaf{leaf:04}:Ethernet{port}/1", '
                "cable: 3m, medium: dac}\n"
            )
    for leaf in range(1, size.leaves + 1):
        for spine in range(1, size.spines + 1):
            out.write(
                f'  - {{a: "leaf{leaf:04}:Ethernet{HOSTS_PER_POD + spine}/1", '
                f'b: "spine{spine:04}:Ethernet{leaf}/1", cable: 30m, medium: optic}}\n'
            )


def _wrong(size: Size) -> Iterator[tuple[int, int]]:
    chosen = random.Random(1).sample(range(size.nics), size.nics // 100)
    return ((number // RAILS + 1, number % RAILS + 1) for number in sorted(chosen))
